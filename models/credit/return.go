package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// ReturnCredits takes back to the pool what every workspace of an organization
// has left, archived ones too; reserved and spent credits stay (owner). Each
// workspace gets its own line in the ledger and in the audit log.
func (s *Service) ReturnCredits(ctx context.Context, organizationID models.ID) (*OrganizationCredits, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return nil, err
	}
	if err := actor.RequireScope(models.ScopeWorkspacesWrite); err != nil {
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
		return returnAll(tx, o)
	})
	if err != nil {
		return nil, err
	}
	return s.FindOrganizationCredits(ctx, organizationID)
}

// returnAll locks the pool before the budgets, as every allocation does.
func returnAll(tx *models.Tx, o *org.Organization) error {
	pool, err := lockPool(tx, o.ID)
	if err != nil {
		return err
	}
	var budgets []*WorkspaceBudget
	err = tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ? AND allocated > reserved + spent", o.ID).
		Order("workspace_id").Find(&budgets).Error
	balance := pool.Balance
	for _, b := range budgets {
		if err != nil {
			break
		}
		left := b.Allocated - b.Reserved - b.Spent
		result := &AllocationResult{Allocation: Allocation{Allocated: b.Allocated - left}, Pool: balance + left}
		w := &org.Workspace{ID: b.WorkspaceID, OrganizationID: o.ID}
		err = storeAllocation(tx, w, b.Allocated, balance, -left, result)
		balance += left
	}
	return err
}
