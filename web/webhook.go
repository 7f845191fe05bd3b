package web

import (
	"net/http"
	"strconv"

	"atelier/web/query"
	"atelier/web/ui"
)

// webhookView is one endpoint with a page of its deliveries.
type webhookView struct {
	Endpoint query.Endpoint
	Rows     []query.DeliveryRow
	Status   string // the tab
	Next     string
	Form     form
}

// loadWebhook reads the endpoint, its deliveries by the address of the page.
func (c *Console) loadWebhook(r *http.Request) (*query.WebhookResponse, webhookView, error) {
	var status *query.DeliveryStatus
	v := webhookView{Form: formOf(r)}
	switch s := query.DeliveryStatus(r.URL.Query().Get("status")); s {
	case query.DeliveryStatusPending, query.DeliveryStatusDelivered, query.DeliveryStatusFailed:
		status, v.Status = &s, string(s)
	}
	res, err := query.Webhook(r.Context(), c.client, pathID(r), status, after(r))
	if err != nil {
		return nil, v, err
	}
	v.Endpoint, v.Rows = res.WebhookEndpoint.Endpoint, res.WebhookEndpoint.Deliveries.Nodes
	if r.Method == http.MethodGet {
		v.Next = nextHref(r, res.WebhookEndpoint.Deliveries.PageInfo)
	}
	return res, v, nil
}

func (c *Console) webhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: host(v.Endpoint.Url), Section: sectionWebhooks}, webhookContent(v, c.now()))
}

func (c *Console) updateWebhook(w http.ResponseWriter, r *http.Request) error {
	events := r.PostForm["events"]
	if len(events) == 0 {
		return again(w, r, invalid("events", "Choose at least one event, or switch the endpoint off."), c.webhookPage)
	}
	_, err := query.UpdateWebhookEndpoint(r.Context(), c.client, pathID(r), text(r, "url"), text(r, "description"), events)
	if err != nil {
		return again(w, r, itemRefusal(err), c.webhookPage)
	}
	return c.done(w, "/webhooks/"+pathID(r), "The endpoint is saved. The next attempt goes to this address.")
}

func (c *Console) setWebhookActive(w http.ResponseWriter, r *http.Request) error {
	on := text(r, "active") == "1"
	if _, err := query.SetWebhookActive(r.Context(), c.client, pathID(r), on); err != nil {
		return again(w, r, err, c.webhookPage)
	}
	sentence := "The endpoint is off. Deliveries that waited have failed, and nothing new is recorded for it."
	if on {
		sentence = "The endpoint is on, and its count of failures starts anew."
	}
	return c.done(w, "/webhooks/"+pathID(r), sentence)
}

func (c *Console) testWebhook(w http.ResponseWriter, r *http.Request) error {
	res, err := query.TestWebhookEndpoint(r.Context(), c.client, pathID(r))
	if err != nil {
		return again(w, r, err, c.webhookPage)
	}
	return c.done(w, "/webhooks/"+pathID(r)+"/deliveries/"+res.TestWebhookEndpoint.Id, "A ping is on its way. It is tried once.")
}

func (c *Console) rotateWebhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "New secret", Section: sectionWebhooks}, rotateWebhookContent(v))
}

// graceOptions are how long the old secret goes on signing (contract 2, "Event endpoints", rule 2).
var graceOptions = []ui.Option{
	{Value: "86400", Text: "One day"}, {Value: "3600", Text: "One hour"}, {Value: "259200", Text: "Three days"},
	{Value: "604800", Text: "Seven days"}, {Value: "0", Text: "Stop it at once"},
}

func (c *Console) rotateWebhook(w http.ResponseWriter, r *http.Request) error {
	grace, err := strconv.Atoi(text(r, "gracePeriodSeconds"))
	if err != nil {
		return again(w, r, invalid("gracePeriodSeconds", "Choose how long the old secret goes on."), c.rotateWebhookPage)
	}
	res, err := query.RotateWebhookSecret(r.Context(), c.client, pathID(r), grace)
	if err != nil {
		return again(w, r, err, c.rotateWebhookPage)
	}
	more := "The old secret has stopped signing."
	if until := res.RotateWebhookSecret.Endpoint.PreviousSecretExpiresAt; until != nil {
		more = "Until " + moment(*until) + " deliveries carry two signatures, the new one first, so that receivers can change over."
	}
	return c.showSecret(w, r, "The secret is new", res.RotateWebhookSecret, more)
}

func (c *Console) deleteWebhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, page{Title: "Delete the endpoint", Section: sectionWebhooks}, deleteWebhookContent(v.Endpoint))
}

func (c *Console) deleteWebhook(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteWebhookEndpoint(r.Context(), c.client, pathID(r)); err != nil {
		return again(w, r, err, c.deleteWebhookPage)
	}
	return c.done(w, "/webhooks", "The endpoint and its deliveries are deleted.")
}
