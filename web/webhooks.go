package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// mostEndpoints is how many endpoints an account may have (contract 2, "Limits").
const mostEndpoints = 10

func (c *Console) webhooks(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Webhooks(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "Webhook endpoints", Section: sectionWebhooks}, webhooksContent(res.WebhookEndpoints, c.now()))
}

func (c *Console) newWebhook(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "Add an endpoint", Section: sectionWebhooks}, newWebhookContent(formOf(r)))
}

func (c *Console) createWebhook(w http.ResponseWriter, r *http.Request) error {
	description := text(r, "description")
	in := query.CreateWebhookEndpointInput{Url: text(r, "url"), Description: &description, Events: r.PostForm["events"]}
	if len(in.Events) == 0 {
		return again(w, r, invalid("events", "Choose at least one event."), c.newWebhook)
	}
	res, err := query.CreateWebhookEndpoint(r.Context(), c.client, in)
	if err != nil {
		return again(w, r, itemRefusal(err), c.newWebhook)
	}
	made := res.CreateWebhookEndpoint
	return c.showSecret(w, r, "The endpoint is added", made, "")
}

// successRate sums up the last deliveries that have ended.
func successRate(id string, marks []query.DeliveryMark) ui.SparkProps {
	p := ui.SparkProps{ID: "rate-" + id, Sentence: "No delivery has ended yet."}
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
		p.Sentence = ui.Amount(float64(100*good/all)) + " % of the last " + ui.Plural(all, "delivery", "deliveries") + " arrived."
	}
	return p
}
