package event_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/event"
)

func (w *world) waiting(d *event.Delivery) *event.Waiting {
	w.Helper()
	why, err := w.ExplainWaiting(w.ctx(), []*event.Delivery{d})
	w.must(err)
	return why[d]
}

func (w *world) wantWaiting(d *event.Delivery, reason event.WaitReason, until time.Time) {
	w.Helper()
	got := w.waiting(d)
	if got == nil || got.Reason != reason || (got.Until == nil) != until.IsZero() || got.Until != nil && !got.Until.Equal(until) {
		w.Errorf("waits for %+v, want %s until %v", got, reason, until)
	}
}

func TestWhyADeliveryWaits(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = []time.Duration{30 * time.Second, time.Hour}

	w.publish(1)
	d := w.only(e.ID)
	w.wantWaiting(d, event.WaitQueued, time.Time{})
	leases := w.claim()
	w.wantWaiting(d, event.WaitUnderWay, time.Time{})
	w.receiver.answers(status(500))
	w.must(w.Deliver(w.Context(), leases[0]))
	d = w.only(e.ID)
	w.wantWaiting(d, event.WaitNextAttempt, *d.NextAttemptAt)

	vault := w.Vault
	other, err := models.NewVault([]byte("another encryption key of 32 byt"))
	w.must(err)
	w.Vault = other // cannot open the secret
	w.clock.Advance(time.Minute)
	w.work()
	d = w.only(e.ID)
	w.wantWaiting(d, event.WaitService, *d.NextAttemptAt)
	w.Vault = vault

	w.receiver.answers(nil)
	w.clock.Advance(time.Hour)
	w.work()
	if d = w.only(e.ID); w.waiting(d) != nil {
		t.Errorf("a delivered one waits: %+v", w.waiting(d))
	}

	t.Run("caps", func(t *testing.T) {
		w.publish(6)
		w.claim()
		all := w.deliveries(e.ID)
		last := w.waiting(all[len(all)-1])
		if last.Reason != event.WaitEndpointBusy || *last.Busy != 5 || *last.Slots != 5 {
			t.Errorf("%+v", last)
		}
		w.create(w.receiver.URL + "/second")
		w.create(w.receiver.URL + "/third")
		w.publish(4)
		w.claim()
		endpoints, err := w.ListEndpoints(w.ctx())
		w.must(err)
		found := false
		for _, one := range endpoints {
			for _, d := range w.deliveries(one.ID) {
				if why := w.waiting(d); why != nil && why.Reason == event.WaitAccountBusy {
					found = *why.Busy == 10 && *why.Slots == 10
				}
			}
		}
		if !found {
			t.Error("no delivery waits for the account's ten")
		}
	})
}

func TestWaitingForARest(t *testing.T) {
	w := newWorld(t)
	w.receiver.Close()
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = []time.Duration{time.Second, time.Second, time.Second, time.Second, time.Second, time.Second}
	w.publish(1)
	for range 5 {
		w.work()
		w.clock.Advance(2 * time.Second)
	}
	rest := w.endpoint(e.ID).RestUntil
	if rest == nil {
		t.Fatal("it does not rest")
	}
	w.wantWaiting(w.only(e.ID), event.WaitResting, *rest)
	_, err := w.Redeliver(w.ctx(), e.ID, w.only(e.ID).ID)
	w.must(err)
	w.wantWaiting(w.only(e.ID), event.WaitResting, *rest) // a waiting one is due, and waits for the rest
	w.publish(1)
	w.clock.Advance(time.Until(time.Now()) + 2*time.Minute)
	if leases := w.claim(); len(leases) != 1 {
		t.Fatalf("%d probes", len(leases))
	}
	reasons := map[event.WaitReason]int{}
	for _, d := range w.deliveries(e.ID) {
		reasons[w.waiting(d).Reason]++
	}
	if reasons[event.WaitUnderWay] != 1 || reasons[event.WaitProbe] != 1 {
		t.Errorf("%v", reasons)
	}
}

func TestRedeliverRange(t *testing.T) {
	w := newWorld(t)
	made := w.create(w.receiver.URL)
	e := made.Endpoint
	w.Backoff = []time.Duration{}
	w.receiver.answers(status(500))
	first := w.clock.Now()
	w.publish(3)
	w.clock.Advance(time.Hour)
	middle := w.clock.Now()
	w.publish(4)
	_, err := w.TestEndpoint(w.ctx(), e.ID)
	w.must(err)
	w.work()
	w.clock.Advance(time.Hour)
	end := w.clock.Now()
	w.Backoff = []time.Duration{time.Minute, time.Minute}
	w.publish(1)
	w.work() // one waits for its second attempt
	w.clock.Advance(time.Second)

	count := func(from, to time.Time) int {
		t.Helper()
		found, err := w.FindRedeliverable(w.ctx(), e.ID, from, to)
		w.must(err)
		if found.Now != found.Count || found.Lost != 0 {
			t.Errorf("%+v", found)
		}
		return found.Count
	}
	if a, b, all := count(first, middle), count(middle, end), count(first, w.clock.Now()); a != 3 || b != 4 || all != 7 {
		t.Errorf("%d, %d, %d; the ping and what waits do not count", a, b, all)
	}
	w.receiver.answers(nil)
	before := len(w.receiver.got())
	done, err := w.RedeliverRange(w.ctx(), e.ID, middle, end)
	w.must(err)
	again, err := w.RedeliverRange(w.ctx(), e.ID, middle, end)
	w.must(err)
	if done.Queued != 4 || done.Remaining != 0 || again.Queued != 0 || w.work() != 4 || len(w.receiver.got()) != before+4 {
		t.Errorf("%+v, then %+v, %d requests", done, again, len(w.receiver.got())-before)
	}
	for _, p := range w.receiver.got()[before:] {
		if p.header.Get("Service-Attempt") != "2" || verify(p, made.Secret, w.clock.Now()) != nil {
			t.Errorf("attempt %s", p.header.Get("Service-Attempt"))
		}
	}
	if count(first, w.clock.Now()) != 3 {
		t.Error("the others are no longer failed")
	}

	t.Run("refused", func(t *testing.T) {
		_, err := w.RedeliverRange(w.ctx(), e.ID, end, first)
		wantCode(t, err, 400, models.CodeValidation)
		_, err = w.RedeliverRange(w.as(models.Actor{Kind: models.BySession, UserID: w.newAccount()}), e.ID, first, end)
		wantCode(t, err, 404, models.CodeNotFound)
		off := false
		w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(off)})
		_, err = w.RedeliverRange(w.ctx(), e.ID, first, end)
		wantCode(t, err, 400, models.CodeValidation)
	})
}

// More than a thousand take several calls.
func TestRedeliverRangeIsBounded(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	first := w.clock.Now()
	w.must(w.DB.Write(context.Background(), func(tx *models.Tx) error {
		for range 1005 {
			err := tx.Exec(`INSERT INTO webhook_deliveries (id, endpoint_id, account_id, event, status, attempts, request_body, created_at, finished_at)
				VALUES (?, ?, ?, 'job.failed', 'failed', 8, '{}', ?, ?)`, tx.NewID(), e.ID, w.account, tx.Now, tx.Now).Error
			if err != nil {
				return err
			}
		}
		return nil
	}))
	w.clock.Advance(time.Minute)
	_, err := w.DB.Pool.Exec(w.Context(), `UPDATE webhook_deliveries SET request_body = NULL
		WHERE id IN (SELECT id FROM webhook_deliveries ORDER BY id DESC LIMIT 2)`) // their jobs were deleted
	w.must(err)
	found, err := w.FindRedeliverable(w.ctx(), e.ID, first.Add(-time.Second), w.clock.Now())
	w.must(err)
	if want := (event.Redeliverable{Count: 1003, Now: 1000, Lost: 2}); *found != want {
		t.Errorf("%+v, want %+v", *found, want)
	}
	for _, want := range []event.RedeliveredRange{{Queued: 1000, Remaining: 3}, {Queued: 3}, {}} {
		done, err := w.RedeliverRange(w.ctx(), e.ID, first.Add(-time.Second), w.clock.Now())
		w.must(err)
		if *done != want {
			t.Errorf("%+v, want %+v", *done, want)
		}
	}
}

func TestDays(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = []time.Duration{}
	w.clock.Set(time.Date(2026, 10, 24, 21, 30, 0, 0, time.UTC)) // 23:30 in Berlin
	w.publish(2)
	w.work()
	w.clock.Set(time.Date(2026, 10, 25, 22, 30, 0, 0, time.UTC)) // 23:30: a day of 25 hours
	w.receiver.answers(status(500))
	w.publish(1)
	w.work()
	w.clock.Set(time.Date(2026, 10, 25, 23, 30, 0, 0, time.UTC)) // the 26th in Berlin
	_, err := w.TestEndpoint(w.ctx(), e.ID)
	w.must(err)
	w.work()
	w.publish(1)

	days, err := w.DaysOf(w.ctx(), []models.ID{e.ID}, 4, "Europe/Berlin")
	w.must(err)
	got := days[e.ID]
	for i, want := range []event.Day{{Date: "2026-10-23"}, {Date: "2026-10-24", Delivered: 2}, {Date: "2026-10-25", Failed: 1}, {Date: "2026-10-26", Waiting: 1}} {
		one := *got[i]
		if one.Delivered > 0 && (one.P50Ms == nil || one.P95Ms == nil || *one.P95Ms < *one.P50Ms) {
			t.Errorf("latency %v %v", one.P50Ms, one.P95Ms)
		}
		one.P50Ms, one.P95Ms = nil, nil
		if one != want {
			t.Errorf("%+v, want %+v", one, want)
		}
	}
	stranger := w.as(models.Actor{Kind: models.BySession, UserID: w.newAccount()})
	days, err = w.DaysOf(stranger, []models.ID{e.ID}, 1, "UTC")
	w.must(err)
	if n := days[e.ID][0]; n.Failed+n.Delivered+n.Waiting != 0 {
		t.Error("a stranger sees them")
	}
	for _, zone := range []string{"Local", "Mars/Olympus", "../etc"} {
		_, err = w.DaysOf(w.ctx(), []models.ID{e.ID}, 1, zone)
		wantCode(t, err, 400, models.CodeValidation)
	}
	_, err = w.DaysOf(w.ctx(), []models.ID{e.ID}, 31, "UTC")
	wantCode(t, err, 400, models.CodeValidation)
}
