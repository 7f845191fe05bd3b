package org

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// bulkPeople is the form that the boxes of a workspace's list belong to.
const bulkPeople = "bulk-people"

// workspaceActs are what can be done to several people of a workspace at once.
var workspaceActs = []bulkAction[query.PersonHere]{
	{"suspend", mark("Suspend"), ui.Quiet, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is suspended here.", name)
		}
		return tn(ctx, "%d person is suspended here.", "%d people are suspended here.", n)
	}, "reactivate", withStanding(query.MemberStatusSuspended), stoodAs(query.MemberStatusSuspended)},
	{"reactivate", mark("Reactivate"), ui.Quiet, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is active here again.", name)
		}
		return tn(ctx, "%d person is active here again.", "%d people are active here again.", n)
	}, "suspend", withStanding(query.MemberStatusActive), stoodAs(query.MemberStatusActive)},
	{"move", mark("Move…"), ui.Quiet, nil, "", nil, stoodAs("")},
	{"remove", mark("Remove…"), ui.Danger, func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is removed from here.", name)
		}
		return tn(ctx, "%d person is removed from here.", "%d people are removed from here.", n)
	}, "", func(c Pages, r *http.Request, user string) error {
		_, err := query.RemoveWorkspaceMember(r.Context(), c.Client, frame.PathID(r), user)
		return err
	}, stoodAs("")},
}

func withStanding(status query.MemberStatus) func(Pages, *http.Request, string) error {
	return func(c Pages, r *http.Request, user string) error {
		_, err := query.UpdateWorkspaceMember(r.Context(), c.Client, frame.PathID(r), user, query.UpdateWorkspaceMemberInput{Status: &status})
		return err
	}
}

func stoodAs(status query.MemberStatus) func(query.PersonHere) bool {
	return func(m query.PersonHere) bool { return m.Status != nil && *m.Status == status }
}

// ChangeWorkspaceMembers does the same to everyone who is selected, one after another: a refusal of one stops no one
// else. It leads back to the list, which says what was done and offers to take it back.
func (c Pages) ChangeWorkspaceMembers(w http.ResponseWriter, r *http.Request) error {
	users, act, refused := selected(r, workspaceActs)
	if refused != nil {
		return frame.Again(w, r, refused, c.WorkspaceMembers)
	}
	people, err := c.namedHere(r, users)
	if err != nil {
		return err
	}
	switch {
	case act.Name == "move":
		return c.moveMembers(w, r, people)
	case act.Name == "remove" && frame.Text(r, "sure") == "":
		return c.askBulk(w, r, people, nil)
	}
	return changeAll(c, w, r, act, people, func(m query.PersonHere) query.Person { return m.User }, "/workspaces/"+frame.PathID(r)+"/members")
}

// namedHere reads who the people are; a person who left meanwhile is left out.
func (c Pages) namedHere(r *http.Request, users []string) ([]query.PersonHere, error) {
	var out []query.PersonHere
	for _, user := range users {
		res, err := query.WorkspacePersonNamed(r.Context(), c.Client, frame.PathID(r), user)
		if frame.HasCode(err, "not_found") {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, res.Workspace.Member)
	}
	return out, nil
}

// bulkView asks before several people are removed from a workspace, or where they are moved.
type bulkView struct {
	Workspace query.WorkspaceHead
	People    []query.PersonHere
	Back      string
	Move      bool
	Targets   []ui.Option
	Find      string
	More      bool // more workspaces fit than are listed
	Form      frame.Form
}

// hidden are the fields that carry the question along.
func (v bulkView) hidden() []ui.Hidden {
	action := "remove"
	if v.Move {
		action = "move"
	}
	out := []ui.Hidden{{Name: "action", Value: action}, {Name: "return", Value: v.Back}}
	for _, p := range v.People {
		out = append(out, ui.Hidden{Name: "user", Value: p.User.Id})
	}
	return out
}

// askBulk shows the question, again with what was wrong in the answer; it moves when that was asked for.
func (c Pages) askBulk(w http.ResponseWriter, r *http.Request, people []query.PersonHere, refusal *frame.Error) error {
	find := strings.TrimSpace(frame.Text(r, "find"))
	res, err := query.MoveTargets(r.Context(), c.Client, frame.PathID(r), frame.Given(r.PostForm, "find"))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := bulkView{
		Workspace: ws.WorkspaceHead, People: people, Back: frame.Return(r, "/workspaces/"+ws.Id+"/members"), Find: find,
		Move: frame.Text(r, "action") == "move", More: ws.Organization.Workspaces.PageInfo.HasNextPage, Form: frame.Form{Err: refusal},
	}
	for _, target := range ws.Organization.Workspaces.Nodes {
		if target.Id != frame.PathID(r) && target.ViewerCan.ManageMembers {
			v.Targets = append(v.Targets, ui.Option{Value: target.Id, Text: target.Name, Selected: target.Id == frame.Text(r, "to")})
		}
	}
	title := tn(r.Context(), "Remove %d person", "Remove %d people", len(people))
	if v.Move {
		title = tn(r.Context(), "Move %d person", "Move %d people", len(people))
	}
	p := workspacePage(v.Workspace, title)
	if refusal != nil {
		p.Status = http.StatusBadRequest
	}
	if v.Move {
		return c.Page(w, r, res.Shell, p, moveContent(v))
	}
	return c.Page(w, r, res.Shell, p, ui.ConfirmPage(v.removal(r.Context())))
}

// removal asks before people are removed.
func (v bulkView) removal(ctx context.Context) ui.ConfirmProps {
	ctx = frame.Saying(ctx, v.Workspace.Organization.Vocabulary)
	q := ui.ConfirmProps{
		ID: "remove", Title: tn(ctx, "Remove %[1]d person from %[2]s?", "Remove %[1]d people from %[2]s?", len(v.People), v.Workspace.Name),
		Text:    t(ctx, "They stay in %s and can be added again.", v.Workspace.Organization.Name),
		Confirm: t(ctx, "Remove from the {workspace}"), CancelHref: v.Back, Danger: true,
		Form: ui.FormProps{
			Action: "/workspaces/" + v.Workspace.Id + "/members/bulk", Hidden: append(v.hidden(), ui.Hidden{Name: "sure", Value: "1"}),
		},
	}
	for _, p := range v.People {
		q.Consequences = append(q.Consequences, t(ctx, "%s no longer sees this {workspace}, nor runs anything in it", p.User.DisplayName))
	}
	q.Consequences = append(q.Consequences, t(ctx, "What they made here stays"))
	return q
}

// moveMembers lists people in another workspace of the organization, with the role that they have, and takes them off
// the list of this one: in this order, so that a refusal leaves them where they are. Suspended people stay.
func (c Pages) moveMembers(w http.ResponseWriter, r *http.Request, people []query.PersonHere) error {
	to, from := frame.Text(r, "to"), frame.PathID(r)
	if to == "" || frame.Text(r, "step") == "find" {
		return c.askBulk(w, r, people, nil)
	}
	target, err := query.WorkspaceChoice(r.Context(), c.Client, to)
	if e, known := frame.Refused(err); known && e.Code != "unauthorized" || to == from {
		return c.askBulk(w, r, people, frame.Invalid("to", t(r.Context(), "Choose where they are moved.")))
	}
	if err != nil {
		return err
	}
	var done bulkOutcome
	for _, p := range people {
		if frame.Suspended(p.Status) {
			done.refused = append(done.refused, t(r.Context(), "%s is suspended here and was not moved.", p.User.DisplayName))
			continue
		}
		if err := done.note(p.User, c.moveMember(r, p, to)); err != nil {
			return err
		}
	}
	says := func(ctx context.Context, name string, n int) string {
		if n == 1 {
			return t(ctx, "%s is in %s now.", name, target.Workspace.Name)
		}
		return tn(ctx, "%[1]d person is in %[2]s now.", "%[1]d people are in %[2]s now.", n, target.Workspace.Name)
	}
	back := frame.Return(r, "/workspaces/"+from+"/members")
	undo := undoBulk("move", "/workspaces/"+to+"/members/bulk", back)
	undo.Fields = append(undo.Fields, ui.Hidden{Name: "to", Value: from})
	return c.DoneWith(w, back, done.of(r.Context(), says, undo))
}

func (c Pages) moveMember(r *http.Request, p query.PersonHere, to string) error {
	_, err := query.AddWorkspaceMember(r.Context(), c.Client, to, query.AddWorkspaceMemberInput{UserId: p.User.Id, Role: p.Role})
	if err != nil && !frame.HasCode(err, "already_a_member") {
		return err
	}
	_, err = query.RemoveWorkspaceMember(r.Context(), c.Client, frame.PathID(r), p.User.Id)
	return err
}

// selectable tells whether bulk acts are for a person: not for the owner, and not for those who do it.
func (v workspaceMembersView) selectable(m query.WorkspacePerson) bool {
	owner := m.OrganizationRole != nil && *m.OrganizationRole == query.OrganizationRoleOwner
	return v.admin() && v.Workspace.ViewerCan.ManageMembers && !owner && m.User.Id != v.Self
}

// bulk tells whether there is anyone to select.
func (v workspaceMembersView) bulk() bool { return slices.ContainsFunc(v.Rows, v.selectable) }
