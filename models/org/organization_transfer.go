package org

import (
	"context"

	"atelier/models"
)

// TransferOwnership makes an active admin the owner and the owner an admin
// (owner, confirmed within the hour); any other target is a validation_error.
func (s Members) TransferOwnership(ctx context.Context, id, userID models.ID) (o *Organization, err error) {
	if _, err := writer(ctx); err != nil {
		return nil, err
	}
	err = s.org.DB.Write(ctx, func(tx *models.Tx) error {
		if o, err = lockOrganization(tx, id, forUpdate, TransferOwnership); err != nil {
			return err
		}
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
			return err
		}
		target, err := s.org.findMember(tx.DB, o.ID, userID)
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
