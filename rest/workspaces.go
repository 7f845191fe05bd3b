package rest

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// workspaceRoutes are workspaces and who belongs to them (contract 3,
// "Workspaces and their members").
func (a *API) workspaceRoutes() {
	const tag, inOrg, all, each = "Workspaces", "/v1/orgs/{id}/workspaces", "/v1/workspaces", "/v1/workspaces/{id}"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "POST", Path: inOrg, Tag: tag, Summary: "Make a workspace", Scope: write, Status: 201}, a.createWorkspace)
	handle(a, route{Method: "GET", Path: inOrg, Tag: tag, Summary: "List an organization's workspaces, newest first", Scope: read}, a.listOrganizationWorkspaces)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List own workspaces, newest first", Scope: read, Tolerant: true}, a.listWorkspaces)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One workspace", Scope: read}, a.getWorkspace)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change name, description and settings", Scope: write}, a.updateWorkspace)
	handle(a, route{Method: "POST", Path: each + "/archive", Tag: tag, Summary: "Close a workspace to new work", Scope: write}, a.archiveWorkspace)
	handle(a, route{Method: "POST", Path: each + "/unarchive", Tag: tag, Summary: "Open it again", Scope: write}, a.unarchiveWorkspace)
	a.workspaceMemberRoutes()
}

type workspaceView struct {
	ID                models.ID          `json:"id"`
	OrganizationID    models.ID          `json:"organizationId"`
	Name              string             `json:"name"`
	Slug              string             `json:"slug"`
	Description       string             `json:"description"`
	Settings          settingsView       `json:"settings"`
	EffectiveSettings org.Rules          `json:"effectiveSettings"`
	Archived          bool               `json:"archived"`
	ArchivedAt        *timestamp         `json:"archivedAt"`
	Role              *org.WorkspaceRole `json:"role"`
	MemberStatus      *org.MemberStatus  `json:"memberStatus"`
	CreatedAt         timestamp          `json:"createdAt"`
	UpdatedAt         timestamp          `json:"updatedAt"`
}

func viewWorkspace(w *org.Workspace) workspaceView {
	return workspaceView{
		ID: w.ID, OrganizationID: w.OrganizationID, Name: w.Name, Slug: w.Slug, Description: w.Description,
		Settings: settingsView(w.Settings), EffectiveSettings: w.Rules(),
		Archived: w.Archived(), ArchivedAt: moment(w.ArchivedAt), Role: w.Role(), MemberStatus: w.MemberStatus(),
		CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt),
	}
}

type createWorkspaceInput struct {
	IDPath
	Body struct {
		Name        string         `json:"name" doc:"1 to 100 characters."`
		Slug        *string        `json:"slug,omitempty" doc:"Unique in the organization; derived from the name when absent."`
		Description *string        `json:"description,omitempty"`
		Settings    map[string]any `json:"settings,omitempty"`
	}
}

func (a *API) createWorkspace(ctx context.Context, in *createWorkspaceInput) (*single[workspaceView], error) {
	w, err := a.mutation().CreateWorkspace(ctx, in.ID, org.CreateWorkspaceInput{
		Name: in.Body.Name, Slug: in.Body.Slug, Description: in.Body.Description, Settings: in.Body.Settings,
	})
	return shown(w, err, viewWorkspace)
}

// ArchivedQuery is the query of the lists of workspaces.
type ArchivedQuery struct {
	IncludeArchived bool `query:"includeArchived" doc:"Adds archived workspaces."`
}

type organizationWorkspacesInput struct {
	PageOfInput
	ArchivedQuery
}

func (a *API) listOrganizationWorkspaces(ctx context.Context, in *organizationWorkspacesInput) (*many[workspaceView], error) {
	o, err := a.ownOrganization(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	workspaces, err := a.Resolver.Organization().Workspaces(ctx, o, in.first(), in.after(), &in.IncludeArchived, nil, nil)
	if err != nil {
		return nil, err
	}
	return page(workspaces, viewWorkspace), nil
}

type workspacesInput struct {
	PageQuery
	ArchivedQuery
}

func (a *API) listWorkspaces(ctx context.Context, in *workspacesInput) (*many[workspaceView], error) {
	workspaces, err := a.query().Workspaces(ctx, in.first(), in.after(), &in.IncludeArchived, nil, nil)
	if err != nil {
		return nil, err
	}
	return page(workspaces, viewWorkspace), nil
}

func (a *API) getWorkspace(ctx context.Context, in *IDPath) (*single[workspaceView], error) {
	w, err := a.query().Workspace(ctx, in.ID)
	return shown(w, err, viewWorkspace)
}

type updateWorkspaceInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string] `json:"name,omitzero"`
		Description models.Opt[string] `json:"description,omitzero"`
		Settings    map[string]any     `json:"settings,omitempty" doc:"Merged key by key; null unsets a key."`
	}
}

func (a *API) updateWorkspace(ctx context.Context, in *updateWorkspaceInput) (*single[workspaceView], error) {
	w, err := a.mutation().UpdateWorkspace(ctx, in.ID, org.UpdateWorkspaceInput{
		Name: in.Body.Name, Description: in.Body.Description, Settings: in.Body.Settings,
	})
	return shown(w, err, viewWorkspace)
}

func (a *API) archiveWorkspace(ctx context.Context, in *IDPath) (*single[workspaceView], error) {
	w, err := a.mutation().ArchiveWorkspace(ctx, in.ID)
	return shown(w, err, viewWorkspace)
}

func (a *API) unarchiveWorkspace(ctx context.Context, in *IDPath) (*single[workspaceView], error) {
	w, err := a.mutation().UnarchiveWorkspace(ctx, in.ID)
	return shown(w, err, viewWorkspace)
}
