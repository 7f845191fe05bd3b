package rest

import (
	"context"
	"net/http"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/payment"
)

// StripeEventsPath is where Stripe tells what became of payments.
const StripeEventsPath = "/payments/stripe/events"

// maxStripeEvent bounds what Stripe sends, which is a few kilobytes.
const maxStripeEvent = 1 << 20

// StripeHandler takes what Stripe sends. The signature is of the bytes as they
// came, so the body is read by itself.
func StripeHandler(payments *payment.Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := inbound.CheckHeaders(r)
		var body []byte
		if err == nil {
			body, err = inbound.ReadJSON(r, maxStripeEvent)
		}
		if err == nil {
			err = payments.TakeStripeEvent(r.Context(), body, r.Header.Get("Stripe-Signature"))
		}
		if err != nil {
			WriteProblem(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"success":true}` + "\n"))
	})
}

type checkoutInput struct {
	IDPath
	Body struct {
		PackID string `json:"packId" doc:"One of the packs that this install sells." example:"small"`
	}
}

type checkoutView struct {
	URL        string    `json:"url" doc:"Where the pack is paid."`
	PurchaseID models.ID `json:"purchaseId"`
}

func (a *API) checkoutCredits(ctx context.Context, in *checkoutInput) (*single[checkoutView], error) {
	begun, err := a.mutation().CheckoutCredits(ctx, in.ID, in.Body.PackID)
	return shown(begun, err, func(p *payment.Purchase) checkoutView { return checkoutView{URL: p.URL, PurchaseID: p.ID} })
}
