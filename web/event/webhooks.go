package event

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// maxEndpoints is how many endpoints an account may have (contract 2, "Limits").
const maxEndpoints = 10

// Webhooks lists the account's endpoints.
func (c Pages) Webhooks(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Webhooks(r.Context(), c.Client)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Webhook endpoints"), Section: frame.SectionWebhooks}, webhooksContent(res.WebhookEndpoints, c.Now()))
}

// NewWebhook is the form of an endpoint.
func (c Pages) NewWebhook(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	api, err := c.APIReference()
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Add an endpoint"), Section: frame.SectionWebhooks}, newWebhookContent(frame.FormOf(r), api.Events()))
}

// CreateWebhook makes an endpoint and shows its secret, this once.
func (c Pages) CreateWebhook(w http.ResponseWriter, r *http.Request) error {
	description := frame.Text(r, "description")
	in := query.CreateWebhookEndpointInput{Url: frame.PastedLink(r, "url"), Description: &description, Events: r.PostForm["events"]}
	if len(in.Events) == 0 {
		return frame.Again(w, r, frame.Invalid("events", t(r.Context(), "Choose at least one event.")), c.NewWebhook)
	}
	res, err := query.CreateWebhookEndpoint(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, frame.ItemRefusal(r.Context(), err), c.NewWebhook)
	}
	made := res.CreateWebhookEndpoint
	return c.showSecret(w, r, t(r.Context(), "The endpoint is added"), made, "")
}

// successRate sums up the last deliveries that have ended.
func successRate(ctx context.Context, id string, marks []query.DeliveryMark) ui.SparkProps {
	p := ui.SparkProps{ID: "rate-" + id, Sentence: t(ctx, "No delivery has ended yet.")}
	good, all := 0, 0
	for i := len(marks) - 1; i >= 0; i-- { // oldest first
		switch marks[i].Status {
		case query.DeliveryStatusDelivered:
			good++
		case query.DeliveryStatusFailed:
		default:
			continue
		}
		all++
		p.Values = append(p.Values, float64(good)/float64(all))
	}
	if all > 0 {
		p.Sentence = tn(ctx, "%[2]s of the last %[1]d delivery arrived.", "%[2]s of the last %[1]d deliveries arrived.", all, locale.Amount(ctx, float64(100*good/all))+" %")
	}
	return p
}
