package org

import (
	"context"

	"atelier/models"
	"atelier/models/notice"
)

// DeleteOrganization ends an organization and frees its slug (owner, confirmed
// within the hour):
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
		if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
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
		for _, hook := range s.hooks.deleted {
			if err := hook.Do(tx, o); err != nil {
				return hook.Failed(err)
			}
		}
		if err := tx.Model(&Organization{}).Where("id = ?", o.ID).UpdateColumns(map[string]any{"deleted_at": tx.Now, "updated_at": tx.Now}).Error; err != nil {
			return err
		}
		if err := s.Notices.Settle(tx, notice.OrganizationWaits, o.ID); err != nil {
			return err
		}
		return tx.Audit(o.ID, "organization.deleted", o.target(), models.Fields{"name": {From: o.Name}, "slug": {From: o.Slug}})
	})
}
