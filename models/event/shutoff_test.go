package event_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/lane"
)

func TestFortyNineFailuresAndASuccess(t *testing.T) {
	w := newWorld(t)
	w.Backoff = []time.Duration{}
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(49)
	w.work()
	if got := w.endpoint(e.ID); !got.IsActive || got.ConsecutiveFailures != 49 {
		t.Fatalf("after 49: %+v", got)
	}
	w.receiver.answers(nil)
	w.publish(1)
	w.work()
	if got := w.endpoint(e.ID); got.ConsecutiveFailures != 0 {
		t.Errorf("after a success: %d", got.ConsecutiveFailures)
	}
	w.receiver.answers(status(500))
	w.publish(1)
	w.work()
	if got := w.endpoint(e.ID); !got.IsActive || got.ConsecutiveFailures != 1 {
		t.Errorf("after one more failure: %+v", got)
	}
}

// Fifty failures from four replicas at once are counted exactly.
func TestFiftyFailuresTurnOff(t *testing.T) {
	w := newWorld(t)
	w.Backoff = []time.Duration{}
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(49)
	var all sync.WaitGroup
	for range 4 {
		replica := *w.Service
		replica.DB = dbtest.Open(t, w.DB.Pool.Config().ConnString(), w.clock)
		all.Go(func() {
			for idle := 0; idle < 20; idle++ {
				leases, err := lane.Claim(t.Context(), replica.DB, event.Lane, "test", 2)
				if err != nil {
					t.Error(err)
				}
				for _, lease := range leases {
					idle = 0
					if err := replica.Deliver(t.Context(), lease); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	w.clock.Advance(time.Second)
	w.work()
	if got := w.endpoint(e.ID); !got.IsActive || got.ConsecutiveFailures != 49 {
		t.Fatalf("after 49: %v %d", got.IsActive, got.ConsecutiveFailures)
	}
	w.publish(3)
	leases := w.claim()
	w.must(w.Deliver(t.Context(), leases[0]))
	got := w.endpoint(e.ID)
	if got.IsActive || got.DisabledReason == nil || *got.DisabledReason != "consecutive_failures" || got.DisabledAt == nil || got.ConsecutiveFailures != 50 {
		t.Errorf("after 50: %+v", got)
	}
	waiting, failed := event.DeliveryPending, event.DeliveryFailed
	if page, err := w.ListDeliveries(w.ctx(), e.ID, &waiting, models.Page{}); err != nil || len(page.Nodes) != 0 {
		t.Errorf("%d still wait, %v", len(page.Nodes), err)
	}
	page, err := w.ListDeliveries(w.ctx(), e.ID, &failed, models.Page{Limit: new(3)})
	w.must(err)
	for _, d := range page.Nodes {
		if d.ID == leases[0].ID {
			continue
		}
		wantState(t, d, event.DeliveryFailed, 0, "endpoint_disabled")
	}
	w.publish(1)
	if n := len(w.deliveries(e.ID)); n != 52 {
		t.Errorf("%d deliveries; none is recorded while off", n)
	}
	on := w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(true)})
	if !on.IsActive || on.ConsecutiveFailures != 0 || on.DisabledReason != nil || on.DisabledAt != nil {
		t.Errorf("turned on again: %+v", on)
	}
}

// The failure that turns an endpoint off takes the locks of what waits besides
// in the order that all keep, its own delivery among them.
func TestShutOffKeepsTheOrderOfLocks(t *testing.T) {
	w := newWorld(t)
	w.Backoff = []time.Duration{}
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(2)
	_, err := w.DB.Pool.Exec(t.Context(), `UPDATE webhook_endpoints SET consecutive_failures = 49 WHERE id = $1`, e.ID)
	w.must(err)
	leases := w.claim()
	slices.SortFunc(leases, func(a, b lane.Lease) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	other, err := w.DB.Pool.Begin(t.Context())
	w.must(err)
	defer other.Rollback(t.Context())
	const lock = `SELECT FROM webhook_deliveries WHERE id = $1 FOR NO KEY UPDATE`
	_, err = other.Exec(t.Context(), lock, leases[0].ID)
	w.must(err)
	done := make(chan error, 1)
	go func() { done <- w.Deliver(t.Context(), leases[1]) }()
	for deadline, n := time.Now().Add(time.Minute), 0; n == 0; time.Sleep(5 * time.Millisecond) {
		w.must(w.DB.Pool.QueryRow(t.Context(),
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n))
		if time.Now().After(deadline) {
			t.Fatal("nothing waits for the lock")
		}
	}
	_, err = other.Exec(t.Context(), lock+` NOWAIT`, leases[1].ID)
	w.must(err)
	w.must(other.Commit(t.Context()))
	w.must(<-done)
	if w.endpoint(e.ID).IsActive {
		t.Error("the endpoint is still on")
	}
}

// The caps, seen at the receiver: never more than 5 of an endpoint and 10 of an
// account at once, with dispatchers of two replicas; and every delivery
// verifies with a secret that is valid, while secrets are rotated.
func TestCapsAndRotationUnderLoad(t *testing.T) {
	for name, hands := range ways {
		t.Run(name, func(t *testing.T) { capsAndRotationUnderLoad(t, hands) })
	}
}

func capsAndRotationUnderLoad(t *testing.T, hands func(*event.Service, *lane.Dispatcher)) {
	w := newWorld(t)
	w.Egress = w.client(plentyOfTime)
	var mu sync.Mutex
	flying, most, total, maxTotal := map[string]int{}, 0, 0, 0
	var endpoints []*event.Endpoint
	secrets := map[string][]string{}
	for _, path := range []string{"/a", "/b", "/c"} {
		created := w.create(w.receiver.URL + path)
		endpoints = append(endpoints, created.Endpoint)
		secrets[created.Endpoint.ID.String()] = []string{created.Secret}
	}
	w.receiver.answers(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		flying[r.URL.Path]++
		total++
		most, maxTotal = max(most, flying[r.URL.Path]), max(maxTotal, total)
		mu.Unlock()
		time.Sleep(60 * time.Millisecond)
		mu.Lock()
		flying[r.URL.Path]--
		total--
		mu.Unlock()
	})
	w.publish(60)

	ctx, stop := context.WithCancel(t.Context())
	var replicas sync.WaitGroup
	for range 2 {
		replica := *w.Service
		replica.DB = dbtest.Open(t, w.DB.Pool.Config().ConnString(), tickingClock{w.clock.Now(), time.Now()})
		d := &lane.Dispatcher{DB: replica.DB, Kind: event.Lane, Worker: "test", Slots: 32, Drain: 5 * time.Second}
		hands(&replica, d)
		replicas.Go(func() { d.Run(ctx) })
	}
	for range 5 {
		time.Sleep(50 * time.Millisecond)
		for _, e := range endpoints {
			rotated, err := w.RotateSecret(w.ctx(), e.ID, nil)
			w.must(err)
			mu.Lock()
			secrets[e.ID.String()] = append(secrets[e.ID.String()], rotated.Secret)
			mu.Unlock()
		}
	}
	for deadline := time.Now().Add(2 * time.Minute); len(w.receiver.got()) < 180 && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	stop()
	replicas.Wait()
	if most > 5 || maxTotal > 10 || most < 2 || maxTotal < 4 {
		t.Errorf("%d of an endpoint and %d of the account at once", most, maxTotal)
	}
	got := w.receiver.got()
	if len(got) != 180 {
		t.Errorf("%d requests", len(got))
	}
	for _, p := range got {
		matching := 0
		for _, secret := range secrets[p.header.Get("Service-Webhook")] {
			if verify(p, secret, w.clock.Now()) == nil {
				matching++
			}
		}
		if matching < 1 || matching > 2 {
			t.Errorf("%d secrets verify a delivery", matching)
		}
	}
	for _, e := range endpoints {
		for _, d := range w.deliveries(e.ID) {
			wantState(t, d, event.DeliveryDelivered, 1, "")
		}
	}
}

// During the grace the newest secret signs first and both sign, retries
// included; afterwards the old one never does. A second rotation drops it.
func TestGracePeriod(t *testing.T) {
	w := newWorld(t)
	created := w.create(w.receiver.URL)
	id := created.Endpoint.ID
	secrets := []string{created.Secret}
	rotate := func(seconds int) {
		t.Helper()
		rotated, err := w.RotateSecret(w.ctx(), id, &seconds)
		w.must(err)
		secrets = append(secrets, rotated.Secret)
	}
	expect := func(want ...int) {
		t.Helper()
		w.publish(1)
		w.work()
		got := w.receiver.got()
		last := got[len(got)-1]
		var valid []int
		for i, secret := range secrets {
			if verify(last, secret, w.clock.Now()) == nil {
				valid = append(valid, i)
			}
		}
		if len(valid) != len(want) || valid[0] != want[0] || valid[len(valid)-1] != want[len(want)-1] {
			t.Errorf("secrets %v verify, want %v", valid, want)
		}
		if first := onlyFirst(last); verify(first, secrets[want[len(want)-1]], w.clock.Now()) != nil {
			t.Error("the newest secret does not sign first")
		}
	}
	expect(0)
	rotate(3600)
	expect(0, 1)
	w.clock.Advance(time.Hour - time.Microsecond)
	expect(0, 1)
	w.clock.Advance(time.Microsecond)
	expect(1)
	rotate(7200)
	expect(1, 2)
	rotate(3600)
	expect(2, 3)
	rotate(0)
	expect(4)

	t.Run("retries too", func(t *testing.T) {
		w.receiver.answers(status(500))
		w.publish(1)
		w.work()
		rotate(10)
		w.clock.Advance(30 * time.Second)
		w.receiver.answers(nil)
		w.work()
		got := w.receiver.got()
		retry := got[len(got)-1]
		if retry.header.Get("Service-Attempt") != "2" || verify(retry, secrets[5], w.clock.Now()) != nil || verify(retry, secrets[4], w.clock.Now()) == nil {
			t.Errorf("retry %v", retry.header)
		}
	})
}
