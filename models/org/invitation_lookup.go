package org

import (
	"context"
	"time"

	"atelier/humantext"
	"atelier/models"

	"gorm.io/gorm"
)

// lookups limits how often a network address may ask for an invitation.
var lookups = models.Limit{Name: "invitations.lookup.ip", Max: 60, Per: time.Minute}

// errNoInvitation is the answer to every token that leads nowhere: unknown,
// replaced, or of an organization that is not active.
var errNoInvitation = models.Err(models.CodeInvitationNotFound, "There is no invitation behind this link. Ask the person who invited you for a new one.")

// FindByToken is what an invitation's link shows, in every state,
// to the one who holds it; reading it uses nothing up. invitation_not_found,
// rate_limit_exceeded.
func (s Invitations) FindByToken(ctx context.Context, token string) (*InvitationLookup, error) {
	if network := models.ActorFrom(ctx).Network(); network != "" {
		if err := s.org.DB.CountCall(ctx, lookups, network); err != nil {
			return nil, err
		}
	}
	db := s.org.DB.Read(ctx)
	i, err := invitationByToken(db, token)
	if err != nil {
		return nil, err
	}
	o, err := models.First[Organization](db.Where("id = ? AND status = ? AND deleted_at IS NULL", i.OrganizationID, Active), errNoInvitation)
	if err != nil {
		return nil, err
	}
	found := &InvitationLookup{
		OrgName: o.Name, Kind: o.Kind, Words: o.Words(), OrgRole: i.OrgRole, WorkspaceRole: i.WorkspaceRole,
		Email: models.MaskEmail(i.Email), Name: i.Name, ExpiresAt: i.ExpiresAt, State: i.StateAt(s.org.DB.Clock.Now()),
	}
	if actor := models.ActorFrom(ctx); actor.RequireUser() == nil {
		same := actor.Email == i.Email
		found.ForCaller = &same
	}
	return found, s.org.addLookupNames(ctx, i, found)
}

// addLookupNames adds who invited, and into which workspace.
func (s *Service) addLookupNames(ctx context.Context, i *Invitation, found *InvitationLookup) error {
	users, err := s.Accounts.UsersByID(ctx, []models.ID{i.InvitedBy})
	if err != nil {
		return err
	}
	if inviter := users[i.InvitedBy]; inviter != nil {
		found.InviterName = inviter.DisplayName
	}
	if i.WorkspaceID == nil {
		return nil
	}
	names, err := s.Workspaces().Names(ctx, []models.ID{*i.WorkspaceID})
	found.WorkspaceName = names[*i.WorkspaceID].In(i.OrganizationID)
	return err
}

func invitationByToken(db *gorm.DB, token string) (*Invitation, error) {
	return models.First[Invitation](db.Where("token_hash = ?", models.HashSecret(humantext.Code(token))), errNoInvitation)
}

// HasOpen tells whether an address has an open invitation of an active
// organization: what SIGN_UP=invited asks for. A token that is sent along must
// be that invitation's.
func (s Invitations) HasOpen(tx *models.Tx, email string, token *string) (bool, error) {
	query := tx.Table("invitations").
		Joins("JOIN organizations o ON o.id = invitations.organization_id AND o.deleted_at IS NULL AND o.status = ?", Active).
		Where("invitations.email = ? AND invitations.accepted_at IS NULL AND invitations.revoked_at IS NULL AND invitations.expires_at > ?", email, tx.Now)
	if token != nil && *token != "" {
		query = query.Where("invitations.token_hash = ?", models.HashSecret(humantext.Code(*token)))
	}
	var open int64
	err := query.Count(&open).Error
	return open > 0, err
}
