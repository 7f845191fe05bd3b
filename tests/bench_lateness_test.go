package tests

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/egress"
	"atelier/models/event"
)

// eventBench is a service with accounts that have endpoints at a TLS server.
type eventBench struct {
	*testServer
	receiver *httptest.Server
	roots    *x509.CertPool
	people   []client
	ids      []models.ID
	arrived  func(r *http.Request, body []byte) // told of each event
}

func newEventBench(b testing.TB, accounts, endpoints int) *eventBench {
	e := &eventBench{testServer: newTestServer(b), arrived: func(*http.Request, []byte) {}}
	e.receiver = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.arrived(r, readAll(r.Body))
		w.WriteHeader(http.StatusNoContent)
	}))
	b.Cleanup(e.receiver.Close)
	e.roots = x509.NewCertPool()
	e.roots.AddCert(e.receiver.Certificate())
	e.Events.Egress = egress.New(egress.Config{AllowCIDRs: e.Events.AllowCIDRs, RootCAs: e.roots, Keep: egress.Deliveries})
	e.people = e.testServer.people(accounts)
	for _, who := range e.people {
		for n := range endpoints {
			who.post("/v1/webhook-endpoints", object{"url": fmt.Sprintf("%s/hook/%d", e.receiver.URL, n)}).want(201)
		}
		id, err := models.ParseID("id", who.get("/v1/me").want(200).text("data.id"))
		e.must(err)
		e.ids = append(e.ids, id)
	}
	return e
}

// benchDeliveryLatency is the time from the commit of a job's end until its
// event is at the receiver, at 300 events a second, beside bare posts over a
// kept connection.
func benchDeliveryLatency(b testing.TB) {
	const apart = time.Second / 300
	events := times(2_000)
	h := newEventBench(b, times(40), 1)
	var mu sync.Mutex
	committed, arrived := map[string]time.Time{}, map[string]time.Time{}
	note := func(times map[string]time.Time, id string) {
		mu.Lock()
		defer mu.Unlock()
		times[id] = time.Now()
	}
	h.arrived = func(_ *http.Request, body []byte) {
		var e struct {
			Data struct {
				Job struct {
					ID string `json:"id"`
				} `json:"job"`
			} `json:"data"`
		}
		if json.Unmarshal(body, &e) == nil {
			note(arrived, e.Data.Job.ID)
		}
	}
	defer h.work()()
	var o, r figure
	before, began := h.tracer.n.Load(), time.Now()
	var all sync.WaitGroup
	for i := range events {
		time.Sleep(time.Until(began.Add(time.Duration(i) * apart)))
		all.Go(func() {
			var id models.ID
			h.must(h.DB.Write(models.ForWork(context.Background()), func(tx *models.Tx) error {
				id = tx.NewID()
				job := json.RawMessage(`{"id":"` + id.String() + `"}`)
				return h.Events.PublishJob(tx, h.ids[i%len(h.ids)], event.JobEvent{Type: event.JobCompleted, JobID: id, At: tx.Now, Job: job})
			}))
			note(committed, id.String())
		})
	}
	all.Wait()
	h.until(0, `SELECT count(*) FROM lane_items WHERE kind = 'delivery'`)
	o.statements = float64(h.tracer.n.Load()-before) / float64(events)
	var took []time.Duration
	for id, at := range committed {
		took = append(took, max(0, arrived[id].Sub(at)))
	}
	o.p50, o.p99 = quantiles(took)
	o.rate = 300
	posts := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: h.roots}}}
	_, r = alternate(times(300), func() {}, func() { post(b, posts, h.receiver.URL) })
	row(b, "From commit to the receiver, 300 events a second", o, figure{p50: r.p50}, "a post over a kept connection, one at a time")
}

func post(b testing.TB, client *http.Client, url string) {
	response, err := client.Post(url, "application/json", bytes.NewReader([]byte(`{}`)))
	if err != nil {
		b.Error(err)
		return
	}
	readAll(response.Body)
	response.Body.Close()
}

// benchDeliveriesWhileRunsCome is how late events are while runs come at a
// rate, each with an event for two endpoints: from when it was due until its
// attempt began.
func benchDeliveriesWhileRunsCome(b testing.TB) {
	for _, rate := range []int{150, 300} {
		h := newEventBench(b, times(40), 2)
		var runs []func() *http.Request
		for _, who := range h.people {
			id := who.post("/v1/workflows", chain(1)).want(201).text("data.id")
			runs = append(runs, h.post("/v1/workflows/"+id+"/run", who.token, object{}))
		}
		stop := h.work()
		const length = 10 // seconds
		var accepted, later atomic.Int64
		var all sync.WaitGroup
		began := time.Now()
		for i := range times(length * rate) {
			time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(rate))))
			all.Go(func() {
				response, err := manyConnections.Do(runs[i%len(runs)]())
				if err != nil {
					return
				}
				readAll(response.Body)
				response.Body.Close()
				switch response.StatusCode {
				case http.StatusAccepted:
					accepted.Add(1)
				case http.StatusServiceUnavailable, http.StatusTooManyRequests:
					later.Add(1)
				default:
					b.Errorf("a run answered %d", response.StatusCode)
				}
			})
		}
		all.Wait()
		if accepted.Load() == 0 {
			b.Fatalf("none of %d runs was accepted", later.Load())
		}
		h.until(0, `SELECT count(*) FROM executions WHERE status IN ('pending', 'running')`) // their events commit with their ends
		h.until(0, `SELECT count(*) FROM lane_items WHERE kind = 'delivery'`)
		h.until(0, `SELECT count(*) FROM webhook_deliveries d WHERE NOT EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.id)`)
		o := figure{rate: float64(h.count(`SELECT count(*) FROM webhook_attempts`)) / time.Since(began).Seconds()}
		late := func(quantile float64) time.Duration {
			var seconds float64
			h.must(h.DB.Pool.QueryRow(context.Background(), `SELECT percentile_cont($1) WITHIN GROUP (ORDER BY extract(epoch FROM a.created_at - d.created_at))
				FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id`, quantile).Scan(&seconds))
			return time.Duration(seconds * float64(time.Second))
		}
		o.p50, o.p99 = late(0.5), late(0.99)
		stop()
		row(b, fmt.Sprintf("Lateness of events, %d runs a second with two endpoints", rate), o, figure{},
			fmt.Sprintf("%d runs accepted, %d asked to come again", accepted.Load(), later.Load()))
	}
}

// benchBesideAHangingEndpoint is how fast the events of a healthy endpoint
// go out beside one that hangs and has a backlog due, and without it.
func benchBesideAHangingEndpoint(b testing.TB) {
	h := newEventBench(b, times(20), 1)
	events, backlog := times(100)*len(h.ids), times(100_000)
	hang := make(chan bool)
	silent := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		readAll(r.Body)
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	b.Cleanup(silent.Close)
	if trial {
		close(hang) // nothing hangs then, for the end of a measurement waits for it
	} else {
		b.Cleanup(func() { close(hang) })
	}
	h.roots.AddCert(silent.Certificate())
	job := json.RawMessage(`{"id":"x"}`)
	measure := func() float64 {
		for _, id := range h.ids {
			h.publish(id, job, events/len(h.ids))
		}
		var got atomic.Int64
		done := make(chan bool)
		h.arrived = func(*http.Request, []byte) {
			if int(got.Add(1)) == events {
				close(done)
			}
		}
		began := time.Now()
		stop := h.work()
		defer stop()
		select {
		case <-done:
		case <-time.After(5 * time.Minute):
			b.Fatalf("%d of %d events arrived", got.Load(), events)
		}
		return float64(events) / time.Since(began).Seconds()
	}
	measure()
	r := figure{rate: (measure() + measure()) / 2}
	other := h.visitor().post("/auth/sign-up", object{"email": "hangs@example.com", "password": password, "displayName": "Hangs"}).want(201)
	who := h.visitor().with(other.text("data.token"))
	endpoint := who.post("/v1/webhook-endpoints", object{"url": silent.URL}).want(201).text("data.id")
	account := who.get("/v1/me").want(200).text("data.id")
	h.exec(`INSERT INTO webhook_deliveries (id, endpoint_id, account_id, event, status, next_attempt_at, request_body, created_at)
		SELECT gen_random_uuid(), $1, $2, 'job.completed', 'pending', now(), '{}', now() FROM generate_series(1, $3)`, endpoint, account, backlog)
	h.exec(`INSERT INTO lane_items (id, kind, lane_id, owner_id, due_at, fence)
		SELECT id, 'delivery', endpoint_id, account_id, created_at, 1 FROM webhook_deliveries WHERE endpoint_id = $1`, endpoint)
	h.exec(`INSERT INTO lane_owners VALUES ('delivery', $1)`, account)
	h.exec(`INSERT INTO lanes (kind, id, owner_id, next_due_at) VALUES ('delivery', $1, $2, now())`, endpoint, account)
	h.exec(`VACUUM ANALYZE lane_items, webhook_deliveries`)
	o := figure{rate: (measure() + measure()) / 2}
	row(b, fmt.Sprintf("Events of 20 endpoints beside one that hangs with %d due", backlog), o, r, "the same without the one that hangs")
}
