package org

import (
	"context"
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

// bulkAction is what can be done to several people P at once, each by the use case that changes one.
type bulkAction[P any] struct {
	Name, Button string
	Kind         ui.Kind
	// done says what happened, to the one person with a name or to several.
	done func(ctx context.Context, name string, n int) string
	// Undo is the action that takes it back, none when nothing can.
	Undo   string
	change func(Pages, *http.Request, string) error
	// stood tells who was so before, and is not changed.
	stood func(P) bool
}

var bulkActions = []bulkAction[query.MemberNamed]{
	{"suspend", mark("Suspend"), "", func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is suspended.", name)
		}
		return tn(ctx, "%d person is suspended.", "%d people are suspended.", n)
	}, "reactivate", withStatus(query.MemberStatusSuspended), hasStatus(query.MemberStatusSuspended)},
	{"reactivate", mark("Reactivate"), ui.Quiet, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return tc(ctx, "person", "%s is active again.", name)
		}
		return tn(ctx, "%d person is active again.", "%d people are active again.", n)
	}, "suspend", withStatus(query.MemberStatusActive), hasStatus(query.MemberStatusActive)},
	{"admin", mark("Make admin"), ui.Quiet, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is an admin now.", name)
		}
		return tn(ctx, "%d person is an admin now.", "%d people are admins now.", n)
	}, "member", withRole(query.OrganizationRoleAdmin), hasRole(query.OrganizationRoleAdmin)},
	{"member", mark("No longer admin"), ui.Quiet, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is no admin any more.", name)
		}
		return tn(ctx, "%d person is no admin any more.", "%d people are no admins any more.", n)
	}, "admin", withRole(query.OrganizationRoleMember), hasRole(query.OrganizationRoleMember)},
	{"remove", mark("Remove…"), ui.Danger, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is removed.", name)
		}
		return tn(ctx, "%d person is removed.", "%d people are removed.", n)
	}, "", func(c Pages, r *http.Request, user string) error {
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
	users, action, refusal := selected(r, bulkActions)
	if refusal != nil {
		return frame.Again(w, r, refusal, c.Members)
	}
	people, err := c.named(r, users)
	if err != nil {
		return err
	}
	if action.Name == "remove" && frame.Text(r, "sure") == "" {
		return c.askRemoveMembers(w, r, people)
	}
	return changeAll(c, w, r, action, people, func(m query.MemberNamed) query.Person { return m.User }, "/orgs/"+frame.PathID(r)+"/members")
}

// selected are the people and the action that a form chose.
func selected[P any](r *http.Request, actions []bulkAction[P]) (users []string, action bulkAction[P], refusal *frame.Error) {
	users = slices.Compact(slices.Sorted(slices.Values(r.PostForm["user"])))
	at := slices.IndexFunc(actions, func(a bulkAction[P]) bool { return a.Name == frame.Text(r, "action") })
	switch {
	case len(users) == 0:
		return nil, action, frame.Invalid("user", t(r.Context(), "Select the people first."))
	case len(users) > maxAtOnce || at < 0:
		return nil, action, frame.Invalid("user", t(r.Context(), "Select at most %d people and one of the buttons.", maxAtOnce))
	}
	return users, actions[at], nil
}

// changeAll does an action to people, one after another, and leads back to their list.
func changeAll[P any](c Pages, w http.ResponseWriter, r *http.Request, action bulkAction[P], people []P, person func(P) query.Person, list string) error {
	var done bulkOutcome
	for _, p := range people {
		if action.stood(p) {
			continue
		}
		if err := done.note(person(p), action.change(c, r, person(p).Id)); err != nil {
			return err
		}
	}
	back := frame.Return(r, list)
	return c.DoneWith(w, back, done.of(r.Context(), action.done, undoBulk(action.Undo, list+"/bulk", back)))
}

// bulkOutcome is what became of those who were selected.
type bulkOutcome struct {
	changed []query.Person
	refused []string
}

// note keeps what became of one person; an error that is no refusal of theirs is given back.
func (o *bulkOutcome) note(p query.Person, err error) error {
	if err == nil {
		o.changed = append(o.changed, p)
		return nil
	}
	e, known := frame.Refused(err)
	if !known || e.Code == "unauthorized" {
		return err
	}
	o.refused = append(o.refused, p.DisplayName+": "+e.Message)
	return nil
}

// maxRefusals is how many refusals are told one by one.
const maxRefusals = 3

// undoBulk is the form that does an action to those who were changed; nil when nothing takes it back.
func undoBulk(action, path, back string) *frame.Undo {
	if action == "" {
		return nil
	}
	return &frame.Undo{Action: path, Fields: []ui.Hidden{{Name: "action", Value: action}, {Name: "return", Value: back}}}
}

// of is the sentence of an action that was done, and the form that takes it back.
func (o bulkOutcome) of(ctx context.Context, says func(ctx context.Context, name string, n int) string, undo *frame.Undo) frame.Outcome {
	var parts []string
	if n := len(o.changed); n == 0 {
		parts = append(parts, t(ctx, "Nothing was changed."))
	} else {
		parts = append(parts, says(ctx, o.changed[0].DisplayName, n))
	}
	if n := len(o.refused); n > maxRefusals {
		parts = append(parts, t(ctx, "Refused for %d others.", n)+" "+o.refused[0])
	} else {
		parts = append(parts, o.refused...)
	}
	out := frame.Outcome{Sentence: strings.Join(parts, " ")}
	if len(o.refused) > 0 || len(o.changed) == 0 {
		out.Tone = ui.Warn
	}
	if undo != nil && len(o.changed) > 0 {
		out.Undo = undo
		for _, p := range o.changed {
			out.Undo.Fields = append(out.Undo.Fields, ui.Hidden{Name: "user", Value: p.Id})
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
	return c.memberPage(w, r, t(r.Context(), "Remove people"), ui.ConfirmPage(removeMembersQuestion(r.Context(), frame.PathID(r), back, people)))
}

func removeMembersQuestion(ctx context.Context, org, back string, people []query.MemberNamed) ui.ConfirmProps {
	q := ui.ConfirmProps{
		ID: "remove", Title: tn(ctx, "Remove %d person?", "Remove %d people?", len(people)), Danger: true, Confirm: t(ctx, "Remove them"),
		Text:       t(ctx, "They lose access at once. Anyone who is removed by mistake is invited again."),
		CancelHref: back,
		Form: ui.FormProps{Action: "/orgs/" + org + "/members/bulk", Hidden: []ui.Hidden{
			{Name: "action", Value: "remove"}, {Name: "sure", Value: "1"}, {Name: "return", Value: back},
		}},
	}
	spent := 0.0
	for _, p := range people {
		q.Consequences = append(q.Consequences, leavesAll(ctx, p))
		q.Form.Hidden = append(q.Form.Hidden, ui.Hidden{Name: "user", Value: p.User.Id})
		spent += p.Spent
	}
	kept := t(ctx, "What they made stays")
	if spent > 0 {
		kept = t(ctx, "What they made stays, and so does the history of %s", inCredits(ctx, spent))
	}
	q.Consequences = append(q.Consequences, kept)
	return q
}

func leavesAll(ctx context.Context, p query.MemberNamed) string {
	if p.Workspaces == 0 {
		return t(ctx, "%s (%s) leaves the organization and was listed in no part of it", p.User.DisplayName, p.Email)
	}
	return tn(ctx, "%[2]s (%[3]s) leaves the organization and %[1]d part of it that listed them",
		"%[2]s (%[3]s) leaves the organization and %[1]d parts of it that listed them", p.Workspaces, p.User.DisplayName, p.Email)
}

// bulk tells whether anyone of the page can be changed by the viewer.
func (v membersView) bulk(ctx context.Context) bool {
	return slices.ContainsFunc(v.Rows, func(m query.OrganizationPerson) bool { return memberLock(ctx, v.Org, m, v.Self) == "" })
}
