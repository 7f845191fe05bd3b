package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/org"
	"atelier/nodes"
)

// work is one claimed job with all that its node needs.
type work struct {
	lease lane.Lease
	exec  *Execution
	job   *Job
	graph *plan
	node  *Node
	input map[string]any
	now   time.Time
	// price is what the node costs at most on the author's settings, spent what
	// it cost when that is less.
	price models.Credits
	spent *models.Credits
	// refusal is why the node is not even called, nil mostly.
	refusal error
	// owner is whose graph the node lies in, nil until ownerOf was asked.
	owner *models.ID
	// alone: nothing else is done in the transaction that ends this job.
	alone bool
	// left closes when a call that was not waited for has ended; nil when none was.
	left chan struct{}
	// keep commits a state of the node that is at work.
	keep func(context.Context, json.RawMessage) error
}

// RunJob does the node job of a lease: it is the handler of the pools'
// dispatchers. Inline nodes are done within one transaction; others are taken
// in one, done outside of any, and concluded in another, fenced by the lease.
// A job with which workers have died is taken up with care; see beginAgain.
func (s *Service) RunJob(ctx context.Context, lease lane.Lease) error {
	switch {
	case lease.Attempt > mostAttempts:
		return s.giveUp(ctx, lease)
	case lease.Attempt == mostAttempts && s.Apart != nil:
		return s.runApart(ctx, lease)
	case lease.Attempt > 1:
		if err := s.beginAgain(ctx, lease); err != nil {
			return err
		}
	}
	w, err := s.begun(ctx, lease)
	if err != nil || w == nil {
		return err
	}
	out, err := s.callWithin(ctx, w)
	err = s.end(ctx, w, out, err)
	w.awaitLeft()
	return err
}

// awaitLeft keeps the worker of a call that does not end, so that no more of
// these pile up than there are workers.
func (w *work) awaitLeft() {
	if w.left != nil {
		slog.Error("a node does not end, and keeps its worker", "job", w.job.ID, "type", w.job.JobType)
		<-w.left
	}
}

// begun takes a job up. nil: nothing is left to do, for there was nothing, or
// the node was done at once.
func (s *Service) begun(ctx context.Context, lease lane.Lease) (w *work, err error) {
	return w, s.DB.Write(ctx, func(tx *models.Tx) error {
		w = nil
		taken, err := s.takeJob(tx, lease)
		if err != nil || taken == nil {
			return err
		}
		if err := s.mayGoOn(tx, taken.exec); err != nil {
			return s.refuse(tx, taken, err)
		}
		if taken.job.inline() && !taken.alone {
			out, err := s.call(tx.Context(), taken)
			return s.conclude(tx, taken, out, err)
		}
		w = taken
		return s.markProcessing(tx, w)
	})
}

// end concludes a call that was made outside of any transaction.
func (s *Service) end(ctx context.Context, w *work, out nodes.Output, err error) error {
	var trouble *engineTrouble
	switch {
	case errors.As(err, &trouble):
		return trouble.err // the job comes back when its lease ends
	case context.Cause(ctx) == lane.ErrLost:
		return lane.ErrLost
	case context.Cause(ctx) == lane.ErrDraining:
		if err != nil {
			return s.giveBack(context.WithoutCancel(ctx), w.lease)
		}
	}
	ended := s.DB.Write(context.WithoutCancel(ctx), func(tx *models.Tx) error {
		exec, err2 := lockExecution(tx, w.exec.ID)
		if err2 != nil {
			return err2
		}
		w.exec = exec
		return s.conclude(tx, w, out, err)
	})
	if errors.Is(ended, lane.ErrLost) {
		abandon(context.WithoutCancel(ctx), w, err)
	}
	return ended
}

// mayGoOn refuses to begin a node for an account that may not work in the
// paying workspace any more: it was suspended or removed since the run was
// accepted, or the organization is not active.
func (s *Service) mayGoOn(tx *models.Tx, exec *Execution) error {
	if exec.WorkspaceID == nil {
		return nil
	}
	w, err := s.Orgs.StandingIn(tx.DB, exec.AccountID, *exec.WorkspaceID)
	if err == nil {
		err = w.Authorize(org.WorkInWorkspace)
	}
	if models.HasCode(err, models.CodeNotFound) {
		err = models.Err(models.CodeNotAMember, "Whoever started this run is not a member of the workspace any more")
	}
	return err
}

// refuse ends a node that may not begin; the run ends with the refusal's code.
func (s *Service) refuse(tx *models.Tx, w *work, err error) error {
	refusal, known := models.AsError(err)
	if !known {
		return err
	}
	code := string(refusal.Code)
	w.exec.fault(code, refusal.Message)
	w.alone = true
	return s.conclude(tx, w, nil, refusal)
}

// engineTrouble is an error of the engine itself within a call: it says nothing
// about the node, which another worker takes up again.
type engineTrouble struct{ err error }

func (e *engineTrouble) Error() string { return e.err.Error() }

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
	if node := graph.nodes[nodeID]; node != nil && runsInline(node.Type) {
		err = exec.readPending(tx, graph.around(nodeID))
	} else {
		err = exec.read(tx, graph.around(nodeID))
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
func prepare(tx *models.Tx, exec *Execution, graph *plan, job *Job) (*work, error) {
	w := &work{exec: exec, job: job, graph: graph, node: graph.nodes[job.NodeID], now: tx.Now}
	if w.node == nil {
		return nil, fmt.Errorf("job %s: the graph has no node %q", job.ID, job.NodeID)
	}
	before := graph.before(job.NodeID)
	if err := exec.read(tx, before); err != nil {
		return nil, err
	}
	weight, fits := exec.inputWeight(before)
	if exec.weight += weight; !fits {
		w.refusal = outgrown("What feeds the node is larger than %d MiB", mostInput>>20)
		return w, nil
	}
	outputs := make(map[string]Data, len(before))
	for _, id := range before {
		if source := exec.known[id]; source != nil && source.Status == JobCompleted {
			outputs[id] = source.OutputData
		}
	}
	input, err := graph.input(w.node, outputs)
	w.input, w.refusal = pinned(w.node, input), err
	job.InputData = publicInput(w.node, w.input, exec.AppID != nil)
	return w, nil
}

// inline jobs are done within transactions.
func (j *Job) inline() bool { return runsInline(j.JobType) }

// runsInline tells whether nodes of a type take next to nothing, and nothing
// from outside. A type that is unknown fails at once.
func runsInline(nodeType string) bool {
	kind, ok := nodes.Find(nodeType)
	return !ok || kind.AtOnce() || isTrigger(nodeType)
}

// The bounds of what one transaction does beyond the node that it ends.
const (
	mostInline = 64
	longInline = 50 * time.Millisecond
)

// goOn does the inline jobs that are ready at once, so that a chain of them, or
// many beside each other, cost a few transactions and not one for each.
func (s *Service) goOn(tx *models.Tx, exec *Execution, graph *plan) error {
	started := time.Now()
	var others []*Job
	for done := 0; len(exec.ready) > 0 && done < mostInline && exec.weight < mostWeight && time.Since(started) < longInline; {
		job := exec.ready[0]
		exec.ready = exec.ready[1:]
		if !job.inline() {
			others = append(others, job)
			continue
		}
		w, err := prepare(tx, exec, graph, job)
		if err != nil {
			return err
		}
		w.lease.Attempt = 1
		out, err := s.call(tx.Context(), w)
		if err := s.record(tx, w, out, err); err != nil {
			return err
		}
		done++
	}
	exec.ready = append(others, exec.ready...)
	return nil
}

// markProcessing shows that a worker is at the job.
func (s *Service) markProcessing(tx *models.Tx, w *work) error {
	w.job.Status, w.job.Attempts = JobProcessing, w.lease.Attempt
	if w.job.StartedAt == nil {
		w.job.StartedAt = &tx.Now
	}
	if err := updateJob(tx, w.job, "status", "attempts", "started_at", "input_data"); err != nil {
		return err
	}
	return s.saveExecution(tx, w.exec)
}

var (
	errTimeout = errors.New("the node took too long")
	errCutOff  = &nodes.Failure{
		Message: fmt.Sprintf("The work was cut off %d times on the service's side", mostAttempts),
		Hint:    "Use a smaller input, or run it again later.",
	}
	// lastWord is how long a node may go on after its context has ended.
	lastWord = 5 * time.Second
)

// callWithin runs a node within its pool's time, and waits no longer for one
// that does not end by itself (see work.left).
func (s *Service) callWithin(ctx context.Context, w *work) (nodes.Output, error) {
	limit := poolOfLane(w.lease.Kind).Timeout
	if w.job.JobType == componentType {
		limit = Pools[nodes.Media].Timeout // of all its nodes, whose pool it is in just now
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	type result struct {
		out nodes.Output
		err error
	}
	done, left := make(chan result, 1), make(chan struct{})
	go func() {
		defer close(left)
		out, err := s.call(ctx, w)
		done <- result{out, err}
	}()
	var got result
	select {
	case got = <-done:
	case <-ctx.Done():
		select {
		case got = <-done:
		case <-time.After(lastWord):
			got.err, w.left = ctx.Err(), left
		}
	}
	if got.err != nil && context.Cause(ctx) == errTimeout {
		var failure *nodes.Failure
		if !errors.As(got.err, &failure) {
			got.err = &nodes.Failure{
				Message: fmt.Sprintf("The node did not finish within %s", inWords(limit)),
				Hint:    "Use a smaller input or lower settings, then run it again.",
			}
		}
	}
	return got.out, got.err
}

func inWords(d time.Duration) string {
	if d == time.Minute {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", int(d.Minutes()))
}

// call runs the node: the engine's own ones here, the others in the catalogue.
func (s *Service) call(ctx context.Context, w *work) (nodes.Output, error) {
	if w.refusal != nil {
		return nil, w.refusal
	}
	if isTrigger(w.job.JobType) {
		return triggerOutput(w.job.State)
	}
	if w.job.JobType == componentType {
		return s.runComponent(ctx, w)
	}
	w.price = priceOf(Nodes{w.node}, w.node.ID)
	w.keep = func(ctx context.Context, state json.RawMessage) error { return s.keepState(ctx, w, state) }
	return s.callNode(ctx, w, w.job.JobType, w.input, w.job.State)
}

// pinned is a node's input with the provider and model that will do the work.
func pinned(node *Node, input map[string]any) map[string]any {
	if kind, ok := nodes.Find(node.Type); ok {
		return kind.Pin(input)
	}
	return input
}

// keepState commits a state in the middle of a call, as long as the lease holds.
func (s *Service) keepState(ctx context.Context, w *work, state json.RawMessage) error {
	job := *w.job
	job.State = state
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := lockExecution(tx, w.exec.ID); err != nil {
			return err
		}
		if err := lane.Hold(tx, w.lease); err != nil {
			return err
		}
		return updateJob(tx, &job, "state")
	})
	if err != nil {
		return &engineTrouble{err}
	}
	w.job.State = state
	return nil
}

// callNode runs a node of the catalogue: w.node, within w.graph.
func (s *Service) callNode(ctx context.Context, w *work, nodeType string, input map[string]any, state []byte) (nodes.Output, error) {
	kind, ok := nodes.Find(nodeType)
	if !ok || kind.Control {
		return nil, &nodes.Failure{Message: fmt.Sprintf("There is no node type %q", nodeType), Hint: "Remove the node from the workflow."}
	}
	if price := kind.Price(input); price > w.price {
		return nil, &nodes.Failure{
			Message: fmt.Sprintf("The node would cost %s credits on these settings, and %s were reserved for it", price, w.price),
			Hint:    "Provider, model and length decide the price: set them on the node itself, and run it again.",
		}
	}
	call := &nodes.Call{
		Input: input, HTTP: s.HTTP, Now: w.now, Attempt: w.lease.Attempt, State: json.RawMessage(state),
		Media: s.mediaFor(w.exec, nodeType), Progress: s.progress(ctx, w),
		Keep: w.keep, Spent: func(cost models.Credits) { w.spent = &cost },
		OpenHeader: func(ctx context.Context, sealed, host string) (string, bool, error) {
			return s.openHeader(ctx, w, sealed, host)
		},
	}
	if w.exec.WorkflowID != nil {
		call.ExecutionID, call.WorkflowID = w.exec.ID.String(), w.exec.WorkflowID.String()
	}
	if s.Credential != nil {
		call.Credential = func(ctx context.Context, id string) (*nodes.Credential, error) { return s.Credential(ctx, w.exec, id) }
	}
	return kind.Do(ctx, call)
}

// isTrigger tells whether the node only hands on what started the run.
func isTrigger(nodeType string) bool {
	return nodeType == "webhook-trigger" || nodeType == "schedule-trigger"
}

// triggerOutput is what reached the trigger: nothing when the run was started otherwise.
func triggerOutput(state []byte) (nodes.Output, error) {
	out := nodes.Output{}
	if len(state) == 0 {
		return out, nil
	}
	return out, json.Unmarshal(state, &out)
}

// giveBack returns a job whose worker ends, for another to take it up at once.
func (s *Service) giveBack(ctx context.Context, lease lane.Lease) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error { return lane.Release(tx, lease, tx.Now) })
}

// reason puts an error into words for the job: message and hint.
func reason(job *Job, err error) (message string, hint string) {
	var failure *nodes.Failure
	var refusal *models.Error
	switch {
	case errors.As(err, &failure):
		return failure.Message, failure.Hint
	case errors.As(err, &refusal):
		return refusal.Message, ""
	}
	slog.Error("a node failed on our side", "job", job.ID, "type", job.JobType, "error", err)
	return "The node failed on the service's side", "Run it again. If it fails again, report the id of the job."
}
