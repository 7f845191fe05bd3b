package run

import (
	"context"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/notice"
	"atelier/models/space"
)

// Cancel ends an execution as failed with the code cancelled: its
// unfinished jobs are cancelled, what finished stays charged, and the rest of
// the hold goes back. One that has ended is already_finished.
func (s Executions) Cancel(ctx context.Context, id models.ID) error {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return err
	}
	if _, err := s.run.executionInReach(ctx, id); err != nil {
		return err
	}
	return s.run.DB.Write(ctx, func(tx *models.Tx) error {
		exec, err := lockExecution(tx, id)
		if err != nil {
			return err
		}
		if exec.Finished() {
			return models.Err(models.CodeAlreadyFinished, "The execution has ended already")
		}
		return s.run.cancelExecution(tx, exec)
	})
}

// cancelExecution cancels a locked execution.
func (s *Service) cancelExecution(tx *models.Tx, exec *Execution) error {
	atProviders, err := jobsAtProviders(tx, exec)
	if err != nil {
		return err
	}
	var ids []models.ID
	first, after := jobIDs(exec.ID)
	err = tx.Raw(`
		UPDATE jobs SET status = 'cancelled', completed_at = ?, output_data = NULL,
			state = CASE WHEN job_type = 'component' THEN state END,
			credit_status = CASE WHEN credits_charged > 0 OR credit_status = 'committed' THEN 'committed' ELSE 'released' END,
			credits_charged = COALESCE(credits_charged, 0)
		WHERE execution_id = ? AND shard_fits_space(shard, ?) AND id >= ? AND id < ? AND status IN ('waiting', 'pending', 'processing', 'pending_review')
		RETURNING id`, tx.Now, exec.ID, exec.space(), first, after).Scan(&ids).Error
	if err != nil {
		return err
	}
	if _, err := lane.Cancel(tx, ids...); err != nil {
		return err
	}
	for job, state := range atProviders {
		if err := queueFollowUp(tx, job, state, 0); err != nil {
			return err
		}
	}
	exec.OpenNodes = 0
	exec.ErrorCode, exec.ErrorMessage = nil, nil
	exec.setFirstError(codeCancelled, "The run was cancelled")
	if exec.Purpose != "" && len(ids) > 0 {
		job, err := models.First[Job](tx.Where(models.FitsID("id", ids[0])).Where("account_id = ?", exec.AccountID), models.NotFound("Job"))
		if err != nil {
			return err
		}
		if err := s.jobEnded(tx, exec, job); err != nil {
			return err
		}
	}
	return s.saveExecution(tx, exec)
}

// jobsAtProviders are the jobs of a locked execution for which a provider is at
// work, with their states.
func jobsAtProviders(tx *models.Tx, exec *Execution) (map[*Job][]byte, error) {
	var jobs []*Job
	err := exec.jobs(tx.DB).Where("status = ? AND state IS NOT NULL", JobProcessing).Find(&jobs).Error
	found := map[*Job][]byte{}
	for _, job := range jobs {
		if len(statesAtProviders(job)) > 0 {
			found[job] = job.State
		}
	}
	return found, err
}

// Cancel cancels the work of one node; what waits for it is skipped, and
// the execution will end as failed. A finished one is already_finished.
func (s Jobs) Cancel(ctx context.Context, id models.ID) error {
	return s.run.changeJob(ctx, id, func(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
		switch job.Status {
		case JobWaiting, JobPending, JobProcessing, JobInReview:
		default:
			return models.Err(models.CodeAlreadyFinished, "The job has ended already")
		}
		if err := s.run.unqueue(tx, exec, job); err != nil {
			return err
		}
		state, tasks := job.State, statesAtProviders(job)
		job.Status, job.CompletedAt, job.OutputData = JobCancelled, &tx.Now, nil
		job.dropState()
		if err := closeJob(tx, exec, job, plan); err != nil {
			return err
		}
		if len(tasks) > 0 {
			if err := queueFollowUp(tx, job, state, 0); err != nil {
				return err
			}
		}
		exec.setFirstError(codeCancelled, "Node "+plan.Name(job.NodeID)+" was cancelled")
		return s.run.jobEnded(tx, exec, job)
	})
}

// unqueue takes a job from its lane; inline jobs that shared its item get another.
func (s *Service) unqueue(tx *models.Tx, exec *Execution, job *Job) error {
	removed, err := lane.Cancel(tx, job.ID)
	if err != nil || len(removed) == 0 || !job.inline() {
		return err
	}
	if err := exec.readPendingJobs(tx, nil); err != nil {
		return err
	}
	exec.remember(job)
	exec.addReadyInline(job)
	return nil
}

// Approve completes a job that was held for review; elsewhere it is
// job_not_in_review. It was charged when its work was done.
func (s Jobs) Approve(ctx context.Context, id models.ID) (*Job, error) {
	return s.run.reviewJob(ctx, id, s.run.completeJob)
}

// Reject fails a job that was held for review; its charge stays.
func (s Jobs) Reject(ctx context.Context, id models.ID) (*Job, error) {
	return s.run.reviewJob(ctx, id, func(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
		return s.run.failJob(tx, exec, job, plan, "The result was rejected in review", "Change the node's settings and run it again.")
	})
}

type jobChange func(*models.Tx, *Execution, *Job, *nodegraph.Plan) error

func (s *Service) reviewJob(ctx context.Context, id models.ID, decide jobChange) (*Job, error) {
	var reviewed *Job
	err := s.changeJob(ctx, id, func(tx *models.Tx, exec *Execution, job *Job, plan *nodegraph.Plan) error {
		if job.Status != JobInReview {
			return models.Err(models.CodeJobNotInReview, "The job is not held for review")
		}
		reviewed = job
		if err := s.Orgs.Notices.Settle(tx, notice.JobHeld, job.ID); err != nil {
			return err
		}
		return decide(tx, exec, job, plan)
	})
	if err != nil {
		return nil, err
	}
	return reviewed, nil
}

// changeJob changes a job of the actor under the lock of its execution.
func (s *Service) changeJob(ctx context.Context, id models.ID, change jobChange) error {
	actor := models.ActorFrom(ctx)
	if err := space.RequireWorkflows(actor); err != nil {
		return err
	}
	query, err := s.ownJobs(ctx)
	if err != nil {
		return err
	}
	if _, err := models.First[Job](query.Where(models.FitsID("id", id)), models.NotFound("Job")); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		own := func() (*Job, error) {
			return models.First[Job](tx.Where(models.FitsID("id", id)).Where("account_id = ?", actor.UserID), models.NotFound("Job"))
		}
		job, err := own()
		if err != nil {
			return err
		}
		exec, err := lockExecution(tx, job.ExecutionID)
		if err != nil {
			return err
		}
		if job, err = own(); err != nil { // as it is now that no one else changes it
			return err
		}
		plan, err := s.cachedPlan(tx, exec)
		if err != nil {
			return err
		}
		if err := change(tx, exec, job, plan); err != nil {
			return err
		}
		return s.saveExecution(tx, exec)
	})
}
