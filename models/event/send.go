package event

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/egress"
	"atelier/models/lane"
)

// keptAnswer is how much of a receiver's answer is kept, in bytes.
const keptAnswer = 2048

// userAgent carries the version of the events.
const userAgent = "Service-Webhooks/1"

// send makes the attempt. The client resolves and judges the address again,
// takes a kept connection to what it has judged or opens one, and follows no
// redirect.
func (s *Service) send(ctx context.Context, p *prepared) result {
	var times stopwatch
	request, err := newRequest(times.watch(ctx), p)
	if err != nil {
		return result{fault: egress.ClassBlockedAddress}
	}
	began := time.Now()
	answer, err := s.Egress.Exchange(request, keptAnswer)
	r := result{full: time.Since(began), fault: egress.Classify(err)}
	r.unsent = errors.Is(err, egress.ErrResolver) && !s.Egress.Resolves(ctx)
	r.address, r.dns, r.connect = times.read()
	if err == nil {
		r.status, r.body, r.head = answer.Status, answer.Body, headOf(answer)
		r.brokenOff = !answer.Complete && len(answer.Body) < keptAnswer
		if r.body == nil {
			r.body = []byte{}
		}
	}
	return r
}

// takeBack has a delivery wait that was not sent, for this service could ask for
// no name at all: the attempt, counted before, does not count.
func (s *Service) takeBack(ctx context.Context, lease lane.Lease, r result) error {
	return s.write(ctx, func(tx *models.Tx) error {
		due := tx.Now.Add(serviceWait)
		err := updatePending(tx, lease, map[string]any{
			"error": r.error(), "response_status": nil, "response_body": nil, "duration_ms": nil,
			"next_attempt_at": due, "attempts": gorm.Expr("GREATEST(attempts - 1, 0)"),
		})
		if err != nil {
			return err
		}
		return lane.Release(tx, lease, due)
	})
}

// newRequest is the event as contract 2, "Authentication", describes it.
func newRequest(ctx context.Context, p *prepared) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.endpoint.URL, bytes.NewReader(p.delivery.RequestBody))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type":      "application/json",
		"User-Agent":        userAgent,
		"Service-Signature": signature(p.at, p.delivery.RequestBody, p.secrets),
		"Service-Event":     p.delivery.Event,
		"Service-Delivery":  p.delivery.ID.String(),
		"Service-Webhook":   p.endpoint.ID.String(),
		"Service-Attempt":   strconv.Itoa(p.delivery.Attempts),
	} {
		request.Header.Set(name, value)
	}
	return request, nil
}

// stopwatch measures the parts of an attempt. Its hooks may be called after the
// attempt has ended, by a connection that was given up.
type stopwatch struct {
	mu                      sync.Mutex
	lookup, lookedUp        time.Time
	connecting, established time.Time
	address                 string
}

func (w *stopwatch) watch(ctx context.Context) context.Context {
	note := func(at *time.Time) {
		w.mu.Lock()
		defer w.mu.Unlock()
		*at = time.Now()
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { note(&w.lookup) },
		DNSDone:  func(httptrace.DNSDoneInfo) { note(&w.lookedUp) },
		ConnectStart: func(network, address string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if strings.HasPrefix(network, "udp") || (!w.lookup.IsZero() && w.lookedUp.IsZero()) {
				return // asking a name server, which is no one's business
			}
			if w.address = address; w.connecting.IsZero() {
				w.connecting = time.Now()
			}
		},
		GotConn: func(got httptrace.GotConnInfo) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.established, w.address = time.Now(), got.Conn.RemoteAddr().String()
		},
	})
}

// read gives the address that was connected to, the time of the look-up, and
// that of connecting with the handshake: none on a kept connection.
func (w *stopwatch) read() (address string, dns, connect time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.address, between(w.lookup, w.lookedUp), between(w.connecting, w.established)
}

func between(start, end time.Time) time.Duration {
	if start.IsZero() || end.Before(start) {
		return 0
	}
	return end.Sub(start)
}
