package run

import (
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
)

// The bounds of what one transaction does beyond the node that it ends.
const (
	maxInline       = 64
	InlineTimeLimit = 50 * time.Millisecond
)

// runReadyInline does the inline jobs that are ready at once, so that a chain of them, or
// many beside each other, cost a few transactions and not one for each.
func (s *Service) runReadyInline(tx *models.Tx, exec *Execution, plan *nodegraph.Plan) error {
	started := time.Now()
	var others []*Job
	for done := 0; len(exec.ready) > 0 && done < maxInline && exec.loadedBytes < maxTransactionBytes && time.Since(started) < InlineTimeLimit; {
		job := exec.ready[0]
		exec.ready = exec.ready[1:]
		large, err := exec.isLarge(tx, plan, job)
		if err != nil {
			return err
		}
		if !job.inline() || large {
			others = append(others, job)
			continue
		}
		w, err := s.prepareWork(tx, exec, plan, job)
		if err != nil {
			return err
		}
		w.lease.Attempt = 1
		if err := s.callInline(tx, w); err != nil {
			return err
		}
		done++
	}
	exec.ready = append(others, exec.ready...)
	return nil
}

// callInline does a job of an execution that the transaction has at hand already.
func (s *Service) callInline(tx *models.Tx, w *work) error {
	ctx, span := s.traceNode(tx.Context(), w)
	out, err := s.call(ctx, w)
	defer endNode(span, err)
	if span != nil {
		tx = tx.Within(ctx)
	}
	return s.recordOutcome(tx, w, out, err)
}

// inline jobs are done within transactions.
func (j *Job) inline() bool { return nodegraph.RunsInline(j.JobType) }

// isLarge tells a job that so much feeds that a worker does it, outside of any
// transaction and a few at once in a process (see largeWork).
func (e *Execution) isLarge(tx *models.Tx, plan *nodegraph.Plan, job *Job) (bool, error) {
	feeds := plan.Feeds[job.NodeID]
	if !job.inline() || len(feeds) == 0 {
		return false, nil
	}
	if err := e.readJobs(tx, plan.Before(job.NodeID)); err != nil {
		return false, err
	}
	size := 0
	for _, feed := range feeds {
		if source := e.known[feed.Source]; source != nil {
			size += source.OutputSize
		}
	}
	return size > maxFedInline, nil
}
