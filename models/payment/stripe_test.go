package payment_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/payment"
	"atelier/models/payment/stripetest"
)

// atStripe is a shop whose money Stripe takes.
type atStripe struct {
	*shop
	stripe          *stripetest.Stripe
	owner, operator context.Context
	org             *org.Organization
}

func newStripeShop(t testing.TB) *atStripe {
	t.Helper()
	s := &atStripe{shop: newShop(t), stripe: stripetest.New(t)}
	s.payments.Stripe = payment.NewStripeAccount(payment.StripeConfig{
		SecretKey: stripetest.Key, WebhookSecret: stripetest.Secret, APIBase: s.stripe.URL, HTTP: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}},
	})
	s.owner, s.operator = s.Person("owner"), s.Operator()
	s.org = s.School(s.owner, "Northgate")
	return s
}

func (s *atStripe) deliver(e stripetest.Event) error {
	return s.payments.TakeStripeEvent(context.Background(), e.Payload, stripetest.Sign(e.Payload, stripetest.Secret, time.Now()))
}

// send delivers an event that must be taken.
func (s *atStripe) send(e stripetest.Event) {
	s.Helper()
	if err := s.deliver(e); err != nil {
		s.Fatalf("%s: %v", e.Type, err)
	}
}

// buy begins a purchase and pays its page, without an event about it.
func (s *atStripe) buy(pack string) (*payment.Purchase, *stripetest.Session) {
	s.Helper()
	p, err := s.payments.Checkout(s.owner, s.org.ID, pack)
	s.NoError(err)
	return p, s.stripe.Pay(s.stripe.Session(p.ID.String()).ID)
}

func (s *atStripe) find(p *payment.Purchase) *payment.Purchase {
	s.Helper()
	found, err := s.payments.FindPurchase(s.owner, p.ID)
	s.NoError(err)
	return found
}

// TestBuyingAtStripe goes the whole way of a purchase that Stripe takes the money of.
func TestBuyingAtStripe(t *testing.T) {
	s := newStripeShop(t)
	p, err := s.payments.Checkout(s.owner, s.org.ID, "medium")
	s.NoError(err)
	session := s.stripe.Session(p.ID.String())
	page := "https://atelier.example/orgs/" + s.org.ID.String() + "/purchases/" + p.ID.String()
	if session == nil || p.URL != "https://checkout.stripe.test/c/pay/"+session.ID || session.Amount != 4500 || session.Currency != "usd" ||
		session.Success != page || session.Cancel != page || session.Name != "Medium: 2500 credits for Northgate" {
		t.Fatalf("the page is %+v, the purchase %+v", session, p)
	}
	if call := s.stripe.Calls()[0]; call.Idempotency != "checkout-"+p.ID.String() || call.Key != stripetest.Key {
		t.Errorf("the call is %+v", call)
	}
	if _, err := s.payments.ConfirmPurchase(s.operator, p.ID); !models.HasCode(err, models.CodeValidation) {
		t.Errorf("confirming by hand what Stripe confirms: %v", err)
	}
	session = s.stripe.Pay(session.ID)
	done := session.Completed("evt_1", "checkout.session.completed", 100)
	atOnce(20, func() {
		if err := s.deliver(done); err != nil {
			t.Error(err)
		}
	})
	s.holds(s.org, 2500*models.Credit, 2500*models.Credit)
	if p = s.find(p); p.Status != payment.Paid || p.Number == nil || p.ConfirmedBy != nil {
		t.Errorf("paid: %+v", p)
	}

	// An operator's refund is asked for at Stripe, and the event about it changes nothing.
	p, err = s.payments.RefundPurchase(s.operator, p.ID, 500*models.Credit)
	s.NoError(err)
	if p.TakenBack() != 500*models.Credit || s.stripe.Session(p.ID.String()).Refunded != 900 {
		t.Errorf("refunded in part: %+v", p)
	}
	s.holds(s.org, 2000*models.Credit, 2500*models.Credit)
	s.send(session.RefundedEvent("evt_2", 200, 900))
	s.holds(s.org, 2000*models.Credit, 2500*models.Credit)
	_, err = s.payments.RefundPurchase(s.operator, p.ID, 2000*models.Credit+1)
	s.Refused(err, models.CodeValidation, 400)
	p, err = s.payments.RefundPurchase(s.operator, p.ID, 500*models.Credit)
	s.NoError(err)
	if p.TakenBack() != 1000*models.Credit {
		t.Errorf("an equal refund once more: %+v", p)
	}
	p, err = s.payments.RefundPurchase(s.operator, p.ID, 1500*models.Credit)
	s.NoError(err)
	if p.Status != payment.Refunded || s.stripe.Session(p.ID.String()).Refunded != 4500 {
		t.Errorf("refunded: %+v", p)
	}
	s.holds(s.org, 0, 2500*models.Credit)
	s.Audited(s.org.ID, "organization.created", "purchase.started", "credits.purchased", "credits.refunded", "credits.refunded", "credits.refunded")
}

// TestRefundsAtOnce asks Stripe for one refund from many sides.
func TestRefundsAtOnce(t *testing.T) {
	s := newStripeShop(t)
	p, session := s.buy("small")
	s.send(session.Completed("evt_1", "checkout.session.completed", 100))
	atOnce(10, func() {
		if _, err := s.payments.RefundPurchase(s.operator, p.ID, 300*models.Credit); err != nil && !models.HasCode(err, models.CodeValidation) {
			t.Error(err)
		}
	})
	if refunded := s.stripe.Session(p.ID.String()).Refunded; refunded != 600 {
		t.Errorf("%d of 1000 went back", refunded)
	}
	s.holds(s.org, 200*models.Credit, 500*models.Credit)
}

// TestStripeThatFails gives up a purchase whose page was not opened, and a refund
// that Stripe refused changes nothing.
func TestStripeThatFails(t *testing.T) {
	s := newStripeShop(t)
	for _, failures := range [][]int{{500}, {0, 0}, {400}, {401}} {
		s.stripe.Fail(failures...)
		_, err := s.payments.Checkout(s.owner, s.org.ID, "small")
		s.Refused(err, models.CodeBillingUnavailable, 503)
	}
	s.stripe.Fail(0) // once is tried again
	p, session := s.buy("small")
	list, err := s.payments.ListPurchases(s.owner, s.org.ID, models.Page{})
	s.NoError(err)
	for i, found := range list.Nodes {
		if (i == 0) != (found.Status == payment.Pending) || (i == 0) != (found.URL != "") {
			t.Errorf("%d is %s at %q", i, found.Status, found.URL)
		}
	}
	s.send(session.Completed("evt_1", "checkout.session.completed", 100))
	s.stripe.Fail(500)
	_, err = s.payments.RefundPurchase(s.operator, p.ID, models.Credit)
	s.Refused(err, models.CodeBillingUnavailable, 503)
	s.stripe.Fail(400)
	_, err = s.payments.RefundPurchase(s.operator, p.ID, models.Credit)
	if err == nil {
		t.Error("a refund that Stripe refused was made")
	}
	s.holds(s.org, 500*models.Credit, 500*models.Credit)
}

// TestGivingUpAtStripe closes the page, and counts a payment that comes all the same.
func TestGivingUpAtStripe(t *testing.T) {
	s := newStripeShop(t)
	p, err := s.payments.Checkout(s.owner, s.org.ID, "small")
	s.NoError(err)
	p, err = s.payments.CancelPurchase(s.owner, p.ID)
	s.NoError(err)
	session := s.stripe.Session(p.ID.String())
	if p.Status != payment.Canceled || session.Status != "expired" {
		t.Errorf("given up: %s, the page is %s", p.Status, session.Status)
	}
	s.send(session.Expired("evt_0", 100))
	s.send(session.Completed("evt_1", "checkout.session.completed", 99))
	if p = s.find(p); p.Status != payment.Paid {
		t.Errorf("paid late: %s", p.Status)
	}
	s.holds(s.org, 500*models.Credit, 500*models.Credit)

	// A page that its payer left.
	p, err = s.payments.Checkout(s.owner, s.org.ID, "small")
	s.NoError(err)
	s.send(s.stripe.Session(p.ID.String()).Expired("evt_2", 100))
	if p = s.find(p); p.Status != payment.Canceled {
		t.Errorf("left: %s", p.Status)
	}
	// One that no one tells about.
	p, err = s.payments.Checkout(s.owner, s.org.ID, "small")
	s.NoError(err)
	s.Clock.Advance(25 * time.Hour)
	s.NoError(s.payments.Sweep(t.Context()))
	if p = s.find(p); p.Status != payment.Canceled {
		t.Errorf("after a day: %s", p.Status)
	}
}

// TestEventsThatAreNone refuses what Stripe did not sign, and ignores what is
// about something else.
func TestEventsThatAreNone(t *testing.T) {
	s := newStripeShop(t)
	p, session := s.buy("small")
	paid := session.Completed("evt_1", "checkout.session.completed", 100)
	now := time.Now()
	for name, header := range map[string]string{
		"none": "", "nonsense": "t=1,v1=00", "another secret": stripetest.Sign(paid.Payload, "whsec_other", now),
		"another body": stripetest.Sign(append([]byte(" "), paid.Payload...), stripetest.Secret, now),
		"too old":      stripetest.Sign(paid.Payload, stripetest.Secret, now.Add(-6*time.Minute)),
	} {
		if err := s.payments.TakeStripeEvent(t.Context(), paid.Payload, header); !models.HasCode(err, models.CodeValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	with := func(from, to string) stripetest.Event {
		if !strings.Contains(string(paid.Payload), from) {
			t.Fatalf("no %s in %s", from, paid.Payload)
		}
		return stripetest.Event{Type: paid.Type, Payload: []byte(strings.ReplaceAll(string(paid.Payload), from, to))}
	}
	for name, event := range map[string]stripetest.Event{
		"the other mode":   with(`"livemode":false,"object":"event"`, `"livemode":true,"object":"event"`),
		"too little":       with(`"amount_total":1000`, `"amount_total":999`),
		"another currency": with(`"currency":"usd"`, `"currency":"jpy"`),
		"not paid":         with(`"payment_status":"paid"`, `"payment_status":"unpaid"`),
		"another purchase": with(p.ID.String(), "019a9f00-0000-7000-8000-000000000000"),
		"no purchase":      with(p.ID.String(), "mine"),
		"another type":     with(`"checkout.session.completed"`, `"customer.created"`),
	} {
		if err := s.deliver(event); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.holds(s.org, 0, 0)
	}
	// The same event that was ignored as of another amount is no duplicate of the true one.
	s.send(paid)
	s.holds(s.org, 500*models.Credit, 500*models.Credit)
	p2, session2 := s.buy("small")
	s.send(session2.Completed("evt_2", "checkout.session.async_payment_succeeded", 100))
	if s.find(p2).Status != payment.Paid {
		t.Error("a payment that took its time was not noticed")
	}
}

// story is something that happens to a purchase, and what it makes of its end.
type story struct {
	name   string
	events func(*stripetest.Session, string) []stripetest.Event
	// The purchase's own part of the credits that are asked back in the end, in
	// percent, and how it stands.
	refund, dispute int
	status          payment.Status
}

const hundred = 1000 // cents of the small pack

func paidEvent(c *stripetest.Session, n string) stripetest.Event {
	return c.Completed("evt_paid"+n, "checkout.session.completed", 100)
}

var stories = []story{
	{"refunds in part and whole, and a dispute that was won and then lost", func(c *stripetest.Session, n string) []stripetest.Event {
		return []stripetest.Event{
			paidEvent(c, n), c.RefundedEvent("evt_30"+n, 200, 300), c.RefundedEvent("evt_100"+n, 300, hundred),
			c.DisputeEvent("evt_open"+n, "charge.dispute.created", 400, "dp"+n, hundred, "needs_response"),
			c.DisputeEvent("evt_won"+n, "charge.dispute.closed", 500, "dp"+n, hundred, "won"),
			c.DisputeEvent("evt_lost"+n, "charge.dispute.closed", 600, "dp"+n, hundred, "lost"),
		}
	}, 100, 0, payment.Refunded},
	{"a refund in part and a dispute that was won", func(c *stripetest.Session, n string) []stripetest.Event {
		return []stripetest.Event{
			paidEvent(c, n), c.RefundEvent("evt_30"+n, "refund.created", 200, "re"+n, 300, "succeeded"),
			c.DisputeEvent("evt_open"+n, "charge.dispute.created", 400, "dp"+n, 700, "needs_response"),
			c.DisputeEvent("evt_back"+n, "charge.dispute.funds_reinstated", 500, "dp"+n, 700, "won"),
			c.DisputeEvent("evt_won"+n, "charge.dispute.closed", 500, "dp"+n, 700, "won"),
		}
	}, 30, 0, payment.Paid},
	{"a dispute of a half that was lost, and a refund", func(c *stripetest.Session, n string) []stripetest.Event {
		return []stripetest.Event{
			paidEvent(c, n), c.DisputeEvent("evt_open"+n, "charge.dispute.created", 400, "dp"+n, 500, "warning_needs_response"),
			c.DisputeEvent("evt_out"+n, "charge.dispute.funds_withdrawn", 450, "dp"+n, 500, "needs_response"),
			c.DisputeEvent("evt_lost"+n, "charge.dispute.closed", 500, "dp"+n, 500, "lost"), c.RefundedEvent("evt_20"+n, 300, 200),
		}
	}, 20, 50, payment.Paid},
	{"a dispute of a half that is open, beside a refund told in two ways", func(c *stripetest.Session, n string) []stripetest.Event {
		return []stripetest.Event{
			paidEvent(c, n), c.DisputeEvent("evt_open"+n, "charge.dispute.created", 400, "dp"+n, 800, "needs_response"),
			c.RefundedEvent("evt_40"+n, 300, 400), c.RefundEvent("evt_re"+n, "refund.updated", 200, "re"+n, 400, "succeeded"),
		}
	}, 40, 60, payment.Disputed},
}
