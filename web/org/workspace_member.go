package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// workspaceMemberView is one person listed in a workspace.
type workspaceMemberView struct {
	Workspace query.WorkspaceHead
	Person    query.WorkspacePerson
	Caps      bool
	Self      string
	Form      frame.Form
}

func (v workspaceMemberView) path() string {
	return "/workspaces/" + v.Workspace.Id + "/members/" + v.Person.User.Id
}

func (c Pages) loadWorkspaceMember(r *http.Request) (*query.WorkspaceMemberResponse, workspaceMemberView, error) {
	res, err := query.WorkspaceMember(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r))
	if err != nil {
		return nil, workspaceMemberView{}, err
	}
	ws := res.Workspace
	return res, workspaceMemberView{
		Workspace: ws.WorkspaceHead, Person: ws.Member, Caps: capsOn(ws.Settings), Self: res.Me.Id, Form: frame.FormOf(r),
	}, nil
}

// WorkspaceMember shows one person of a workspace.
func (c Pages) WorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceMember(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, workspacePage(v.Workspace, v.Person.User.DisplayName), workspaceMemberContent(v))
}

// UpdateWorkspaceMember changes the role, the standing or the cap, whichever the form sent.
func (c Pages) UpdateWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	back := frame.Return(r, r.URL.Path)
	outcome, err := c.changeWorkspaceMember(r, back)
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceMember)
	}
	return c.DoneWith(w, back, outcome)
}

func (c Pages) changeWorkspaceMember(r *http.Request, back string) (frame.Outcome, error) {
	var in query.UpdateWorkspaceMemberInput
	var says func(query.UpdateWorkspaceMemberUpdateWorkspaceMember) string
	field, former := "", ""
	if role := query.WorkspaceRole(frame.Text(r, "role")); role != "" {
		in.Role, field, former = &role, "role", otherOf(string(role), "admin", "member")
		says = func(m query.UpdateWorkspaceMemberUpdateWorkspaceMember) string {
			return t(r.Context(), "The role of %s is changed.", m.User.DisplayName)
		}
	}
	if status := query.MemberStatus(frame.Text(r, "status")); status != "" {
		in.Status, field, former = &status, "status", otherOf(string(status), "active", "suspended")
		says = func(m query.UpdateWorkspaceMemberUpdateWorkspaceMember) string {
			if status == query.MemberStatusSuspended {
				return t(r.Context(), "%s is suspended here.", m.User.DisplayName)
			}
			return t(r.Context(), "%s is active here again.", m.User.DisplayName)
		}
	}
	if says != nil {
		res, err := query.UpdateWorkspaceMember(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r), in)
		if err != nil {
			return frame.Outcome{}, err
		}
		undo := &frame.Undo{Action: r.URL.Path, Fields: []ui.Hidden{{Name: field, Value: former}, {Name: "return", Value: back}}}
		return frame.Outcome{Sentence: says(res.UpdateWorkspaceMember), Undo: undo}, nil
	}
	limit, err := chosenCap(r)
	if err != nil {
		return frame.Outcome{}, err
	}
	res, err := query.SetCaps(r.Context(), c.Client, frame.PathID(r), []string{frame.PathUser(r)}, limit)
	if err != nil {
		return frame.Outcome{}, err
	}
	return capOutcome(r.Context(), "", res.SetWorkspaceMemberCaps, limit), nil
}

// otherOf is the one of two values that a change leaves.
func otherOf(value, one, other string) string {
	if value == one {
		return other
	}
	return one
}

// AskRemoveWorkspaceMember asks before a person is removed from a workspace.
func (c Pages) AskRemoveWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWorkspaceMember(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, workspacePage(v.Workspace, t(r.Context(), "Remove %s", v.Person.User.DisplayName)), removeWorkspaceMemberContent(v))
}

// RemoveWorkspaceMember removes a person from a workspace.
func (c Pages) RemoveWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.RemoveWorkspaceMember(r.Context(), c.Client, frame.PathID(r), frame.PathUser(r)); err != nil {
		return frame.Again(w, r, err, c.AskRemoveWorkspaceMember)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/members", t(r.Context(), "The person is removed from here."))
}

// removeFromWorkspace says what goes and what stays.
func removeFromWorkspace(ctx context.Context, v workspaceMemberView) ui.ConfirmProps {
	question := ui.ConfirmProps{
		ID: "remove", Title: t(ctx, "Remove %s from %s?", v.Person.User.DisplayName, v.Workspace.Name),
		Text:         t(ctx, "They stay in %s and can be added again.", v.Workspace.Organization.Name),
		Consequences: []string{t(ctx, "They no longer see this {workspace}, nor run anything in it"), t(ctx, "What they made here stays")},
		Form:         ui.FormProps{Action: v.path() + "/remove"},
		Confirm:      t(ctx, "Remove from the {workspace}"), CancelHref: v.path(), Danger: true,
	}
	if frame.Value(v.Person.Spent) > 0 {
		question.Consequences = append(question.Consequences, t(ctx, "A history of %s stays", inCredits(ctx, frame.Value(v.Person.Spent))))
	}
	if role := v.Person.OrganizationRole; role != nil && *role != query.OrganizationRoleMember {
		question.Consequences[0] = t(ctx, "They remain its {admin} by way of the organization")
	}
	if status := v.Person.Status; status != nil && *status == query.MemberStatusSuspended {
		question.Consequences[0] = t(ctx, "The suspension stays: they cannot come back until it is lifted")
	}
	return question
}
