package org

import (
	"context"
	"fmt"
	"time"

	"atelier/models"

	"gorm.io/gorm"
)

// List is an organization's invitations, newest first: all for
// owner and admins, those of their own workspaces for admins of workspaces.
// Tokens are never among it.
func (s Invitations) List(ctx context.Context, organizationID models.ID, filter InvitationFilter, page models.Page) (*models.Connection[*Invitation], error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkState(filter.State); err != nil {
		return nil, err
	}
	db := s.org.DB.Read(ctx)
	query, err := s.org.visibleInvitations(db, actor, organizationID, filter.WorkspaceID)
	if err != nil {
		return nil, err
	}
	search, err := models.ListSearch(filter.Search)
	if err != nil {
		return nil, err
	}
	now := s.org.DB.Clock.Now()
	if filter.State != nil {
		query = query.Where(invitationState+" = ?", now, *filter.State)
	}
	if filter.EndingSoon {
		query = query.Where(invitationState+" = ? AND invitations.expires_at <= ?", now, InvitationOpen, now.Add(InvitationEndsSoon))
	}
	if search != "" {
		query = query.Where("(invitations.name ILIKE ? OR invitations.address ILIKE ?)", containing(search), containing(search))
	}
	query = withDelivery(query, now)
	list := models.List[*Invitation]{
		Name:     fmt.Sprintf("invitations:%s:%v:%v:%v:%q", organizationID, text(filter.State), text(filter.WorkspaceID), filter.EndingSoon, search),
		Position: func(i *Invitation) string { return i.ID.String() },
	}
	return models.ListPage(s.org.DB, list, page, query, models.NewestFirst("invitations.id"))
}

// withDelivery adds to invitations where they stand, and what became of the latest send.
func withDelivery(query *gorm.DB, now time.Time) *gorm.DB {
	return query.Select("invitations.*, "+invitationState+" AS state, s.status AS delivery, s.error AS delivery_error", now).
		Joins("JOIN invitation_sends s ON s.id = invitations.send_id")
}

// Find is one of the invitations that List shows; not_found for others.
func (s Invitations) Find(ctx context.Context, organizationID, id models.ID) (*Invitation, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	query, err := s.org.visibleInvitations(s.org.DB.Read(ctx), actor, organizationID, nil)
	if err != nil {
		return nil, err
	}
	return models.First[Invitation](withDelivery(query, s.org.DB.Clock.Now()).Where("invitations.id = ?", id), models.NotFound("Invitation"))
}

func checkState(state *InvitationState) error {
	if state == nil {
		return nil
	}
	switch *state {
	case InvitationOpen, InvitationAccepted, InvitationRevoked, InvitationExpired:
		return nil
	}
	return models.Invalid("status", "must be open, accepted, revoked or expired")
}

// text is an optional value in the name of a list.
func text[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// visibleInvitations are those of an organization, or of one of its
// workspaces, that the actor may read. A workspace outside their reach is
// not_found.
func (s *Service) visibleInvitations(db *gorm.DB, actor models.Actor, organizationID models.ID, workspaceID *models.ID) (*gorm.DB, error) {
	in, err := s.findInviter(db, actor, organizationID, workspaceID)
	if err != nil {
		return nil, err
	}
	query := db.Model(&Invitation{}).Where("invitations.organization_id = ?", organizationID)
	switch {
	case workspaceID != nil:
		query = query.Where("invitations.workspace_id = ?", *workspaceID)
	case !in.All:
		query = query.Where("invitations.workspace_id IN ?", in.Workspaces)
	}
	return query, nil
}

// findInviter is what the actor may read of an organization's invitations, and
// of a workspace's when one is named.
func (s *Service) findInviter(db *gorm.DB, actor models.Actor, organizationID models.ID, workspaceID *models.ID) (*inviter, error) {
	o, err := findOrganization(db, organizationID, actor.UserID)
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(ReadOrganization); err != nil {
		return nil, err
	}
	if workspaceID != nil {
		w, err := s.Workspaces().FindFor(db.Statement.Context, actor.UserID, *workspaceID)
		if err == nil && w.OrganizationID != o.ID {
			err = models.NotFound("Workspace")
		}
		if err == nil && o.Authorize(ReadInvitations) != nil {
			err = w.authorizeInviting(ReadInvitations)
		}
		if err != nil {
			return nil, err
		}
	}
	return inviterOf(db, o, actor.UserID, ReadInvitations)
}

// Count is how many invitations the caller sees in each state, and
// how many of the open ones end soon, in one statement.
func (s Invitations) Count(ctx context.Context, organizationID models.ID) (*InvitationCounts, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	db, now := s.org.DB.Read(ctx), s.org.DB.Clock.Now()
	query, err := s.org.visibleInvitations(db, actor, organizationID, nil)
	if err != nil {
		return nil, err
	}
	counts := &InvitationCounts{}
	query = query.Select(invitationState+" AS state, expires_at", now)
	return counts, db.Table("(?) i", query).Select(`
		count(*) FILTER (WHERE state = 'open') AS open, count(*) FILTER (WHERE state = 'accepted') AS accepted,
		count(*) FILTER (WHERE state = 'revoked') AS revoked, count(*) FILTER (WHERE state = 'expired') AS expired,
		count(*) FILTER (WHERE state = 'open' AND expires_at <= ?) AS ending_soon`, now.Add(InvitationEndsSoon)).Scan(counts).Error
}

// Left is how many invitations the organization may still send today (UTC).
func (s Invitations) Left(ctx context.Context, organizationID models.ID) (int, error) {
	actor, err := reader(ctx)
	if err != nil {
		return 0, err
	}
	db := s.org.DB.Read(ctx)
	if _, err := s.org.findInviter(db, actor, organizationID, nil); err != nil {
		return 0, err
	}
	return models.CallsLeft(db, invitationsPerDay, organizationID.String(), s.org.DB.Clock.Now())
}
