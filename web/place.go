package web

import (
	"net/http"

	"atelier/web/query"
)

// place is where a page stands: in an organization, in one of its workspaces, or in the personal space.
type place struct {
	Org       *query.ViewerOrganization
	Workspace *query.ViewerWorkspace
	Words     words
	// Inviting is set where the person sees invitations: owner and admins, and admins of a workspace.
	Inviting bool
}

// placeOf resolves what a page is about, else the selected workspace, from what the shell loaded.
func placeOf(r *http.Request, frame query.Shell, org, workspace string) place {
	at := place{Words: plainWords}
	m := frame.Me.Memberships
	if m == nil {
		return at
	}
	if org == "" && workspace == "" {
		workspace = cookieValue(r, WorkspaceCookie)
	}
	for i := range m.Workspaces {
		if m.Workspaces[i].Id == workspace && workspace != "" {
			at.Workspace, org = &m.Workspaces[i], m.Workspaces[i].OrganizationId
		}
	}
	for i := range m.Organizations {
		if m.Organizations[i].Id == org && org != "" {
			at.Org, at.Words = &m.Organizations[i], m.Organizations[i].Vocabulary
		}
	}
	for _, w := range m.Workspaces {
		if at.Org != nil && w.OrganizationId == at.Org.Id && w.Role != nil && *w.Role == query.WorkspaceRoleAdmin {
			at.Inviting = true
		}
	}
	at.Inviting = at.Inviting || at.Org != nil && at.Org.ViewerCan.ReadCredits
	return at
}
