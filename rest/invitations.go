package rest

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// invitationRoutes ask addresses into organizations (contract 3, "Invitations
// and join codes").
func (a *API) invitationRoutes() {
	const tag, all, each = "Invitations", "/v1/orgs/{id}/invitations", "/v1/invitations/{id}"
	const read, write = models.ScopeWorkspacesRead, models.ScopeWorkspacesWrite
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Invite up to 200 addresses", Scope: write, Status: 201}, a.createInvitations)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List invitations, newest first", Scope: read}, a.listInvitations)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Revoke an invitation", Scope: write}, a.revokeInvitation)
	handle(a, route{Method: "POST", Path: each + "/resend", Tag: tag, Summary: "Send an invitation again, with a new link", Scope: write}, a.resendInvitation)
	handle(a, route{Method: "GET", Path: "/v1/invitations/by-token/{token}", Tag: tag, Summary: "What an invitation's link shows", Public: true}, a.lookUpInvitation)
	handle(a, route{Method: "POST", Path: "/v1/invitations/{token}/accept", Tag: tag, Summary: "Accept an invitation", Scope: write, Tolerant: true}, a.acceptInvitation)
}

// sendView is what became of one address of a call.
type sendView struct {
	Email  string         `json:"email"`
	Status org.SendStatus `json:"status" enum:"sent,link_only,failed"`
	Link   *string        `json:"link,omitempty" doc:"Shown once, where the address was not mailed."`
	Error  *string        `json:"error,omitempty" doc:"invalid_email, domain_not_allowed or already_invited."`
}

func viewSend(s *org.InvitationSend) sendView {
	return sendView{Email: s.Email, Status: s.Outcome(), Link: s.Link, Error: s.Error}
}

type createInvitationsInput struct {
	IDPath
	Body struct {
		Emails        []string   `json:"emails" doc:"1 to 200 addresses; lower-cased, each invited once."`
		OrgRole       *string    `json:"orgRole,omitempty" doc:"admin or member; member when absent."`
		WorkspaceID   *models.ID `json:"workspaceId,omitempty"`
		WorkspaceRole *string    `json:"workspaceRole,omitempty" doc:"admin or member; member when absent."`
	}
}

func (a *API) createInvitations(ctx context.Context, in *createInvitationsInput) (*single[[]sendView], error) {
	batch, err := a.mutation().CreateInvitations(ctx, in.ID, org.CreateInvitationsInput{
		Emails: in.Body.Emails, OrgRole: (*org.Role)(in.Body.OrgRole),
		WorkspaceID: in.Body.WorkspaceID, WorkspaceRole: (*org.WorkspaceRole)(in.Body.WorkspaceRole),
	})
	return shown(batch, err, func(b *org.InvitationBatch) []sendView { return mapAll(b.Sends, viewSend) })
}

type invitationView struct {
	ID            models.ID           `json:"id"`
	Email         string              `json:"email"`
	OrgRole       org.Role            `json:"orgRole"`
	WorkspaceID   *models.ID          `json:"workspaceId"`
	WorkspaceRole *org.WorkspaceRole  `json:"workspaceRole"`
	State         org.InvitationState `json:"state"`
	InvitedBy     personView          `json:"invitedBy"`
	CreatedAt     timestamp           `json:"createdAt"`
	ExpiresAt     timestamp           `json:"expiresAt"`
	AcceptedAt    *timestamp          `json:"acceptedAt"`
}

func (a *API) viewInvitation(ctx context.Context, i *org.Invitation) (invitationView, error) {
	inviter, err := a.Resolver.Invitation().InvitedBy(ctx, i)
	if err != nil {
		return invitationView{}, err
	}
	return invitationView{
		ID: i.ID, Email: i.Email, OrgRole: i.OrgRole, WorkspaceID: i.WorkspaceID, WorkspaceRole: i.WorkspaceRole, State: i.State,
		InvitedBy: personView{UserID: i.InvitedBy, DisplayName: inviter.DisplayName},
		CreatedAt: timestamp(i.CreatedAt), ExpiresAt: timestamp(i.ExpiresAt), AcceptedAt: moment(i.AcceptedAt),
	}, nil
}

type listInvitationsInput struct {
	PageOfInput
	Status      queryString `query:"status" doc:"open, accepted, revoked or expired."`
	WorkspaceID queryString `query:"workspaceId" doc:"Invitations to this workspace."`
}

func (a *API) listInvitations(ctx context.Context, in *listInvitationsInput) (*many[invitationView], error) {
	workspace, err := optionalID("workspaceId", in.WorkspaceID.Value)
	if err != nil {
		return nil, err
	}
	status := (*org.InvitationState)(in.Status.Value)
	rows, err := a.query().OrganizationInvitations(ctx, in.ID, status, workspace, in.first(), in.after())
	if err != nil {
		return nil, err
	}
	views, err := withPeople(ctx, rows.Nodes, func(i *org.Invitation) models.ID { return i.InvitedBy }, a.viewInvitation)
	return listed(views, rows.Next(), err)
}

// optionalID reads an id that may be absent.
func optionalID(field string, text *string) (*models.ID, error) {
	if text == nil {
		return nil, nil
	}
	id, err := models.ParseID(field, *text)
	return &id, err
}

func (a *API) revokeInvitation(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().RevokeInvitation(ctx, in.ID)
	return succeeded(err)
}

func (a *API) resendInvitation(ctx context.Context, in *IDPath) (*single[sendView], error) {
	send, err := a.mutation().ResendInvitation(ctx, in.ID, nil)
	return shown(send, err, viewSend)
}

// TokenPath is the path of the routes on an invitation's token.
type TokenPath struct {
	Token string `path:"token" maxLength:"200"`
}

type lookupView struct {
	OrgName       string              `json:"orgName"`
	Kind          org.Kind            `json:"kind"`
	Vocabulary    vocabularyView      `json:"vocabulary"`
	InviterName   string              `json:"inviterName"`
	WorkspaceName *string             `json:"workspaceName"`
	Email         string              `json:"email" doc:"Masked: a***@example.com."`
	ExpiresAt     timestamp           `json:"expiresAt"`
	State         org.InvitationState `json:"state"`
}

func (a *API) lookUpInvitation(ctx context.Context, in *TokenPath) (*single[lookupView], error) {
	found, err := a.query().InvitationByToken(ctx, in.Token)
	return shown(found, err, func(l *org.InvitationLookup) lookupView {
		return lookupView{
			OrgName: l.OrgName, Kind: l.Kind, Vocabulary: l.Words, InviterName: l.InviterName, WorkspaceName: l.WorkspaceName,
			Email: l.Email, ExpiresAt: timestamp(l.ExpiresAt), State: l.State,
		}
	})
}

func (a *API) acceptInvitation(ctx context.Context, in *TokenPath) (*single[joinedView], error) {
	joined, err := a.mutation().AcceptInvitation(ctx, in.Token)
	return shown(joined, err, func(j *org.Joined) joinedView { return joinedView(*j) })
}
