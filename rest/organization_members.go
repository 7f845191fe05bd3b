package rest

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// memberRoutes are the members of an organization (contract 3, "Org members").
func (a *API) memberRoutes() {
	const tag, all, each = "Members", "/v1/orgs/{id}/members", "/v1/orgs/{id}/members/{userId}"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a member's role or standing", Scope: write}, a.updateMember)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Remove a member from the organization and its workspaces", Scope: write}, a.removeMember)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the members, newest first", Scope: read}, a.listMembers)
}

type memberView struct {
	UserID      models.ID        `json:"userId"`
	Role        org.Role         `json:"role"`
	Status      org.MemberStatus `json:"status"`
	JoinedAt    timestamp        `json:"joinedAt"`
	Email       string           `json:"email"`
	DisplayName string           `json:"displayName"`
	AvatarURL   *string          `json:"avatarUrl"`
}

// PageOfInput is the input of every list below one object.
type PageOfInput struct {
	IDPath
	PageQuery
}

func (a *API) listMembers(ctx context.Context, in *PageOfInput) (*many[memberView], error) {
	members, err := a.query().OrganizationMembers(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	views, err := withPeople(ctx, members.Nodes, func(m *org.OrganizationMember) models.ID { return m.UserID }, a.viewMember)
	return listed(views, members.Next(), err)
}

func (a *API) viewMember(ctx context.Context, m *org.OrganizationMember) (memberView, error) {
	user, err := a.Resolver.OrganizationMember().User(ctx, m)
	if err != nil {
		return memberView{}, err
	}
	return memberView{
		UserID: m.UserID, Role: m.Role, Status: m.Status, JoinedAt: timestamp(m.JoinedAt), Email: m.Email,
		DisplayName: user.DisplayName, AvatarURL: user.AvatarURL,
	}, nil
}

// MemberPath is the path of every route on one member.
type MemberPath struct {
	IDPath
	UserID models.ID `path:"userId"`
}

type updateMemberInput struct {
	MemberPath
	Body struct {
		Role   models.Opt[string] `json:"role,omitzero" doc:"admin or member."`
		Status models.Opt[string] `json:"status,omitzero" doc:"active or suspended."`
	}
}

func (a *API) updateMember(ctx context.Context, in *updateMemberInput) (*single[memberView], error) {
	m, err := a.mutation().UpdateOrganizationMember(ctx, in.ID, in.UserID, org.UpdateMemberInput{
		Role: as[org.Role](in.Body.Role), Status: as[org.MemberStatus](in.Body.Status),
	})
	if err != nil {
		return nil, err
	}
	view, err := a.viewMember(ctx, m)
	return shown(view, err, func(v memberView) memberView { return v })
}

func (a *API) removeMember(ctx context.Context, in *MemberPath) (*success, error) {
	_, err := a.mutation().RemoveOrganizationMember(ctx, in.ID, in.UserID)
	return succeeded(err)
}

// as reads an optional text as one of a use case's own kinds of text.
func as[T ~string](text models.Opt[string]) models.Opt[T] {
	value, sent := text.ValueOK()
	switch {
	case !sent:
		return models.Opt[T]{}
	case value == nil:
		return models.Null[T]()
	}
	return models.Some(T(*value))
}
