package event_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
)

// ways are how a dispatcher has deliveries handled: each by itself, or together.
var ways = map[string]func(*event.Service, *lane.Dispatcher){
	"one by one": func(s *event.Service, d *lane.Dispatcher) { d.Handle = s.Deliver },
	"together":   func(s *event.Service, d *lane.Dispatcher) { d.Begin = s.NewDeliverer().Begin },
}

// together does everything that is due the way a dispatcher does, and returns
// what the handlers returned, by delivery.
func (w *world) together() map[models.ID]error {
	w.Helper()
	deliverer, ended := w.NewDeliverer(), map[models.ID]error{}
	for {
		leases := w.claim()
		if len(leases) == 0 {
			return ended
		}
		for id, err := range w.handle(deliverer, leases) {
			ended[id] = err
		}
		w.wakeLanes()
	}
}

func (w *world) handle(deliverer *event.Deliverer, leases []lane.Lease) map[models.ID]error {
	var mu sync.Mutex
	var all sync.WaitGroup
	ended := map[models.ID]error{}
	handle := deliverer.Begin(w.Context(), leases)
	for _, lease := range leases {
		all.Go(func() {
			err := handle(w.Context(), lease)
			mu.Lock()
			defer mu.Unlock()
			ended[lease.ID] = err
		})
	}
	all.Wait()
	return ended
}

// Every kind of result ends the same way together as alone.
func TestTogetherAsAlone(t *testing.T) {
	w := newWorld(t)
	w.Backoff = []time.Duration{time.Minute}
	answers := map[string]int{"/well": 204, "/ill": 500, "/odd": 302}
	w.receiver.answers(func(rw http.ResponseWriter, r *http.Request) {
		if code, known := answers[r.URL.Path]; known {
			rw.WriteHeader(code)
			return
		}
		silence(rw, r)
	})
	endpoints := map[string]models.ID{}
	for _, path := range []string{"/well", "/ill", "/odd", "/silent"} {
		endpoints[path] = w.create(w.receiver.URL + path).Endpoint.ID
	}
	w.publish(3)
	w.together()
	check := func(path string, status event.DeliveryStatus, attempts int, value string) {
		t.Helper()
		for _, d := range w.deliveries(endpoints[path]) {
			wantState(t, d, status, attempts, value)
			log := w.attempts(d)
			if len(log) != attempts || log[attempts-1].Number != attempts || log[0].Address == nil {
				t.Errorf("%s: %d attempts on record of %d", path, len(log), attempts)
			}
			if waits := d.NextAttemptAt != nil; waits != (status == event.DeliveryPending) || (d.FinishedAt == nil) != waits {
				t.Errorf("%s: next attempt at %v, finished at %v", path, d.NextAttemptAt, d.FinishedAt)
			}
			if kept := d.RequestBody != nil; kept == (status == event.DeliveryDelivered) {
				t.Errorf("%s: the body is kept: %v", path, kept)
			}
		}
	}
	check("/well", event.DeliveryDelivered, 1, "")
	check("/ill", event.DeliveryPending, 1, "http_500")
	check("/odd", event.DeliveryPending, 1, "http_302")
	check("/silent", event.DeliveryPending, 1, "connection_reset")
	w.clock.Advance(time.Minute)
	if n := len(w.together()); n != 9 {
		t.Errorf("%d second attempts, want 9", n)
	}
	check("/ill", event.DeliveryFailed, 2, "http_500")
	check("/silent", event.DeliveryFailed, 2, "connection_reset")
	for path, failures := range map[string]int{"/well": 0, "/ill": 3, "/odd": 3, "/silent": 3} {
		if got := w.endpoint(endpoints[path]).ConsecutiveFailures; got != failures {
			t.Errorf("%s: %d failures counted, want %d", path, got, failures)
		}
	}
	answers["/ill"] = 200
	w.publish(1)
	w.together()
	if got := w.endpoint(endpoints["/ill"]).ConsecutiveFailures; got != 0 {
		t.Errorf("%d failures are left after a success", got)
	}
	var items int
	w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM lane_items WHERE lease_until IS NOT NULL`).Scan(&items))
	if items != 0 {
		t.Errorf("%d leases are left", items)
	}
}

// In a batch each result is fenced by itself: what was cancelled, finished by
// another or deleted meanwhile is lost, and the rest is written; a result that
// is written again counts once.
func TestEachOfABatchIsFenced(t *testing.T) {
	w := newWorld(t)
	kept := w.create(w.receiver.URL + "/kept").Endpoint.ID
	w.publish(5)
	leases := w.claim()
	if len(leases) != 5 {
		t.Fatalf("%d leases", len(leases))
	}
	arrived, goOn := make(chan bool, 8), make(chan bool)
	w.receiver.answers(func(http.ResponseWriter, *http.Request) {
		arrived <- true
		<-goOn
	})
	done := make(chan map[models.ID]error)
	go func() { done <- w.handle(w.NewDeliverer(), leases) }()
	for range leases {
		<-arrived
	}
	_, err := w.DB.Pool.Exec(t.Context(), `DELETE FROM lane_items WHERE id = $1`, leases[0].ID)
	w.must(err)
	_, err = w.DB.Pool.Exec(t.Context(), `UPDATE lane_items SET fence = fence + 1 WHERE id = $1`, leases[1].ID)
	w.must(err)
	_, err = w.DB.Pool.Exec(t.Context(), `UPDATE webhook_deliveries SET status = 'failed', finished_at = $2 WHERE id = $1`, leases[2].ID, w.clock.Now())
	w.must(err)
	close(goOn)
	ended := <-done
	for i, lease := range leases {
		if lost := errors.Is(ended[lease.ID], lane.ErrLost); lost != (i < 3) || !lost && ended[lease.ID] != nil {
			t.Errorf("lease %d: %v", i, ended[lease.ID])
		}
	}
	var attempts, items int
	w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM webhook_attempts WHERE endpoint_id = $1),
		(SELECT count(*) FROM lane_items WHERE lane_id = $1)`, kept).Scan(&attempts, &items))
	if attempts != 2 || items != 2 {
		t.Errorf("%d attempts on record and %d items left, want 2 and 2", attempts, items)
	}
	w.receiver.answers(nil)
	for _, err := range w.handle(w.NewDeliverer(), leases[3:]) {
		if err == nil || !errors.Is(err, lane.ErrLost) {
			t.Errorf("a lease that has ended: %v", err)
		}
	}
	w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM webhook_attempts`).Scan(&attempts))
	if attempts != 2 {
		t.Errorf("%d attempts after a replay", attempts)
	}
}

// An answer lifts a rest, also one of many; a ping does not.
func TestTogetherEndsARest(t *testing.T) {
	w := newWorld(t)
	w.Backoff = make([]time.Duration, 20)
	id := w.create(w.receiver.URL).Endpoint.ID
	w.receiver.answers(silence)
	w.publish(8)
	deliverer := w.NewDeliverer()
	w.handle(deliverer, w.claim())
	if w.endpoint(id).RestUntil == nil {
		t.Fatal("five silent attempts bring no rest")
	}
	w.receiver.answers(nil)
	if _, err := w.TestEndpoint(w.ctx(), id); err != nil {
		t.Fatal(err)
	}
	w.handle(deliverer, w.claim())
	if w.endpoint(id).RestUntil == nil {
		t.Error("a ping ended the rest")
	}
	w.clock.Set(*w.endpoint(id).RestUntil)
	if probe := w.claim(); len(probe) != 1 {
		t.Errorf("%d probes", len(probe))
	} else if w.handle(deliverer, probe); w.endpoint(id).RestUntil != nil {
		t.Error("the answer did not end the rest")
	}
	if n := len(w.claim()); n != 5 {
		t.Errorf("%d at once after the rest", n)
	}
}

// A dispatcher that is to end gives back what it did not send.
func TestTogetherDrains(t *testing.T) {
	w := newWorld(t)
	w.create(w.receiver.URL)
	hold := make(chan bool)
	t.Cleanup(func() { close(hold) })
	w.receiver.answers(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	})
	w.publish(3)
	d := &lane.Dispatcher{DB: w.DB, Kind: event.Lane, Worker: "test", Slots: 8, Drain: 10 * time.Millisecond, Begin: w.NewDeliverer().Begin}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { d.Run(ctx); close(ended) }()
	for len(w.receiver.got()) < 3 {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	<-ended
	var free int
	w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM lane_items WHERE lease_until IS NULL AND attempt = 1`).Scan(&free))
	if free != 3 {
		t.Errorf("%d of 3 were given back", free)
	}
}
