package flow

import (
	"fmt"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// takeJob locks the execution, checks the lease, and reads what the node
// needs. nil: there is nothing left to do.
func (s *Service) takeJob(tx *models.Tx, lease lane.Lease) (*work, error) {
	exec, nodeID, err := lockExecutionOf(tx, lease.ID, lease.LaneID)
	if err != nil {
		return nil, err
	}
	if exec == nil {
		return nil, lane.Finish(tx, lease)
	}
	if err := lane.Hold(tx, lease); err != nil {
		return nil, err
	}
	graph, err := s.planOf(tx, exec)
	if err != nil {
		return nil, err
	}
	if node := graph.Nodes[nodeID]; node != nil && nodegraph.RunsInline(node.Type) {
		err = exec.readPending(tx, graph.Around(nodeID, mostInline))
	} else {
		err = exec.read(tx, graph.Around(nodeID, mostInline))
	}
	if err != nil {
		return nil, err
	}
	job := exec.known[nodeID]
	if job == nil || job.Status != JobPending && job.Status != JobProcessing {
		return nil, lane.Finish(tx, lease)
	}
	w, err := prepare(tx, exec, graph, job)
	if err != nil {
		return nil, err
	}
	w.lease = lease
	w.alone = lease.Attempt > 1
	if job.inline() && !w.alone {
		exec.readyBeside(job)
	}
	return w, nil
}

// prepare resolves what a ready job works on.
func prepare(tx *models.Tx, exec *Execution, graph *nodegraph.Plan, job *Job) (*work, error) {
	w := &work{exec: exec, job: job, graph: graph, node: graph.Nodes[job.NodeID], now: tx.Now}
	if w.node == nil {
		return nil, fmt.Errorf("job %s: the graph has no node %q", job.ID, job.NodeID)
	}
	before := graph.Before(job.NodeID)
	if err := exec.read(tx, before); err != nil {
		return nil, err
	}
	weight, fits := exec.inputWeight(before)
	if exec.weight += weight; !fits {
		w.refusal = outgrown("What feeds the node is larger than %d MiB", mostInput>>20)
		return w, nil
	}
	outputs := make(map[string]nodegraph.Data, len(before))
	for _, id := range before {
		if source := exec.known[id]; source != nil && source.Status == JobCompleted {
			outputs[id] = source.OutputData
		}
	}
	input, err := graph.Input(w.node, outputs)
	w.input, w.refusal = pinned(w.node, input), err
	job.InputData = nodegraph.PublicInput(w.node, w.input, exec.AppID != nil)
	return w, nil
}

// pinned is a node's input with the provider and model that will do the work.
func pinned(node *nodegraph.Node, input map[string]any) map[string]any {
	if kind, ok := nodes.Find(node.Type); ok {
		return kind.Pin(input)
	}
	return input
}
