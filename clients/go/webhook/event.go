// Code generated from webhook/event.go (scripts/generate); DO NOT EDIT.

package webhook

import (
	"bytes"
	"encoding/json"
	"time"
	"unicode/utf8"
)

// The types of events. Others may be added: pass over what is not known.
const (
	JobCompleted = "job.completed"
	JobFailed    = "job.failed"
	Ping         = "ping"
)

// Event is a verified event. Bodies may gain fields; Raw has all of them.
type Event struct {
	// ID is the same at every repeat of the event: the key by which a receiver
	// sees that it has had it already.
	ID string
	// Type is JobCompleted, JobFailed, Ping, or one that is yet to come.
	Type string
	// CreatedAt is when the job reached this state. Events arrive in any order.
	CreatedAt time.Time
	// Job is what the event is about; nil in a ping.
	Job *Job
	// Omitted names what was left out of the job because the event would have
	// been larger than 64 KB: input_data, output_data. Read the job for them.
	Omitted []string
	// WebhookID is the endpoint that a ping was sent to.
	WebhookID string
	// Raw is the body.
	Raw json.RawMessage
}

// Job is a job as GET /v1/jobs/{id} shows it.
type Job struct {
	ID          string `json:"id"`
	ExecutionID string `json:"execution_id"`
	NodeID      string `json:"node_id"`
	// Status is completed or failed in an event.
	Status   string `json:"status"`
	Progress int    `json:"progress"`
	// JobType is the type of node, such as generate-image.
	JobType      string          `json:"job_type"`
	InputData    json.RawMessage `json:"input_data"`
	OutputData   json.RawMessage `json:"output_data"`
	ErrorMessage *string         `json:"error_message"`
	ErrorHint    *string         `json:"error_hint"`
	// CreditStatus and CreditsCharged may still be open: reserved, and nil.
	CreditStatus   *string      `json:"credit_status"`
	CreditsCharged *json.Number `json:"credits_charged"`
	Source         string       `json:"source"`
	SessionID      *string      `json:"session_id"`
	CreatedAt      time.Time    `json:"created_at"`
	CompletedAt    *time.Time   `json:"completed_at"`
}

// read reads a body whose signature was right.
func read(body []byte) (*Event, error) {
	if !utf8.Valid(body) {
		return nil, fail(InvalidPayload, "the body is no UTF-8")
	}
	// Maps take names as they are written; structs would take "ID" for "id".
	var top, data map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil || top == nil {
		return nil, fail(InvalidPayload, "the body is no JSON object")
	}
	event := &Event{Raw: bytes.Clone(body)}
	var at string
	switch {
	case json.Unmarshal(top["id"], &event.ID) != nil || event.ID == "":
		return nil, fail(InvalidPayload, "the event has no id")
	case json.Unmarshal(top["type"], &event.Type) != nil || event.Type == "":
		return nil, fail(InvalidPayload, "the event has no type")
	case json.Unmarshal(top["createdAt"], &at) != nil:
		return nil, fail(InvalidPayload, "the event has no createdAt")
	case json.Unmarshal(top["data"], &data) != nil || data == nil:
		return nil, fail(InvalidPayload, "the event has no data")
	}
	var err error
	if event.CreatedAt, err = time.Parse(time.RFC3339, at); err != nil {
		return nil, fail(InvalidPayload, "createdAt is no time")
	}
	if err := event.readData(data); err != nil {
		return nil, err
	}
	return event, nil
}

func (e *Event) readData(data map[string]json.RawMessage) error {
	for name, into := range map[string]any{"job": &e.Job, "omitted": &e.Omitted, "webhookId": &e.WebhookID} {
		if value, ok := data[name]; ok {
			if err := json.Unmarshal(value, into); err != nil {
				return fail(InvalidPayload, "data.%s cannot be read: %v", name, err)
			}
		}
	}
	if (e.Type == JobCompleted || e.Type == JobFailed) && e.Job == nil {
		return fail(InvalidPayload, "the event has no job")
	}
	return nil
}
