package event_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/event"
	"atelier/models/lane"
)

func TestDelivered(t *testing.T) {
	w := newWorld(t)
	created := w.create(w.receiver.URL + "/hook?x=1")
	w.receiver.answers(func(rw http.ResponseWriter, r *http.Request) {
		rw.WriteHeader(202)
		fmt.Fprint(rw, strings.Repeat("€", 1000)) // 3000 bytes, cut within a character
	})
	w.publish(1)
	before := w.only(created.Endpoint.ID)
	w.work()
	d := w.only(created.Endpoint.ID)
	wantState(t, d, event.DeliveryDelivered, 1, "")
	if d.RequestBody != nil || d.NextAttemptAt != nil || *d.ResponseStatus != 202 || len(d.ResponseBody) != 2048 || d.DurationMs == nil {
		t.Errorf("delivery %+v", d)
	}
	if text := *event.BodyText(d.ResponseBody); !strings.HasSuffix(text, "€\uFFFD") {
		t.Errorf("the answer ends in %q", text[len(text)-6:])
	}
	got := w.receiver.got()
	if len(got) != 1 || !bytes.Equal(got[0].body, before.RequestBody) {
		t.Fatalf("received %v", got)
	}
	if err := verify(got[0], created.Secret, w.clock.Now()); err != nil {
		t.Error(err)
	}
	if err := verify(got[0], created.Secret[:len(created.Secret)-1], w.clock.Now()); err == nil {
		t.Error("another secret verifies too")
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Service-Webhooks/1", "Service-Event": "job.completed",
		"Service-Delivery": d.ID.String(), "Service-Webhook": created.Endpoint.ID.String(), "Service-Attempt": "1",
	} {
		if got := got[0].header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if log := w.attempts(d); len(log) != 1 || log[0].Number != 1 || *log[0].ResponseStatus != 202 || log[0].Address == nil || log[0].Error != nil ||
		log[0].ResponseHeader == nil || !strings.HasPrefix(*log[0].ResponseHeader, "HTTP/1.1 202 Accepted\n") {
		t.Errorf("attempts %+v", log)
	}
	if w.work() != 0 {
		t.Error("work is left")
	}
}

// The contract's table: the wait after each attempt, and all bodies alike.
func TestRetries(t *testing.T) {
	w := newWorld(t)
	created := w.create(w.receiver.URL)
	w.receiver.answers(status(503))
	w.publish(1)
	began := w.clock.Now()
	for i, wait := range []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour} {
		if n := w.work(); n != 1 {
			t.Fatalf("attempt %d: %d attempts at once", i+1, n)
		}
		d := w.only(created.Endpoint.ID)
		wantState(t, d, event.DeliveryPending, i+1, "http_503")
		if got := d.NextAttemptAt.Sub(w.clock.Now()); got != wait {
			t.Errorf("wait after attempt %d: %v, want %v", i+1, got, wait)
		}
		w.clock.Advance(wait - time.Millisecond)
		if w.work() != 0 {
			t.Errorf("attempt %d came too early", i+2)
		}
		w.clock.Advance(time.Millisecond)
	}
	w.work()
	d := w.only(created.Endpoint.ID)
	wantState(t, d, event.DeliveryFailed, 8, "http_503")
	if took := w.clock.Now().Sub(began); took.Hours() < 43 || took.Hours() > 43.5 || d.NextAttemptAt != nil || d.RequestBody == nil {
		t.Errorf("after %v: %+v", took, d)
	}
	if w.endpoint(created.Endpoint.ID).ConsecutiveFailures != 1 || len(w.attempts(d)) != 8 {
		t.Error("one failure and eight attempts are on record")
	}
	got := w.receiver.got()
	for i, p := range got {
		if !bytes.Equal(p.body, got[0].body) || p.header.Get("Service-Delivery") != d.ID.String() || p.header.Get("Service-Attempt") != fmt.Sprint(i+1) {
			t.Errorf("attempt %d differs", i+1)
		}
		if i > 0 && p.header.Get("Service-Signature") == got[i-1].header.Get("Service-Signature") {
			t.Error("the signature's time stands still")
		}
	}
}

func TestWaitsVaryByATenth(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.Backoff = []time.Duration{100 * time.Second}
	for random, want := range map[float64]time.Duration{0: 90 * time.Second, 0.5: 100 * time.Second, 0.9999999999: 110 * time.Second} {
		w.Jitter = func() float64 { return random }
		w.publish(1)
		w.work()
		all := w.deliveries(e.ID)
		if got := all[len(all)-1].NextAttemptAt.Sub(w.clock.Now()).Round(time.Millisecond); got != want {
			t.Errorf("random %v: wait %v, want %v", random, got, want)
		}
	}
	w.clock.Advance(2 * time.Minute)
	if n := w.work(); n != 3 {
		t.Errorf("%d second attempts", n)
	}
	for _, d := range w.deliveries(e.ID) {
		wantState(t, d, event.DeliveryFailed, 2, "http_500")
	}
}

// Every way in which a receiver can fail, and its error value.
func TestErrorValues(t *testing.T) {
	hang := func(rw http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"redirect":     {func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/elsewhere", http.StatusFound) }, "http_302"},
		"not modified": {status(304), "http_304"},
		"gone":         {status(410), "http_410"},
		"too many":     {status(429), "http_429"},
		"broken":       {status(500), "http_500"},
		"silence":      {silence, "connection_reset"},
		"hang":         {hang, "timeout"},
		"no HTTP": {func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, _ := rw.(http.Hijacker).Hijack()
			fmt.Fprint(conn, "SSH-2.0-OpenSSH_9.2\r\n\r\n")
			conn.Close()
		}, "network_error"},
		"flood of headers": {func(rw http.ResponseWriter, _ *http.Request) {
			for i := range 100 {
				rw.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 2000))
			}
		}, "network_error"},
		"500 that drips": {func(rw http.ResponseWriter, r *http.Request) {
			rw.WriteHeader(500)
			fmt.Fprint(rw, "slow")
			rw.(http.Flusher).Flush()
			<-r.Context().Done()
		}, "http_500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			e := w.create(w.receiver.URL).Endpoint
			w.receiver.answers(c.answer)
			w.publish(1)
			if name == "hang" || name == "500 that drips" {
				w.Egress = w.client(answerTime)
			}
			w.work()
			d := w.only(e.ID)
			wantState(t, d, event.DeliveryPending, 1, c.want)
			if (d.ResponseStatus != nil) != strings.HasPrefix(c.want, "http_") || len(w.receiver.got()) != 1 {
				t.Errorf("status %v after %d requests", d.ResponseStatus, len(w.receiver.got()))
			}
			if log := w.attempts(d); len(log) != 1 || *log[0].Error != c.want {
				t.Errorf("attempts %+v", log)
			}
		})
	}
}

func TestUnreachableReceivers(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, c := range map[string]struct{ url, want string }{
		"nobody listens":    {"https://" + closed.Addr().String(), "connection_refused"},
		"unknown authority": {"", "tls_error"},
		"no such name":      {"https://name-that-is-not.invalid/", "blocked_address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.url == "" {
				c.url = newReceiver(t).URL
				w.Egress = plainClient(w)
			}
			e := w.create(c.url).Endpoint
			w.publish(1)
			w.work()
			wantState(t, w.only(e.ID), event.DeliveryPending, 1, c.want)
		})
	}
	t.Run("no longer allowed", func(t *testing.T) {
		w := newWorld(t)
		e := w.create(w.receiver.URL).Endpoint
		w.publish(1)
		w.AllowCIDRs = nil
		w.Egress = w.client(answerTime)
		w.work()
		wantState(t, w.only(e.ID), event.DeliveryPending, 1, "blocked_address")
		if len(w.receiver.got()) != 0 {
			t.Error("it was reached")
		}
	})
}

// An answer whose body does not end counts as delivered, and the attempt says so.
func TestDrippingBodyIsDelivered(t *testing.T) {
	w := newWorld(t)
	w.Egress = w.client(answerTime)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(func(rw http.ResponseWriter, r *http.Request) {
		for {
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
				fmt.Fprint(rw, ".")
				rw.(http.Flusher).Flush()
			}
		}
	})
	w.publish(1)
	w.work()
	d := w.only(e.ID)
	wantState(t, d, event.DeliveryDelivered, 1, "")
	if log := w.attempts(d); *log[0].Error != "body_incomplete" || *log[0].ResponseStatus != 200 || len(d.ResponseBody) == 0 {
		t.Errorf("attempt %+v", log[0])
	}
}

func TestChangedURLServesTheNextAttempt(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(1)
	w.work()
	second := newReceiver(t)
	w.set(e.ID, event.UpdateEndpointInput{URL: models.Some(second.URL)})
	w.clock.Advance(time.Minute)
	w.Egress = w.client(answerTime)
	w.work()
	if len(w.receiver.got()) != 1 {
		t.Error("the old address got a second attempt")
	}
	if d := w.only(e.ID); d.Attempts != 2 {
		t.Errorf("delivery %+v", d)
	}
}

// What keeps the service itself from sending uses no attempt.
func TestServiceSideTroubleWaits(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.publish(1)
	right := w.Vault
	wrong, err := models.NewVault([]byte("another key that is of no use 32"))
	w.must(err)
	w.Vault = wrong
	for range 10 {
		if w.work() != 1 {
			t.Fatal("not tried")
		}
		d := w.only(e.ID)
		wantState(t, d, event.DeliveryPending, 0, "signing_unavailable")
		w.clock.Set(*d.NextAttemptAt)
	}
	w.Vault = right
	body := w.only(e.ID).RequestBody
	for _, bad := range [][]byte{nil, []byte(`{"id":`)} {
		_, err = w.DB.Pool.Exec(t.Context(), `UPDATE webhook_deliveries SET request_body = $1`, bad)
		w.must(err)
		w.work()
		d := w.only(e.ID)
		wantState(t, d, event.DeliveryPending, 0, "job_unreadable")
		w.clock.Set(*d.NextAttemptAt)
	}
	_, err = w.DB.Pool.Exec(t.Context(), `UPDATE webhook_deliveries SET request_body = $1`, body)
	w.must(err)
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryDelivered, 1, "")
	if got := w.receiver.got(); len(got) != 1 || got[0].header.Get("Service-Attempt") != "1" || len(w.attempts(w.only(e.ID))) != 1 {
		t.Errorf("received %d", len(got))
	}
}

// A worker dies after the receiver has answered and before that is on record.
func TestCutOffAttemptCounts(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.Backoff = []time.Duration{time.Second, time.Second}
	w.publish(1)
	crash := func() {
		t.Helper()
		leases := w.claim()
		if len(leases) != 1 {
			t.Fatalf("%d leases", len(leases))
		}
		dying, die := context.WithCancelCause(t.Context())
		w.receiver.answers(func(rw http.ResponseWriter, r *http.Request) { die(lane.ErrLost); <-r.Context().Done() })
		if err := w.Deliver(dying, leases[0]); !errors.Is(err, lane.ErrLost) {
			t.Fatalf("the dying worker: %v", err)
		}
		w.receiver.answers(nil)
	}
	for i := range 3 {
		crash()
		wantState(t, w.only(e.ID), event.DeliveryPending, i+1, "")
		if w.work() != 0 {
			t.Fatal("taken while the lease lasts")
		}
		w.clock.Advance(35 * time.Second)
	}
	w.work()
	d := w.only(e.ID)
	wantState(t, d, event.DeliveryFailed, 3, "attempts_exhausted")
	if n := len(w.receiver.got()); n != 3 || d.ResponseStatus != nil || w.endpoint(e.ID).ConsecutiveFailures != 1 {
		t.Errorf("%d requests, %+v", n, d)
	}
	t.Run("and the next one may succeed", func(t *testing.T) {
		w.publish(1)
		crash()
		w.clock.Advance(35 * time.Second)
		w.work()
		d := w.deliveries(e.ID)[1]
		wantState(t, d, event.DeliveryDelivered, 2, "")
		if w.endpoint(e.ID).ConsecutiveFailures != 0 {
			t.Error("a success ends the count")
		}
	})
}

// A worker that comes back after another took its delivery changes nothing.
func TestLateWorkerChangesNothing(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.publish(1)
	late := w.claim()
	arrived, released := make(chan bool), make(chan bool)
	w.receiver.answers(func(rw http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-released
		rw.WriteHeader(500)
	})
	ended := make(chan error)
	w.Egress = w.client(10 * time.Second)
	go func() { ended <- w.Deliver(t.Context(), late[0]) }()
	<-arrived
	w.receiver.answers(nil)
	w.clock.Advance(35 * time.Second)
	w.work()
	close(released)
	if err := <-ended; !errors.Is(err, lane.ErrLost) {
		t.Errorf("the late worker: %v", err)
	}
	d := w.only(e.ID)
	wantState(t, d, event.DeliveryDelivered, 2, "")
	if *d.ResponseStatus != 200 {
		t.Errorf("status %d", *d.ResponseStatus)
	}
}

// A dispatcher that ends gives its delivery back; the attempt has counted.
func TestDrainedAttemptIsGivenBack(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.publish(1)
	leases := w.claim()
	draining, drain := context.WithCancelCause(t.Context())
	w.receiver.answers(func(_ http.ResponseWriter, r *http.Request) {
		drain(lane.ErrDraining)
		<-r.Context().Done()
		panic(http.ErrAbortHandler) // else it answers, which may arrive while the connection closes
	})
	w.must(w.Deliver(draining, leases[0]))
	wantState(t, w.only(e.ID), event.DeliveryPending, 1, "")
	w.receiver.answers(nil)
	if w.work() != 1 {
		t.Error("not taken up at once")
	}
	wantState(t, w.only(e.ID), event.DeliveryDelivered, 2, "")
}

func TestPing(t *testing.T) {
	w := newWorld(t)
	created := w.create(w.receiver.URL)
	e := created.Endpoint
	w.receiver.answers(status(500))
	ping, err := w.TestEndpoint(w.ctx(), e.ID)
	w.must(err)
	got := read(t, ping.RequestBody)
	if ping.JobID != nil || ping.Status != event.DeliveryPending || got.Type != "ping" || got.Data.WebhookID != e.ID.String() || got.ID != ping.ID.String() {
		t.Errorf("ping %+v: %s", ping, ping.RequestBody)
	}
	w.work()
	wantState(t, w.only(e.ID), event.DeliveryFailed, 1, "http_500")
	if w.endpoint(e.ID).ConsecutiveFailures != 0 {
		t.Error("a ping's failure counts")
	}
	p := w.receiver.got()[0]
	if err := verify(p, created.Secret, w.clock.Now()); err != nil || p.header.Get("Service-Event") != "ping" || p.header.Get("Service-Attempt") != "1" {
		t.Errorf("%v: %v", err, p.header)
	}
	t.Run("is sent while the endpoint is off", func(t *testing.T) {
		w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})
		w.receiver.answers(nil)
		ping, err := w.TestEndpoint(w.ctx(), e.ID)
		w.must(err)
		w.work()
		d, err := w.FindDelivery(w.ctx(), e.ID, ping.ID)
		w.must(err)
		wantState(t, d, event.DeliveryDelivered, 1, "")
	})
	t.Run("counts neither for nor against", func(t *testing.T) {
		_, err := w.DB.Pool.Exec(t.Context(), `UPDATE webhook_endpoints SET consecutive_failures = 7`)
		w.must(err)
		_, err = w.TestEndpoint(w.ctx(), e.ID)
		w.must(err)
		w.work()
		if n := w.endpoint(e.ID).ConsecutiveFailures; n != 7 {
			t.Errorf("%d failures after a ping", n)
		}
	})
	t.Run("cut off is exhausted", func(t *testing.T) {
		ping, err := w.TestEndpoint(w.ctx(), e.ID)
		w.must(err)
		w.claim()
		w.clock.Advance(35 * time.Second)
		w.work()
		d, err := w.FindDelivery(w.ctx(), e.ID, ping.ID)
		w.must(err)
		wantState(t, d, event.DeliveryFailed, 0, "attempts_exhausted")
	})
}

func TestTurningOffFailsWhatWaits(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	w.receiver.answers(status(500))
	w.publish(2)
	w.work()
	w.publish(1)
	flying := w.claim()
	if len(flying) != 1 {
		t.Fatalf("%d leases", len(flying))
	}
	w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(false)})
	for i, d := range w.deliveries(e.ID) {
		wantState(t, d, event.DeliveryFailed, []int{1, 1, 0}[i], "endpoint_disabled")
	}
	if err := w.Deliver(t.Context(), flying[0]); !errors.Is(err, lane.ErrLost) {
		t.Errorf("the one under way: %v", err)
	}
	w.set(e.ID, event.UpdateEndpointInput{IsActive: models.Some(true)})
	w.clock.Advance(time.Hour)
	if w.work() != 0 || len(w.receiver.got()) != 2 {
		t.Error("sent although it had failed")
	}
}

func TestForgottenJobIsNotSent(t *testing.T) {
	w := newWorld(t)
	e := w.create(w.receiver.URL).Endpoint
	job := models.NewID(w.clock.Now().Add(-time.Minute))
	w.publishJob(event.JobEvent{Type: event.JobFailed, JobID: job, Job: []byte(`{}`)})
	w.publish(1)
	w.must(w.DB.Write(t.Context(), func(tx *models.Tx) error { return w.ForgetJobs(tx, w.account, []models.ID{job}) }))
	if w.work() != 1 {
		t.Error("the other job's is sent")
	}
	all := w.deliveries(e.ID)
	wantState(t, all[0], event.DeliveryFailed, 0, "job_deleted")
	wantState(t, all[1], event.DeliveryDelivered, 1, "")
	if all[0].RequestBody != nil {
		t.Errorf("what was to be sent is still kept: %s", all[0].RequestBody)
	}
	_, err := w.Redeliver(w.ctx(), e.ID, all[0].ID)
	if !models.HasCode(err, models.CodeValidation) {
		t.Errorf("sending it again: %v", err)
	}
}
