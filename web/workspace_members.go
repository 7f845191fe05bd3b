package web

import (
	"net/http"
	"strings"

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
	Form   form
}

// admin tells whether the viewer sees what admins of the workspace see.
func (v workspaceMembersView) admin() bool { return isWorkspaceAdmin(v.Workspace) }

func isWorkspaceAdmin(ws query.WorkspaceHead) bool {
	return ws.Role != nil && *ws.Role == query.WorkspaceRoleAdmin
}

func (c *Console) workspaceMembers(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceMembers(r.Context(), c.client, pathID(r), after(r))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := workspaceMembersView{
		Workspace: ws.WorkspaceHead, Rows: ws.Members.Nodes, Caps: capsOn(ws.Settings), Self: res.Me.Id,
		Next: nextHref(r, ws.Members.PageInfo), Search: strings.TrimSpace(r.FormValue("add")), Form: formOf(r),
	}
	if err := c.loadForAdmins(r, &v); err != nil {
		return err
	}
	title := ws.Organization.Vocabulary.Members + " of " + ws.Name
	return c.page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, title), workspaceMembersContent(v))
}

// loadForAdmins reads who else is an admin here, and who can be added.
func (c *Console) loadForAdmins(r *http.Request, v *workspaceMembersView) error {
	if v.admin() && after(r) == nil {
		more, err := query.WorkspaceAdmins(r.Context(), c.client, v.Workspace.Id)
		if err != nil {
			return err
		}
		v.Unlisted, v.Former = more.Workspace.UnlistedAdmins, more.Workspace.SuspendedFormerPeople
	}
	if v.Search == "" || !v.Workspace.ViewerCan.ManageMembers {
		return nil
	}
	found, err := query.Candidates(r.Context(), c.client, v.Workspace.Id, v.Search)
	if err == nil {
		v.Found = found.Workspace.Candidates
	}
	return err
}

func (c *Console) addWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	in := query.AddWorkspaceMemberInput{UserId: text(r, "user"), Role: query.WorkspaceRole(text(r, "role"))}
	if _, err := query.AddWorkspaceMember(r.Context(), c.client, pathID(r), in); err != nil {
		return again(w, r, err, c.workspaceMembers)
	}
	return c.done(w, "/workspaces/"+pathID(r)+"/members", "The person is listed now.")
}

// setCaps gives those who are selected one cap, or none.
func (c *Console) setCaps(w http.ResponseWriter, r *http.Request) error {
	users := r.PostForm["user"]
	if len(users) == 0 {
		return again(w, r, invalid("user", "Select the people first."), c.workspaceMembers)
	}
	limit, err := chosenCap(r)
	if err == nil {
		_, err = query.SetCaps(r.Context(), c.client, pathID(r), users, limit)
	}
	if err != nil {
		return again(w, r, err, c.workspaceMembers)
	}
	return c.done(w, "/workspaces/"+pathID(r)+"/members", capSentence(len(users), limit))
}

// personLeft is what a cap leaves; a cap below what is spent stops new runs.
func personLeft(m query.WorkspacePerson) string {
	if m.CreditCap == nil {
		return "–"
	}
	left := *m.CreditCap - value(m.Spent) - value(m.Reserved)
	if left <= 0 {
		return "0, no new runs"
	}
	return credits(left)
}
