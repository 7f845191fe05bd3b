package run

import (
	"atelier/models"
	"atelier/models/credit"
)

// saveExecution writes what a transaction changed of a locked execution as its
// next revision, queues what became ready, and ends it with its last open node:
// what was not spent of the hold goes back. Money comes last, for it locks the
// balance until the commit.
func (s *Service) saveExecution(tx *models.Tx, exec *Execution) error {
	if exec.StartedAt == nil {
		exec.StartedAt, exec.Status = &tx.Now, ExecutionRunning
	}
	if err := exec.saveJobs(tx); err != nil {
		return err
	}
	if err := s.Events.PublishJob(tx, exec.AccountID, exec.ended...); err != nil {
		return err
	}
	ends := exec.OpenNodes == 0 && exec.CompletedAt == nil
	if ends {
		exec.finish(tx)
		if err := s.recordResult(tx, exec); err != nil {
			return err
		}
		if err := s.executionEnded(tx, exec); err != nil {
			return err
		}
	}
	if err := s.queue(tx, exec.ready); err != nil {
		return err
	}
	settles := exec.CompletedAt != nil && exec.Hold > 0 && exec.SettledAt == nil
	var dueJobs []string
	var due []credit.NodeCharge
	if settles {
		exec.SettledAt = &tx.Now
		dueJobs, due = exec.takeDue()
	}
	exec.Revision++
	tx.Notify(exec.topic())
	err := tx.Model(exec).Where("account_id = ? AND shard_fits_space(shard, ?)", exec.AccountID, exec.space()).Select(
		"status", "completed_nodes", "failed_nodes", "open_nodes", "fed_bytes", "charged", "settled_at", "due", "markup_charged",
		"error_code", "error_message", "revision", "started_at", "completed_at",
	).Updates(exec).Error
	if err != nil {
		return err
	}
	if ends {
		if err := countKept(tx, exec); err != nil {
			return err
		}
	}
	charges := exec.charges
	exec.changes = changes{}
	if settles {
		return s.settle(tx, exec, charges, dueJobs, due)
	}
	return s.Credits.Charge(tx, exec.payer(), exec.ID, charges...)
}

// finish completes the execution when every node has completed, else it failed.
func (e *Execution) finish(tx *models.Tx) {
	e.CompletedAt, e.Status = &tx.Now, ExecutionFailed
	if e.CompletedNodes == e.TotalNodes {
		e.Status, e.ErrorCode, e.ErrorMessage = ExecutionCompleted, nil, nil
	}
}
