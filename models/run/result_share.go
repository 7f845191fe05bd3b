package run

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// archiveResult takes the result of an app's run out of its owner's list, or
// brings it back. Whether it is shared stays as it is.
func archiveResult(tx *models.Tx, run *AppRun) error {
	if run.ExecutionID == nil {
		return nil
	}
	return tx.Model(&Result{}).Where(models.FitsID("execution_id", *run.ExecutionID)).Where("account_id = ?", run.AccountID).
		UpdateColumn("archived_at", run.ArchivedAt).Error
}

// Share shows the result of one of the caller's own runs to the workspace that
// paid for it: to its members and its admins, to no one else. It stays there until
// it is taken back, no matter who leaves. Refusals: not_found; insufficient_role for
// another person's; validation_error for a run of a personal space;
// member_suspended and not_found for those who do not work in the workspace any
// more; org_not_active, workspace_archived. Repeating it changes nothing.
func (s Results) Share(ctx context.Context, id models.ID) (*Result, error) {
	return s.run.changeResult(ctx, id, "result.shared", func(tx *models.Tx, r *Result, viewer *space.Viewer) (bool, error) {
		if err := r.mayBeShared(tx.Actor, viewer); err != nil || r.Shared() {
			return false, err
		}
		place := tx.NewID()
		r.SharedAt, r.ShareID = &tx.Now, &place
		return true, nil
	})
}

// Unshare takes a result back from the workspace: one's own at any time, that of
// others as an admin of the workspace. Repeating it changes nothing.
func (s Results) Unshare(ctx context.Context, id models.ID) (*Result, error) {
	return s.run.changeResult(ctx, id, "result.unshared", func(tx *models.Tx, r *Result, viewer *space.Viewer) (bool, error) {
		if err := r.mayBeTakenBack(tx.Actor, viewer); err != nil || !r.Shared() {
			return false, err
		}
		r.SharedAt, r.ShareID = nil, nil
		return true, nil
	})
}

// mayBeShared refuses to share what is not the caller's own, or has no workspace
// that is open.
func (r *Result) mayBeShared(actor models.Actor, viewer *space.Viewer) error {
	switch {
	case r.AccountID != actor.UserID:
		return models.InsufficientRole("Only who made something may share it")
	case r.WorkspaceID == nil:
		return models.Err(models.CodeValidation, "What was made in a personal space has no one to be shared with")
	case viewer == nil:
		return models.NotFound("Workspace")
	}
	return viewer.CheckOpen(false)
}

// mayBeTakenBack refuses all but who made it, and admins of a workspace that is active.
func (r *Result) mayBeTakenBack(actor models.Actor, viewer *space.Viewer) error {
	switch {
	case r.AccountID == actor.UserID:
		return nil
	case viewer == nil || !viewer.IsAdmin():
		return models.InsufficientRole("Only who made it, and admins of the workspace, may take it back")
	}
	return viewer.CheckActive()
}

// changeResult shares or takes back in one transaction, which holds the workspace open.
func (s *Service) changeResult(ctx context.Context, id models.ID, action string, change func(*models.Tx, *Result, *space.Viewer) (bool, error)) (*Result, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	var found *Result
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		place, err := placeOf(tx, &Result{}, "execution_id", id)
		if err != nil {
			return err
		}
		found, err = s.resultInReach(tx.Context(), tx.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "results"}}).
			Where("shard_fits_space(results.shard, ?)", place), id)
		if err != nil {
			return err
		}
		viewer, err := s.reachOfResult(tx, found)
		if err != nil {
			return err
		}
		changed, err := change(tx, found, viewer)
		if err != nil || !changed {
			return err
		}
		err = tx.Model(&Result{}).Where(models.FitsID("execution_id", found.ExecutionID)).Where("account_id = ?", found.AccountID).
			UpdateColumns(map[string]any{"shared_at": found.SharedAt, "share_id": found.ShareID}).Error
		if err != nil {
			return err
		}
		return tx.Audit(*found.OrganizationID, action, models.Target{Type: "result", ID: found.ExecutionID, WorkspaceID: found.WorkspaceID}, nil)
	})
	return found, err
}

// reachOfResult is the caller's standing where a result was made, nil in a personal
// space and for an owner who is no member there any more.
func (s *Service) reachOfResult(tx *models.Tx, r *Result) (*space.Viewer, error) {
	if r.WorkspaceID == nil {
		return nil, nil
	}
	if err := org.HoldWorkspace(tx, *r.WorkspaceID); err != nil {
		return nil, err
	}
	viewer, err := s.Spaces.Viewer(tx.Context(), r.WorkspaceID)
	if err != nil && r.AccountID == tx.Actor.UserID && r.Shared() {
		return nil, nil // may take it back all the same
	}
	return viewer, err
}

// ResultPermissions are what the caller may do with a result now.
type ResultPermissions struct{ Share, Unshare bool }

// MayShare tells for results that were read before what the caller may do with
// them. They lie in few spaces, each of which is asked once.
func (s Results) MayShare(ctx context.Context, results []*Result) (map[*Result]ResultPermissions, error) {
	actor, spaces := models.ActorFrom(ctx), map[models.ID]*space.Viewer{}
	found := make(map[*Result]ResultPermissions, len(results))
	for _, r := range results {
		if r.WorkspaceID == nil {
			found[r] = ResultPermissions{}
			continue
		}
		viewer, known := spaces[*r.WorkspaceID]
		if !known {
			reach, err := s.run.Spaces.Viewer(ctx, r.WorkspaceID)
			if _, refused := models.AsError(err); err != nil && !refused {
				return nil, err
			}
			if err == nil {
				viewer = reach
			}
			spaces[*r.WorkspaceID] = viewer
		}
		found[r] = ResultPermissions{
			Share:   viewer != nil && !r.Shared() && r.mayBeShared(actor, viewer) == nil,
			Unshare: r.Shared() && r.mayBeTakenBack(actor, viewer) == nil,
		}
	}
	return found, nil
}
