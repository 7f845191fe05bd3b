package org

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// workspaceMembersView is a page of the people in a workspace.
type workspaceMembersView struct {
	Workspace query.WorkspaceHead
	Rows      []query.WorkspacePerson
	// Unlisted are admins by way of the organization; on the first page alone.
	Unlisted []query.Person
	// Former are people who left or were removed while suspended; on the first page alone.
	Former []query.Person
	Caps   bool // the settings let members have caps
	Self   string
	Next   string
	// Search is who is sought to be added, Found those who fit.
	Search string
	Found  []query.Person
	Form   frame.Form
}

// admin tells whether the viewer sees what admins of the workspace see.
func (v workspaceMembersView) admin() bool { return isWorkspaceAdmin(v.Workspace) }

func isWorkspaceAdmin(ws query.WorkspaceHead) bool {
	return ws.Role != nil && *ws.Role == query.WorkspaceRoleAdmin
}

// WorkspaceMembers lists the people of a workspace.
func (c Pages) WorkspaceMembers(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceMembers(r.Context(), c.Client, frame.PathID(r), frame.After(r))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := workspaceMembersView{
		Workspace: ws.WorkspaceHead, Rows: ws.Members.Nodes, Caps: capsOn(ws.Settings), Self: res.Me.Id,
		Next: frame.NextHref(r, ws.Members.PageInfo), Search: strings.TrimSpace(r.FormValue("add")), Form: frame.FormOf(r),
	}
	if err := c.loadForAdmins(r, &v); err != nil {
		return err
	}
	title := ws.Organization.Vocabulary.Members + " of " + ws.Name
	return c.Page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, title), workspaceMembersContent(v))
}

// loadForAdmins reads who else is an admin here, and who can be added.
func (c Pages) loadForAdmins(r *http.Request, v *workspaceMembersView) error {
	if v.admin() && frame.After(r) == nil {
		more, err := query.WorkspaceAdmins(r.Context(), c.Client, v.Workspace.Id)
		if err != nil {
			return err
		}
		v.Unlisted, v.Former = more.Workspace.UnlistedAdmins, more.Workspace.SuspendedFormerPeople
	}
	if v.Search == "" || !v.Workspace.ViewerCan.ManageMembers {
		return nil
	}
	found, err := query.Candidates(r.Context(), c.Client, v.Workspace.Id, v.Search)
	if err == nil {
		v.Found = found.Workspace.Candidates
	}
	return err
}

// AddWorkspaceMember adds a person of the organization to a workspace.
func (c Pages) AddWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	in := query.AddWorkspaceMemberInput{UserId: frame.Text(r, "user"), Role: query.WorkspaceRole(frame.Text(r, "role"))}
	if _, err := query.AddWorkspaceMember(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/members", "The person is listed now.")
}

// SetCaps gives those who are selected one cap, or none.
func (c Pages) SetCaps(w http.ResponseWriter, r *http.Request) error {
	users := r.PostForm["user"]
	if len(users) == 0 {
		return frame.Again(w, r, frame.Invalid("user", "Select the people first."), c.WorkspaceMembers)
	}
	limit, err := chosenCap(r)
	if err == nil {
		_, err = query.SetCaps(r.Context(), c.Client, frame.PathID(r), users, limit)
	}
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/members", capSentence(len(users), limit))
}

// personLeft is what a cap leaves; a cap below what is spent stops new runs.
func personLeft(m query.WorkspacePerson) string {
	if m.CreditCap == nil {
		return "–"
	}
	left := *m.CreditCap - frame.Value(m.Spent) - frame.Value(m.Reserved)
	if left <= 0 {
		return "0, no new runs"
	}
	return frame.Credits(left)
}
