package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/flow"
)

// appRoutes publish workflows and manage what is published (contract 1,
// "Published app"; open points, "Publishing").
func (a *API) appRoutes() {
	const tag, scope = "Apps", models.ScopeExecute
	handle(a, route{Method: "POST", Path: "/v1/workflows/{id}/publish", Tag: tag, Summary: "Publish a workflow's current version", Scope: scope, Status: 201}, a.publish)
	handle(a, route{Method: "GET", Path: "/v1/apps", Tag: tag, Summary: "List the apps of the selected space that the caller manages", Scope: scope}, a.listApps)
	handle(a, route{Method: "PATCH", Path: "/v1/apps/{id}", Tag: tag, Summary: "Change an app's texts, limit, embed domains, or turn it off", Scope: scope}, a.updateApp)
	handle(a, route{Method: "DELETE", Path: "/v1/apps/{id}", Tag: tag, Summary: "Delete an app and free its slug", Scope: scope}, a.deleteApp)
	handle(a, route{Method: "GET", Path: "/v1/app/{slug}", Tag: tag, Summary: "A published app", Public: true}, a.getApp)
}

// PublicApp is a published app as anyone sees it.
type PublicApp struct {
	ID                   models.ID      `json:"id"`
	Name                 string         `json:"name"`
	Description          string         `json:"description"`
	IconURL              string         `json:"iconUrl"`
	Version              int            `json:"version"`
	EstimatedCredits     models.Credits `json:"estimatedCredits"`
	MaxRunsPerUserPerDay *int           `json:"maxRunsPerUserPerDay"`
	ThumbnailNodeID      *string        `json:"thumbnailNodeId"`
	SnapshotNodes        []shownNode    `json:"snapshotNodes"`
	SnapshotEdges        []edgeView     `json:"snapshotEdges"`
	SnapshotSettings     snapshotView   `json:"snapshotSettings"`
	Versions             []appVersion   `json:"versions" doc:"Newest first."`
}

// managedApp is an app with what its managers see beside it.
type managedApp struct {
	PublicApp
	Slug                string    `json:"slug"`
	IsActive            bool      `json:"isActive"`
	AllowedEmbedDomains []string  `json:"allowedEmbedDomains"`
	WorkflowID          models.ID `json:"workflowId"`
	CreatedAt           timestamp `json:"createdAt"`
	UpdatedAt           timestamp `json:"updatedAt"`
}

// shownApp is what GET /v1/app/{slug} answers: the last fields are absent for
// all but the app's managers.
type shownApp struct {
	PublicApp
	Slug                *string    `json:"slug,omitempty"`
	IsActive            *bool      `json:"isActive,omitempty"`
	AllowedEmbedDomains *[]string  `json:"allowedEmbedDomains,omitempty"`
	WorkflowID          *models.ID `json:"workflowId,omitempty"`
	CreatedAt           *timestamp `json:"createdAt,omitempty"`
	UpdatedAt           *timestamp `json:"updatedAt,omitempty"`
}

type snapshotView struct {
	PresentationSettings presentationView `json:"presentationSettings"`
}

type presentationView struct {
	InputItems []json.RawMessage `json:"inputItems" doc:"Items of type field, node, output, richtext or group."`
}

type appVersion struct {
	Version   int       `json:"version"`
	ID        models.ID `json:"id"`
	CreatedAt timestamp `json:"createdAt"`
}

// viewPublicApp shows an app as its resolvers tell it.
func (a *API) viewPublicApp(ctx context.Context, app *flow.App) (view PublicApp, err error) {
	fields := a.Resolver.App()
	items, err := fields.InputItems(ctx, app)
	if err != nil {
		return view, err
	}
	versions, err := fields.Versions(ctx, app)
	if err != nil {
		return view, err
	}
	return PublicApp{
		ID: app.ID, Name: app.Name, Description: app.Description, IconURL: app.IconURL, Version: app.LatestVersion,
		EstimatedCredits: app.Price(), MaxRunsPerUserPerDay: app.MaxRunsPerUserPerDay,
		ThumbnailNodeID: app.Latest.ThumbnailNodeID,
		SnapshotNodes:   mapAll(app.SnapshotNodes(), viewNode), SnapshotEdges: mapAll(app.Latest.Edges, viewEdge),
		SnapshotSettings: snapshotView{presentationView{items}},
		Versions: mapAll(versions, func(v *flow.AppVersion) appVersion {
			return appVersion{Version: v.Version, ID: v.ID, CreatedAt: timestamp(v.CreatedAt)}
		}),
	}, nil
}

// viewManagedApp shows an app to someone who manages it.
func (a *API) viewManagedApp(ctx context.Context, app *flow.App) (managedApp, error) {
	public, err := a.viewPublicApp(ctx, app)
	return managedApp{
		PublicApp: public, Slug: app.Slug, IsActive: app.IsActive, AllowedEmbedDomains: append([]string{}, app.AllowedEmbedDomains...),
		WorkflowID: app.WorkflowID, CreatedAt: timestamp(app.CreatedAt), UpdatedAt: timestamp(app.UpdatedAt),
	}, err
}

// oneApp wraps an app for someone who manages it.
func (a *API) oneApp(ctx context.Context, app *flow.App, err error) (*single[managedApp], error) {
	if err != nil {
		return nil, err
	}
	view, err := a.viewManagedApp(ctx, app)
	return one(view), err
}

type publishInput struct {
	IDPath
	Body struct {
		Slug                 *string  `json:"slug,omitempty" doc:"1 to 50 lower-case letters, digits, hyphens; derived from the name when absent."`
		Name                 string   `json:"name"`
		Description          *string  `json:"description,omitempty"`
		IconURL              *string  `json:"iconUrl,omitempty"`
		MaxRunsPerUserPerDay *int     `json:"maxRunsPerUserPerDay,omitempty"`
		ThumbnailNodeID      *string  `json:"thumbnailNodeId,omitempty"`
		AllowedEmbedDomains  []string `json:"allowedEmbedDomains,omitempty" doc:"Origins such as https://example.org."`
		PresentationSettings *struct {
			InputItems []json.RawMessage `json:"inputItems,omitempty"`
		} `json:"presentationSettings,omitempty"`
	}
}

func (a *API) publish(ctx context.Context, in *publishInput) (*single[managedApp], error) {
	publication := flow.PublishInput{
		Slug: in.Body.Slug, Name: in.Body.Name, Description: in.Body.Description, IconURL: in.Body.IconURL,
		MaxRunsPerUserPerDay: in.Body.MaxRunsPerUserPerDay, ThumbnailNodeID: in.Body.ThumbnailNodeID,
		AllowedEmbedDomains: in.Body.AllowedEmbedDomains,
	}
	if in.Body.PresentationSettings != nil {
		publication.PresentationSettings = &flow.PresentationSettings{InputItems: in.Body.PresentationSettings.InputItems}
	}
	app, err := a.mutation().PublishWorkflow(ctx, in.ID, publication)
	return a.oneApp(ctx, app, err)
}

func (a *API) listApps(ctx context.Context, in *PageQuery) (*many[managedApp], error) {
	apps, err := a.query().Apps(ctx, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	if err := a.Resolver.PrepareVersions(ctx, apps.Nodes); err != nil {
		return nil, err
	}
	var fault error
	reply := page(apps, func(app *flow.App) managedApp {
		view, err := a.viewManagedApp(ctx, app)
		if err != nil {
			fault = err
		}
		return view
	})
	return reply, fault
}

type updateAppInput struct {
	IDPath
	Body struct {
		IsActive             models.Opt[bool]     `json:"isActive,omitzero"`
		AllowedEmbedDomains  models.Opt[[]string] `json:"allowedEmbedDomains,omitzero"`
		MaxRunsPerUserPerDay models.Opt[int]      `json:"maxRunsPerUserPerDay,omitzero" nullable:"true" doc:"null lifts the limit."`
		Name                 models.Opt[string]   `json:"name,omitzero"`
		Description          models.Opt[string]   `json:"description,omitzero"`
		IconURL              models.Opt[string]   `json:"iconUrl,omitzero"`
	}
}

func (a *API) updateApp(ctx context.Context, in *updateAppInput) (*single[managedApp], error) {
	app, err := a.mutation().UpdateApp(ctx, in.ID, flow.UpdateAppInput{
		IsActive: in.Body.IsActive, AllowedEmbedDomains: in.Body.AllowedEmbedDomains,
		MaxRunsPerUserPerDay: in.Body.MaxRunsPerUserPerDay,
		Name:                 in.Body.Name, Description: in.Body.Description, IconURL: in.Body.IconURL,
	})
	return a.oneApp(ctx, app, err)
}

func (a *API) deleteApp(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteApp(ctx, in.ID)
	return succeeded(err)
}

// SlugPath is the path of every route on a published app.
type SlugPath struct {
	Slug string `path:"slug"`
}

// appRead is the path of a published app. Visitors get an ETag with it (see RememberApps).
type appRead struct {
	SlugPath
	Poll
}

func (a *API) getApp(ctx context.Context, in *appRead) (*plain[shownApp], error) {
	app, err := a.query().App(ctx, in.Slug)
	if err != nil {
		return nil, err
	}
	public, err := a.viewPublicApp(ctx, app)
	view := shownApp{PublicApp: public}
	if admin := app.Admin(); admin != nil {
		view.Slug, view.IsActive, view.AllowedEmbedDomains = &app.Slug, &admin.IsActive, (*[]string)(&admin.AllowedEmbedDomains)
		view.WorkflowID, view.CreatedAt, view.UpdatedAt = &admin.WorkflowID, moment(&admin.CreatedAt), moment(&admin.UpdatedAt)
	}
	return &plain[shownApp]{Status: 200, Body: view}, err
}
