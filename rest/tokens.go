package rest

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// tokenRoutes manage personal API tokens (contract 1, "Authentication" 4 and 5).
func (a *API) tokenRoutes() {
	const tag = "API tokens"
	handle(a, route{Method: "POST", Path: "/v1/api-tokens", Tag: tag, Summary: "Make a token; it is shown once", Session: true, Status: 201}, a.createToken)
	handle(a, route{Method: "GET", Path: "/v1/api-tokens", Tag: tag, Summary: "List own tokens", Session: true}, a.listTokens)
	handle(a, route{Method: "PATCH", Path: "/v1/api-tokens/{id}", Tag: tag, Summary: "Rename, limit or bind a token", Session: true}, a.updateToken)
	handle(a, route{Method: "DELETE", Path: "/v1/api-tokens/{id}", Tag: tag, Summary: "Revoke a token", Session: true}, a.deleteToken)
}

type tokenView struct {
	ID          models.ID   `json:"id"`
	Name        string      `json:"name"`
	Prefix      string      `json:"prefix"`
	RateLimit   int         `json:"rateLimit"`
	WorkspaceID *models.ID  `json:"workspaceId"`
	WorkflowIDs []models.ID `json:"workflowIds"`
	CreatedAt   timestamp   `json:"createdAt"`
	ExpiresAt   *timestamp  `json:"expiresAt,omitempty" doc:"When it stops working by itself; absent from a token that lasts until it is revoked."`
	LastUsedAt  *timestamp  `json:"lastUsedAt"`
}

func viewToken(t *account.APIToken) tokenView {
	workflows := []models.ID(t.WorkflowIDs)
	if workflows == nil {
		workflows = []models.ID{}
	}
	return tokenView{
		ID: t.ID, Name: t.Name, Prefix: t.Prefix, RateLimit: t.RateLimit, WorkspaceID: t.WorkspaceID,
		WorkflowIDs: workflows, CreatedAt: timestamp(t.CreatedAt), ExpiresAt: moment(t.ExpiresAt), LastUsedAt: moment(t.LastUsedAt),
	}
}

type createTokenInput struct {
	Body struct {
		Name        string      `json:"name"`
		RateLimit   *int        `json:"rateLimit,omitempty" doc:"1 to 120 a minute, default 30."`
		WorkspaceID *models.ID  `json:"workspaceId,omitempty"`
		WorkflowIDs []models.ID `json:"workflowIds,omitempty"`
		ExpiresAt   *time.Time  `json:"expiresAt,omitempty" doc:"When it stops working by itself: in the future, at most ten years ahead. Without it, it lasts until it is revoked."`
	}
}

type createdToken struct {
	Body struct {
		Data  tokenView `json:"data"`
		Token string    `json:"token" doc:"Shown once."`
	}
}

func (a *API) createToken(ctx context.Context, in *createTokenInput) (*createdToken, error) {
	created, err := a.mutation().CreateAPIToken(ctx, account.CreateAPITokenInput{
		Name: in.Body.Name, RateLimit: in.Body.RateLimit, WorkspaceID: in.Body.WorkspaceID, WorkflowIds: in.Body.WorkflowIDs,
		ExpiresAt: in.Body.ExpiresAt,
	})
	if err != nil {
		return nil, err
	}
	reply := &createdToken{}
	reply.Body.Data, reply.Body.Token = viewToken(created.APIToken), created.Token
	return reply, nil
}

func (a *API) listTokens(ctx context.Context, _ *struct{}) (*many[tokenView], error) {
	tokens, err := a.query().APITokens(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(tokens), viewToken), nil
}

type updateTokenInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string]      `json:"name,omitzero"`
		RateLimit   models.Opt[int]         `json:"rateLimit,omitzero"`
		WorkspaceID models.Opt[models.ID]   `json:"workspaceId,omitzero" nullable:"true"`
		WorkflowIDs models.Opt[[]models.ID] `json:"workflowIds,omitzero" nullable:"true"`
	}
}

func (a *API) updateToken(ctx context.Context, in *updateTokenInput) (*single[tokenView], error) {
	token, err := a.mutation().UpdateAPIToken(ctx, in.ID, account.UpdateAPITokenInput{
		Name: in.Body.Name, RateLimit: in.Body.RateLimit, WorkspaceID: in.Body.WorkspaceID, WorkflowIds: in.Body.WorkflowIDs,
	})
	if err != nil {
		return nil, err
	}
	return one(viewToken(token)), nil
}

func (a *API) deleteToken(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteAPIToken(ctx, in.ID)
	return succeeded(err)
}
