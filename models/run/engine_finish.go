package run

import (
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// executionColumns are an execution's columns without its graph, which never changes.
var executionColumns = []string{
	"id", "account_id", "organization_id", "workspace_id", "purpose", "workflow_id", "workflow_version", "app_id", "client_app_id", "trigger", "trigger_id", "personal", "status",
	"total_nodes", "completed_nodes", "failed_nodes", "open_nodes", "fed_bytes", "hold", "charged", "settled_at", "due", "absorbed", "markup", "markup_charged", "markup_absorbed",
	"error_code", "error_message", "source", "subject", "retry_of", "erased_at", "revision", "created_at", "started_at", "completed_at",
}

// lockExecution locks an execution, without its graph. All changes of an
// execution and its jobs begin with this lock, lane items come after it.
func lockExecution(tx *models.Tx, id models.ID) (*Execution, error) {
	place, err := placeOf(tx, &Execution{}, "id", id)
	if err != nil {
		return nil, err
	}
	return models.First[Execution](tx.Select(executionColumns).Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = ? AND shard_fits_space(shard, ?)", id, place), models.NotFound("Execution"))
}

// placeOf is an id with the shard on which a row lies, for statements that lock it: none locks on all shards. That is the
// row's own id unless that was made before ids carried their shard.
func placeOf(tx *models.Tx, row any, column string, id models.ID) (place models.ID, err error) {
	if tx.CarriesShard(id) {
		return id, nil
	}
	var found []models.ID
	err = tx.Model(row).Where(models.FitsID(column, id)).Limit(1).Pluck("coalesce(workspace_id, account_id)", &found).Error
	if err != nil || len(found) == 0 {
		return id, err
	}
	return found[0], nil
}

// lockExecutionOf locks the execution of an account's job, and tells the job's
// node; nil when there is no such job.
func lockExecutionOf(tx *models.Tx, jobID, accountID models.ID) (exec *Execution, nodeID string, err error) {
	var row struct {
		Execution
		NodeID string
	}
	place, err := placeOf(tx, &Job{}, "id", jobID)
	if err != nil {
		return nil, "", err
	}
	columns := make([]string, len(executionColumns))
	for i, name := range executionColumns {
		columns[i] = "executions." + name
	}
	err = tx.Model(&Execution{}).Select(append(columns, "j.node_id")).
		Joins("JOIN jobs j ON j.execution_id = executions.id AND shards_match(j.shard, executions.shard)").
		Where("j.id = ? AND shard_fits_space(j.shard, ?) AND j.account_id = ?", jobID, place, accountID).
		Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "executions"}}).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, "", nil
	}
	return &row.Execution, row.NodeID, err
}

// conclude ends a call of a node: it waits, has completed, is held for review,
// or has failed. Everything that follows commits with it, and nothing does
// when the lease was lost.
func (s *Service) conclude(tx *models.Tx, w *work, out kit.Output, err error) error {
	var pause *kit.Pause
	if errors.As(err, &pause) {
		return s.pauseJob(tx, w, pause)
	}
	if e := lane.Finish(tx, w.lease); e != nil {
		return e
	}
	if err := s.recordOutcome(tx, w, out, err); err != nil {
		return err
	}
	if !w.singleJob {
		if err := s.runReadyInline(tx, w.exec, w.plan); err != nil {
			return err
		}
	}
	return s.saveExecution(tx, w.exec)
}

// recordOutcome writes how a call ended. Where the service itself was in the way for a moment it did not end: that says nothing
// about the node, which another worker takes up when the lease ends.
func (s *Service) recordOutcome(tx *models.Tx, w *work, out kit.Output, err error) error {
	var failure *kit.Failure
	if err != nil && !errors.As(err, &failure) && models.Passes(err) {
		return err
	}
	w.job.Attempts = w.lease.Attempt
	if w.job.StartedAt == nil {
		w.job.StartedAt = &tx.Now
	}
	if err == nil {
		if err := s.noteHow(tx, w.exec, w.refs, out); err != nil {
			return err
		}
		w.job.OutputData, w.job.OutputSize, err = storable(out)
		w.exec.loadedBytes += w.job.OutputSize
		w.takeRealCost()
	}
	switch {
	case err != nil:
		message, hint := failureMessage(tx.Context(), w.job, err)
		late, cause := lateResultState(w, err), err
		if refusesLateResult(w.job.JobType, w.node.Data) {
			hint = hintWithoutLateResult(cause, hint)
		}
		err = s.failJob(tx, w.exec, w.job, w.plan, message, hint)
		switch {
		case err == nil && late != nil:
			err = queueFollowUp(tx, w.job, late, time.Minute)
		case err == nil:
			err = w.cancelAtProvider(tx, cause)
		}
	case w.node.Data["holdForReview"] == true:
		// Kept back until a person approves it; the work is done, and charged.
		w.exec.chargeJob(w.job)
		w.job.Status, w.job.Progress = JobInReview, 100
		w.exec.markChanged(w.job)
		err = s.tellHeld(tx, w.exec, w.job, w.plan)
	default:
		err = s.completeJob(tx, w.exec, w.job, w.plan)
	}
	return err
}

// pauseJob lets the node wait without a worker.
func (s *Service) pauseJob(tx *models.Tx, w *work, pause *kit.Pause) error {
	if err := postponeItem(tx, w.lease, pause); err != nil {
		return err
	}
	w.job.State = pause.State
	return updateJob(tx, w.job, "state")
}

// postponeItem has the item taken up again when the pause is over, in the pool that
// it names.
func postponeItem(tx *models.Tx, lease lane.Lease, pause *kit.Pause) error {
	if pause.Pool == "" || Pools[pause.Pool].Kind.Name == lease.Kind {
		return lane.Release(tx, lease, pause.Until)
	}
	if err := lane.Finish(tx, lease); err != nil {
		return err
	}
	return lane.Add(tx, Pools[pause.Pool].Kind, lane.Item{
		ID: lease.ID, LaneID: lease.LaneID, OwnerID: lease.OwnerID, DueAt: pause.Until, Attempt: lease.Attempt - 1,
	})
}

// completeJob ends a node well: it is charged once, those that waited for it
// alone become ready, and the account's endpoints hear of it.
func (s *Service) completeJob(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
	exec.chargeJob(job)
	job.Status, job.Progress, job.CompletedAt, job.State = JobCompleted, 100, &tx.Now, nil
	exec.markChanged(job)
	exec.CompletedNodes++
	exec.OpenNodes--
	if err := exec.releaseWaiting(tx, plan, job.NodeID); err != nil {
		return err
	}
	if err := s.jobEnded(tx, exec, job); err != nil {
		return err
	}
	return announce(tx, exec, job, event.JobCompleted)
}

// maxInMessage bounds what is said of a failure, in characters: a node may
// repeat what it was given.
const maxInMessage = 1_000

// failJob ends a node badly: nothing more is charged for it, all that waits for it
// is skipped, and the rest goes on. The first failure is the execution's.
func (s *Service) failJob(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan, message, hint string) error {
	message, hint = models.Shortened(message, maxInMessage), models.Shortened(hint, maxInMessage)
	job.Status, job.CompletedAt, job.OutputData = JobFailed, &tx.Now, nil
	job.OutputSize = 0
	job.dropState()
	job.ErrorMessage, job.ErrorHint = &message, &hint
	if hint == "" {
		job.ErrorHint = nil
	}
	if err := closeJob(tx, exec, job, plan); err != nil {
		return err
	}
	if err := s.jobEnded(tx, exec, job); err != nil {
		return err
	}
	exec.FailedNodes++
	exec.setFirstError(codeNodeFailed, "Node "+plan.Name(job.NodeID)+" failed: "+message)
	return announce(tx, exec, job, event.JobFailed)
}

// dropState forgets what a job kept. What a component had finished serves a retry.
func (j *Job) dropState() {
	if j.JobType != nodegraph.ComponentType {
		j.State = nil
	}
}

// codeNodeFailed and codeCancelled are the error codes of an execution.
const (
	codeNodeFailed = "node_failed"
	codeCancelled  = "cancelled"
)

// setFirstError keeps the first reason for which the execution will end as failed.
func (e *Execution) setFirstError(code, message string) {
	if e.ErrorCode == nil {
		e.ErrorCode, e.ErrorMessage = &code, &message
	}
}

// closeJob writes a job that ended without completing, and skips all that
// waits for it. What was charged for it stays charged.
func closeJob(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
	charged := models.Deref(job.CreditsCharged)
	if job.CreditsCharged = &charged; charged > 0 || models.Deref(job.CreditStatus) == creditCommitted {
		job.CreditStatus = &creditCommitted
	} else {
		job.CreditStatus = &creditReleased
	}
	exec.markChanged(job)
	exec.OpenNodes--
	return exec.skipJobs(tx, plan.Downstream(job.NodeID))
}

func updateJob(tx *models.Tx, job *Job, columns ...string) error {
	return tx.Model(job).Where("account_id = ? AND shard_fits_space(shard, ?)", job.AccountID, job.space()).Select(columns).Updates(job).Error
}

// announce tells a job's end to the account's endpoints. Triggers and
// webhook-output nodes send no events of their own (contract 2, "Delivery
// guarantees" 8).
func announce(tx *models.Tx, exec *Execution, job *Job, kind string) error {
	if nodegraph.IsTrigger(job.JobType) || job.JobType == "webhook-output" {
		return nil
	}
	body, err := json.Marshal(job.Public())
	ended := event.JobEvent{Type: kind, JobID: job.ID, At: tx.Now, Job: body}
	if exec.single() { // runs are followed otherwise (contract 2, "Event endpoints" 7)
		ended.AppID = exec.ClientAppID
	}
	exec.ended = append(exec.ended, ended)
	return err
}
