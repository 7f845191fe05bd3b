package org

import (
	"context"

	"atelier/models"
)

// Leave takes the caller out of an organization and all its
// workspaces; the owner gets owner_cannot_leave.
func (s Members) Leave(ctx context.Context, id models.ID) error {
	if _, err := writer(ctx); err != nil {
		return err
	}
	return s.org.DB.Write(ctx, func(tx *models.Tx) error {
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
