package org

import (
	"context"

	"atelier/models"
)

// LeaveOrganization takes the caller out of an organization and all its
// workspaces; the owner gets owner_cannot_leave.
func (s *Service) LeaveOrganization(ctx context.Context, id models.ID) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := lockOrganization(tx, id, forUpdate, LeaveOrganization)
		if err != nil {
			return err
		}
		if *o.Role == Owner {
			return models.Err(models.CodeOwnerCannotLeave, "The owner cannot leave. Transfer the ownership first.")
		}
		return deleteMember(tx, &OrganizationMember{OrganizationID: o.ID, UserID: tx.Actor.UserID, Role: *o.Role}, "member.left")
	})
}

// TransferOwnership makes an active admin the owner and the owner an admin
// (owner); any other target is a validation_error.
func (s *Service) TransferOwnership(ctx context.Context, id, userID models.ID) (o *Organization, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		if o, err = lockOrganization(tx, id, forUpdate, TransferOwnership); err != nil {
			return err
		}
		target, err := s.findMember(tx.DB, o.ID, userID)
		if err != nil && !models.HasCode(err, models.CodeNotFound) {
			return err
		}
		if err != nil || target.Role != Admin || target.Status != MemberActive {
			return models.Invalid("userId", "must name an active admin of the organization")
		}
		for _, change := range []struct {
			user models.ID
			role Role
		}{{tx.Actor.UserID, Admin}, {userID, Owner}} {
			err := tx.Model(&OrganizationMember{}).Where("organization_id = ? AND user_id = ?", o.ID, change.user).
				UpdateColumns(map[string]any{"role": change.role, "updated_at": tx.Now}).Error
			if err != nil {
				return err
			}
		}
		role := Admin
		o.Role = &role
		return tx.Audit(o.ID, "ownership.transferred", o.target(), models.Fields{"owner": {From: tx.Actor.UserID, To: userID}})
	})
	return o, err
}

// DeleteOrganization ends an organization and frees its slug (owner):
// has_active_workspaces while any workspace is not archived, and whatever
// OnDelete refuses.
func (s *Service) DeleteOrganization(ctx context.Context, id models.ID) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := lockOrganization(tx, id, forUpdate, DeleteOrganization)
		if err != nil {
			return err
		}
		var open int64
		err = tx.Table("workspaces").Where("organization_id = ? AND archived_at IS NULL", o.ID).Count(&open).Error
		if err != nil {
			return err
		}
		if open > 0 {
			return models.Err(models.CodeHasActiveWorkspaces, "Archive every workspace first; %d are not archived", open)
		}
		for _, also := range s.onDelete {
			if err := also(tx, o); err != nil {
				return err
			}
		}
		if err := tx.Model(&Organization{}).Where("id = ?", o.ID).UpdateColumns(map[string]any{"deleted_at": tx.Now, "updated_at": tx.Now}).Error; err != nil {
			return err
		}
		return tx.Audit(o.ID, "organization.deleted", o.target(), models.Fields{"name": {From: o.Name}, "slug": {From: o.Slug}})
	})
}
