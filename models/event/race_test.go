package event_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/lane"
)

// Endpoints are turned off and on, rotated, redelivered and deleted while two
// replicas deliver. Afterwards exactly the waiting deliveries have work queued,
// no attempt is on record twice, and nothing was refused for a deadlock.
func TestChangesWhileDelivering(t *testing.T) {
	for name, hands := range ways {
		t.Run(name, func(t *testing.T) { changesWhileDelivering(t, hands) })
	}
}

func changesWhileDelivering(t *testing.T, hands func(*event.Service, *lane.Dispatcher)) {
	w := newWorld(t)
	w.DB.Clock = tickingClock{w.clock.Now(), time.Now()}
	w.Cooldown = [2]time.Duration{time.Millisecond, 2 * time.Millisecond}
	w.Backoff = []time.Duration{0, 10 * time.Millisecond, 0, 10 * time.Millisecond, 0}
	turn := 0
	var mu sync.Mutex
	w.receiver.answers(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		turn++
		n := turn
		mu.Unlock()
		switch n % 3 {
		case 0:
			rw.WriteHeader(500)
		case 1:
			silence(rw, r)
		}
	})
	kept, doomed := w.create(w.receiver.URL+"/kept").Endpoint, w.create(w.receiver.URL+"/doomed").Endpoint
	ctx, stop := context.WithCancel(t.Context())
	var replicas sync.WaitGroup
	replicas.Go(func() { w.DB.Bus.Run(ctx) })
	for range 2 {
		replica := *w.Service
		replica.DB = dbtest.Open(t, w.DB.Pool.Config().ConnString(), w.DB.Clock)
		d := &lane.Dispatcher{DB: replica.DB, Kind: event.Lane, Worker: "test", Slots: 16, Drain: 5 * time.Second}
		hands(&replica, d)
		replicas.Go(func() { replica.DB.Bus.Run(ctx) })
		replicas.Go(func() { d.Run(ctx) })
	}
	for i := range 6 {
		w.publish(10)
		time.Sleep(150 * time.Millisecond)
		w.set(kept.ID, event.UpdateEndpointInput{IsActive: models.Some(i%2 == 1)})
		_, err := w.RotateSecret(w.ctx(), kept.ID, nil)
		w.must(err)
		for _, d := range w.deliveries(kept.ID)[:3] {
			if _, err := w.Redeliver(w.ctx(), kept.ID, d.ID); err != nil {
				if refusal, known := models.AsError(err); !known {
					t.Errorf("redeliver: %v", refusal)
				}
			}
		}
	}
	w.publish(40) // the endpoint is on again
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var kepts int
		w.must(w.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM webhook_attempts WHERE endpoint_id = $1`, kept.ID).Scan(&kepts))
		if kepts >= 30 {
			break // enough has happened, also on a busy machine
		}
	}
	w.must(w.DeleteEndpoint(w.ctx(), doomed.ID))
	stop()
	replicas.Wait()
	time.Sleep(1100 * time.Millisecond) // backends report to the statistics once a second
	for what, query := range map[string]string{
		"waiting without work": `SELECT count(*) FROM webhook_deliveries d WHERE status = 'pending' AND NOT EXISTS (SELECT FROM lane_items i WHERE i.id = d.id)`,
		"work without waiting": `SELECT count(*) FROM lane_items i WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = i.id AND status = 'pending')`,
		"attempts twice":       `SELECT count(*) - count(DISTINCT (delivery_id, number)) FROM webhook_attempts`,
		"attempts too many":    `SELECT count(*) FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE a.number > d.attempts`,
		"deadlocks":            `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
		"nothing happened":     `SELECT count(*) FROM (SELECT count(*) FROM webhook_attempts HAVING count(*) < 30) few`,
		"rows of the deleted":  `SELECT (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id <> $1) + (SELECT count(*) FROM lane_items WHERE lane_id <> $1)`,
	} {
		var n int
		args := []any{}
		if what == "rows of the deleted" {
			args = append(args, kept.ID)
		}
		w.must(w.DB.Pool.QueryRow(t.Context(), query, args...).Scan(&n))
		if n != 0 {
			t.Errorf("%s: %d", what, n)
		}
	}
}
