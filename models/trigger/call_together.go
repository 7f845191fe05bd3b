package trigger

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/run"
)

// call is a call of a trigger among others that come at the same moment.
type call struct {
	trigger *Trigger
	read    *firing // nil where it is not there any more
	again   bool    // another call of the trigger is among them
	request *run.Request
}

// startCall starts the run of a call, as startAutomated does, alone or together with others.
func (s *Service) startCall(ctx context.Context, t *Trigger, payload map[string]any) (*run.Execution, error) {
	c := &call{trigger: t}
	return s.Runs.Accept(ctx, &run.Start{
		Kind: run.StartKind{Name: "call", ReadAhead: s.readCalled, Write: noteCalls}, Of: c,
		Ask: func(tx *models.Tx) (request *run.Request, err error) {
			switch {
			case c.again, c.read != nil && t.CreatedBy != tx.Actor.UserID:
				return nil, run.ErrAlone
			case c.read == nil:
				return nil, errNoTrigger
			}
			if c.request, err = s.askAutomated(tx, t, c.read, payload); err != nil {
				return nil, err
			}
			c.request.ID = tx.NewRunID(c.request.Payer.Space())
			return c.request, nil
		},
		Alone: func(tx *models.Tx) (*run.Execution, error) { return s.startAutomated(tx, t, payload) },
	})
}

// readCalled locks triggers that are called, in one order, and reads all that decides about the calls.
func (s *Service) readCalled(tx *models.Tx, starts []*run.Start) error {
	calls := map[models.ID]*call{}
	for _, start := range starts {
		c := start.Of.(*call)
		c.read, c.request = nil, nil
		if c.again = calls[c.trigger.ID] != nil; !c.again {
			calls[c.trigger.ID] = c
		}
	}
	type row struct {
		trigger Trigger
		read    *firing
	}
	ids := slices.SortedFunc(maps.Keys(calls), func(a, b models.ID) int { return bytes.Compare(a[:], b[:]) })
	rows, err := models.Rows(tx.Context(), s.DB, func(r *row) []any {
		r.read = &firing{workflow: &flow.Workflow{}}
		return append([]any{&r.trigger.ID}, r.read.columns(&r.trigger)...)
	}, `
		SELECT t.id, `+firedColumns+` FROM workflow_triggers t `+joinFired+`
		WHERE t.id = ANY($1::uuid[]) ORDER BY t.id FOR NO KEY UPDATE OF t`, ids)
	if err != nil {
		return err
	}
	for _, r := range rows {
		c := calls[r.trigger.ID]
		t := c.trigger
		t.Type, t.NodeID, t.IsActive, t.Config, t.RunCount = r.trigger.Type, r.trigger.NodeID, r.read.wasActive, r.trigger.Config, r.trigger.RunCount
		t.CreatedBy, t.BySession, t.NextFireAt, t.ParkedReason = r.trigger.CreatedBy, r.trigger.BySession, r.trigger.NextFireAt, r.trigger.ParkedReason
		c.read = r.read
	}
	return nil
}

// noteCalls notes at triggers which runs they start, as fire does.
func noteCalls(tx *models.Tx, starts []*run.Start) (refused []*run.Start, err error) {
	var triggers, executions []models.ID
	for _, start := range starts {
		c := start.Of.(*call)
		triggers, executions = append(triggers, c.trigger.ID), append(executions, c.request.ID)
		c.trigger.LastFiredAt, c.trigger.LastExecutionID, c.trigger.LastError = &tx.Now, &c.request.ID, nil
	}
	_, err = tx.Run(`
		UPDATE workflow_triggers t SET run_count = run_count + 1, last_fired_at = $3, last_error = NULL, last_execution_id = n.execution_id
		FROM unnest($1::uuid[], $2::uuid[]) AS n(trigger_id, execution_id) WHERE t.id = n.trigger_id`, triggers, executions, tx.Now)
	return nil, err
}
