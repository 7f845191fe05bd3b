package frame

import (
	"context"
	"net/http"
	"slices"

	"atelier/web/query"
)

// Place is where a page stands: in an organization, in one of its workspaces, or in the personal space.
type Place struct {
	Org       *query.ViewerOrganization
	Workspace *query.ViewerWorkspace
	Words     Words
	// Named is set where the address names a workspace, also when it could not be loaded.
	Named bool
}

// PlaceOf resolves what a page is about, else the space that its address names, from what the shell loaded.
func PlaceOf(r *http.Request, shell query.Shell, org, workspace string) Place {
	at := Place{Words: PlainWords}
	m := shell.Me.Memberships
	if m == nil {
		return at
	}
	if org == "" && workspace == "" {
		workspace = SpaceOf(r).Workspace
	}
	at.Named = workspace != ""
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
	return at
}

// Placed adds to what the shell loaded the organization and the workspace that a page is about, where the switcher,
// which is short, does not list them. What cannot be read is left out: the page itself has refused that.
func (c *Console) Placed(r *http.Request, shell query.Shell, org, workspace string) query.Shell {
	m := shell.Me.Memberships
	if org == "" && workspace == "" {
		workspace = SpaceOf(r).Workspace
	}
	if m == nil || m.Unavailable || org == "" && workspace == "" {
		return shell
	}
	more := *m
	if !hasWorkspace(m, workspace) {
		if res, err := query.WorkspacePlace(r.Context(), c.Client, workspace); err == nil && res.Workspace.Role != nil {
			more.Workspaces = append(slices.Clip(m.Workspaces), res.Workspace.ViewerWorkspace)
			org = res.Workspace.OrganizationId
			if !hasOrganization(m, org) {
				more.Organizations = append(slices.Clip(m.Organizations), res.Workspace.Organization)
			}
		}
	} else if !hasOrganization(m, org) {
		if res, err := query.OrganizationPlace(r.Context(), c.Client, org); err == nil && res.Organization.Role != nil {
			more.Organizations = append(slices.Clip(m.Organizations), res.Organization)
		}
	}
	shell.Me.Memberships = &more
	return shell
}

// hasWorkspace tells whether there is nothing to look up.
func hasWorkspace(m *query.Membership, id string) bool {
	return id == "" || slices.ContainsFunc(m.Workspaces, func(w query.ViewerWorkspace) bool { return w.Id == id })
}

func hasOrganization(m *query.Membership, id string) bool {
	return id == "" || slices.ContainsFunc(m.Organizations, func(o query.ViewerOrganization) bool { return o.Id == id })
}

// KeptIn says where something is kept.
func KeptIn(ctx context.Context, at Place) string {
	if at.Workspace == nil {
		return t(ctx, "It is kept in your personal space.")
	}
	return t(ctx, "It is kept in %s.", SpaceName(ctx, at))
}

// WorkingIn says where a person works.
func WorkingIn(ctx context.Context, at Place) string {
	if at.Workspace == nil {
		return t(ctx, "You work in your personal space.")
	}
	return t(ctx, "You work in %s.", SpaceName(ctx, at))
}

// SpaceName is where the person works: a workspace, or the personal space.
func SpaceName(ctx context.Context, at Place) string {
	if at.Workspace != nil {
		return at.Workspace.Name
	}
	return t(ctx, "Personal space")
}
