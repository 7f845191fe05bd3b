package org

import (
	"context"
	"strings"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/notice"
)

// ListAllOrganizations is every organization of the install, of one status or
// all, by a part of the name, of the slug or of the owner's name or address,
// newest first (platform operator).
func (s *Service) ListAllOrganizations(ctx context.Context, status *Status, search *string, page models.Page) (*models.Connection[*Organization], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireOperator(); err != nil {
		return nil, err
	}
	query, name := organizationsOf(s.DB.Read(ctx), actor.UserID), "operator-organizations:"
	if status != nil {
		query, name = query.Where("organizations.status = ?", *status), name+string(*status)
	}
	text, err := models.ListSearch(search)
	if err != nil {
		return nil, err
	}
	if text != "" {
		like := containing(text)
		name += ":" + text
		query = query.Where(`(organizations.name ILIKE ? OR organizations.slug ILIKE ? OR EXISTS (
			SELECT FROM organization_members owner `+account.Join("owner.user_id")+`
			WHERE owner.organization_id = organizations.id AND owner.role = 'owner' AND (u.display_name ILIKE ? OR u.email ILIKE ?)))`, like, like, like, like)
	}
	list := organizationList(name)
	list.Sorts = operatedSorts
	return models.ListPage(s.DB, list, page, query, models.NewestFirst("organizations.id"))
}

// operatedSorts are what the organizations of the install can be sorted by.
var operatedSorts = models.Sorts{ID: "id", By: map[models.SortBy]models.SortColumn{
	models.SortByName:    {Column: "lower(listed.name)", Type: "text"},
	models.SortByStatus:  {Column: "array_position(ARRAY['pending', 'active', 'suspended'], listed.status)", Type: "int"},
	models.SortByCreated: {Column: "listed.created_at", Type: "timestamptz"},
}}

// ApproveOrganization makes a pending organization active (platform operator);
// an active one stays as it is.
func (s *Service) ApproveOrganization(ctx context.Context, id models.ID) (*Organization, error) {
	return s.changeStatus(ctx, id, "organization.approved", Pending, Active, nil)
}

// SuspendOrganization stops every change in an active organization; it stays
// readable for its members (platform operator).
func (s *Service) SuspendOrganization(ctx context.Context, id models.ID, reason string) (*Organization, error) {
	reason, err := cleanReason(reason)
	if err != nil {
		return nil, err
	}
	return s.changeStatus(ctx, id, "organization.suspended", Active, Suspended, &reason)
}

// RejectOrganization refuses a pending organization (platform operator): it is
// suspended, so that its owner reads why, and can still be reinstated.
func (s *Service) RejectOrganization(ctx context.Context, id models.ID, reason string) (*Organization, error) {
	reason, err := cleanReason(reason)
	if err != nil {
		return nil, err
	}
	return s.changeStatus(ctx, id, "organization.rejected", Pending, Suspended, &reason)
}

// ReinstateOrganization lifts a suspension (platform operator).
func (s *Service) ReinstateOrganization(ctx context.Context, id models.ID) (*Organization, error) {
	return s.changeStatus(ctx, id, "organization.reinstated", Suspended, Active, nil)
}

func cleanReason(reason string) (string, error) {
	reason, err := models.CleanText("reason", strings.TrimSpace(reason), 500)
	if err == nil && reason == "" {
		err = models.Invalid("reason", "must not be empty")
	}
	return reason, err
}

// changeStatus moves an organization from one status to another; one that is
// there already stays as it is, any other is a validation_error. The session was
// confirmed within the hour: reauthentication_required.
func (s *Service) changeStatus(ctx context.Context, id models.ID, action string, from, to Status, reason *string) (o *Organization, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if o, err = holdFor(tx, id, forUpdate); err != nil || o.Status == to {
			return err
		}
		if o.Status != from {
			return models.Err(models.CodeValidation, "The organization is %s, not %s", o.Status, from)
		}
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		changes := models.Fields{"status": {From: from, To: to}}
		if reason != nil {
			changes["reason"] = models.Change{To: *reason}
		}
		o.Status, o.SuspensionReason, o.UpdatedAt = to, reason, tx.Now
		if err := tx.Model(&Organization{}).Where("id = ?", o.ID).Select("status", "suspension_reason", "updated_at").Updates(o).Error; err != nil {
			return err
		}
		if err := tx.Audit(o.ID, action, o.target(), changes); err != nil {
			return err
		}
		if err := s.Notices.Settle(tx, notice.OrganizationWaits, o.ID); err != nil {
			return err
		}
		return s.tellStatus(tx, o, strings.TrimPrefix(action, "organization."), models.Deref(reason))
	})
	return o, err
}

// OrganizationCounts is how many organizations and workspaces there are.
type OrganizationCounts struct{ Pending, Active, Suspended, Workspaces int }

// CountAllOrganizations counts the organizations of the install (platform operator).
func (s *Service) CountAllOrganizations(ctx context.Context) (*OrganizationCounts, error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	c := &OrganizationCounts{}
	err := s.DB.Read(ctx).Raw(`
		SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'active') AS active,
			count(*) FILTER (WHERE status = 'suspended') AS suspended,
			(SELECT count(*) FROM workspaces WHERE archived_at IS NULL) AS workspaces
		FROM organizations WHERE deleted_at IS NULL`).Scan(c).Error
	return c, err
}

// MembershipOf is one organization that a person is in, as operators see it.
type MembershipOf struct {
	ID     models.ID
	Name   string
	Kind   Kind
	Role   Role
	Status MemberStatus
}

// maxMemberships is how many of them are shown.
const maxMemberships = 100

// ListMembershipsOf is the organizations of a person, by name, at most 100 (platform operator).
func (s *Service) ListMembershipsOf(ctx context.Context, userID models.ID) (list []*MembershipOf, err error) {
	if err := models.ActorFrom(ctx).RequireOperator(); err != nil {
		return nil, err
	}
	err = s.DB.Read(ctx).Model(&OrganizationMember{}).Select("o.id, o.name, o.kind, organization_members.role, organization_members.status").
		Joins(Join("organization_members.organization_id")).Where("organization_members.user_id = ?", userID).
		Order("o.name, o.id").Limit(maxMemberships).Scan(&list).Error
	return list, err
}
