package rest

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/org"
)

// workspaceMemberRoutes are who is listed in a workspace.
func (a *API) workspaceMemberRoutes() {
	const tag, all, each = "Workspaces", "/v1/workspaces/{id}/members", "/v1/workspaces/{id}/members/{userId}"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the members, newest first", Scope: read}, a.listWorkspaceMembers)
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "List a member of the organization here", Scope: write, Status: 201, Also: 200}, a.addWorkspaceMember)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change a member's role, standing or cap", Scope: write}, a.updateWorkspaceMember)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Remove a member from the workspace alone", Scope: write}, a.removeWorkspaceMember)
}

// workspaceMemberView has no addresses; status and creditCap are for admins
// and absent for others.
type workspaceMemberView struct {
	UserID      models.ID                  `json:"userId"`
	Role        org.WorkspaceRole          `json:"role"`
	DisplayName string                     `json:"displayName"`
	AvatarURL   *string                    `json:"avatarUrl"`
	AddedAt     timestamp                  `json:"addedAt"`
	Status      *org.MemberStatus          `json:"status,omitempty"`
	CreditCap   models.Opt[models.Credits] `json:"creditCap,omitzero" nullable:"true"`
}

func (a *API) listWorkspaceMembers(ctx context.Context, in *PageOfInput) (*many[workspaceMemberView], error) {
	members, err := a.query().WorkspaceMembers(ctx, in.ID, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	views, err := withPeople(ctx, members.Nodes, func(m *org.ListedMember) models.ID { return m.UserID }, a.viewWorkspaceMember)
	return listed(views, members.Next(), err)
}

func (a *API) viewWorkspaceMember(ctx context.Context, m *org.ListedMember) (workspaceMemberView, error) {
	user, err := a.Resolver.WorkspaceMember().User(ctx, m)
	if err != nil {
		return workspaceMemberView{}, err
	}
	view := workspaceMemberView{
		UserID: m.UserID, Role: m.Role, DisplayName: user.DisplayName, AvatarURL: user.AvatarURL,
		AddedAt: timestamp(m.AddedAt), Status: m.Status,
	}
	if m.Status != nil {
		view.CreditCap = models.Null[models.Credits]()
		if m.CreditCap != nil {
			view.CreditCap = models.Some(*m.CreditCap)
		}
	}
	return view, nil
}

type addWorkspaceMemberInput struct {
	IDPath
	Body struct {
		UserID models.ID `json:"userId"`
		Role   string    `json:"role" enum:"admin,member"`
	}
}

func (a *API) addWorkspaceMember(ctx context.Context, in *addWorkspaceMemberInput) (*single[workspaceMemberView], error) {
	m, err := a.mutation().AddWorkspaceMember(ctx, in.ID, org.AddWorkspaceMemberInput{UserID: in.Body.UserID, Role: org.WorkspaceRole(in.Body.Role)})
	return a.showWorkspaceMember(ctx, m, err)
}

type updateWorkspaceMemberInput struct {
	MemberPath
	Body struct {
		Role      models.Opt[string] `json:"role,omitzero" doc:"admin or member."`
		Status    models.Opt[string] `json:"status,omitzero" doc:"active or suspended."`
		CreditCap models.Opt[amount] `json:"creditCap,omitzero" nullable:"true" doc:"Credits that the member may spend here; null for no cap."`
	}
}

func (a *API) updateWorkspaceMember(ctx context.Context, in *updateWorkspaceMemberInput) (*single[workspaceMemberView], error) {
	limit, err := optionalCredits("creditCap", in.Body.CreditCap)
	if err != nil {
		return nil, err
	}
	m, err := a.mutation().UpdateWorkspaceMember(ctx, in.ID, in.UserID, credit.UpdateWorkspaceMemberInput{
		Role: as[org.WorkspaceRole](in.Body.Role), Status: as[org.MemberStatus](in.Body.Status), CreditCap: limit,
	})
	return a.showWorkspaceMember(ctx, m, err)
}

func (a *API) showWorkspaceMember(ctx context.Context, m *org.ListedMember, err error) (*single[workspaceMemberView], error) {
	if err != nil {
		return nil, err
	}
	view, err := a.viewWorkspaceMember(ctx, m)
	return shown(view, err, func(v workspaceMemberView) workspaceMemberView { return v })
}

func (a *API) removeWorkspaceMember(ctx context.Context, in *MemberPath) (*success, error) {
	_, err := a.mutation().RemoveWorkspaceMember(ctx, in.ID, in.UserID)
	return succeeded(err)
}

// optionalCredits reads an amount that may be absent or null.
func optionalCredits(field string, sent models.Opt[amount]) (models.Opt[models.Credits], error) {
	value, ok := sent.ValueOK()
	switch {
	case !ok:
		return models.Opt[models.Credits]{}, nil
	case value == nil:
		return models.Null[models.Credits](), nil
	}
	credits, err := value.credits(field)
	return models.Some(credits), err
}
