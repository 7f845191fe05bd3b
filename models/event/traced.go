package event

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/tracing"
)

// What came of an attempt, for figures.
const (
	Delivered = "delivered"
	Answered  = "answered" // by anything but success
	Silent    = "silent"   // no answer
	Unsent    = "unsent"   // the service's own trouble
)

// Attempted is one attempt to deliver.
type Attempted struct {
	Outcome string
	Took    time.Duration
}

// traceAttempt begins the span of an attempt, in the trace of the run whose job the
// event tells of.
func traceAttempt(ctx context.Context, p *prepared) (context.Context, *tracing.Span) {
	if !tracing.On() {
		return ctx, nil
	}
	run, job, ok := runOf(p.delivery.RequestBody)
	if !ok {
		return ctx, nil
	}
	ctx, span := tracing.StartOf(ctx, run, tracing.Sending, "deliver "+p.delivery.Event)
	span.ID("atelier.delivery.id", p.delivery.ID)
	span.ID("atelier.endpoint.id", p.endpoint.ID)
	span.ID("atelier.job.id", job)
	span.Number("atelier.delivery.attempt", p.delivery.Attempts)
	return ctx, span
}

// runOf is the run and the job that an event tells of, as its body has them; a ping has none.
func runOf(body []byte) (run, job models.ID, ok bool) {
	if !bytes.Contains(body, []byte(`"execution_id"`)) {
		return run, job, false
	}
	var sent struct {
		Data struct {
			Job struct {
				ID          models.ID
				ExecutionID models.ID `json:"execution_id"`
			}
		}
	}
	err := json.Unmarshal(body, &sent)
	run, job = sent.Data.Job.ExecutionID, sent.Data.Job.ID
	return run, job, err == nil && run != (models.ID{})
}

// told tells the span, and the one who counts, what came of an attempt.
func (s *Service) told(ctx context.Context, span *tracing.Span, r result) {
	outcome := Silent
	switch {
	case r.delivered():
		outcome = Delivered
	case r.answered():
		outcome = Answered
	case r.unsent:
		outcome = Unsent
	}
	if s.Observe != nil {
		s.Observe(ctx, Attempted{outcome, r.full})
	}
	if span == nil {
		return
	}
	span.Text("atelier.delivery.outcome", outcome)
	if r.answered() {
		span.Number("http.response.status_code", r.status)
	}
	if fault := r.error(); fault != nil {
		span.Text("error.type", *fault)
		span.Fail(*fault)
	}
}
