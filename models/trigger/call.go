package trigger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/run"
)

// TriggerCalls is how often the address of a trigger may be called (contract 2, "Limits").
var TriggerCalls = models.Limit{Name: "trigger.calls", Max: 10, Per: time.Minute}

type calledKey struct{}

// AdmitCall finds the trigger of a token and counts the call, before anything else
// of it is looked at; CallTrigger goes on from its context. Refusals: not_found for
// a token that is unknown or retired, rate_limit_exceeded.
func (s *Service) AdmitCall(ctx context.Context, token string) (context.Context, error) {
	t := &Trigger{}
	err := s.DB.CountFound(ctx, TriggerCalls, `
		SELECT id::text AS key, id, workflow_id, created_by FROM workflow_triggers WHERE token_hash = $1`,
		models.HashSecret(token)).Scan(&t.ID, &t.WorkflowID, &t.CreatedBy)
	if errors.Is(err, sql.ErrNoRows) {
		return ctx, errNoTrigger
	}
	return context.WithValue(ctx, calledKey{}, t), err
}

// CalledTrigger is the trigger that AdmitCall found: an Idempotency-Key of its callers
// counts for it, whatever its token is by then.
func CalledTrigger(ctx context.Context) (models.ID, bool) {
	t, ok := ctx.Value(calledKey{}).(*Trigger)
	if !ok {
		return models.ID{}, false
	}
	return t.ID, true
}

// CallTrigger starts a run by the address of a trigger that AdmitCall found; the keys
// of the payload are its parameters. Refusals, in this order: validation_error;
// trigger_paused; run_requires_authenticated_member, which pauses it; the money.
// The last two leave a failed entry in the history.
func (s *Service) CallTrigger(ctx context.Context, payload map[string]any) (*run.Execution, error) {
	t, ok := ctx.Value(calledKey{}).(*Trigger)
	if !ok {
		return nil, errNoTrigger
	}
	return s.callTrigger(ctx, t, payload)
}

// TryTrigger calls a webhook as its address does, for the one who may run its workflow: it
// counts like a call, runs as the trigger's creator, and refuses alike.
func (s *Service) TryTrigger(ctx context.Context, id models.ID, payload map[string]any) (*run.Execution, error) {
	t, w, viewer, err := s.findTrigger(ctx, id)
	if err == nil {
		err = flow.MayEdit(viewer, w, true)
	}
	if err != nil {
		return nil, err
	}
	if t.Type != WebhookTrigger {
		return nil, models.Invalid("id", "names a schedule, which has no address to call")
	}
	if err := s.DB.CountCall(ctx, TriggerCalls, t.ID.String()); err != nil {
		return nil, err
	}
	return s.callTrigger(ctx, t, payload)
}

// callTrigger starts a run as the trigger's creator. What is refused is taken back
// whole, and then written down.
func (s *Service) callTrigger(ctx context.Context, t *Trigger, payload map[string]any) (execution *run.Execution, err error) {
	if payload == nil {
		payload = map[string]any{}
	}
	if err := s.Runs.Pace.Admit(t.acting(ctx)); err != nil {
		return nil, err
	}
	for range 2 { // the second time when a person has just become the creator
		execution, err = s.startCall(t.acting(ctx), t, payload)
		if !errors.Is(err, errOtherCreator) {
			break
		}
	}
	refusal := leavesEntry(err)
	if refusal == nil {
		return execution, err
	}
	err = s.DB.Write(t.acting(ctx), func(tx *models.Tx) error {
		_, err := s.refuseAutomated(tx, t, refusal)
		return err
	})
	if err == nil {
		models.RefusalStands(ctx)
	}
	return nil, cmp.Or(err, error(refusal))
}
