package event_test

import (
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/event"
)

// Five attempts in a row without any HTTP answer bring a rest; after it one
// probe; each failed probe doubles it: 1, 2, 4 ... 60 minutes.
func TestRestAndProbe(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = make([]time.Duration, 99) // due again at once, so that rests alone decide
	w.receiver.answers(silence)
	w.publish(4)
	w.claimAndDeliver()
	if w.endpoint(e.ID).RestUntil != nil {
		t.Fatal("four attempts without an answer bring no rest")
	}
	w.publish(20)
	w.claimAndDeliver() // up to five at once; those that end during the rest do not lengthen it
	sent := len(w.receiver.got())
	for i, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
		until := w.endpoint(e.ID).RestUntil
		if until == nil || until.Sub(w.clock.Now()) != time.Duration(minutes)*time.Minute {
			t.Fatalf("rest %d ends at %v, want in %d minutes", i, until, minutes)
		}
		w.clock.Set(until.Add(-time.Millisecond))
		if w.claimAndDeliver() != 0 {
			t.Fatalf("rest %d: sent during the rest", i)
		}
		w.clock.Set(*until)
		if n := w.claimAndDeliver(); n != 1 {
			t.Fatalf("rest %d: %d probes", i, n)
		}
	}
	if got := len(w.receiver.got()); got != sent+8 {
		t.Errorf("%d requests in all, want %d", got, sent+8)
	}

	t.Run("survives a restart", func(t *testing.T) {
		again := *w.Service
		again.DB = dbtest.Open(t, w.DB.Pool.Config().ConnString(), w.clock)
		if got, err := again.FindEndpoint(w.ctx(), e.ID); err != nil || got.RestUntil == nil {
			t.Errorf("%v, %v", got.RestUntil, err)
		}
		if w.claimAndDeliver() != 0 {
			t.Error("sent during the rest")
		}
	})
	t.Run("waiting uses no attempt", func(t *testing.T) {
		fresh := 0
		for _, d := range w.deliveries(e.ID) {
			if d.Attempts == 0 && d.Status == event.DeliveryPending {
				fresh++
			}
		}
		if fresh < 10 {
			t.Errorf("%d deliveries without an attempt", fresh)
		}
	})
	t.Run("a ping is sent meanwhile and does not end it", func(t *testing.T) {
		w.receiver.answers(nil)
		ping, err := w.TestEndpoint(w.ctx(), e.ID)
		w.must(err)
		if w.claimAndDeliver() != 1 {
			t.Error("the ping waited")
		}
		d, err := w.FindDelivery(w.ctx(), e.ID, ping.ID)
		w.must(err)
		wantState(t, d, event.DeliveryDelivered, 1, "")
		if w.endpoint(e.ID).RestUntil == nil {
			t.Error("a ping ended the rest")
		}
	})
	t.Run("any answer ends it", func(t *testing.T) {
		w.receiver.answers(status(500))
		w.clock.Set(*w.endpoint(e.ID).RestUntil)
		if w.claimAndDeliver() != 1 {
			t.Fatal("not one probe")
		}
		if w.endpoint(e.ID).RestUntil != nil {
			t.Error("still resting")
		}
		w.clock.Advance(time.Second)
		if n := w.claimAndDeliver(); n != 5 {
			t.Errorf("%d at once after the rest", n)
		}
	})
}

func TestAnswersOfFiveHundredNeverBringARest(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(12)
	if w.work() != 12 || w.endpoint(e.ID).RestUntil != nil {
		t.Error("it rests")
	}
}

func TestNewAddressEndsTheRest(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(silence)
	w.publish(5)
	w.work()
	if w.endpoint(e.ID).RestUntil == nil {
		t.Fatal("it does not rest")
	}
	w.receiver.answers(nil)
	w.set(e.ID, event.UpdateEndpointInput{URL: models.Some(w.receiver.URL + "/new")})
	w.clock.Advance(35 * time.Second)
	if w.work() != 5 {
		t.Error("the new address waits for the rest of the old one")
	}
}
