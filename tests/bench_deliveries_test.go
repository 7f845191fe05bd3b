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
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/egress"
	"atelier/models/event"
)

// benchDeliveries is how fast queued events reach a TLS server on this
// machine, beside posts of the same size without anything around them. Like
// the service, the bare posts open a connection each.
func benchDeliveries(b testing.TB) {
	const endpoints = 2
	accounts, events := times(40), times(50)
	h := newTestServer(b)
	var got atomic.Int64
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readAll(r.Body)
		got.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	roots := x509.NewCertPool()
	roots.AddCert(receiver.Certificate())
	h.Events.Egress = egress.New(egress.Config{AllowCIDRs: h.EgressAllow, RootCAs: roots, Keep: egress.Deliveries})

	people := h.people(accounts)
	ids := make([]models.ID, accounts)
	for i, who := range people {
		for n := range endpoints {
			who.post("/v1/webhook-endpoints", object{"url": fmt.Sprintf("%s/hook/%d", receiver.URL, n)}).want(201)
		}
		id, err := models.ParseID("id", who.get("/v1/me").want(200).text("data.id"))
		h.must(err)
		ids[i] = id
	}
	job, err := json.Marshal(object{"id": ids[0], "status": "completed", "job_type": "text", "output_data": object{"text": "a lighthouse"}})
	h.must(err)
	all := accounts * endpoints * events
	var o, r figure
	for range 2 {
		for _, id := range ids {
			h.publish(id, job, events)
		}
		h.until(all, `SELECT count(*) FROM lane_items WHERE kind = 'delivery'`)
		got.Store(0)
		before, began := h.tracer.n.Load(), time.Now()
		stop := h.work()
		h.until(0, `SELECT count(*) FROM lane_items WHERE kind = 'delivery'`)
		o.rate += float64(all) / time.Since(began).Seconds() / 2
		o.statements += float64(h.tracer.n.Load()-before) / float64(all) / 2
		stop()
		if int(got.Load()) != all {
			b.Fatalf("%d of %d events arrived", got.Load(), all)
		}
		r.rate += barePosts(b, receiver.URL, roots, job) / 2
	}
	row(b, "Deliveries over TLS, 80 endpoints of 40 accounts", o, r, "net/http posts over kept connections, 64 at once")
}

func (h *testServer) publish(account models.ID, job json.RawMessage, n int) {
	h.b.Helper()
	h.must(h.DB.Write(context.Background(), func(tx *models.Tx) error {
		for range n {
			if err := h.Events.PublishJob(tx, account, event.JobEvent{Type: event.JobCompleted, JobID: tx.NewID(), At: tx.Now, Job: job}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// barePosts is how many posts a second get through without a service.
func barePosts(b testing.TB, url string, roots *x509.CertPool, body []byte) float64 {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: 64}}
	return rate(64, 3*time.Second, func(int) {
		response, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			b.Error(err)
			return
		}
		readAll(response.Body)
		response.Body.Close()
	})
}
