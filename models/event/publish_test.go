package event_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"atelier/models"
	"atelier/models/event"
)

// sent is an event body as a receiver reads it.
type sent struct {
	ID        string
	Type      string
	CreatedAt string
	Data      struct {
		Job       map[string]json.RawMessage
		Omitted   []string
		WebhookID string
	}
}

func read(t *testing.T, body []byte) (s sent) {
	t.Helper()
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatalf("%v in %.200s", err, body)
	}
	return s
}

func TestPublishJob(t *testing.T) {
	w := newWorld(t)
	both, failed := w.create("https://example.com/both").Endpoint, w.create("https://example.com/failed").Endpoint
	w.set(failed.ID, event.UpdateEndpointInput{Events: models.Some([]string{"job.failed"})})
	off := w.create("https://example.com/off").Endpoint
	w.set(off.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})

	job := event.JobEvent{Type: event.JobCompleted, JobID: uuid.New(), Job: json.RawMessage(`{"id":"j", "n":12345678901234567890.10, "s":"<ä\u00e4>"}`)}
	w.publishJob(job)
	d := w.only(both.ID)
	want := fmt.Sprintf(`{"id":"%s","type":"job.completed","createdAt":"2026-03-02T09:00:00.000Z","data":{"job":{"id":"j","n":12345678901234567890.10,"s":"<ä\u00e4>"}}}`, d.ID)
	if string(d.RequestBody) != want {
		t.Errorf("body\n%s\nwant\n%s", d.RequestBody, want)
	}
	if *d.JobID != job.JobID || d.Event != "job.completed" || d.NextAttemptAt == nil || d.Status != event.DeliveryPending || d.Attempts != 0 {
		t.Errorf("delivery %+v", d)
	}
	if n := len(w.deliveries(failed.ID)) + len(w.deliveries(off.ID)); n != 0 {
		t.Errorf("%d deliveries for endpoints that did not subscribe or are off", n)
	}
	job.Type = event.JobFailed
	w.publishJob(job)
	if len(w.deliveries(failed.ID)) != 1 || len(w.deliveries(both.ID)) != 2 {
		t.Error("a failed job goes to both")
	}
}

func TestPublishJobIsPartOfTheTransaction(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	undone := errors.New("undone")
	err := w.DB.Write(t.Context(), func(tx *models.Tx) error {
		w.must(w.Service.PublishJob(tx, w.account, event.JobEvent{Type: event.JobCompleted, JobID: uuid.New(), At: tx.Now, Job: json.RawMessage(`{}`)}))
		return undone
	})
	if !errors.Is(err, undone) || len(w.deliveries(e.ID)) != 0 || w.work() != 0 {
		t.Error("an event of a job that did not end")
	}
}

func TestAppsGetTheirOwnJobsOnly(t *testing.T) {
	w := newWorld(t)
	actor, other := w.newApp(models.ScopeJobsRead), w.newApp(models.ScopeJobsRead).ClientAppID
	app := actor.ClientAppID
	created, err := w.CreateEndpoint(w.as(actor), event.CreateEndpointInput{URL: w.receiver.URL + "/app"})
	w.must(err)
	id := created.Endpoint.ID
	publish := func(by *models.ID) {
		w.publishJob(event.JobEvent{Type: event.JobFailed, AppID: by, Job: json.RawMessage(`{}`)})
	}
	publish(nil)
	publish(&other)
	if n := len(w.deliveries(id)); n != 0 {
		t.Errorf("%d events of jobs that the app did not submit", n)
	}
	publish(&app)
	d := w.only(id)
	w.revokeWith(actor, false)
	publish(&app)
	w.work()
	wantState(t, w.only(id), event.DeliveryFailed, 0, "app_revoked")
	if len(w.receiver.got()) != 0 {
		t.Errorf("sent after the approval ended: %v", d.ID)
	}
	w.approve(actor)
	publish(&app)
	w.revoke(actor)
	wantState(t, w.deliveries(id)[1], event.DeliveryFailed, 0, "app_revoked")
	if w.work() != 0 {
		t.Error("work is left")
	}
}

func TestLargeJobsLoseData(t *testing.T) {
	const limit = 64 << 10
	w := newWorld(t)
	e := w.create("https://example.com/").Endpoint
	for _, c := range []struct {
		input, output int
		omitted       string
	}{
		{100, 100, "[]"}, {40 << 10, 20 << 10, "[]"}, {60 << 10, 20 << 10, "[input_data]"},
		{70 << 10, 10, "[input_data]"}, {10, 70 << 10, "[input_data output_data]"}, {70 << 10, 70 << 10, "[input_data output_data]"},
	} {
		text := func(n int) string { return `{"x":"` + strings.Repeat("é", n/2) + `"}` }
		w.publishJob(event.JobEvent{Type: event.JobCompleted, Job: json.RawMessage(
			`{"id":"a","input_data":` + text(c.input) + `,"output_data":` + text(c.output) + `,"source":"api"}`)})
		all := w.deliveries(e.ID)
		body := all[len(all)-1].RequestBody
		got := read(t, body)
		_, input := got.Data.Job["input_data"]
		_, output := got.Data.Job["output_data"]
		if len(body) > limit || fmt.Sprint(got.Data.Omitted) != c.omitted ||
			input == strings.Contains(c.omitted, "input") || output == strings.Contains(c.omitted, "output") ||
			string(got.Data.Job["source"]) != `"api"` || string(got.Data.Job["id"]) != `"a"` {
			t.Errorf("%d and %d bytes: body of %d, omitted %v, want %s", c.input, c.output, len(body), got.Data.Omitted, c.omitted)
		}
		if c.omitted == "[]" && bytes.Contains(body, []byte("omitted")) {
			t.Error("nothing was omitted, but omitted is there")
		}
	}
}

// What is left of a job that lost its data keeps its order and spelling.
func TestWithoutKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_"\\é]{1,6}`), 1, 8, rapid.ID[string]).Draw(t, "names")
		dropped := rapid.SampledFrom(names).Draw(t, "dropped")
		var all, left []string
		for _, name := range names {
			value := rapid.SampledFrom([]string{`1`, `12345678901234567890.50`, `"é<>"`, `{"input_data":[1,{}]}`, `null`, `[]`}).Draw(t, "value")
			quoted, _ := json.Marshal(name)
			member := string(quoted) + ":" + value
			all = append(all, member)
			if name != dropped {
				left = append(left, member)
			}
		}
		got, held, err := event.Without([]byte("{"+strings.Join(all, ",")+"}"), dropped)
		if want := "{" + strings.Join(left, ",") + "}"; err != nil || !held || string(got) != want {
			t.Fatalf("%s, %v, %v, want %s", got, held, err, want)
		}
	})
}
