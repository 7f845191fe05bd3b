package rest

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// joinCodeRoutes are the codes that admit plain members (contract 3,
// "Invitations and join codes").
func (a *API) joinCodeRoutes() {
	const tag, code = "Join codes", "/v1/workspaces/{id}/join-code"
	handle(a, route{Method: "GET", Path: code, Tag: tag, Summary: "The workspace's code, or null", Scope: models.ScopeWorkspacesRead}, a.getJoinCode)
	handle(a, route{Method: "POST", Path: code, Tag: tag, Summary: "Rotate, enable or disable the code", Scope: models.ScopeWorkspacesWrite}, a.changeJoinCode)
	handle(a, route{Method: "POST", Path: "/v1/workspaces/join", Tag: tag, Summary: "Join the workspace of a code", Scope: models.ScopeWorkspacesWrite}, a.joinWorkspace)
}

type joinCodeView struct {
	Code      string     `json:"code"`
	Enabled   bool       `json:"enabled"`
	RotatedAt timestamp  `json:"rotatedAt"`
	RotatedBy personView `json:"rotatedBy"`
}

// personView is a person as others see them.
type personView struct {
	UserID      models.ID `json:"userId"`
	DisplayName string    `json:"displayName"`
}

func (a *API) getJoinCode(ctx context.Context, in *IDPath) (*single[*joinCodeView], error) {
	code, err := a.query().WorkspaceJoinCode(ctx, in.ID)
	return a.showJoinCode(ctx, code, err)
}

type changeJoinCodeInput struct {
	IDPath
	Body struct {
		Action string `json:"action" enum:"rotate,enable,disable"`
	}
}

func (a *API) changeJoinCode(ctx context.Context, in *changeJoinCodeInput) (*single[*joinCodeView], error) {
	code, err := a.mutation().ChangeJoinCode(ctx, in.ID, org.JoinCodeAction(in.Body.Action))
	return a.showJoinCode(ctx, code, err)
}

func (a *API) showJoinCode(ctx context.Context, code *org.JoinCode, err error) (*single[*joinCodeView], error) {
	if err != nil || code == nil {
		return shown[*joinCodeView](nil, err, func(v *joinCodeView) *joinCodeView { return v })
	}
	user, err := a.Resolver.JoinCode().RotatedBy(ctx, code)
	if err != nil {
		return nil, err
	}
	return one(&joinCodeView{
		Code: code.Code, Enabled: code.Enabled, RotatedAt: timestamp(code.RotatedAt),
		RotatedBy: personView{UserID: code.RotatedBy, DisplayName: user.DisplayName},
	}), nil
}

type joinInput struct {
	Body struct {
		Code string `json:"code" doc:"Eight characters; spoken forms work."`
	}
}

type joinedView struct {
	OrganizationID models.ID  `json:"organizationId"`
	WorkspaceID    *models.ID `json:"workspaceId"`
}

func (a *API) joinWorkspace(ctx context.Context, in *joinInput) (*single[joinedView], error) {
	joined, err := a.mutation().JoinWorkspace(ctx, in.Body.Code)
	return shown(joined, err, func(j *org.Joined) joinedView { return joinedView(*j) })
}
