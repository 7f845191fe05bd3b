// Package provider speaks with services that do a node's work elsewhere:
// OpenAI and whatever speaks its language, and Replicate. It knows their wire
// formats and what each answer means for the one question that matters after a
// failure: may the request be sent again (Trouble)? It never sends one twice by
// itself, takes no proxy or setting from the environment, and bounds the time
// and size of every answer.
package provider

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"atelier/models/egress"
)

// Service is where a provider is, and the key to it. Both are the operator's:
// the base URL may be http, and may lead into the operator's own network.
type Service struct {
	BaseURL string // without a trailing slash
	Key     string
	// Timeout bounds one exchange, its body included; 0 is five minutes.
	Timeout time.Duration
}

// Own tells whether an address lies on the service's own host, so that it is
// as trusted as the base URL.
func (s Service) Own(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	base, err := url.Parse(s.BaseURL)
	return err == nil && u.Scheme == base.Scheme && strings.EqualFold(u.Host, base.Host)
}

// Sizes of answers in bytes.
const (
	maxJSON  = 4 << 20
	maxImage = 96 << 20 // in base64, within JSON
	maxSound = 100 << 20
	maxFile  = 500 << 20
)

// exchange makes one request, and remembers what became of it.
type exchange struct {
	client *egress.Client
	// sent says that a connection was there: the request may have arrived.
	sent       atomic.Bool
	status     int
	retryAfter string
	// unread is why the answer could not be read to its end.
	unread error
}

func (s Service) exchange(maxBytes int64) *exchange {
	timeout := s.Timeout
	if timeout == 0 {
		timeout = 5 * time.Minute
	}
	return &exchange{client: egress.New(egress.Config{Configured: true, Timeout: timeout, MaxBytes: maxBytes})}
}

// Do makes the request.
func (e *exchange) Do(req *http.Request) (*http.Response, error) {
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { e.sent.Store(true) }}
	resp, err := e.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err == nil {
		e.status, e.retryAfter = resp.StatusCode, resp.Header.Get("Retry-After")
		resp.Body = &noted{resp.Body, e}
	}
	return resp, err
}

// noted is a body that notes why it ends before its end.
type noted struct {
	io.ReadCloser
	of *exchange
}

func (n *noted) Read(p []byte) (int, error) {
	read, err := n.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		n.of.unread = err
	}
	return read, err
}

// trouble says what a failed exchange means; code and message are the
// service's own, as far as it sent some.
func (e *exchange) trouble(ctx context.Context, s Service, code, message string) error {
	if cause := ctx.Err(); cause != nil && errors.Is(cause, context.Canceled) {
		return context.Canceled
	}
	t := &Trouble{Status: e.status, Kind: kindOf(e.status, code), Message: clean(message, s.Key)}
	switch {
	case e.status == 0 && !e.sent.Load():
		t.Kind = Busy
	case e.status == 0:
		t.Kind = Uncertain
	case e.status < 200 || e.status > 299:
	case errors.Is(e.unread, egress.ErrTooLarge):
		t.Kind, t.Message = Unreadable, "it is too large"
	case e.unread != nil:
		t.Kind, t.Message = Uncertain, ""
	default:
		t.Kind, t.Message = Unreadable, ""
	}
	t.Wait = waitOf(e.retryAfter)
	return t
}
