package run

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// FollowUps is the lane of what is left to do at a provider once a job has ended
// here: telling it that no one waits any more, or asking for a result that may
// still come. Until then the job keeps its state.
var FollowUps = lane.Kind{Name: "provider.after"}

const (
	// maxCancelTries is how often a provider is told of a cancellation.
	maxCancelTries = 6
	// lateResultWindow is how long a result may come late.
	lateResultWindow = 24 * time.Hour
)

// statesAtProviders are the states in a job that name work of a provider: its own, or
// those of a component's nodes.
func statesAtProviders(job *Job) []json.RawMessage {
	if job.JobType == nodegraph.ComponentType {
		root := &component{}
		if len(job.State) == 0 || json.Unmarshal(job.State, root) != nil {
			return nil
		}
		return root.statesAtProviders()
	}
	if kit.HasProviderTask(job.State) {
		return []json.RawMessage{job.State}
	}
	return nil
}

func (c *component) statesAtProviders() (found []json.RawMessage) {
	if kit.HasProviderTask(c.State) {
		found = append(found, c.State)
	}
	for _, part := range c.Parts {
		found = append(found, part.statesAtProviders()...)
	}
	return found
}

// queueFollowUp keeps a state with a job that has ended, and has it looked at after
// a while. The job has no item in its pool any more.
func queueFollowUp(tx *models.Tx, job *Job, state []byte, wait time.Duration) error {
	job.State = state
	if err := updateJob(tx, job, "state"); err != nil {
		return err
	}
	return lane.Add(tx, FollowUps, lane.Item{ID: job.ID, LaneID: job.AccountID, OwnerID: job.AccountID, DueAt: tx.Now.Add(wait)})
}

// lateResultState is the state with which a failed job's result may still be asked
// for, nil when there is none.
func lateResultState(w *work, err error) []byte {
	var failure *kit.Failure
	errors.As(err, &failure)
	switch {
	case refusesLateResult(w.job.JobType, w.node.Data):
		return nil
	case failure != nil && failure.Late != nil:
		return failure.Late
	case (failure == errCutOff || errors.Is(err, context.DeadlineExceeded)) && kit.HasProviderTask(w.job.State):
		return w.job.State
	}
	return nil
}

// refusesLateResult tells whether a job that has failed stays so whatever comes: what
// followed in a component would have to run, and cost, after its execution has
// ended; and what was to be reviewed is not published without.
func refusesLateResult(jobType string, data map[string]any) bool {
	return jobType == nodegraph.ComponentType || data["holdForReview"] == true
}

// cancelAtProvider has a provider told that it works in vain on a job that has failed for
// good.
func (w *work) cancelAtProvider(tx *models.Tx, err error) error {
	var failure *kit.Failure
	if !errors.As(err, &failure) || failure.Late == nil {
		return nil
	}
	state := []byte(failure.Late)
	if w.job.JobType == nodegraph.ComponentType {
		state = w.job.State // that of all its nodes
	}
	return queueFollowUp(tx, w.job, state, 0)
}

// hintWithoutLateResult is the hint of a failure whose result may come late, for a job
// that will not take it.
func hintWithoutLateResult(err error, hint string) string {
	var failure *kit.Failure
	if errors.As(err, &failure) && failure.Late != nil {
		return "Nothing was charged for it. Run it again."
	}
	return hint
}

// FollowUp does what is left to do at a provider for a job that has ended: it
// is the handler of the dispatcher of FollowUps.
func (s *Service) FollowUp(ctx context.Context, lease lane.Lease) error {
	job, err := models.First[Job](s.DB.Read(ctx).Where(models.FitsID("id", lease.ID)).Where("account_id = ?", lease.LaneID), nil)
	if err != nil {
		return err
	}
	switch {
	case job == nil, s.DB.Spread() && job.CompletedAt == nil: // its end may be on its way
		return s.DB.Write(ctx, func(tx *models.Tx) error { return endAbsent(tx, lease) })
	case job.Status == JobCancelled, job.Status == JobFailed && refusesLateResult(job.JobType, job.InputData):
		return s.cancelAtProviders(ctx, lease, job)
	case job.Status == JobFailed:
		return s.askForLateResult(ctx, lease, job)
	}
	return s.endFollowUp(ctx, lease, job)
}

// endFollowUp ends the following up.
func (s *Service) endFollowUp(ctx context.Context, lease lane.Lease, job *Job) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := lane.Finish(tx, lease); err != nil {
			return err
		}
		job.dropState()
		return updateJob(tx, job, "state")
	})
}

func (s *Service) cancelAtProviders(ctx context.Context, lease lane.Lease, job *Job) error {
	var failed error
	for _, state := range statesAtProviders(job) {
		failed = errors.Join(failed, s.Flows.Catalogue.CancelProviderTask(ctx, state))
	}
	if failed == nil || lease.Attempt >= maxCancelTries {
		return s.endFollowUp(context.WithoutCancel(ctx), lease, job)
	}
	return s.DB.Write(context.WithoutCancel(ctx), func(tx *models.Tx) error {
		return lane.Retry(tx, lease, tx.Now.Add(10*time.Second<<lease.Attempt))
	})
}

// askForLateResult asks for the result of a job that failed without one, less and less
// often, for a day.
func (s *Service) askForLateResult(ctx context.Context, lease lane.Lease, job *Job) error {
	out, err := s.fetchLateResult(ctx, lease, job)
	var pause *kit.Pause
	var trouble *engineError
	switch {
	case errors.As(err, &trouble):
		return trouble.err
	case ctx.Err() != nil:
		return ctx.Err() // taken up again when the lease ends
	case err == nil:
		return s.completeLate(context.WithoutCancel(ctx), lease, job, out)
	case errors.As(err, &pause) && job.CompletedAt != nil && s.DB.Clock.Now().Sub(*job.CompletedAt) < lateResultWindow:
		return s.DB.Write(context.WithoutCancel(ctx), func(tx *models.Tx) error {
			return lane.Retry(tx, lease, tx.Now.Add(min(30*time.Second<<min(lease.Attempt, 10), 30*time.Minute)))
		})
	}
	return s.endFollowUp(context.WithoutCancel(ctx), lease, job)
}

func (s *Service) fetchLateResult(ctx context.Context, lease lane.Lease, job *Job) (kit.Output, error) {
	kind, ok := s.Flows.Catalogue.Find(job.JobType)
	if !ok {
		return nil, &kit.Failure{Message: "There is no such node type any more"}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, Pools[kit.Provider].Timeout, errTimeout)
	defer cancel()
	exec := &Execution{ID: job.ExecutionID, AccountID: job.AccountID}
	refs, err := readRefs(s.DB.Read(ctx), job.ID)
	if err != nil {
		return nil, &engineError{err}
	}
	return kind.Do(ctx, &kit.Call{
		Input: job.InputData, HTTP: s.HTTP, Now: s.DB.Clock.Now(), Attempt: lease.Attempt,
		State: job.State, Media: s.Media.ForExecution(exec.AccountID, exec.ID, job.JobType == importType, refs[job.NodeID]), Refs: refs[job.NodeID].NamedBy(kind, job.InputData), Late: true,
	})
}

// completeLate is the one way from failed to completed (contract 1, "States and
// transitions"): the same job has finished later. It has its result and its
// event, once, and costs nothing, for its credits went back when it failed.
// What waited for it stays skipped, and an execution that has ended stays as
// it ended.
func (s *Service) completeLate(ctx context.Context, lease lane.Lease, job *Job, out kit.Output) error {
	data, size, err := storable(out)
	if err != nil {
		return s.endFollowUp(ctx, lease, job)
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		exec, err := lockExecution(tx, job.ExecutionID)
		if err != nil {
			return err
		}
		if err := lane.Finish(tx, lease); err != nil {
			return err
		}
		changed, err := models.Affected(tx.Model(&Job{}).
			Where(models.FitsID("id", job.ID)).Where("account_id = ? AND status = ?", job.AccountID, JobFailed).
			UpdateColumns(map[string]any{
				"status": JobCompleted, "progress": 100, "output_data": data, "output_size": size, "state": nil,
				"error_message": nil, "error_hint": nil, "completed_at": tx.Now,
			}))
		if err != nil || changed == 0 {
			return err
		}
		if job, err = models.First[Job](tx.Where(models.FitsID("id", job.ID)).Where("account_id = ?", job.AccountID), models.NotFound("Job")); err != nil {
			return err
		}
		exec.CompletedNodes++
		exec.FailedNodes--
		if exec.Purpose != "" {
			if err := s.jobEnded(tx, exec, job); err != nil {
				return err
			}
			if err := updateJob(tx, job, "output_data"); err != nil {
				return err
			}
		}
		if err := announce(tx, exec, job, event.JobCompleted); err != nil {
			return err
		}
		return s.saveExecution(tx, exec)
	})
}

// cancelUnclaimedWork tells a provider that no one waits for work which it has just taken
// on: the job was cancelled, or given up, in that very moment.
func (s *Service) cancelUnclaimedWork(ctx context.Context, w *work, err error) {
	var pause *kit.Pause
	if !errors.As(err, &pause) || len(statesAtProviders(w.job)) > 0 {
		return
	}
	job := &Job{JobType: w.job.JobType, State: pause.State}
	for _, state := range statesAtProviders(job) {
		_ = s.Flows.Catalogue.CancelProviderTask(ctx, state) // no one is there to do more
	}
}
