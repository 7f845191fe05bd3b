package run

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/org"
	"atelier/nodes/kit"
)

// work is one claimed job with all that its node needs.
type work struct {
	lease lane.Lease
	exec  *Execution
	job   *Job
	plan  *nodegraph.Plan
	node  *nodegraph.Node
	input map[string]any
	// refs are what the node may use of the library; nil for nothing.
	refs *kit.Refs
	now  time.Time
	// price is what is held for the node on the author's settings, spent what it said
	// that it cost; more than the price only if it is metered.
	price   models.Credits
	spent   *models.Credits
	metered bool
	// refusal is why the node is not even called, nil mostly.
	refusal error
	// owner is whose graph the node lies in, nil until ownerOfGraph was asked.
	owner *models.ID
	// home is the workflow of the component that the node lies in, nil outside of components.
	home *models.ID
	// large: an inline job that is done outside of transactions, see Execution.isLarge.
	large bool
	// singleJob: nothing else is done in the transaction that ends this job.
	singleJob bool
	// unfinishedCall closes when a call that was not waited for has ended; nil when none was.
	unfinishedCall chan struct{}
	// saveState commits a state of the node that is at work.
	saveState func(context.Context, json.RawMessage) error
}

// RunJob does the node job of a lease: it is the handler of the pools'
// dispatchers. Inline nodes are done within one transaction; others are taken up
// in one, done outside of any, and concluded in another, fenced by the lease.
// A job with which workers have died is taken up with care; see beginNextAttempt.
func (s *Service) RunJob(ctx context.Context, lease lane.Lease) error {
	switch {
	case lease.Attempt > maxAttempts:
		return s.failAfterCrashes(ctx, lease)
	case lease.Attempt == maxAttempts && s.RunInChild != nil:
		return s.runInChild(ctx, lease)
	case lease.Attempt > 1:
		if err := s.beginNextAttempt(ctx, lease); err != nil {
			return err
		}
	}
	w, err := inTransaction(ctx, s.DB, func(tx *models.Tx) (*work, error) { return s.takeUp(tx, lease) })
	if err != nil || w == nil {
		return err
	}
	return s.runOutside(ctx, w)
}

// takeUp takes up the job of a lease, and does it if it is inline. What it
// returns is left to be done outside of the transaction, nil when nothing is.
func (s *Service) takeUp(tx *models.Tx, lease lane.Lease) (*work, error) {
	w, err := s.claimJob(tx, lease)
	if err != nil || w == nil {
		return nil, err
	}
	if err := s.checkStillMember(tx, w.exec); err != nil {
		return nil, s.failRefused(tx, w, err)
	}
	if err := s.checkUnpaid(tx, w); err != nil {
		return nil, s.failRefused(tx, w, err)
	}
	if w.job.inline() && !w.singleJob && !w.large {
		return nil, s.runInline(tx, w)
	}
	if w.large { // the others that are ready had its item
		if err := s.queue(tx, w.exec.ready); err != nil {
			return nil, err
		}
		w.exec.ready = nil
	}
	return w, s.markProcessing(tx, w)
}

// runInline does a job within the transaction that took it up.
func (s *Service) runInline(tx *models.Tx, w *work) error {
	ctx, span := s.traceNode(tx.Context(), w)
	out, err := s.call(ctx, w)
	defer endNode(span, err)
	if span != nil {
		tx = tx.Within(ctx)
	}
	return s.conclude(tx, w, out, err)
}

// runOutside does a job that was taken up, outside of any transaction.
func (s *Service) runOutside(ctx context.Context, w *work) error {
	ctx, span := s.traceNode(ctx, w)
	leave, callErr := w.takePlace(ctx)
	defer leave()
	began := time.Now()
	var out kit.Output
	if callErr == nil {
		out, callErr = s.callWithTimeout(ctx, w)
	}
	took := time.Since(began)
	defer endNode(span, callErr)
	err := s.concludeOutside(ctx, w, out, callErr)
	s.countUnpaid(ctx, w, took, callErr, err)
	w.awaitUnfinishedCall(ctx)
	return err
}

// awaitUnfinishedCall keeps the worker of a call that does not end, so that no
// more of these pile up than there are workers.
func (w *work) awaitUnfinishedCall(ctx context.Context) {
	if w.unfinishedCall != nil {
		slog.ErrorContext(ctx, "a node does not end, and keeps its worker", "type", w.job.JobType)
		<-w.unfinishedCall
	}
}

// inTransaction is DB.Write for what has a result.
func inTransaction[T any](ctx context.Context, db *models.DB, write func(*models.Tx) (T, error)) (result T, err error) {
	err = db.Write(ctx, func(tx *models.Tx) (err error) {
		result, err = write(tx)
		return err
	})
	return result, err
}

// concludeOutside concludes a call that was made outside of any transaction.
func (s *Service) concludeOutside(ctx context.Context, w *work, out kit.Output, err error) error {
	var trouble *engineError
	switch {
	case errors.As(err, &trouble):
		return trouble.err // the job comes back when its lease ends
	case context.Cause(ctx) == lane.ErrLost:
		return lane.ErrLost
	case context.Cause(ctx) == lane.ErrDraining:
		if err != nil {
			return s.releaseLease(context.WithoutCancel(ctx), w.lease)
		}
	}
	called := *w.job
	ended := s.DB.Write(context.WithoutCancel(ctx), func(tx *models.Tx) error {
		exec, err2 := lockExecution(tx, w.exec.ID)
		if err2 != nil {
			return err2
		}
		job := called // what a try that was rolled back had noted on it, its charge for one, is not so
		w.exec, w.job = exec, &job
		return s.conclude(tx, w, out, err)
	})
	if errors.Is(ended, lane.ErrLost) {
		s.cancelUnclaimedWork(context.WithoutCancel(ctx), w, err)
	}
	return ended
}

// checkStillMember refuses to begin a node for an account that may not work in the
// paying workspace any more: it was suspended or removed since the run was
// accepted, or the organization is not active.
func (s *Service) checkStillMember(tx *models.Tx, exec *Execution) error {
	if exec.WorkspaceID == nil {
		return nil
	}
	w, err := s.Orgs.Workspaces().FindFor(tx.Context(), exec.AccountID, *exec.WorkspaceID)
	if err == nil {
		err = w.Authorize(org.WorkInWorkspace)
	}
	if models.HasCode(err, models.CodeNotFound) {
		err = models.Err(models.CodeNotAMember, "The person who started this run is no longer a member of the workspace")
	}
	return err
}

// failRefused ends a node that may not begin; the run ends with the refusal's code.
func (s *Service) failRefused(tx *models.Tx, w *work, err error) error {
	refusal, known := models.AsError(err)
	if !known {
		return err
	}
	code := string(refusal.Code)
	w.exec.setFirstError(code, refusal.Message)
	w.singleJob = true
	return s.conclude(tx, w, nil, refusal)
}

// engineError is an error of the engine itself within a call: it says nothing
// about the node, which another worker takes up again.
type engineError struct{ err error }

func (e *engineError) Error() string { return e.err.Error() }

// markProcessing shows that a worker is at the job.
func (s *Service) markProcessing(tx *models.Tx, w *work) error {
	w.job.Status, w.job.Attempts = JobProcessing, w.lease.Attempt
	if w.job.StartedAt == nil {
		w.job.StartedAt = &tx.Now
	}
	columns := []string{"status", "attempts", "started_at"}
	if !w.large { // else it is written with the result, while the job has a place
		columns = append(columns, "input_data")
	}
	if err := updateJob(tx, w.job, columns...); err != nil {
		return err
	}
	return s.saveExecution(tx, w.exec)
}

// releaseLease returns a job whose worker ends, for another to take it up at once.
func (s *Service) releaseLease(ctx context.Context, lease lane.Lease) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error { return lane.Release(tx, lease, tx.Now) })
}
