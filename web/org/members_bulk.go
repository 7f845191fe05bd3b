package org

import (
	"net/http"
	"slices"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// bulkMembers is the form that the boxes of the list belong to.
const bulkMembers = "bulk-members"

// mostAtOnce is how many people one form changes: a page of the list.
const mostAtOnce = 50

// bulkAction is what can be done to several people at once, each by the use case that changes one.
type bulkAction struct {
	Name, Button, Done string
	Kind               ui.Kind
	change             func(Pages, *http.Request, string) error
}

var bulkActions = []bulkAction{
	{"suspend", "Suspend", "Suspended", "", withStatus(query.MemberStatusSuspended)},
	{"reactivate", "Reactivate", "Active", ui.Quiet, withStatus(query.MemberStatusActive)},
	{"admin", "Make admin", "Admin", ui.Quiet, withRole(query.OrganizationRoleAdmin)},
	{"member", "Make member", "Member", ui.Quiet, withRole(query.OrganizationRoleMember)},
	{"remove", "Remove…", "Removed", ui.Danger, func(c Pages, r *http.Request, user string) error {
		_, err := query.RemoveMember(r.Context(), c.Client, frame.PathID(r), user)
		return err
	}},
}

func withStatus(status query.MemberStatus) func(Pages, *http.Request, string) error {
	return withInput(query.UpdateOrganizationMemberInput{Status: &status})
}

func withRole(role query.OrganizationRole) func(Pages, *http.Request, string) error {
	return withInput(query.UpdateOrganizationMemberInput{Role: &role})
}

func withInput(in query.UpdateOrganizationMemberInput) func(Pages, *http.Request, string) error {
	return func(c Pages, r *http.Request, user string) error {
		_, err := query.UpdateMember(r.Context(), c.Client, frame.PathID(r), user, in)
		return err
	}
}

// memberResult is what became of one person; Refusal is empty when it was done.
type memberResult struct {
	Person  query.MemberNamed
	Refusal string
}

// ChangeMembers does the same to everybody who is selected, one after another: a refusal of one stops nobody else.
func (c Pages) ChangeMembers(w http.ResponseWriter, r *http.Request) error {
	users := slices.Compact(slices.Sorted(slices.Values(r.PostForm["user"])))
	at := slices.IndexFunc(bulkActions, func(a bulkAction) bool { return a.Name == frame.Text(r, "action") })
	switch {
	case len(users) == 0:
		return frame.Again(w, r, frame.Invalid("user", "Select the people first."), c.Members)
	case len(users) > mostAtOnce || at < 0:
		return frame.Again(w, r, frame.Invalid("user", "Select at most "+ui.Count(mostAtOnce)+" people and one of the buttons."), c.Members)
	}
	people, err := c.named(r, users)
	if err != nil {
		return err
	}
	action := bulkActions[at]
	if action.Name == "remove" && frame.Text(r, "sure") == "" {
		return c.askRemoveMembers(w, r, people)
	}
	results := make([]memberResult, len(people))
	for i, p := range people {
		results[i].Person = p
		if err := action.change(c, r, p.User.Id); err != nil {
			e, known := frame.Refused(err)
			if !known || e.Code == "unauthorized" {
				return err
			}
			results[i].Refusal = e.Message
		}
	}
	return c.memberPage(w, r, "What was done", bulkResultContent(frame.PathID(r), action, results))
}

// memberPage shows content among the people of the organization.
func (c Pages) memberPage(w http.ResponseWriter, r *http.Request, title string, content templ.Component) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: title, Section: frame.SectionMembers, Org: frame.PathID(r)}, content)
}

// named reads who the people are; somebody who left meanwhile is left out.
func (c Pages) named(r *http.Request, users []string) ([]query.MemberNamed, error) {
	var out []query.MemberNamed
	for _, user := range users {
		res, err := query.MemberName(r.Context(), c.Client, frame.PathID(r), user)
		if frame.HasCode(err, "not_found") {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, res.Organization.Member)
	}
	return out, nil
}

func (c Pages) askRemoveMembers(w http.ResponseWriter, r *http.Request, people []query.MemberNamed) error {
	return c.memberPage(w, r, "Remove people", removeMembersContent(frame.PathID(r), people))
}

func removeMembersQuestion(org string, people []query.MemberNamed) ui.ConfirmProps {
	q := ui.ConfirmProps{
		ID: "remove", Title: "Remove " + ui.Plural(len(people), "person", "people") + "?", Danger: true, Confirm: "Remove them",
		CancelHref: "/orgs/" + org + "/members",
		Form:       ui.FormProps{Action: "/orgs/" + org + "/members/bulk", Hidden: []ui.Hidden{{Name: "action", Value: "remove"}, {Name: "sure", Value: "1"}}},
	}
	for _, p := range people {
		q.Consequences = append(q.Consequences, p.User.DisplayName+" ("+p.Email+") leaves the organization and everything in it.")
		q.Form.Hidden = append(q.Form.Hidden, ui.Hidden{Name: "user", Value: p.User.Id})
	}
	q.Consequences = append(q.Consequences, "What they ran and spent stays in the history.")
	return q
}

// bulk tells whether anybody of the page can be changed by the viewer.
func (v membersView) bulk() bool {
	return slices.ContainsFunc(v.Rows, func(m query.OrganizationPerson) bool { return memberLock(v.Org, m, v.Self) == "" })
}

func (v membersView) columns() []ui.Column {
	columns := []ui.Column{{Text: "Name"}, {Text: "Role"}, {Text: "Status"}, {Text: v.Org.Vocabulary.Workspaces, Numeric: true}, {Text: "Joined"}, {Text: "Actions", Hidden: true}}
	if v.bulk() {
		return append([]ui.Column{{Text: "Select", Hidden: true}}, columns...)
	}
	return columns
}

// all tells whether the page begins with everybody selected, which needs no script.
func (v membersView) all() bool { return v.Address.Get("all") != "" }

// allHref is the same page with everybody selected, or nobody.
func (v membersView) allHref() string {
	values, all := v.Address, "1"
	if v.all() {
		all = ""
	}
	pairs := []string{"all", all}
	if page := values.Get("after"); page != "" {
		pairs = append(pairs, "after", page)
	}
	return v.with(pairs...)
}
