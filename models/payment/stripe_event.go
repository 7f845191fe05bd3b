package payment

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"atelier/models"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// signatureAge is how old a signature of Stripe may be.
const signatureAge = 5 * time.Minute

// TakeStripeEvent notes what Stripe tells about a payment, once, in whatever
// order. validation_error for a signature that does not fit; what is about
// something else is ignored.
func (s *Service) TakeStripeEvent(ctx context.Context, body []byte, signature string) error {
	if s.Stripe == nil {
		return models.Err(models.CodeNotFound, "There is nothing at this address")
	}
	event, err := webhook.ConstructEventWithOptions(body, signature, s.Stripe.secret,
		webhook.ConstructEventOptions{Tolerance: signatureAge, IgnoreAPIVersionMismatch: true})
	if err != nil {
		return models.Invalid("Stripe-Signature", "does not fit the body, or is too old")
	}
	if event.ID == "" || event.Data == nil {
		return models.Invalid("id", "and data must be there")
	}
	if s.Stripe.live != nil && *s.Stripe.live != event.Livemode {
		slog.WarnContext(ctx, "payments: an event of Stripe's other mode is ignored", "event", event.ID, "livemode", event.Livemode)
		return nil
	}
	told, err := readStripe(&event)
	if err != nil {
		return models.Invalid("data", "cannot be read as what %s tells", event.Type)
	}
	if told == nil {
		return nil
	}
	told.Provider, told.EventID, told.HappenedAt = Stripe, event.ID, time.Unix(event.Created, 0).UTC()
	if err := told.check(); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		_, err := s.tell(tx, told)
		return err
	})
}

// readStripe is what an event tells; nil when it tells nothing of payments.
func readStripe(event *stripe.Event) (*Event, error) {
	switch event.Type {
	case stripe.EventTypeCheckoutSessionCompleted, stripe.EventTypeCheckoutSessionAsyncPaymentSucceeded,
		stripe.EventTypeCheckoutSessionExpired, stripe.EventTypeCheckoutSessionAsyncPaymentFailed:
		var session stripe.CheckoutSession
		err := json.Unmarshal(event.Data.Raw, &session)
		return toldSession(event.Type, &session), err
	case stripe.EventTypeChargeRefunded:
		var charge stripe.Charge
		err := json.Unmarshal(event.Data.Raw, &charge)
		told := &Event{Kind: toldCharge, Object: charge.ID, Amount: charge.AmountRefunded, Payment: intent(charge.PaymentIntent)}
		told.PurchaseID = named(charge.Metadata)
		return told, err
	case stripe.EventTypeRefundCreated, stripe.EventTypeRefundUpdated, stripe.EventTypeRefundFailed, stripe.EventTypeChargeRefundUpdated:
		var refund stripe.Refund
		err := json.Unmarshal(event.Data.Raw, &refund)
		return toldRefund(&refund), err
	}
	if !strings.HasPrefix(string(event.Type), "charge.dispute.") {
		return nil, nil
	}
	var dispute stripe.Dispute
	err := json.Unmarshal(event.Data.Raw, &dispute)
	told := &Event{Kind: toldDispute, Object: dispute.ID, Amount: dispute.Amount, Payment: intent(dispute.PaymentIntent), PurchaseID: named(dispute.Metadata)}
	told.State = verdict(event.Type, dispute.Status)
	return told, err
}

// toldSession is what became of a page: nil when it was left without a payment
// that is there, such as a transfer that takes days.
func toldSession(kind stripe.EventType, session *stripe.CheckoutSession) *Event {
	told := &Event{
		Kind: toldPaid, Object: session.ID, Amount: session.AmountTotal, State: strings.ToLower(string(session.Currency)),
		Payment: intent(session.PaymentIntent), PurchaseID: named(session.Metadata),
	}
	if told.PurchaseID == nil {
		told.PurchaseID = named(map[string]string{purchaseKey: session.ClientReferenceID})
	}
	switch {
	case kind == stripe.EventTypeCheckoutSessionExpired, kind == stripe.EventTypeCheckoutSessionAsyncPaymentFailed:
		told.Kind = toldExpired
	case session.PaymentStatus != stripe.CheckoutSessionPaymentStatusPaid:
		return nil
	}
	return told
}

func toldRefund(refund *stripe.Refund) *Event {
	told := &Event{
		Provider: Stripe, Kind: toldRefunded, Object: refund.ID, Amount: refund.Amount, State: refundMade,
		Payment: intent(refund.PaymentIntent), PurchaseID: named(refund.Metadata),
	}
	if refund.Status == stripe.RefundStatusFailed || refund.Status == stripe.RefundStatusCanceled {
		told.State = refundFailed
	}
	return told
}

// verdict is how a dispute stands. A warning takes no money.
func verdict(kind stripe.EventType, status stripe.DisputeStatus) string {
	switch {
	case kind == stripe.EventTypeChargeDisputeFundsReinstated, status == stripe.DisputeStatusWon,
		status == stripe.DisputeStatusPrevented, status == stripe.DisputeStatusWarningClosed:
		return disputeWon
	case status == stripe.DisputeStatusLost:
		return disputeLost
	case strings.HasPrefix(string(status), "warning_") && kind != stripe.EventTypeChargeDisputeFundsWithdrawn:
		return disputeWarning
	}
	return disputeOpen
}

func intent(p *stripe.PaymentIntent) *string {
	if p == nil || p.ID == "" {
		return nil
	}
	return &p.ID
}

// named is the purchase that a person's notes at Stripe name.
func named(notes map[string]string) *models.ID {
	id, err := models.ParseID(purchaseKey, notes[purchaseKey])
	if err != nil {
		return nil
	}
	return &id
}

// tell stores what was told and brings its purchase to what is true of it. What
// is about a payment that is not known yet waits for it. It returns the purchase,
// nil when none is known.
func (s *Service) tell(tx *models.Tx, told *Event) (*Purchase, error) {
	told.ReceivedAt = tx.Now
	if told.Payment != nil { // else a refund could miss the payment that becomes known beside it
		err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, "payment:"+*told.Payment).Error
		if err != nil {
			return nil, err
		}
	}
	p, err := about(tx, told)
	if err != nil {
		return nil, err
	}
	if p == nil && (told.Payment == nil || told.Kind == toldPaid || told.Kind == toldExpired) || p != nil && !told.fits(p) {
		slog.WarnContext(tx.Context(), "payments: an event of Stripe fits no purchase and is ignored", "event", told.EventID, "kind", told.Kind,
			"object", told.Object, "amount", told.Amount)
		return p, nil
	}
	told.PurchaseID = nil
	if p != nil {
		told.PurchaseID = &p.ID
	}
	added, err := models.Affected(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(told))
	if err != nil || added == 0 || p == nil {
		return p, err
	}
	if told.Kind == toldPaid && told.Payment != nil && p.Payment == nil {
		if err := adopt(tx, p, *told.Payment); err != nil {
			return nil, err
		}
	}
	return p, s.follow(tx, p)
}

// What an event of a provider may hold: Stripe's ids have some thirty letters, and
// its amounts at most twelve digits.
const (
	maxToldAmount = 1_000_000_000_000
	maxToldID     = 255
	maxToldState  = 64
)

// lastToldAt is before which an event happened.
var lastToldAt = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// check refuses what no provider tells: amounts below 0 or beyond all money, moments
// beyond the calendar, ids that are none. validation_error with the part at fault.
func (e *Event) check() error {
	texts := map[string]string{"id": e.EventID, "data.object.id": e.Object}
	if e.Payment != nil {
		texts["data.object.payment_intent"] = *e.Payment
	}
	for field, text := range texts {
		if text == "" || len(text) > maxToldID || !readable(text) {
			return models.Invalid(field, "must be an id of 1 to %d characters", maxToldID)
		}
	}
	switch {
	case e.Amount < 0 || e.Amount > maxToldAmount:
		return models.Invalid("data.object.amount", "must be 0 to %d", int64(maxToldAmount))
	case len(e.State) > maxToldState || !readable(e.State):
		return models.Invalid("data.object.currency", "must be a currency")
	case e.HappenedAt.Unix() < 0 || e.HappenedAt.After(lastToldAt):
		return models.Invalid("created", "must be a moment in seconds since 1970")
	}
	return nil
}

// readable tells of a text without control characters, which no id has.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// about is the purchase that an event is about, locked; nil when none is known.
func about(tx *models.Tx, told *Event) (*Purchase, error) {
	var found []models.ID
	err := tx.Model(&Purchase{}).Where("provider = ? AND (id = ? OR payment = ?)", Stripe, told.PurchaseID, told.Payment).
		Limit(1).Pluck("id", &found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return lock(tx, found[0])
}

// fits tells whether what was paid is what was asked for.
func (e *Event) fits(p *Purchase) bool {
	return e.Kind != toldPaid || e.Amount == int64(p.Price) && e.State == p.Currency
}

// adopt gives a purchase the events of its payment that waited for it.
func adopt(tx *models.Tx, p *Purchase, payment string) error {
	p.Payment = &payment
	return tx.Exec(`UPDATE payment_events SET purchase_id = ? WHERE provider = ? AND payment = ? AND purchase_id IS NULL`, p.ID, Stripe, payment).Error
}

// follow brings a locked purchase to what is true of it.
func (s *Service) follow(tx *models.Tx, p *Purchase) error {
	events, err := eventsOf(tx.DB, p.ID)
	if err != nil {
		return err
	}
	st := stand(events)
	switch {
	case st.paid:
		if err := s.enter(tx, p, tx.Now); err != nil {
			return err
		}
		refund, dispute := p.due(st)
		if err := s.settle(tx, p, refund, dispute); err != nil {
			return err
		}
		p.Status = p.state(st.open)
	case st.expired:
		return s.cancel(tx, p)
	}
	return p.save(tx)
}

func eventsOf(db *gorm.DB, id models.ID) ([]*Event, error) {
	var events []*Event
	return events, db.Where("purchase_id = ?", id).Find(&events).Error
}
