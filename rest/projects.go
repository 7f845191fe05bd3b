package rest

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// projectRoutes are the folders of workflows in the selected space.
func (a *API) projectRoutes() {
	const tag, all, each = "Projects", "/v1/projects", "/v1/projects/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Make a project in the selected space", Scope: scope, Status: 201}, a.createProject)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the projects of the selected space, newest first", Scope: scope}, a.listProjects)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One project", Scope: scope}, a.getProject)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Rename a project", Scope: scope}, a.updateProject)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete an empty project", Scope: scope}, a.deleteProject)
}

type projectView struct {
	ID          models.ID  `json:"id"`
	Name        string     `json:"name"`
	WorkspaceID *models.ID `json:"workspaceId"`
	IsDefault   bool       `json:"isDefault"`
	CreatedAt   timestamp  `json:"createdAt"`
	UpdatedAt   timestamp  `json:"updatedAt"`
}

func viewProject(p *space.Project) projectView {
	return projectView{
		ID: p.ID, Name: p.Name, WorkspaceID: p.WorkspaceID, IsDefault: p.IsDefault,
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt),
	}
}

type createProjectInput struct {
	Body struct {
		Name string `json:"name"`
	}
}

func (a *API) createProject(ctx context.Context, in *createProjectInput) (*single[projectView], error) {
	p, err := a.mutation().CreateProject(ctx, space.CreateProjectInput{Name: in.Body.Name})
	if err != nil {
		return nil, err
	}
	return one(viewProject(p)), nil
}

func (a *API) listProjects(ctx context.Context, in *PageQuery) (*many[projectView], error) {
	projects, err := a.query().Projects(ctx, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	return page(projects, viewProject), nil
}

func (a *API) getProject(ctx context.Context, in *IDPath) (*single[projectView], error) {
	p, err := a.query().Project(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(viewProject(p)), nil
}

type updateProjectInput struct {
	IDPath
	Body struct {
		Name models.Opt[string] `json:"name,omitzero"`
	}
}

func (a *API) updateProject(ctx context.Context, in *updateProjectInput) (*single[projectView], error) {
	p, err := a.mutation().UpdateProject(ctx, in.ID, space.UpdateProjectInput{Name: in.Body.Name})
	if err != nil {
		return nil, err
	}
	return one(viewProject(p)), nil
}

func (a *API) deleteProject(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteProject(ctx, in.ID)
	return succeeded(err)
}
