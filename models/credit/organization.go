package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
)

// creditsOf authorizes the reading of an organization's credits (owner and admins).
func (s *Service) creditsOf(ctx context.Context, organizationID models.ID) (*org.Organization, error) {
	o, err := s.Orgs.FindOrganization(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	return o, o.Authorize(org.ReadCredits)
}

// FindOrganizationCredits is the pool (owner and admins).
func (s *Service) FindOrganizationCredits(ctx context.Context, organizationID models.ID) (*OrganizationCredits, error) {
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	pool, err := models.First[OrganizationPool](s.DB.Read(ctx).Where("organization_id = ?", o.ID), models.NotFound("Organization"))
	if err != nil {
		return nil, err
	}
	return &OrganizationCredits{OrganizationID: o.ID, Pool: pool.Balance, LifetimePurchased: pool.LifetimePurchased, Filled: pool.Filled, Level: pool.Level()}, nil
}

// ListAllocations is what each workspace of an organization holds, archived
// ones too, by name (owner and admins).
func (s *Service) ListAllocations(ctx context.Context, organizationID models.ID) ([]*Allocation, error) {
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	rows := []*Allocation{}
	return rows, allocations(s.DB.Read(ctx)).Where("w.organization_id = ?", o.ID).Order("w.name, w.id").Scan(&rows).Error
}

// nearLimitRows is how many workspaces near their limit are worth naming.
const nearLimitRows = 5

// ListNearLimit is the workspaces that have spent 80 percent or more of what they
// hold, or have less than a tenth of it left for new runs, at most five, those
// with the smallest share first (owner and admins).
func (s *Service) ListNearLimit(ctx context.Context, organizationID models.ID) ([]*Allocation, error) {
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	rows := []*Allocation{}
	return rows, allocations(s.DB.Read(ctx)).
		Where("w.organization_id = ? AND w.archived_at IS NULL AND b.allocated > 0", o.ID).
		Where("(b.spent * 100 >= b.allocated * ? OR (b.allocated - b.reserved - b.spent) * 10 < b.allocated)", nearEnd).
		Order("(b.allocated - b.reserved - b.spent)::numeric / b.allocated, w.name, w.id").Limit(nearLimitRows).Scan(&rows).Error
}

// SumAllocations adds up what all workspaces of an organization hold (owner
// and admins).
func (s *Service) SumAllocations(ctx context.Context, organizationID models.ID) (*AllocationTotals, error) {
	o, err := s.creditsOf(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	totals := &AllocationTotals{}
	return totals, s.DB.Read(ctx).Raw(`
		SELECT count(*) AS workspaces, count(*) FILTER (WHERE allocated > spent) AS holding,
			coalesce(sum(allocated), 0) AS allocated, coalesce(sum(reserved), 0) AS reserved, coalesce(sum(spent), 0) AS spent
		FROM workspace_budgets WHERE organization_id = ?`, o.ID).Scan(totals).Error
}

// AllocationsByWorkspace is what workspaces hold, by workspace; only those in
// organizations whose credits the caller may read are there.
func (s *Service) AllocationsByWorkspace(ctx context.Context, workspaceIDs []models.ID) (map[models.ID]*Allocation, error) {
	var rows []*Allocation
	db := s.DB.Read(ctx)
	err := allocations(db).Where("w.id IN ? AND w.organization_id IN (?)", workspaceIDs,
		org.Permitted(db, models.ActorFrom(ctx).UserID, org.ReadCredits)).Scan(&rows).Error
	found := make(map[models.ID]*Allocation, len(rows))
	for _, row := range rows {
		found[row.WorkspaceID] = row
	}
	return found, err
}

func allocations(db *gorm.DB) *gorm.DB {
	return db.Table("workspace_budgets b").
		Select("w.id AS workspace_id, w.name, w.archived_at IS NOT NULL AS archived, b.allocated, b.reserved, b.spent").
		Joins(org.JoinWorkspaces("b.workspace_id") + " AND w.organization_id = b.organization_id")
}

// PoolsByOrganization is what pools hold (platform operator; nothing for others).
func (s *Service) PoolsByOrganization(ctx context.Context, ids []models.ID) (map[models.ID]models.Credits, error) {
	pools := map[models.ID]models.Credits{}
	if models.ActorFrom(ctx).RequireOperator() != nil {
		return pools, nil
	}
	var rows []OrganizationPool
	err := s.Orgs.DB.Read(ctx).Where("organization_id IN ?", ids).Find(&rows).Error
	for _, row := range rows {
		pools[row.OrganizationID] = row.Balance
	}
	return pools, err
}
