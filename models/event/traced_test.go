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
	if found, of, ok := runOf(body); !ok || found != run || of != job {
		t.Errorf("it is the job %s of %s, not %s of %s", of, found, job, run)
	}
	for _, other := range []string{`{"data":{"webhookId":"x"}}`, `{"execution_id"`, `{"data":{"job":{"execution_id":"no id"}}}`} {
		if found, _, ok := runOf([]byte(other)); ok {
			t.Errorf("%s is of %s", other, found)
		}
	}
}
