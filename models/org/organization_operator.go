package org

import (
	"context"
	"strings"

	"atelier/models"
)

// ListAllOrganizations is every organization of the install, of one status or
// all, newest first (platform operator).
func (s *Service) ListAllOrganizations(ctx context.Context, status *Status, page models.Page) (*models.Connection[*Organization], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireOperator(); err != nil {
		return nil, err
	}
	query, name := organizationsOf(s.DB.Read(ctx), actor.UserID), "operator-organizations:"
	if status != nil {
		query, name = query.Where("organizations.status = ?", *status), name+string(*status)
	}
	return models.ListPage(s.DB, organizationList(name), page, query, models.NewestFirst("organizations.id"))
}

// ApproveOrganization makes a pending organization active (platform operator);
// an active one stays as it is.
func (s *Service) ApproveOrganization(ctx context.Context, id models.ID) (*Organization, error) {
	return s.changeStatus(ctx, id, "organization.approved", Pending, Active, nil)
}

// SuspendOrganization stops every change in an active organization; it stays
// readable for its members (platform operator).
func (s *Service) SuspendOrganization(ctx context.Context, id models.ID, reason string) (*Organization, error) {
	reason, err := models.CleanText("reason", strings.TrimSpace(reason), 500)
	if err == nil && reason == "" {
		err = models.Invalid("reason", "must not be empty")
	}
	if err != nil {
		return nil, err
	}
	return s.changeStatus(ctx, id, "organization.suspended", Active, Suspended, &reason)
}

// ReinstateOrganization lifts a suspension (platform operator).
func (s *Service) ReinstateOrganization(ctx context.Context, id models.ID) (*Organization, error) {
	return s.changeStatus(ctx, id, "organization.reinstated", Suspended, Active, nil)
}

// changeStatus moves an organization from one status to another; one that is
// there already stays as it is, any other is a validation_error.
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
		return s.tellStatus(tx, o, strings.TrimPrefix(action, "organization."), deref(reason))
	})
	return o, err
}
