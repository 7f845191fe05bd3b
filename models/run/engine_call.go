package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/nodegraph"
	"atelier/models/tracing"
	"atelier/nodes/kit"
)

// callWithTimeout runs a node within its pool's time, and waits no longer for one
// that does not end by itself (see work.unfinishedCall).
func (s *Service) callWithTimeout(ctx context.Context, w *work) (kit.Output, error) {
	limit := poolOfLane(w.lease.Kind).Timeout
	if w.job.JobType == nodegraph.ComponentType {
		limit = Pools[kit.Media].Timeout // of all its nodes, whose pool it is in just now
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	type result struct {
		out kit.Output
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
		case <-time.After(graceAfterTimeout):
			got.err, w.unfinishedCall = ctx.Err(), left
		}
	}
	if got.err != nil && context.Cause(ctx) == errTimeout {
		var failure *kit.Failure
		if !errors.As(got.err, &failure) {
			got.err = &kit.Failure{
				Message: fmt.Sprintf("The node did not finish within %s", durationInWords(limit)),
				Hint:    "Use a smaller input or lower settings, then run it again.",
			}
		}
	}
	return got.out, got.err
}

// takePlace waits for a place among the large work of the process.
func (w *work) takePlace(ctx context.Context) (leave func(), err error) {
	if !w.large {
		return func() {}, nil
	}
	select {
	case largeWork <- struct{}{}:
		return func() { <-largeWork }, nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}

var (
	errTimeout = errors.New("the node took too long")
	errCutOff  = &kit.Failure{
		Message: fmt.Sprintf("The work was cut off %d times on the service's side", maxAttempts),
		Hint:    "Use a smaller input, or run it again later.",
	}
	// graceAfterTimeout is how long a node may go on after its context has ended.
	graceAfterTimeout = 5 * time.Second
)

// traceNode begins the span of a node, and has lines of the log name its run and job.
func (s *Service) traceNode(ctx context.Context, w *work) (context.Context, *tracing.Span) {
	ctx = models.WithLog(ctx, slog.Any("run", w.exec.ID), slog.Any("job", w.job.ID))
	if !tracing.On() {
		return ctx, nil
	}
	nodeType := s.knownType(w.job.JobType)
	ctx, span := tracing.StartOf(ctx, w.exec.ID, tracing.Working, "node "+nodeType)
	span.Text("atelier.node.type", nodeType)
	span.ID("atelier.job.id", w.job.ID)
	span.Number("atelier.job.attempt", w.lease.Attempt)
	return ctx, span
}

// endNode ends it. That a node fails is no fault of the service's.
func endNode(span *tracing.Span, err error) {
	if span == nil {
		return
	}
	outcome := outcomeOf(err)
	if span.Text("atelier.node.outcome", outcome); outcome == CallBroken {
		span.Fail("failed on the service's side")
	}
	span.End()
}

// knownType is the type of a node, among those that there are.
func (s *Service) knownType(nodeType string) string {
	if _, ok := s.Flows.Catalogue.Find(nodeType); !ok {
		return "unknown"
	}
	return nodeType
}

// What came of the call of a node.
const (
	CallDone    = "done"
	CallWaits   = "waits"   // for a provider, or for another pool
	CallRefused = "refused" // it may not begin
	CallFailed  = "failed"
	CallCutOff  = "cut_off" // and done again
	CallBroken  = "broken"  // on the service's side
)

func outcomeOf(err error) string {
	var pause *kit.Pause
	var failure *kit.Failure
	var refusal *models.Error
	switch {
	case err == nil:
		return CallDone
	case errors.As(err, &pause):
		return CallWaits
	case errors.As(err, &failure), errors.Is(err, context.DeadlineExceeded):
		return CallFailed
	case errors.Is(err, context.Canceled):
		return CallCutOff
	case errors.As(err, &refusal):
		return CallRefused
	}
	return CallBroken
}

// NodeCall is one call of a node.
type NodeCall struct {
	Type, Pool, Outcome string
	Took                time.Duration
}

// call runs the node, and tells how it went.
func (s *Service) call(ctx context.Context, w *work) (kit.Output, error) {
	began := time.Now()
	out, err := s.callKind(ctx, w)
	if s.Observe != nil {
		pool := w.lease.Kind
		if pool == "" {
			pool = "inline" // in the transaction of the run, or of another node
		}
		s.Observe(ctx, NodeCall{s.knownType(w.job.JobType), pool, outcomeOf(err), time.Since(began)})
	}
	return out, err
}

// callKind runs the node: the engine's own ones here, the others in the catalogue.
func (s *Service) callKind(ctx context.Context, w *work) (kit.Output, error) {
	if w.refusal != nil {
		return nil, w.refusal
	}
	if nodegraph.IsTrigger(w.job.JobType) {
		return triggerOutput(w.job.State)
	}
	if w.job.JobType == nodegraph.ComponentType {
		return s.runComponent(ctx, w)
	}
	w.price = w.node.Price(s.Flows.Catalogue)
	w.saveState = func(ctx context.Context, state json.RawMessage) error { return s.saveState(ctx, w, state) }
	return s.callNode(ctx, w, w.job.JobType, w.input, w.job.State)
}

// saveState commits a state in the middle of a call, as long as the lease holds.
func (s *Service) saveState(ctx context.Context, w *work, state json.RawMessage) error {
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
		return &engineError{err}
	}
	w.job.State = state
	return nil
}

// callNode runs a node of the catalogue: w.node, within w.graph.
func (s *Service) callNode(ctx context.Context, w *work, nodeType string, input map[string]any, state []byte) (kit.Output, error) {
	kind, ok := s.Flows.Catalogue.Find(nodeType)
	if !ok || kind.Control {
		return nil, &kit.Failure{Message: fmt.Sprintf("There is no node type %q", nodeType), Hint: "Remove the node from the workflow."}
	}
	if price := kind.Price(input); price > w.price {
		return nil, &kit.Failure{
			Message: fmt.Sprintf("The node would cost %s credits on these settings, and %s were reserved for it", price, w.price),
			Hint:    "Provider, model and length decide the price: set them on the node itself, and run it again.",
		}
	}
	w.metered = kind.Metered(input) && !w.job.inline() // what is done in the accepting transaction is paid at once
	call := &kit.Call{
		Input: input, HTTP: s.HTTP, Now: w.now, Attempt: w.lease.Attempt, State: json.RawMessage(state),
		Media: s.Media.ForExecution(w.exec.AccountID, w.exec.ID, nodeType == importType, w.refs), Refs: w.refs, Progress: s.progress(ctx, w),
		Keep: w.saveState, Spent: func(cost models.Credits) { w.spent = &cost },
		OpenHeader: func(ctx context.Context, sealed, host string) (string, bool, error) {
			return s.headerFor(ctx, w, sealed, host)
		},
		Credential: func(ctx context.Context, id string) (*kit.Credential, error) { return s.credentialFor(ctx, w, id) },
	}
	if w.exec.WorkflowID != nil {
		call.ExecutionID, call.WorkflowID = w.exec.ID.String(), w.exec.WorkflowID.String()
	}
	return kind.Do(ctx, call)
}

// triggerOutput is what reached the trigger: nothing when the run was started otherwise.
func triggerOutput(state []byte) (kit.Output, error) {
	out := kit.Output{}
	if len(state) == 0 {
		return out, nil
	}
	return out, json.Unmarshal(state, &out)
}

func durationInWords(d time.Duration) string {
	if d == time.Minute {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", int(d.Minutes()))
}

// failureMessage puts an error into words for the job: message and hint.
func failureMessage(ctx context.Context, job *Job, err error) (message string, hint string) {
	var failure *kit.Failure
	var refusal *models.Error
	switch {
	case errors.As(err, &failure):
		return failure.Message, failure.Hint
	case errors.As(err, &refusal):
		return refusal.Message, ""
	}
	slog.ErrorContext(ctx, "a node failed on our side", "job", job.ID, "type", job.JobType, "error", err)
	return "The node failed on the service's side", "Run it again. If it fails again, report the id of the job."
}
