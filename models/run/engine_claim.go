package run

import (
	"fmt"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
)

// claimJob locks the execution, checks the lease, and reads what the node
// needs. nil: there is nothing left to do.
func (s *Service) claimJob(tx *models.Tx, lease lane.Lease) (*work, error) {
	exec, nodeID, err := lockExecutionOf(tx, lease.ID, lease.LaneID)
	if err != nil {
		return nil, err
	}
	if exec == nil {
		return nil, endAbsent(tx, lease)
	}
	if err := lane.Hold(tx, lease); err != nil {
		return nil, err
	}
	plan, err := s.cachedPlan(tx, exec)
	if err != nil {
		return nil, err
	}
	if node := plan.Nodes[nodeID]; node != nil && nodegraph.RunsInline(node.Type) {
		err = exec.readPendingJobs(tx, plan.Around(nodeID, maxInline))
	} else {
		err = exec.readJobs(tx, plan.Around(nodeID, maxInline))
	}
	if err != nil {
		return nil, err
	}
	job := exec.known[nodeID]
	if job == nil || job.Status != JobPending && job.Status != JobProcessing {
		return nil, lane.Finish(tx, lease)
	}
	large, err := exec.isLarge(tx, plan, job)
	if err != nil {
		return nil, err
	}
	w, err := s.prepareWork(tx, exec, plan, job)
	if err != nil {
		return nil, err
	}
	w.lease, w.large = lease, large
	w.singleJob = lease.Attempt > 1
	if job.inline() && !w.singleJob {
		exec.addReadyInline(job)
	}
	return w, nil
}

// endAbsent ends the lease of a job that is not there. Where runs lie on several servers it may be on its way: the
// coordinator commits that a job waits before the worker commits the job, some moments later or, when the worker was away, minutes
// later. There it comes back after an eighth of its age.
func endAbsent(tx *models.Tx, lease lane.Lease) error {
	if !tx.Spread() {
		return lane.Finish(tx, lease)
	}
	age := tx.Now.Sub(models.TimeOf(lease.ID))
	return lane.Release(tx, lease, tx.Now.Add(min(max(age/8, time.Second), time.Minute)))
}

// prepareWork resolves what a ready job works on.
func (s *Service) prepareWork(tx *models.Tx, exec *Execution, plan *nodegraph.Plan, job *Job) (*work, error) {
	w := &work{exec: exec, job: job, plan: plan, node: plan.Nodes[job.NodeID], now: tx.Now}
	if w.node == nil {
		return nil, fmt.Errorf("job %s: the graph has no node %q", job.ID, job.NodeID)
	}
	before := plan.Before(job.NodeID)
	if err := exec.readJobs(tx, before); err != nil {
		return nil, err
	}
	size, fits := exec.inputBytes(before)
	if !fits {
		exec.loadedBytes += size
		w.refusal = errTooLarge("What feeds the node is larger than %d MiB", maxInput>>20)
		return w, nil
	}
	outputs := make(map[string]nodegraph.Data, len(before))
	for _, id := range before {
		if source := exec.known[id]; source != nil && source.Status == JobCompleted {
			outputs[id] = source.OutputData
		}
	}
	input, fed, err := plan.Input(w.node, outputs)
	w.refusal = err
	if exec.loadedBytes += max(size, fed); job.StartedAt == nil {
		if exec.FedBytes += int64(fed); exec.FedBytes > int64(maxFed) {
			w.refusal = errRunFedTooMuch()
			return w, nil
		}
	}
	if w.refs, err = s.refsOf(tx, exec, job, input); err != nil {
		return nil, err
	}
	if w.refusal == nil && job.StartedAt == nil {
		if w.refusal = s.stillUsable(tx.Context(), w.refs); w.refusal != nil && !isFailure(w.refusal) {
			return nil, w.refusal
		}
	}
	w.input = s.withPinnedModel(w.node, s.layInput(job.JobType, input, w.refs))
	job.InputData = shownInput(exec, w.node, w.input, w.refs)
	return w, nil
}

// withPinnedModel is a node's input with the provider and model that will do the work.
func (s *Service) withPinnedModel(node *nodegraph.Node, input map[string]any) map[string]any {
	if kind, ok := s.Flows.Catalogue.Find(node.Type); ok {
		return kind.Pin(input)
	}
	return input
}
