package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// memberView is one person of an organization.
type memberView struct {
	Org    query.OrganizationHead
	Person query.OrganizationPerson
	Self   string
	Form   frame.Form
}

func (v memberView) path() string { return "/orgs/" + v.Org.Id + "/members/" + v.Person.User.Id }

func (v memberView) lock(ctx context.Context) string { return memberLock(ctx, v.Org, v.Person, v.Self) }

func (c Pages) loadMember(r *http.Request) (*query.MemberResponse, memberView, error) {
	res, err := query.Member(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r))
	if err != nil {
		return nil, memberView{}, err
	}
	return res, memberView{Org: res.Organization.OrganizationHead, Person: res.Organization.Member, Self: res.Me.Id, Form: frame.FormOf(r)}, nil
}

// Member shows one person of an organization.
func (c Pages) Member(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadMember(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: v.Person.User.DisplayName, Section: frame.SectionMembers, Org: v.Org.Id}
	return c.Page(w, r, res.Shell, at, memberContent(v))
}

// UpdateMember changes the role or the standing, whichever the form sent.
func (c Pages) UpdateMember(w http.ResponseWriter, r *http.Request) error {
	var in query.UpdateOrganizationMemberInput
	sentence, field, former := t(r.Context(), "The role is changed."), "", ""
	if role := query.OrganizationRole(frame.Text(r, "role")); role != "" {
		in.Role, field, former = &role, "role", otherOf(string(role), "admin", "member")
	}
	if status := query.MemberStatus(frame.Text(r, "status")); status != "" {
		field, former = "status", otherOf(string(status), "active", "suspended")
		in.Status, sentence = &status, t(r.Context(), "The suspension is lifted.")
		if status == query.MemberStatusSuspended {
			sentence = t(r.Context(), "The membership is suspended. It can be lifted here at any time.")
		}
	}
	if _, err := query.UpdateMember(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r), in); err != nil {
		return frame.Again(w, r, err, c.Member)
	}
	back, outcome := frame.PathOr(frame.Text(r, "return"), r.URL.Path), frame.Outcome{Sentence: sentence}
	if field != "" {
		outcome.Undo = &frame.Undo{Action: r.URL.Path, Fields: []ui.Hidden{{Name: field, Value: former}, {Name: "return", Value: back}}}
	}
	return c.DoneWith(w, back, outcome)
}

// AskRemoveMember asks before a person is removed from an organization.
func (c Pages) AskRemoveMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadMember(r)
	if err != nil {
		return err
	}
	at := frame.Page{Title: t(r.Context(), "Remove %s", v.Person.User.DisplayName), Section: frame.SectionMembers, Org: v.Org.Id}
	return c.Page(w, r, res.Shell, at, removeMemberContent(v))
}

// RemoveMember removes a person from an organization.
func (c Pages) RemoveMember(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveMember(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r)); err != nil {
		return frame.Again(w, r, err, c.AskRemoveMember)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/members", t(r.Context(), "The person is removed."))
}

// removeQuestion says what goes and what stays, with the figures of this person.
func removeQuestion(ctx context.Context, v memberView) ui.ConfirmProps {
	p := v.Person
	question := ui.ConfirmProps{
		ID: "remove", Title: t(ctx, "Remove %s from %s?", p.User.DisplayName, v.Org.Name),
		Text:    t(ctx, "They lose access at once. Anyone who is removed by mistake is invited again."),
		Form:    ui.FormProps{Action: v.path() + "/remove"},
		Confirm: t(ctx, "Remove the person"), CancelHref: v.path(), Danger: true,
	}
	if p.Workspaces > 0 {
		question.Consequences = append(question.Consequences, tn(ctx, "Also removed from %d {workspace}", "Also removed from %d {workspaces}", p.Workspaces))
	}
	if p.Status == query.MemberStatusSuspended {
		question.Consequences = append(question.Consequences, t(ctx, "The suspension stays: they cannot come back until it is lifted"))
	}
	if p.Spent > 0 {
		question.Consequences = append(question.Consequences, t(ctx, "A history of %s stays", inCredits(ctx, p.Spent)))
	}
	question.Consequences = append(question.Consequences, t(ctx, "What they made in {a workspace} stays there"))
	return question
}
