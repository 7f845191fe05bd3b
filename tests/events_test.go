package tests

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answering is a TLS server whose path says how it answers: /status/<code>,
// /long (more than is kept), /slow, /close; anything else is 200 with ok.
func answering(t *testing.T) *receiver {
	t.Helper()
	r := newReceiver(t, 0)
	r.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body := readAll(request.Body)
		r.mu.Lock()
		r.events = append(r.events, received{request.Header.Clone(), body})
		r.mu.Unlock()
		code, coded := strings.CutPrefix(request.URL.Path, "/status/")
		switch {
		case coded:
			w.Header().Set("Location", "/followed")
			status, _ := strconv.Atoi(code)
			w.WriteHeader(status)
		case request.URL.Path == "/long":
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, strings.Repeat("x", 5000))
		case request.URL.Path == "/slow":
			select {
			case <-request.Context().Done():
			case <-time.After(15 * time.Second):
			}
		case request.URL.Path == "/close":
			panic(http.ErrAbortHandler)
		default:
			_, _ = io.WriteString(w, "ok")
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// of are the events that went to an endpoint.
func (r *receiver) of(endpoint string) (events []received) {
	for _, e := range r.all() {
		if e.header.Get("Service-Webhook") == endpoint {
			events = append(events, e)
		}
	}
	return events
}

// arrived waits until n events went to an endpoint.
func (r *receiver) arrived(t *testing.T, endpoint string, n int) []received {
	t.Helper()
	eventually(t, func() error {
		if len(r.of(endpoint)) < n {
			return errNotYet
		}
		return nil
	})
	return r.of(endpoint)
}

const endpoints = "/v1/webhook-endpoints"

// registered makes an endpoint.
func registered(who client, url string) (id, secret string) {
	who.t.Helper()
	made := who.post(endpoints, object{"url": url}).want(201)
	return made.text("data.id"), made.text("secret")
}

// settled waits until a delivery is no longer pending.
func settled(who client, endpoint, delivery string) *reply {
	who.t.Helper()
	var last *reply
	eventually(who.t, func() error {
		last = who.get(endpoints + "/" + endpoint + "/deliveries/" + delivery).want(200)
		if last.text("data.status") == "pending" {
			return errNotYet
		}
		return nil
	})
	return last
}

// TestWebhooks drives the rules of contract 2's event endpoints over HTTP.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	hooks := answering(t)
	p := startService(t, "SSL_CERT_FILE="+hooks.roots, "DELIVERY_BACKOFF=50ms,50ms,50ms,50ms,50ms,50ms,50ms", "DELIVERY_REST=100ms,200ms")
	for name, part := range map[string]func(*testing.T, *program, *receiver){
		"Endpoints": webhookEndpoints, "Addresses": webhookAddresses, "Limits": webhookLimits,
		"Deliveries": webhookDeliveries, "Events": webhookEvents, "Secrets": webhookSecrets,
	} {
		t.Run(name, func(t *testing.T) { part(t, p, hooks) })
	}
}
