// Package stripetest is a double of Stripe on loopback that speaks its wire
// format: checkout sessions, refunds, and signed events.
package stripetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"
)

// The keys of the double.
const (
	Key    = "sk_test_double"
	Secret = "whsec_double"
)

// Stripe is the double.
type Stripe struct {
	// URL is for STRIPE_API_BASE.
	URL string

	mu       sync.Mutex
	next     int
	sessions map[string]*Session
	refunds  map[string]map[string]any
	answers  map[string]answer // by idempotency key
	calls    []Call
	failures []int
}

// Session is a page where something is paid.
type Session struct {
	ID, Payment, Charge string
	Amount              int64
	Currency            string
	Status              string // open, complete or expired
	Metadata            map[string]string
	Success, Cancel     string
	Name                string
	Refunded            int64
}

// Call is a request that came.
type Call struct{ Method, Path, Key, Idempotency, Body string }

type answer struct {
	status int
	body   []byte
}

// New starts the double; it ends with the test.
func New(t testing.TB) *Stripe {
	s := &Stripe{sessions: map[string]*Session{}, refunds: map[string]map[string]any{}, answers: map[string]answer{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Fail has the next calls answered with these statuses; 0 hangs up.
func (s *Stripe) Fail(statuses ...int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, statuses...)
}

// Calls are the requests so far.
func (s *Stripe) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Session is the page of a purchase, by its id in the metadata; nil without one.
func (s *Stripe) Session(purchase string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		if session.Metadata["purchase_id"] == purchase {
			found := *session
			return &found
		}
	}
	return nil
}

func (s *Stripe) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	s.calls = append(s.calls, Call{r.Method, r.URL.Path, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), key, r.PostForm.Encode()})
	if len(s.failures) > 0 {
		status := s.failures[0]
		s.failures = s.failures[1:]
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		reply(w, answer{status, failure("api_error", "Something went wrong on our end.", "")})
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+Key {
		reply(w, answer{401, failure("invalid_request_error", "Invalid API Key provided.", "")})
		return
	}
	if known, ok := s.answers[key]; ok && key != "" {
		reply(w, known)
		return
	}
	a := s.answer(r)
	if key != "" && r.Method == http.MethodPost && a.status < 500 {
		s.answers[key] = a
	}
	reply(w, a)
}

func reply(w http.ResponseWriter, a answer) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

func failure(kind, message, param string) []byte {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"type": kind, "message": message, "param": param}})
	return body
}

func invalid(format string, args ...any) answer {
	return answer{400, failure("invalid_request_error", fmt.Sprintf(format, args...), "")}
}

func ok(body any) answer {
	text, _ := json.Marshal(body)
	return answer{200, text}
}

func (s *Stripe) answer(r *http.Request) answer {
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	switch {
	case r.Method == "POST" && r.URL.Path == "/v1/checkout/sessions":
		return s.open(r)
	case r.Method == "POST" && r.URL.Path == "/v1/refunds":
		return s.refund(r)
	case r.Method == "POST" && len(path) == 4 && path[1] == "sessions" && path[3] == "expire":
		session := s.sessions[path[2]]
		if session == nil || session.Status != "open" {
			return invalid("Only Checkout Sessions with a status in [\"open\"] can be expired.")
		}
		session.Status = "expired"
		return ok(session.object())
	}
	return answer{404, failure("invalid_request_error", "Unrecognized request URL ("+r.Method+": "+r.URL.Path+").", "")}
}

func (s *Stripe) name(kind string) string {
	s.next++
	return fmt.Sprintf("%s_test_%04d", kind, s.next)
}

func (s *Stripe) open(r *http.Request) answer {
	form := r.PostForm
	amount, err := strconv.ParseInt(form.Get("line_items[0][price_data][unit_amount]"), 10, 64)
	switch {
	case form.Get("mode") != "payment":
		return invalid("You must provide the mode.")
	case err != nil || amount <= 0 || form.Get("line_items[0][quantity]") != "1":
		return invalid("Invalid line_items.")
	case form.Get("success_url") == "" || form.Get("line_items[0][price_data][product_data][name]") == "":
		return invalid("Missing required param.")
	}
	session := &Session{
		ID: s.name("cs"), Payment: s.name("pi"), Charge: s.name("ch"), Amount: amount, Currency: form.Get("line_items[0][price_data][currency]"),
		Status: "open", Metadata: map[string]string{"purchase_id": form.Get("metadata[purchase_id]")},
		Success: form.Get("success_url"), Cancel: form.Get("cancel_url"), Name: form.Get("line_items[0][price_data][product_data][name]"),
	}
	s.sessions[session.ID] = session
	return ok(session.object())
}

// object is the session as Stripe writes it; the payment is known once it was made.
func (c *Session) object() map[string]any {
	object := map[string]any{
		"id": c.ID, "object": "checkout.session", "mode": "payment", "status": c.Status, "livemode": false,
		"amount_subtotal": c.Amount, "amount_total": c.Amount, "currency": c.Currency, "metadata": c.Metadata,
		"client_reference_id": c.Metadata["purchase_id"], "payment_intent": nil, "payment_status": "unpaid",
		"success_url": c.Success, "cancel_url": c.Cancel, "url": "https://checkout.stripe.test/c/pay/" + c.ID,
	}
	if c.Status == "complete" {
		object["payment_intent"], object["payment_status"], object["url"] = c.Payment, "paid", nil
	}
	return object
}

func (s *Stripe) refund(r *http.Request) answer {
	amount, err := strconv.ParseInt(r.PostForm.Get("amount"), 10, 64)
	if err != nil || amount <= 0 {
		return invalid("Invalid positive integer")
	}
	for _, session := range s.sessions {
		if session.Payment != r.PostForm.Get("payment_intent") || session.Status != "complete" {
			continue
		}
		if amount > session.Amount-session.Refunded {
			return invalid("Refund amount (%d) is greater than unrefunded amount on charge (%d)", amount, session.Amount-session.Refunded)
		}
		session.Refunded += amount
		refund := session.refundObject(s.name("re"), amount, "succeeded")
		s.refunds[refund["id"].(string)] = refund
		return ok(refund)
	}
	return invalid("No such payment_intent: '%s'", r.PostForm.Get("payment_intent"))
}

func (c *Session) refundObject(id string, amount int64, status string) map[string]any {
	return map[string]any{
		"id": id, "object": "refund", "amount": amount, "currency": c.Currency, "status": status,
		"payment_intent": c.Payment, "charge": c.Charge, "metadata": map[string]string{}, "reason": nil,
	}
}

// Pay completes a page as its payer does.
func (s *Stripe) Pay(id string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions[id].Status = "complete"
	paid := *s.sessions[id]
	return &paid
}

// Event is an event that can be sent, any number of times.
type Event struct {
	Type    string
	Payload []byte
}

// NewEvent makes an event about an object, at a time in seconds.
func NewEvent(id, kind string, at int64, object map[string]any) Event {
	payload, _ := json.Marshal(map[string]any{
		"id": id, "object": "event", "api_version": "2026-03-25.dahlia", "created": at, "livemode": false,
		"pending_webhooks": 1, "type": kind, "request": map[string]any{"id": nil, "idempotency_key": nil},
		"data": map[string]any{"object": object},
	})
	return Event{kind, payload}
}

// Completed tells that the page was paid; kind is that of the event.
func (c *Session) Completed(id, kind string, at int64) Event {
	paid := *c
	paid.Status = "complete"
	return NewEvent(id, kind, at, paid.object())
}

// Expired tells that the page was left.
func (c *Session) Expired(id string, at int64) Event {
	left := *c
	left.Status = "expired"
	return NewEvent(id, "checkout.session.expired", at, left.object())
}

// RefundedEvent tells how much of the charge is refunded in all.
func (c *Session) RefundedEvent(id string, at, inAll int64) Event {
	return NewEvent(id, "charge.refunded", at, map[string]any{
		"id": c.Charge, "object": "charge", "amount": c.Amount, "amount_captured": c.Amount, "amount_refunded": inAll,
		"currency": c.Currency, "payment_intent": c.Payment, "refunded": inAll == c.Amount, "metadata": map[string]string{}, "livemode": false,
	})
}

// RefundEvent tells of one refund.
func (c *Session) RefundEvent(id, kind string, at int64, refund string, amount int64, status string) Event {
	return NewEvent(id, kind, at, c.refundObject(refund, amount, status))
}

// DisputeEvent tells of a dispute.
func (c *Session) DisputeEvent(id, kind string, at int64, dispute string, amount int64, status string) Event {
	return NewEvent(id, kind, at, map[string]any{
		"id": dispute, "object": "dispute", "amount": amount, "currency": c.Currency, "charge": c.Charge, "payment_intent": c.Payment,
		"status": status, "reason": "fraudulent", "metadata": map[string]string{}, "livemode": false, "is_charge_refundable": false,
	})
}

// Sign is the header of a payload, signed at a time.
func Sign(payload []byte, secret string, at time.Time) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: payload, Secret: secret, Timestamp: at}).Header
}
