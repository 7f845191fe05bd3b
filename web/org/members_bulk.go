package org

import (
	"net/http"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// bulkMembers is the form that the boxes of the list belong to.
const bulkMembers = "bulk-members"

// maxAtOnce is how many people one form changes: more than a page of the list.
const maxAtOnce = 50

// bulkAction is what can be done to several people at once, each by the use case that changes one.
type bulkAction struct {
	Name, Button string
	Kind         ui.Kind
	// One and Many end the sentence that says what happened: "Mina Lang is suspended", "3 people are suspended".
	One, Many string
	// Undo is the action that takes it back, none when nothing can.
	Undo   string
	change func(Pages, *http.Request, string) error
	// stood tells who was so before, and is not changed.
	stood func(query.MemberNamed) bool
}

var bulkActions = []bulkAction{
	{"suspend", "Suspend", "", "is suspended", "are suspended", "reactivate", withStatus(query.MemberStatusSuspended), hasStatus(query.MemberStatusSuspended)},
	{"reactivate", "Reactivate", ui.Quiet, "is active again", "are active again", "suspend", withStatus(query.MemberStatusActive), hasStatus(query.MemberStatusActive)},
	{"admin", "Make admin", ui.Quiet, "is an admin now", "are admins now", "member", withRole(query.OrganizationRoleAdmin), hasRole(query.OrganizationRoleAdmin)},
	{"member", "No longer admin", ui.Quiet, "is no admin any more", "are no admins any more", "admin", withRole(query.OrganizationRoleMember), hasRole(query.OrganizationRoleMember)},
	{"remove", "Remove…", ui.Danger, "is removed", "are removed", "", func(c Pages, r *http.Request, user string) error {
		_, err := query.RemoveMember(r.Context(), c.Client, frame.PathID(r), user)
		return err
	}, func(query.MemberNamed) bool { return false }},
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

func hasStatus(status query.MemberStatus) func(query.MemberNamed) bool {
	return func(m query.MemberNamed) bool { return m.Status == status }
}

func hasRole(role query.OrganizationRole) func(query.MemberNamed) bool {
	return func(m query.MemberNamed) bool { return m.Role == role }
}

// ChangeMembers does the same to everyone who is selected, one after another: a refusal of one stops no one else. It
// leads back to the list, which says what was done and offers to take it back.
func (c Pages) ChangeMembers(w http.ResponseWriter, r *http.Request) error {
	users := slices.Compact(slices.Sorted(slices.Values(r.PostForm["user"])))
	at := slices.IndexFunc(bulkActions, func(a bulkAction) bool { return a.Name == frame.Text(r, "action") })
	switch {
	case len(users) == 0:
		return frame.Again(w, r, frame.Invalid("user", "Select the people first."), c.Members)
	case len(users) > maxAtOnce || at < 0:
		return frame.Again(w, r, frame.Invalid("user", "Select at most "+ui.Count(maxAtOnce)+" people and one of the buttons."), c.Members)
	}
	people, err := c.named(r, users)
	if err != nil {
		return err
	}
	action := bulkActions[at]
	if action.Name == "remove" && frame.Text(r, "sure") == "" {
		return c.askRemoveMembers(w, r, people)
	}
	var done bulkOutcome
	for _, p := range people {
		if action.stood(p) {
			continue
		}
		if err := action.change(c, r, p.User.Id); err != nil {
			e, known := frame.Refused(err)
			if !known || e.Code == "unauthorized" {
				return err
			}
			done.refused = append(done.refused, p.User.DisplayName+": "+e.Message)
			continue
		}
		done.changed = append(done.changed, p)
	}
	list := "/orgs/" + frame.PathID(r) + "/members"
	return c.DoneWith(w, frame.Return(r, list), done.of(action, list+"/bulk", frame.Return(r, list)))
}

// bulkOutcome is what became of those who were selected.
type bulkOutcome struct {
	changed []query.MemberNamed
	refused []string
}

// maxRefusals is how many refusals are told one by one.
const maxRefusals = 3

// of is the sentence of an action that was done, and the form that takes it back.
func (o bulkOutcome) of(a bulkAction, path, back string) frame.Outcome {
	var parts []string
	switch len(o.changed) {
	case 0:
		parts = append(parts, "Nothing was changed.")
	case 1:
		parts = append(parts, o.changed[0].User.DisplayName+" "+a.One+".")
	default:
		parts = append(parts, ui.Count(len(o.changed))+" people "+a.Many+".")
	}
	if n := len(o.refused); n > maxRefusals {
		parts = append(parts, "Refused for "+ui.Count(n)+" others. "+o.refused[0])
	} else {
		parts = append(parts, o.refused...)
	}
	out := frame.Outcome{Sentence: strings.Join(parts, " ")}
	if len(o.refused) > 0 || len(o.changed) == 0 {
		out.Tone = ui.Warn
	}
	if a.Undo != "" && len(o.changed) > 0 {
		out.Undo = &frame.Undo{Action: path, Fields: []ui.Hidden{{Name: "action", Value: a.Undo}, {Name: "return", Value: back}}}
		for _, p := range o.changed {
			out.Undo.Fields = append(out.Undo.Fields, ui.Hidden{Name: "user", Value: p.User.Id})
		}
	}
	return out
}

// memberPage shows content among the people of the organization.
func (c Pages) memberPage(w http.ResponseWriter, r *http.Request, title string, content templ.Component) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: title, Section: frame.SectionMembers, Org: frame.PathID(r)}, content)
}

// named reads who the people are; a person who left meanwhile is left out.
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
	back := frame.Return(r, "/orgs/"+frame.PathID(r)+"/members")
	return c.memberPage(w, r, "Remove people", ui.ConfirmPage(removeMembersQuestion(frame.PathID(r), back, people)))
}

func removeMembersQuestion(org, back string, people []query.MemberNamed) ui.ConfirmProps {
	q := ui.ConfirmProps{
		ID: "remove", Title: "Remove " + ui.Plural(len(people), "person", "people") + "?", Danger: true, Confirm: "Remove them",
		Text:       "They lose access at once. Whoever is removed by mistake is invited again.",
		CancelHref: back,
		Form: ui.FormProps{Action: "/orgs/" + org + "/members/bulk", Hidden: []ui.Hidden{
			{Name: "action", Value: "remove"}, {Name: "sure", Value: "1"}, {Name: "return", Value: back},
		}},
	}
	spent := 0.0
	for _, p := range people {
		q.Consequences = append(q.Consequences, p.User.DisplayName+" ("+p.Email+") leaves the organization and "+everythingIn(p.Workspaces))
		q.Form.Hidden = append(q.Form.Hidden, ui.Hidden{Name: "user", Value: p.User.Id})
		spent += p.Spent
	}
	kept := "What they made stays"
	if spent > 0 {
		kept += ", and so does the history of " + frame.InCredits(spent)
	}
	q.Consequences = append(q.Consequences, kept)
	return q
}

func everythingIn(n int) string {
	if n == 0 {
		return "was listed in no part of it"
	}
	return ui.Plural(n, "part of it that listed them", "parts of it that listed them")
}

// bulk tells whether anyone of the page can be changed by the viewer.
func (v membersView) bulk() bool {
	return slices.ContainsFunc(v.Rows, func(m query.OrganizationPerson) bool { return memberLock(v.Org, m, v.Self) == "" })
}
