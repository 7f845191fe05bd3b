package org

import (
	"context"

	"gorm.io/gorm"

	"atelier/models"
)

// List is what a filter leaves of the organization's audit log, newest
// first (owner and admins; readable while the organization is suspended).
func (s Audit) List(ctx context.Context, organizationID models.ID, filter AuditFilter, page models.Page) (*models.Connection[*models.AuditEntry], error) {
	if _, err := s.org.readable(ctx, organizationID, ReadAudit); err != nil {
		return nil, err
	}
	list := models.List[*models.AuditEntry]{
		Name:     "audit:" + organizationID.String() + ":" + filter.name(),
		Position: func(e *models.AuditEntry) string { return e.ID.String() },
	}
	return models.ListOnStandby(ctx, s.org.DB, list, page, func(ctx context.Context) (*gorm.DB, error) {
		return filter.apply(s.org.DB.Read(ctx).Where("organization_id = ?", organizationID), organizationID)
	}, models.NewestFirst("id"))
}
