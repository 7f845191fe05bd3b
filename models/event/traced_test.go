package event

import (
	"encoding/json"
	"testing"
	"time"

	"atelier/models"
)

// The trace of a delivery is found by what it sends.
func TestTheRunOfADelivery(t *testing.T) {
	run, job := models.NewID(time.Now()), models.NewID(time.Now())
	shown, err := json.Marshal(map[string]any{"id": job, "execution_id": run, "input_data": map[string]any{"execution_id": "another"}})
	if err != nil {
		t.Fatal(err)
	}
	body, err := jobBody(models.NewID(time.Now()), JobEvent{Type: JobCompleted, JobID: job, Job: shown})
	if err != nil {
		t.Fatal(err)
	}
	if found, ok := runOf(&Delivery{JobID: &job, RequestBody: body}); !ok || found != run {
		t.Errorf("it is %s, not %s", found, run)
	}
	for name, other := range map[string]*Delivery{
		"ping": {RequestBody: []byte(`{"data":{"webhookId":"x"}}`)}, "unreadable": {JobID: &job, RequestBody: []byte(`{"execution_id"`)},
		"none": {JobID: &job, RequestBody: []byte(`{"data":{"job":{"execution_id":"no id"}}}`)},
	} {
		if found, ok := runOf(other); ok {
			t.Errorf("%s is of %s", name, found)
		}
	}
}
