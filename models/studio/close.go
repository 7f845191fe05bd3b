package studio

import (
	"context"
	"errors"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// refuseHeldProject keeps a project that holds productions.
func refuseHeldProject(tx *models.Tx, id models.ID) error {
	var held int64
	if err := tx.Model(&Production{}).Where("project_id = ?", id).Count(&held).Error; err != nil {
		return err
	}
	if held > 0 {
		return models.Err(models.CodeValidation, "The project still holds productions (%d): move or delete them first", held)
	}
	return tx.Exec(`UPDATE pipelines SET project_id = NULL WHERE project_id = ?`, id).Error
}

// removeOf removes what an account that is deleted keeps in its personal space, and ends what it
// shows to everyone; what it made in workspaces stays there.
func (s *Service) removeOf(tx *models.Tx, user *account.User) error {
	var own []models.ID
	q := tx.Model(&Production{}).Clauses(clause.Locking{Strength: "UPDATE"}).Where("owner_id = ? AND workspace_id IS NULL", user.ID)
	if err := q.Order("id").Pluck("id", &own).Error; err != nil { // MaxProductions
		return err
	}
	if err := s.removeProductions(tx, own...); err != nil {
		return err
	}
	err := s.endShares(tx, "shot_id IN (SELECT shots.id FROM shots JOIN productions p ON p.id = shots.production_id WHERE p.owner_id = ?)", user.ID)
	if err != nil {
		return err
	}
	return tx.Exec(`DELETE FROM pipelines WHERE owner_id = ? AND workspace_id IS NULL`, user.ID).Error
}

// removeLater ends what an organization that is deleted shows to everyone, and notes it: no one
// reaches what its workspaces keep any more, and RemoveGone removes it soon, for there may be much.
func (s *Service) removeLater(tx *models.Tx, o *org.Organization) error {
	err := s.endShares(tx, "shot_id IN (SELECT shots.id FROM shots JOIN productions p ON p.id = shots.production_id WHERE p.organization_id = ?)", o.ID)
	if err != nil {
		return err
	}
	return tx.Exec(`INSERT INTO studio_removals (organization_id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING`, o.ID, tx.Now).Error
}

// How many productions one transaction removes of an organization that is gone, and how many
// transactions one round has.
const (
	removedTogether = 25
	removalRounds   = 200
)

// RemoveGone removes what organizations that were deleted kept in the studio.
func (s *Service) RemoveGone(ctx context.Context) error {
	return s.DB.RemoveInRounds(ctx, s.DB.Read(ctx).Table("studio_removals"), removalRounds, s.removeSome)
}

// removeSome removes some of what an organization kept, and notes when nothing is left.
func (s *Service) removeSome(tx *models.Tx, organizationID models.ID) (found bool, err error) {
	var ids []models.ID
	q := tx.Model(&Production{}).Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ?", organizationID)
	if err := q.Order("id").Limit(removedTogether).Pluck("id", &ids).Error; err != nil {
		return false, err
	}
	if len(ids) > 0 {
		return true, s.removeProductions(tx, ids...)
	}
	if err := tx.Exec(`DELETE FROM pipelines WHERE organization_id = ?`, organizationID).Error; err != nil {
		return false, err
	}
	return false, tx.Exec(`DELETE FROM studio_removals WHERE organization_id = ?`, organizationID).Error
}

// How many renders one round cancels.
const cancelledTogether = 100

// CancelMarked ends renders of productions that were deleted.
func (s *Service) CancelMarked(ctx context.Context) error {
	for {
		var marked []models.ID
		if err := s.DB.Read(ctx).Table("render_cancels").Order("created_at").Limit(cancelledTogether).Pluck("execution_id", &marked).Error; err != nil || len(marked) == 0 {
			return err
		}
		if err := s.Runs.Executions().CancelUnfinished(ctx, marked); err != nil {
			return err
		}
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			return tx.Exec(`DELETE FROM render_cancels WHERE execution_id IN ?`, marked).Error
		})
		if err != nil {
			return err
		}
	}
}

// Tidy finishes what deletions left for later: renders under way, and what deleted organizations
// kept. One that fails keeps no other from it.
func (s *Service) Tidy(ctx context.Context) error {
	return errors.Join(s.CancelMarked(ctx), s.RemoveGone(ctx))
}

// keepBreakdowns is how long it is known what a job of a breakdown is for.
const keepBreakdowns = "created_at < $1"

// Sweep ends shares whose time is over, and forgets breakdowns that ended long ago.
func (s *Service) Sweep(ctx context.Context) error {
	monthAgo := s.DB.Clock.Now().AddDate(0, -1, 0)
	return errors.Join(s.sweepShares(ctx), s.DB.SweepRows(ctx, "breakdown_jobs", keepBreakdowns, monthAgo))
}
