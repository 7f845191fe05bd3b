//go:build !race

package tests

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/models/payment/stripetest"
)

// TestPurchases is contract 3's checkout, and the open points' "Money" of purchases.
func TestPurchases(t *testing.T) {
	t.Parallel()
	url := startBehindProxy(t)
	c := newCast(t, url, "school", 20)
	at, credits := "/v1/orgs/"+c.org+"/credits/checkout", "/v1/orgs/"+c.org+"/credits"
	buy := object{"packId": "medium"}
	tryAll(t, []clause{
		{"owner", c.owner.client, "POST", at, buy, 200, "", "", func(t *testing.T, r *reply) {
			holds(t, r.path("data"), "url", "purchaseId")
			if want := url + "/orgs/" + c.org + "/purchases/" + r.text("data.purchaseId"); r.text("data.url") != want {
				t.Errorf("it is paid at %s, not at %s", r.text("data.url"), want)
			}
		}},
		{"nothing is bought yet", c.owner.client, "GET", credits, nil, 200, "", "", has(object{"data.pool": 0, "data.lifetimePurchased": 0})},
		{"unknown pack", c.owner.client, "POST", at, object{"packId": "huge"}, 400, "validation_error", "packId", nil},
		{"empty pack", c.owner.client, "POST", at, object{"packId": ""}, 400, "validation_error", "packId", nil},
		{"no pack", c.owner.client, "POST", at, object{}, 400, "validation_error", "packId", nil},
		{"null", c.owner.client, "POST", at, object{"packId": nil}, 400, "validation_error", "packId", nil},
		{"a number", c.owner.client, "POST", at, object{"packId": 1}, 400, "validation_error", "packId", nil},
		{"malformed organization", c.owner.client, "POST", "/v1/orgs/x/credits/checkout", buy, 400, "validation_error", "id", nil},
		{"admin", c.admin.client, "POST", at, buy, 403, "insufficient_role", "", nil},
		{"member", c.pupil.client, "POST", at, buy, 403, "insufficient_role", "", nil},
		{"workspace admin", c.head.client, "POST", at, buy, 403, "insufficient_role", "", nil},
		{"outsider", c.rival.client, "POST", at, buy, 404, "not_found", "", nil},
		{"operator", c.operator, "POST", at, buy, 404, "not_found", "", nil},
		{"nobody", c.visitor, "POST", at, buy, 401, "unauthorized", "", nil},
		{"nothing here", c.visitor, "POST", "/payments/stripe/events", object{}, 404, "not_found", "", nil},
	})
	t.Run("once for a key", func(t *testing.T) {
		key := c.owner.on(t).sending("Idempotency-Key", "buy")
		first := key.post(at, buy).want(200)
		again := key.post(at, buy).want(200)
		if first.text("data.purchaseId") != again.text("data.purchaseId") || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s\n%s", first.Body, again.Body)
		}
		key.post(at, object{"packId": "small"}).wantError(409, "idempotency_key_reused")
	})
	t.Run("confirmed and refunded", func(t *testing.T) {
		owner, operator := c.owner.on(t), c.operator
		operator.t = t
		id := owner.post(at, buy).want(200).text("data.purchaseId")
		act := func(who client, mutation string) *reply {
			return who.post("/graphql", object{"query": "mutation { " + strings.ReplaceAll(mutation, "$id", `"`+id+`"`) + " { status takenBack refundable number reversals { kind requested applied } } }"})
		}
		refused := func(r *reply, code string) {
			t.Helper()
			if r.text("errors.0.extensions.code") != code {
				t.Errorf("not %s: %s", code, r.Body)
			}
		}
		refused(act(owner, "confirmPurchase(id: $id)"), "insufficient_role")
		refused(act(owner, "refundPurchase(id: $id, credits: 1)"), "insufficient_role")
		refused(act(operator, "refundPurchase(id: $id, credits: 1)"), "validation_error")
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { act(operator, "confirmPurchase(id: $id)") })
		}
		all.Wait()
		owner.get(credits).want(200).is(object{"data.pool": 2500, "data.lifetimePurchased": 2500})
		act(operator, "confirmPurchase(id: $id)").is(object{"data.confirmPurchase.status": "paid", "data.confirmPurchase.refundable": 2500})
		owner.post("/v1/orgs/"+c.org+"/workspaces/"+c.room+"/allocate", object{"delta": 2400}).want(200)
		refused(act(operator, "refundPurchase(id: $id, credits: 2500.001)"), "validation_error")
		refused(act(operator, "refundPurchase(id: $id, credits: 0)"), "validation_error")
		refused(act(operator, "refundPurchase(id: $id, credits: -1)"), "validation_error")
		act(operator, "refundPurchase(id: $id, credits: 1000.5)").is(object{
			"data.refundPurchase.takenBack": 100, "data.refundPurchase.refundable": 1499.5, "data.refundPurchase.status": "paid",
			"data.refundPurchase.reversals.0.requested": 1000.5, "data.refundPurchase.reversals.0.applied": 100,
		})
		owner.get(credits).want(200).is(object{"data.pool": 0, "data.lifetimePurchased": 2500})
		refused(act(operator, "refundPurchase(id: $id, credits: 1499.501)"), "validation_error")
		act(operator, "refundPurchase(id: $id, credits: 1499.5)").is(object{"data.refundPurchase.status": "refunded", "data.refundPurchase.refundable": 0})
		refused(act(c.pupil.on(t), "cancelPurchase(id: $id)"), "insufficient_role")
		refused(act(c.rival.on(t), "cancelPurchase(id: $id)"), "not_found")
	})
}

// TestPurchasesAtStripe buys at the double of Stripe, through the program.
func TestPurchasesAtStripe(t *testing.T) {
	t.Parallel()
	stripe := stripetest.New(t)
	url := startBehindProxy(t, "PAYMENTS=stripe", "STRIPE_SECRET_KEY="+stripetest.Key, "STRIPE_WEBHOOK_SECRET="+stripetest.Secret, "STRIPE_API_BASE="+stripe.URL)
	c := newCast(t, url, "school", 20)
	owner, at, credits := c.owner.client, "/v1/orgs/"+c.org+"/credits/checkout", "/v1/orgs/"+c.org+"/credits"
	key := owner.sending("Idempotency-Key", "once")
	begun := key.post(at, object{"packId": "small"}).want(200)
	id := begun.text("data.purchaseId")
	session := stripe.Session(id)
	if session == nil || begun.text("data.url") != "https://checkout.stripe.test/c/pay/"+session.ID || session.Success != url+"/orgs/"+c.org+"/purchases/"+id {
		t.Fatalf("%s: %+v", begun.Body, session)
	}
	if again := key.post(at, object{"packId": "small"}).want(200); again.text("data.url") != begun.text("data.url") || len(stripe.Calls()) != 1 {
		t.Errorf("a repeat answers %s after %d calls", again.Body, len(stripe.Calls()))
	}
	paid := stripe.Pay(session.ID)
	send := func(e stripetest.Event, header string) *reply {
		return c.visitor.sending("Stripe-Signature", header).sending("Content-Type", "application/json; charset=utf-8").post("/payments/stripe/events", string(e.Payload))
	}
	signed := func(e stripetest.Event) *reply {
		return send(e, stripetest.Sign(e.Payload, stripetest.Secret, time.Now()))
	}
	done := paid.Completed("evt_1", "checkout.session.completed", 100)
	send(done, "").wantError(400, "validation_error")
	send(done, stripetest.Sign(done.Payload, "whsec_other", time.Now())).wantError(400, "validation_error")
	send(done, stripetest.Sign(done.Payload, stripetest.Secret, time.Now().Add(-time.Hour))).wantError(400, "validation_error")
	send(stripetest.Event{Payload: []byte(strings.Repeat(" ", 1<<20+1))}, "").wantError(413, "payload_too_large")
	signed(stripetest.NewEvent("evt_0", "customer.created", 100, object{"id": "cus_1", "object": "customer"})).want(200)
	c.visitor.get("/payments/stripe/events").wantError(405, "method_not_allowed")
	owner.get(credits).want(200).is(object{"data.pool": 0})

	// A refund that comes before the payment is known, and everything twice.
	early := paid.RefundedEvent("evt_2", 150, 300)
	for range 2 {
		signed(early).want(200)
	}
	for range 2 {
		signed(done).want(200)
	}
	owner.get(credits).want(200).is(object{"data.pool": 350, "data.lifetimePurchased": 500})
	signed(paid.DisputeEvent("evt_3", "charge.dispute.created", 200, "dp_1", 700, "needs_response")).want(200)
	owner.get(credits).want(200).is(object{"data.pool": 0, "data.lifetimePurchased": 500})
	signed(paid.DisputeEvent("evt_4", "charge.dispute.closed", 300, "dp_1", 700, "won")).want(200)
	owner.get(credits).want(200).is(object{"data.pool": 350, "data.lifetimePurchased": 500})
	r := c.operator.post("/graphql", object{"query": fmt.Sprintf(`mutation { refundPurchase(id: %q, credits: 350) { status takenBack } }`, id)})
	r.is(object{"errors": nil, "data.refundPurchase.status": "refunded", "data.refundPurchase.takenBack": 500})
	owner.get(credits).want(200).is(object{"data.pool": 0, "data.lifetimePurchased": 500})

	stripe.Fail(http.StatusInternalServerError)
	owner.post(at, object{"packId": "small"}).wantError(503, "billing_unavailable")
}
