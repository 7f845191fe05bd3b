package credit

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// ReturnCredits takes back to the pool what every workspace of an organization
// has left, archived ones too; reserved and spent credits stay (owner). Each
// workspace gets its own line in the ledger and in the audit log.
func (s *Service) ReturnCredits(ctx context.Context, organizationID models.ID) (*OrganizationCredits, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesWrite); err != nil {
		return nil, err
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		o, err := s.Orgs.HoldOrganization(tx, organizationID)
		if err != nil {
			return err
		}
		if err := o.Authorize(org.AllocateCredits); err != nil {
			return err
		}
		return s.returnAll(tx, o)
	})
	if err != nil {
		return nil, err
	}
	return s.FindOrganizationCredits(ctx, organizationID)
}

// returnAll locks the pool before the budgets, as every allocation does.
func (s *Service) returnAll(tx *models.Tx, o *org.Organization) error {
	pool, err := lockPool(tx, o.ID)
	if err != nil {
		return err
	}
	var budgets []*struct {
		WorkspaceBudget
		Name       string
		ArchivedAt *time.Time
	}
	err = tx.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "b"}}).Table("workspace_budgets b").
		Select("b.*, w.name, w.archived_at").Joins(org.JoinWorkspaces("b.workspace_id")).
		Where("b.organization_id = ? AND b.allocated > b.reserved + b.spent", o.ID).Order("b.workspace_id").Find(&budgets).Error
	for _, b := range budgets {
		if err != nil {
			break
		}
		left := b.Allocated - b.Reserved - b.Spent
		result := &AllocationResult{Allocation: Allocation{Allocated: b.Allocated - left, Reserved: b.Reserved, Spent: b.Spent}, Pool: pool.Balance + left}
		w := &org.Workspace{ID: b.WorkspaceID, OrganizationID: o.ID, Name: b.Name, ArchivedAt: b.ArchivedAt}
		err = s.storeAllocation(tx, w, pool, b.Allocated, -left, result)
	}
	return err
}
