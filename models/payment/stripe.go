package payment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"atelier/models"

	"github.com/stripe/stripe-go/v85"
)

// StripeConfig is how to reach an account at Stripe.
type StripeConfig struct {
	SecretKey     string
	WebhookSecret string
	// APIBase is where it answers, without a slash at its end.
	APIBase string
	// HTTP bounds how long a call takes and how long its answer is.
	HTTP *http.Client
}

// StripeAccount is the account at Stripe that is paid.
type StripeAccount struct {
	client *stripe.Client
	secret string
	// live is the mode of the key; nil when the key does not say.
	live *bool
}

// NewStripeAccount makes the client of an account.
func NewStripeAccount(c StripeConfig) *StripeAccount {
	backends := stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL: &c.APIBase, HTTPClient: c.HTTP, MaxNetworkRetries: stripe.Int64(1),
		EnableTelemetry: stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	})
	a := &StripeAccount{client: stripe.NewClient(c.SecretKey, stripe.WithBackends(backends)), secret: c.WebhookSecret}
	for mode, live := range map[string]bool{"live": true, "test": false} {
		if _, rest, _ := strings.Cut(c.SecretKey, "_"); strings.HasPrefix(rest, mode+"_") {
			a.live = &live
		}
	}
	return a
}

// purchaseKey is the name of the purchase in what Stripe keeps with a payment.
const purchaseKey = "purchase_id"

// open makes the page where a purchase is paid. A repeat for the same purchase
// gets the same page.
func (a *StripeAccount) open(ctx context.Context, p *Purchase, page string) (*stripe.CheckoutSession, error) {
	named := map[string]string{purchaseKey: p.ID.String()}
	params := &stripe.CheckoutSessionCreateParams{
		Mode: stripe.String(stripe.CheckoutSessionModePayment), ClientReferenceID: stripe.String(p.ID.String()), Metadata: named,
		SuccessURL: &page, CancelURL: &page,
		// The price is in the currency of the pack and in no other.
		AdaptivePricing:   &stripe.CheckoutSessionCreateAdaptivePricingParams{Enabled: stripe.Bool(false)},
		PaymentIntentData: &stripe.CheckoutSessionCreatePaymentIntentDataParams{Metadata: named},
		LineItems: []*stripe.CheckoutSessionCreateLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
				Currency: &p.Currency, UnitAmount: stripe.Int64(int64(p.Price)),
				ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{
					Name: stripe.String(fmt.Sprintf("%s: %s credits for %s", p.Label, p.Credits, p.OrganizationName)),
				},
			},
		}},
	}
	params.SetIdempotencyKey("checkout-" + p.ID.String())
	session, err := a.client.V1CheckoutSessions.Create(ctx, params)
	if err == nil && (session.ID == "" || session.URL == "") {
		err = errors.New("the answer names no page")
	}
	return session, err
}

// expire closes the page of a purchase that was given up. When that fails the
// page can be paid until it expires by itself, and the payment counts.
func (a *StripeAccount) expire(ctx context.Context, session string) {
	if _, err := a.client.V1CheckoutSessions.Expire(ctx, session, &stripe.CheckoutSessionExpireParams{}); err != nil {
		slog.WarnContext(ctx, "payments: a page at Stripe stays open", "session", session, "error", err)
	}
}

// refund gives money of a payment back, once for a key.
func (a *StripeAccount) refund(ctx context.Context, p *Purchase, amount int64, key string) (*stripe.Refund, error) {
	params := &stripe.RefundCreateParams{
		PaymentIntent: p.Payment, Amount: &amount, Metadata: map[string]string{purchaseKey: p.ID.String()},
	}
	params.SetIdempotencyKey(key)
	return a.client.V1Refunds.Create(ctx, params)
}

// checkoutAtStripe stores the purchase first, asks Stripe for its page, and
// stores where that is. When the program ends in between, the purchase waits
// without a page until it expires, and buying again begins another one.
func (s *Service) checkoutAtStripe(ctx context.Context, organizationID models.ID, packID string) (*Purchase, error) {
	apart, err := models.WithoutTx(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.begin(apart, organizationID, packID, Stripe)
	if err != nil {
		return nil, err
	}
	session, err := s.Stripe.open(ctx, p, s.pageOf(p))
	if err != nil {
		slog.ErrorContext(ctx, "payments: Stripe opened no page", "purchase", p.ID, "error", err)
		if err := s.DB.Write(context.WithoutCancel(apart), func(tx *models.Tx) error { return s.cancel(tx, p) }); err != nil {
			return nil, err
		}
		return nil, errNoProvider
	}
	p.Session, p.URL = &session.ID, session.URL
	return p, s.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Model(p).Select("session", "url").Updates(p).Error
	})
}

var errNoProvider = models.Err(models.CodeBillingUnavailable, "Stripe did not answer as it should, and nothing was bought. Try once more in a moment.")

// refundAtStripe asks Stripe to give the money back and takes what that is worth
// from the pool at once. The key of the call is made of what was refunded before,
// so that a repeat after a crash is the same refund; the events about it that
// follow name the same refund, and it counts once.
func (s *Service) refundAtStripe(ctx context.Context, p *Purchase, credits models.Credits) (*Purchase, error) {
	if s.Stripe == nil || p.Payment == nil {
		return nil, models.Invalid("id", "is of a purchase at Stripe, which this install does not reach: refund it there")
	}
	if _, err := models.WithoutTx(ctx); err != nil {
		return nil, err
	}
	events, err := eventsOf(s.DB.Read(ctx), p.ID)
	if err != nil {
		return nil, err
	}
	st := stand(events)
	// All of it as it was told, and not as it was read before: another person may refund too.
	p.RefundRequested, p.DisputeRequested = p.due(st)
	if err := p.checkRefund(credits); err != nil {
		return nil, err
	}
	gone := min(st.refunded+st.disputed, int64(p.Price))
	amount := min(max(p.cost(p.RefundRequested+p.DisputeRequested+credits)-gone, 1), int64(p.Price)-gone)
	refund, err := s.Stripe.refund(ctx, p, amount, fmt.Sprintf("refund-%s-%d-%d-%d", p.ID, st.refunds, st.refunded, amount))
	if err == nil && refund.ID == "" {
		err = errors.New("the answer names no refund")
	}
	if err != nil {
		slog.ErrorContext(ctx, "payments: Stripe refunded nothing", "purchase", p.ID, "error", err)
		return nil, refusedRefund(err)
	}
	told := toldRefund(refund)
	told.EventID, told.PurchaseID, told.Payment = "refund:"+refund.ID, &p.ID, p.Payment
	// Refunds that were told as a part of the sum alone are in no list of single ones.
	sum := &Event{Provider: Stripe, EventID: "refunded:" + refund.ID, PurchaseID: &p.ID, Payment: p.Payment, Kind: toldCharge, Object: refund.ID, Amount: st.gross}
	if told.State == refundMade {
		sum.Amount += refund.Amount
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		sum.HappenedAt, told.HappenedAt = tx.Now, tx.Now
		if _, err := s.tell(tx, sum); err != nil {
			return err
		}
		changed, err := s.tell(tx, told)
		if err != nil {
			return err
		}
		p = changed
		s.judge(tx.Actor, nil, p)
		return nil
	})
	if err == nil && told.State == refundFailed {
		err = models.Invalid("credits", "could not be refunded: Stripe says that the refund failed")
	}
	return p, err
}

// refusedRefund is the refusal for a refund that Stripe did not make: its words
// when it says why.
func refusedRefund(err error) error {
	var said *stripe.Error
	if errors.As(err, &said) && said.Type == stripe.ErrorTypeInvalidRequest && said.Msg != "" {
		return models.Invalid("credits", "cannot be refunded. Stripe says: %s", said.Msg)
	}
	return models.Err(models.CodeBillingUnavailable, "Stripe did not answer as it should. Look there whether the refund was made before you try once more.")
}
