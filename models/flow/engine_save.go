package flow

import (
	"cmp"

	"atelier/models"
	"atelier/models/nodegraph"
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
	if exec.OpenNodes == 0 && exec.CompletedAt == nil {
		exec.finish(tx)
		if err := setThumbnail(tx, exec); err != nil {
			return err
		}
	}
	if err := s.queue(tx, exec.ready); err != nil {
		return err
	}
	settles := exec.CompletedAt != nil && exec.Hold > 0 && exec.SettledAt == nil
	if settles {
		exec.SettledAt = &tx.Now
	}
	exec.Revision++
	tx.Notify(exec.topic())
	err := tx.Model(exec).Where("account_id = ?", exec.AccountID).Select(
		"status", "completed_nodes", "failed_nodes", "open_nodes", "charged", "settled_at",
		"error_code", "error_message", "revision", "started_at", "completed_at",
	).Updates(exec).Error
	if err != nil {
		return err
	}
	charges := exec.charges
	exec.changes = changes{}
	if settles {
		return s.Credits.Settle(tx, exec.payer(), exec.ID, exec.Hold, exec.Charged, charges...)
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

// resultKeys are the output keys that hold an address, in the order in which
// clients try them (contract 1, "Published app endpoints", rule 5).
var resultKeys = []string{"url", "imageUrl", "videoUrl", "audioUrl", "resultUrl"}

// setThumbnail gives the completed run of an app its picture: the output of the
// node that the publisher named, else of the last node.
func setThumbnail(tx *models.Tx, exec *Execution) error {
	if exec.AppID == nil || exec.Status != ExecutionCompleted {
		return nil
	}
	var named *string
	err := tx.Raw(`
		SELECT v.thumbnail_node_id FROM app_runs r JOIN app_versions v ON v.app_id = r.app_id AND v.version = r.version
		WHERE r.execution_id = ? AND r.account_id = ?`, exec.ID, exec.AccountID).Scan(&named).Error
	if err != nil {
		return err
	}
	query := tx.Where("execution_id = ? AND id >= ?", exec.ID, exec.firstJob())
	if named != nil {
		query = query.Where("node_id = ?", *named)
	}
	var jobs []*Job
	if err := query.Order("node_index DESC").Limit(1).Find(&jobs).Error; err != nil || len(jobs) == 0 {
		return err
	}
	url := resultAddress(jobs[0].OutputData)
	if url == "" {
		return nil
	}
	return tx.Model(&Run{}).Where("execution_id = ? AND account_id = ?", exec.ID, exec.AccountID).
		UpdateColumn("thumbnail_url", url).Error
}

// resultAddress is the address in a node's output, empty when it has none.
func resultAddress(output nodegraph.Data) string {
	var all []string
	for _, key := range resultKeys {
		s, _ := output[key].(string)
		all = append(all, s)
	}
	return cmp.Or(all...)
}
