package credit

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm/clause"
)

// AllocateCredits moves credits from the pool to a workspace, or back when
// delta is negative, down to what the workspace has reserved or spent (owner).
// validation_error for a delta of 0, one beyond the pool, and one below what
// is reserved and spent. Archived workspaces give credits back and get none
// (contract 3, "Budget rules"; open points, "Money").
func (s *Service) AllocateCredits(ctx context.Context, organizationID, workspaceID models.ID, delta models.Credits) (*AllocationResult, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeWorkspacesWrite); err != nil {
		return nil, err
	}
	if delta == 0 || delta > models.MaxCredits || delta < -models.MaxCredits {
		return nil, models.Invalid("delta", "must be a number of credits other than 0")
	}
	result := &AllocationResult{}
	return result, s.DB.Write(ctx, func(tx *models.Tx) error {
		w, err := s.allocatable(tx, organizationID, workspaceID, delta)
		if err != nil {
			return err
		}
		if err := s.allocate(tx, w, delta, result); err != nil || delta < 0 {
			return err
		}
		return s.tellReceived(tx, w, delta)
	})
}

// allocatable is the workspace when the actor may move credits to or from it.
func (s *Service) allocatable(tx *models.Tx, organizationID, workspaceID models.ID, delta models.Credits) (*org.Workspace, error) {
	o, err := s.Orgs.HoldOrganization(tx, organizationID)
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(org.ReadOrganization); err != nil {
		return nil, err
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), tx.Actor.UserID, workspaceID)
	if err == nil && (w.OrganizationID != o.ID || w.Role() == nil) {
		err = models.NotFound("Workspace") // of another organization, or one that the caller may not know of
	}
	if err != nil {
		return nil, err
	}
	if err := o.Authorize(org.AllocateCredits); err != nil {
		return nil, err
	}
	if delta > 0 {
		return w, w.CheckNotArchived(false)
	}
	return w, nil
}

// allocate moves the credits. The pool is locked before the budget, always, so
// that two allocations never wait for each other in a circle.
func (s *Service) allocate(tx *models.Tx, w *org.Workspace, delta models.Credits, result *AllocationResult) error {
	pool, err := lockPool(tx, w.OrganizationID)
	if err != nil {
		return err
	}
	lock := clause.Locking{Strength: "UPDATE"}
	budget, err := models.First[WorkspaceBudget](
		tx.Clauses(lock).Where("workspace_id = ? AND organization_id = ?", w.ID, w.OrganizationID), models.NotFound("Workspace"))
	if err != nil {
		return err
	}
	*result = AllocationResult{
		Allocation: Allocation{
			WorkspaceID: w.ID, Name: w.Name, Archived: w.Archived(),
			Allocated: budget.Allocated + delta, Reserved: budget.Reserved, Spent: budget.Spent,
		},
		Pool: pool.Balance - delta,
	}
	if result.Pool < 0 {
		return models.Invalid("delta", "is more than the pool holds, which is %s", pool.Balance)
	}
	if result.Headroom() < 0 {
		return models.Invalid("delta", "takes back more than the workspace has left, which is %s", budget.Allocated-budget.Reserved-budget.Spent)
	}
	return s.storeAllocation(tx, w, pool, budget.Allocated, delta, result)
}

// storeAllocation moves the credits between the locked pool and budget.
func (s *Service) storeAllocation(tx *models.Tx, w *org.Workspace, pool *OrganizationPool, allocated, delta models.Credits, result *AllocationResult) error {
	before := pool.Balance
	if err := s.changePool(tx, pool, result.Pool, false); err != nil {
		return err
	}
	err := tx.Exec(`UPDATE workspace_budgets SET allocated = ? WHERE workspace_id = ? AND organization_id = ?`,
		result.Allocated, w.ID, w.OrganizationID).Error
	if level := higher(Level(result.Spent, allocated), Level(result.Spent, result.Allocated)); err == nil && level > 0 {
		err = s.tellBudget(tx, w, level, result.Spent, result.Allocated)
	}
	if err != nil {
		return err
	}
	entry, kind := movement(Pool, &w.OrganizationID, Headroom, &w.ID, delta), "allocation"
	if delta < 0 {
		entry, kind = movement(Headroom, &w.ID, Pool, &w.OrganizationID, -delta), "return"
	}
	entry.Kind, entry.OrganizationID, entry.WorkspaceID, entry.BalanceAfter = kind, &w.OrganizationID, &w.ID, &result.Pool
	if err := record(tx, entry); err != nil {
		return err
	}
	tx.Notify("workspace:" + w.ID.String())
	return tx.Audit(w.OrganizationID, "budget.allocated", models.Target{Type: "workspace", ID: w.ID, WorkspaceID: &w.ID},
		models.Fields{"allocated": {From: allocated, To: result.Allocated}, "pool": {From: before, To: result.Pool}})
}

// checkReturned refuses to delete an organization while any workspace holds
// credits that it has not spent: has_unreturned_allocations.
func checkReturned(tx *models.Tx, o *org.Organization) error {
	var holding int64
	err := tx.Table("workspace_budgets").Where("organization_id = ? AND allocated > spent", o.ID).Count(&holding).Error
	if err == nil && holding > 0 {
		err = models.Err(models.CodeUnreturnedAllocations, "Take back the credits of every workspace first; %d still hold some", holding)
	}
	return err
}
