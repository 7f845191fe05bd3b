package apidoc

import (
	"bytes"
	"encoding/json"

	"atelier/web/locale"
)

// Event is a kind of event with a sample of its body. The console says in the reader's language when it is sent.
type Event struct{ Name, When, Sample string }

// sampleID and sampleTime stand in samples for what differs each time.
const (
	sampleID   = "01990000-0000-7000-8000-00000000e001"
	sampleTime = "2026-09-01T08:30:00.000Z"
)

// Events are the kinds of events (contract 2, "Events"), with samples made of the example of a job.
func (made *Reference) Events() []Event {
	return []Event{
		{"job.completed", locale.Mark("A job is done: one node of a run, or a node that ran by itself."), sample("job.completed", made.Job, nil)},
		{"job.failed", locale.Mark("A job has failed, and is not tried again by itself."), sample("job.failed", made.Job, failed)},
		{"ping", locale.Mark("You pressed “Send a ping”, or called POST /v1/webhook-endpoints/{id}/test. It is tried once."), sample("ping", nil, nil)},
	}
}

// failed is what differs in a job that failed.
func failed(job map[string]json.RawMessage) {
	for name, value := range map[string]string{
		"status": `"failed"`, "output_data": "null", "credit_status": `"released"`, "credits_charged": "0",
		"error_message": `"The picture could not be made"`, "error_hint": `"Describe it in other words and run it again."`,
	} {
		if _, known := job[name]; known {
			job[name] = json.RawMessage(value)
		}
	}
}

// sample is the body of an event, indented; it is sent in one line.
func sample(kind string, job json.RawMessage, change func(map[string]json.RawMessage)) string {
	data := map[string]any{"webhookId": sampleID}
	if job != nil {
		members := map[string]json.RawMessage{}
		_ = json.Unmarshal(job, &members)
		if change != nil {
			change(members)
		}
		data = map[string]any{"job": members}
	}
	body := struct {
		ID        string `json:"id"`
		Type      string `json:"type"`
		CreatedAt string `json:"createdAt"`
		Data      any    `json:"data"`
	}{sampleID, kind, sampleTime, data}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(body)
	return string(bytes.TrimSpace(b.Bytes()))
}
