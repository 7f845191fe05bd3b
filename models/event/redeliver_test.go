package event_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"atelier/models"
	"atelier/models/event"
)

func TestRedeliver(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = []time.Duration{time.Hour}
	w.receiver.answers(status(500))
	w.publish(1)
	w.work()
	d := w.only(e.ID)

	t.Run("a waiting one is sent now", func(t *testing.T) {
		again, err := w.Redeliver(w.ctx(), e.ID, d.ID)
		w.must(err)
		if !again.NextAttemptAt.Equal(w.clock.Now()) || w.work() != 1 {
			t.Errorf("next attempt at %v", again.NextAttemptAt)
		}
		wantState(t, w.only(e.ID), event.DeliveryFailed, 2, "http_500")
	})
	t.Run("a failed one is tried once more and does not count again", func(t *testing.T) {
		_, err := w.Redeliver(w.ctx(), e.ID, d.ID)
		w.must(err)
		_, err = w.Redeliver(w.ctx(), e.ID, d.ID) // twice is once
		w.must(err)
		if n := w.work(); n != 1 {
			t.Errorf("%d attempts", n)
		}
		wantState(t, w.only(e.ID), event.DeliveryFailed, 3, "http_500")
		if w.endpoint(e.ID).ConsecutiveFailures != 1 {
			t.Error("counted twice")
		}
	})
	t.Run("racing the scheduled retry it is sent once", func(t *testing.T) {
		w.publish(1)
		w.work()
		all := w.deliveries(e.ID)
		second := all[len(all)-1]
		w.clock.Advance(2 * time.Hour)
		leases := w.claim()
		_, err := w.Redeliver(w.ctx(), e.ID, second.ID)
		w.must(err)
		if len(leases) != 1 || w.work() != 0 {
			t.Error("taken twice")
		}
		w.must(w.Deliver(t.Context(), leases[0]))
		if w.work() != 0 {
			t.Error("work is left")
		}
	})
	t.Run("delivered", func(t *testing.T) {
		w.receiver.answers(nil)
		_, err := w.Redeliver(w.ctx(), e.ID, d.ID)
		w.must(err)
		w.work()
		got, err := w.FindDelivery(w.ctx(), e.ID, d.ID)
		w.must(err)
		wantState(t, got, event.DeliveryDelivered, 4, "")
		_, err = w.Redeliver(w.ctx(), e.ID, d.ID)
		wantCode(t, err, 409, models.CodeAlreadyFinished)
		posts := w.receiver.got()
		if last := posts[len(posts)-1]; !bytes.Equal(last.body, posts[0].body) || last.header.Get("Service-Attempt") != "4" {
			t.Errorf("attempt %s differs", last.header.Get("Service-Attempt"))
		}
	})
	t.Run("refused", func(t *testing.T) {
		_, err := w.Redeliver(w.ctx(), e.ID, uuid.New())
		wantCode(t, err, 404, models.CodeNotFound)
		w.receiver.answers(status(500))
		w.publish(1)
		w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})
		all := w.deliveries(e.ID)
		_, err = w.Redeliver(w.ctx(), e.ID, all[len(all)-1].ID)
		wantCode(t, err, 400, models.CodeValidation)
	})
}

func TestListDeliveries(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.publish(45)
	w.claimAndDeliver()
	var seen []models.ID
	page := models.Page{}
	for {
		got, err := w.ListDeliveries(w.ctx(), e.ID, nil, page)
		w.must(err)
		if len(got.Nodes) > 20 {
			t.Fatalf("a page of %d", len(got.Nodes))
		}
		for _, d := range got.Nodes {
			if n := len(seen); n > 0 && bytes.Compare(d.ID[:], seen[n-1][:]) >= 0 {
				t.Error("not newest first")
			}
			seen = append(seen, d.ID)
		}
		if page.Cursor = got.Next(); page.Cursor == nil {
			break
		}
	}
	if len(seen) != 45 {
		t.Errorf("%d deliveries", len(seen))
	}
	for _, limit := range []int{0, 101, -1} {
		_, err := w.ListDeliveries(w.ctx(), e.ID, nil, models.Page{Limit: &limit})
		wantCode(t, err, 400, models.CodeValidation)
	}
	delivered, unknown := event.DeliveryDelivered, event.DeliveryStatus("lost")
	first, err := w.ListDeliveries(w.ctx(), e.ID, &delivered, models.Page{Limit: new(3)})
	w.must(err)
	if len(first.Nodes) != 3 || first.Nodes[0].Status != delivered || first.Next() == nil {
		t.Errorf("delivered ones: %v", first.Nodes)
	}
	_, err = w.ListDeliveries(w.ctx(), e.ID, nil, models.Page{Cursor: first.Next()})
	wantCode(t, err, 400, models.CodeValidation)
	_, err = w.ListDeliveries(w.ctx(), e.ID, &unknown, models.Page{})
	wantCode(t, err, 400, models.CodeValidation)

	t.Run("kept for thirty days", func(t *testing.T) {
		w.clock.Advance(event.Retention - time.Second)
		if n := len(w.deliveries(e.ID)); n != 45 {
			t.Errorf("%d before", n)
		}
		w.publish(1)
		w.clock.Advance(2 * time.Second)
		if n := len(w.deliveries(e.ID)); n != 1 {
			t.Errorf("%d after", n)
		}
		_, err := w.FindDelivery(w.ctx(), e.ID, seen[0])
		wantCode(t, err, 404, models.CodeNotFound)
		removed, err := w.ExpireDeliveries(t.Context())
		w.must(err)
		counts := ""
		for _, table := range []string{"webhook_deliveries", "webhook_attempts", "lane_items"} {
			var n int
			w.must(w.DB.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
			counts += fmt.Sprint(n, " ")
		}
		if removed != 45 || counts != "1 0 1 " {
			t.Errorf("%d removed, left %s", removed, counts)
		}
	})
}
