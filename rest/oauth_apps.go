package rest

import (
	"context"

	"atelier/models"
	"atelier/models/oauth"
)

// oauthAppRoutes manage the apps that a person registers by hand (contract 1,
// "Authentication" 6).
func (a *API) oauthAppRoutes() {
	const tag, all, each = "OAuth apps", "/v1/oauth/apps", "/v1/oauth/apps/{id}"
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Register an app; its secret is shown once", Session: true, Status: 201}, a.createOAuthApp)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List own apps, newest first", Session: true}, a.listOAuthApps)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One app", Session: true}, a.getOAuthApp)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change an app", Session: true}, a.updateOAuthApp)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete an app with all that people allowed it", Session: true}, a.deleteOAuthApp)
	handle(a, route{Method: "POST", Path: each + "/rotate-secret", Tag: tag, Summary: "Make a new secret; the old one stops at once", Session: true}, a.rotateOAuthAppSecret)
}

type oauthAppView struct {
	ID             models.ID  `json:"id"`
	ClientID       models.ID  `json:"clientId"`
	Name           string     `json:"name"`
	RedirectURIs   []string   `json:"redirectUris"`
	AllowedOrigins []string   `json:"allowedOrigins" doc:"Sites whose pages may call the API from a browser."`
	CreatedAt      timestamp  `json:"createdAt"`
	UpdatedAt      timestamp  `json:"updatedAt"`
	LastUsedAt     *timestamp `json:"lastUsedAt" doc:"When a token was last made or used."`
}

func viewOAuthApp(app *oauth.App) oauthAppView {
	return oauthAppView{
		ID: app.ID, ClientID: app.ID, Name: app.Name, RedirectURIs: app.RedirectURIs, AllowedOrigins: app.AllowedOrigins,
		CreatedAt: timestamp(app.CreatedAt), UpdatedAt: timestamp(app.UpdatedAt), LastUsedAt: moment(app.LastUsedAt),
	}
}

type createOAuthAppInput struct {
	Body struct {
		Name           string   `json:"name" doc:"1 to 100 characters; people see it when they are asked."`
		RedirectURIs   []string `json:"redirectUris" doc:"1 to 10: https, http on localhost, 127.0.0.1 or [::1], or a scheme like com.example.app."`
		AllowedOrigins []string `json:"allowedOrigins,omitempty" doc:"At most 10, such as https://app.example.com."`
		Public         *bool    `json:"public,omitempty" doc:"A program without a server, which keeps no secret; default false."`
	}
}

type createdOAuthApp struct {
	Body struct {
		Data         oauthAppView `json:"data"`
		ClientSecret *string      `json:"clientSecret" nullable:"true" doc:"Shown once; null for an app without one."`
	}
}

func shownOnce(created *oauth.CreatedApp, err error) (*createdOAuthApp, error) {
	if err != nil {
		return nil, err
	}
	reply := &createdOAuthApp{}
	reply.Body.Data, reply.Body.ClientSecret = viewOAuthApp(created.App), created.ClientSecret
	return reply, nil
}

func (a *API) createOAuthApp(ctx context.Context, in *createOAuthAppInput) (*createdOAuthApp, error) {
	return shownOnce(a.mutation().CreateOAuthApp(ctx, oauth.CreateAppInput{
		Name: in.Body.Name, RedirectURIs: in.Body.RedirectURIs, AllowedOrigins: in.Body.AllowedOrigins, Public: in.Body.Public,
	}))
}

func (a *API) listOAuthApps(ctx context.Context, _ *struct{}) (*many[oauthAppView], error) {
	apps, err := a.query().OauthApps(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(apps), viewOAuthApp), nil
}

func (a *API) getOAuthApp(ctx context.Context, in *IDPath) (*single[oauthAppView], error) {
	app, err := a.query().OauthApp(ctx, in.ID)
	return shown(app, err, viewOAuthApp)
}

type updateOAuthAppInput struct {
	IDPath
	Body struct {
		Name           models.Opt[string]   `json:"name,omitzero"`
		RedirectURIs   models.Opt[[]string] `json:"redirectUris,omitzero"`
		AllowedOrigins models.Opt[[]string] `json:"allowedOrigins,omitzero"`
	}
}

func (a *API) updateOAuthApp(ctx context.Context, in *updateOAuthAppInput) (*single[oauthAppView], error) {
	var changes oauth.UpdateAppInput
	name, sent, err := models.Required("name", in.Body.Name)
	if err != nil {
		return nil, err
	}
	if sent {
		changes.Name = &name
	}
	if changes.RedirectURIs, _, err = models.Required("redirectUris", in.Body.RedirectURIs); err != nil {
		return nil, err
	}
	if changes.AllowedOrigins, _, err = models.Required("allowedOrigins", in.Body.AllowedOrigins); err != nil {
		return nil, err
	}
	app, err := a.mutation().UpdateOAuthApp(ctx, in.ID, changes)
	return shown(app, err, viewOAuthApp)
}

func (a *API) deleteOAuthApp(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteOAuthApp(ctx, in.ID)
	return succeeded(err)
}

func (a *API) rotateOAuthAppSecret(ctx context.Context, in *IDPath) (*createdOAuthApp, error) {
	return shownOnce(a.mutation().RotateOAuthAppSecret(ctx, in.ID))
}
