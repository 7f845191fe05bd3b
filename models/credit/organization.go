package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// creditsOf authorizes the reading of an organization's credits (owner and admins).
func (s *Service) creditsOf(ctx context.Context, organizationID models.ID) (*org.Organization, error) {
	o, err := s.Orgs.FindOrganization(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	return o, o.Authorize(org.ReadCredits)
}

// FindOrganizationCredits is the pool and what each workspace holds, archived
// ones too (owner and admins).
func (s *Service) FindOrganizationCredits(ctx context.Context, organizationID models.ID) (*OrganizationCredits, error) {
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	pool, err := models.First[OrganizationPool](s.DB.Read(ctx).Where("organization_id = ?", o.ID), models.NotFound("Organization"))
	if err != nil {
		return nil, err
	}
	credits := &OrganizationCredits{
		OrganizationID: o.ID, Pool: pool.Balance, LifetimePurchased: pool.LifetimePurchased, Workspaces: []*Allocation{},
	}
	return credits, s.DB.Read(ctx).Table("workspaces w").
		Select("w.id AS workspace_id, w.name, w.archived_at IS NOT NULL AS archived, b.allocated, b.reserved, b.spent").
		Joins("JOIN workspace_budgets b ON b.workspace_id = w.id AND b.organization_id = w.organization_id").
		Where("w.organization_id = ?", o.ID).Order("w.name, w.id").Scan(&credits.Workspaces).Error
}
