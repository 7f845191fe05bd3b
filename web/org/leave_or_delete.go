package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// dangerView is what hands over or ends an organization, or a membership in it. Admins and Held are there for the owner.
type dangerView struct {
	Org    query.OrganizationHead
	Admins []query.OrganizationPerson
	Held   query.AllocationTotals
	Form   frame.Form
}

// Danger is the last part of an organization's settings: handing it over and deleting it. Anyone who is no owner can
// only leave.
func (c Pages) Danger(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := dangerView{Org: res.Organization, Form: frame.FormOf(r)}
	if !v.owner() {
		return c.askLeave(w, r, res.Shell, v)
	}
	if v.Org.ViewerCan.ReadCredits {
		more, err := query.DangerOwner(r.Context(), c.Client, v.Org.Id)
		if err != nil {
			return err
		}
		v.Admins, v.Held = more.Organization.Members.Nodes, more.Organization.Credits.Totals
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Hand over or delete"), Section: frame.SectionSettings, Org: v.Org.Id}, dangerContent(v))
}

// AskLeave asks before a person leaves an organization.
func (c Pages) AskLeave(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.askLeave(w, r, res.Shell, dangerView{Org: res.Organization, Form: frame.FormOf(r)})
}

func (c Pages) askLeave(w http.ResponseWriter, r *http.Request, shell query.Shell, v dangerView) error {
	at := frame.Page{Title: t(r.Context(), "Leave %s", v.Org.Name), Section: frame.SectionOrganizations, Org: v.Org.Id}
	return c.Page(w, r, shell, at, leaveContent(v))
}

func (v dangerView) owner() bool { return isOwner(v.Org) }

func (v dangerView) leavePath() string { return "/orgs/" + v.Org.Id + "/leave" }

func (v dangerView) path() string { return "/orgs/" + v.Org.Id + "/danger" }

// left is what all workspaces could give back, and reserved what they hold for runs at work.
func (v dangerView) left() (left, reserved float64, holding int) {
	all := v.Held
	return all.Allocated - all.Reserved - all.Spent, all.Reserved, all.Holding
}

// checklist is what must be so before the organization can be deleted.
func (v dangerView) checklist(ctx context.Context) []ui.Step {
	base := "/orgs/" + v.Org.Id
	left, reserved, holding := v.left()
	back := t(ctx, "Every {workspace} has given its credits back")
	if holding > 0 {
		back = tn(ctx, "%[1]d {workspace} holds %[2]s", "%[1]d {workspaces} hold %[2]s", holding, inCredits(ctx, left+reserved))
	}
	archived := t(ctx, "Every {workspace} is archived")
	if v.Org.WorkspaceCount > 0 {
		archived = tn(ctx, "%d {workspace} is not archived", "%d {workspaces} are not archived", v.Org.WorkspaceCount)
	}
	steps := []ui.Step{
		{Text: archived, Done: v.Org.WorkspaceCount == 0, Href: base + "/workspaces", Action: t(ctx, "Archive them")},
		{Text: back, Done: holding == 0, Href: base + "/credits", Action: t(ctx, "See the budgets")},
	}
	for i := range steps {
		if !steps[i].Done {
			steps[i].Current = true
			break
		}
	}
	return steps
}

// deletable tells whether nothing on the checklist is open.
func (v dangerView) deletable(ctx context.Context) bool {
	for _, s := range v.checklist(ctx) {
		if !s.Done {
			return false
		}
	}
	return v.Org.ViewerCan.Delete
}

// typedName refuses a form whose typed name is not the organization's.
func (c Pages) typedName(r *http.Request) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err == nil && !frame.SameName(frame.Text(r, "typed_name"), res.Organization.Name) {
		err = frame.Invalid("typed_name", t(r.Context(), "That is not its name."))
	}
	return err
}

// TransferOwnership makes an admin the owner.
func (c Pages) TransferOwnership(w http.ResponseWriter, r *http.Request) error {
	err := c.typedName(r)
	if err == nil && frame.Text(r, "user") == "" {
		err = frame.Invalid("userId", t(r.Context(), "Choose who takes over."))
	}
	if err == nil {
		_, err = query.TransferOwnership(r.Context(), c.Client, frame.PathID(r), frame.Text(r, "user"))
	}
	if err != nil {
		return frame.Again(w, r, err, c.Danger)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r), t(r.Context(), "The ownership is handed over. You are an admin now."))
}

// ReturnCredits takes everything that workspaces hold back into the pool.
func (c Pages) ReturnCredits(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ReturnCredits(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.Danger)
	}
	return c.Done(w, "/orgs/"+frame.PathID(r)+"/danger", t(r.Context(), "Everything that was left went back. The pool holds %s "+
		"now.", credits(r.Context(), res.ReturnCredits.Pool)))
}

// LeaveOrganization ends the person's own membership.
func (c Pages) LeaveOrganization(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.LeaveOrganization(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.AskLeave)
	}
	return c.Done(w, "/orgs", t(r.Context(), "You have left."))
}

// DeleteOrganization deletes an organization for good.
func (c Pages) DeleteOrganization(w http.ResponseWriter, r *http.Request) error {
	err := c.typedName(r)
	if err == nil {
		_, err = query.DeleteOrganization(r.Context(), c.Client, frame.PathID(r))
	}
	if err != nil {
		return frame.Again(w, r, err, c.Danger)
	}
	return c.Done(w, "/orgs", t(r.Context(), "The organization is deleted."))
}

// leaveQuestion says what leaving takes.
func (v dangerView) leaveQuestion(ctx context.Context) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "leave", Title: t(ctx, "Leave %s?", v.Org.Name), Text: t(ctx, "Your membership ends at once."), Danger: true, Confirm: t(ctx, "Leave %s", v.Org.Name),
		Consequences: []string{
			t(ctx, "You leave every {workspace} of it"), t(ctx, "What you made there stays there"),
			t(ctx, "Your personal space works as before"), t(ctx, "You come back only by an invitation or with a join code"),
		},
		Form: ui.FormProps{Action: v.leavePath()}, CancelHref: "/orgs/" + v.Org.Id,
	}
}

// deleting is what deleting takes.
func (v dangerView) deleting(ctx context.Context) []string {
	return []string{
		t(ctx, "It cannot be taken back"), tn(ctx, "%d person loses access at once", "%d people lose access at once", v.Org.MemberCount),
		t(ctx, "What is left in the pool is lost"), t(ctx, "Its short name %s is free for others", v.Org.Slug),
	}
}

// errorIn is what is wrong with a field of one of several forms of a page.
func errorIn(f frame.Form, name, field string) string {
	if !f.Is(name) {
		return ""
	}
	return f.Error(field)
}
