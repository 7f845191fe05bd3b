package run

import (
	"context"

	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/media"
	"atelier/models/notice"
)

// Delete deletes one of the caller's archived runs for good, with its inputs,
// results and files (contract 1, "Published app endpoints", rule 3: in the web
// app alone). What it cost stays in the books. Tokens are forbidden; a run that
// is not archived is validation_error, one at work run_already_started.
func (s AppRuns) Delete(ctx context.Context, slug string, id models.ID) error {
	if err := models.ActorFrom(ctx).RequireSession(); err != nil {
		return err
	}
	app, err := s.run.appOfRuns(ctx, slug)
	if err != nil {
		return err
	}
	return s.run.DB.Write(ctx, func(tx *models.Tx) error {
		run, err := ownRun(tx.Clauses(clause.Locking{Strength: "UPDATE"}), app, tx.Actor, id)
		if err != nil {
			return err
		}
		if !run.Archived() {
			return models.Err(models.CodeValidation, "Archive the run first: only what is archived can be deleted")
		}
		if run.ExecutionID != nil {
			if err := s.run.eraseRunOf(tx, run); err != nil {
				return err
			}
		}
		return tx.Where("id = ? AND account_id = ?", run.ID, run.AccountID).Delete(&AppRun{}).Error
	})
}

// eraseRunOf erases the execution of a run.
func (s *Service) eraseRunOf(tx *models.Tx, run *AppRun) error {
	exec, err := lockExecution(tx, *run.ExecutionID)
	if err != nil {
		return err
	}
	if !exec.Finished() {
		return models.Err(models.CodeRunAlreadyStarted, "The run is still at work: cancel it first")
	}
	return s.deleteContents(tx, exec, run.ID)
}

// EraseResults erases what an execution made and took in, as AppRuns.Delete does, and
// tells whether there was anything: not of one at work, nor of one that is gone. It
// asks nothing about access.
func (s *Service) EraseResults(tx *models.Tx, id models.ID) (erased bool, err error) {
	exec, err := lockExecution(tx, id)
	if models.HasCode(err, models.CodeNotFound) {
		return false, nil
	}
	if err != nil || !exec.Finished() || exec.ErasedAt != nil {
		return false, err
	}
	if err := tx.Model(&AppRun{}).Where("execution_id = ? AND account_id = ?", exec.ID, exec.AccountID).UpdateColumn("thumbnail_url", nil).Error; err != nil {
		return false, err
	}
	return true, s.deleteContents(tx, exec, exec.ID)
}

// deleteContents erases a finished execution, and tells the audit log of it as the run that it was.
func (s *Service) deleteContents(tx *models.Tx, exec *Execution, run models.ID) error {
	if err := s.eraseExecution(tx, exec); err != nil || exec.OrganizationID == nil {
		return err
	}
	return tx.Audit(*exec.OrganizationID, "run.deleted", models.Target{Type: "run", ID: run, WorkspaceID: exec.WorkspaceID}, nil)
}

// eraseExecution takes everything out of a finished execution but the bare facts:
// who ran what, when, and what it cost. Its contents in the bucket go with the
// next sweep.
func (s *Service) eraseExecution(tx *models.Tx, exec *Execution) error {
	var jobs []models.ID
	first, after := jobIDs(exec.ID)
	err := tx.Raw(`
		UPDATE jobs SET input_data = CASE WHEN jsonb_typeof(input_data -> 'model') <> 'null' THEN jsonb_set('{}', '{model}', input_data -> 'model') ELSE '{}' END,
			output_data = NULL, state = NULL, error_message = NULL, error_hint = NULL, erased_at = ?
		WHERE execution_id = ? AND shard_fits_space(shard, ?) AND id >= ? AND id < ? RETURNING id`,
		tx.Now, exec.ID, exec.space(), first, after).Scan(&jobs).Error
	if err != nil {
		return err
	}
	if _, err := lane.Cancel(tx, jobs...); err != nil { // what was still asked of a provider
		return err
	}
	if err := s.Events.ForgetJobs(tx, exec.AccountID, jobs); err != nil {
		return err
	}
	if err := notice.Forget(tx, notice.JobHeld, jobs); err != nil {
		return err
	}
	if err := dropFiles(tx, exec); err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM job_refs WHERE execution_id = ?`, exec.ID).Error; err != nil {
		return err
	}
	if err := tx.Where("execution_id = ? AND shard_fits_space(shard, ?)", exec.ID, exec.space()).Delete(&Result{}).Error; err != nil {
		return err
	}
	err = tx.Exec(`
		UPDATE executions SET nodes = '[]', edges = '[]', subject = NULL, error_message = NULL, erased_at = ?, revision = revision + 1
		WHERE id = ? AND account_id = ? AND shard_fits_space(shard, ?)`, tx.Now, exec.ID, exec.AccountID, exec.space()).Error
	if err != nil {
		return err
	}
	return countKept(tx, exec)
}

// dropFiles gives up the addresses of an execution's files. Those that a retry
// took over become the retry's.
func dropFiles(tx *models.Tx, exec *Execution) error {
	var retries []models.ID
	err := tx.Raw(`SELECT id FROM executions WHERE retry_of = ? AND account_id = ? AND erased_at IS NULL ORDER BY id DESC LIMIT 1`,
		exec.ID, exec.AccountID).Scan(&retries).Error
	if err != nil {
		return err
	}
	if len(retries) > 0 {
		return media.MoveToExecution(tx, exec.AccountID, exec.ID, retries[0])
	}
	return media.RemoveOfExecution(tx, exec.AccountID, exec.ID)
}
