package event

import (
	"net/http"
	"strconv"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// webhookView is one endpoint with a page of its deliveries.
type webhookView struct {
	Endpoint query.Endpoint
	Rows     []query.DeliveryRow
	Days     []query.WebhookDay
	Status   string // the tab
	List     frame.Listing
	Form     frame.Form
}

// loadWebhook reads the endpoint, its deliveries by the address of the page.
func (c Pages) loadWebhook(r *http.Request) (*query.WebhookResponse, webhookView, error) {
	var status *query.DeliveryStatus
	v := webhookView{Form: frame.FormOf(r), List: frame.ListingOf(r, "/webhooks/"+frame.PathID(r), 20)}
	switch s := query.DeliveryStatus(r.URL.Query().Get("status")); s {
	case query.DeliveryStatusPending, query.DeliveryStatusDelivered, query.DeliveryStatusFailed:
		status, v.Status = &s, string(s)
	}
	res, err := query.Webhook(r.Context(), c.Client, frame.PathID(r), status, v.List.After(), ui.OrUTC(ui.ZoneFrom(r.Context())).String())
	if err != nil {
		return nil, v, err
	}
	v.Endpoint, v.Rows, v.Days = res.WebhookEndpoint.Endpoint, res.WebhookEndpoint.Deliveries.Nodes, res.WebhookEndpoint.Days
	v.List.Loaded(res.WebhookEndpoint.Deliveries.PageInfo, len(v.Rows), res.WebhookEndpoint.Deliveries.TotalCount)
	return res, v, nil
}

// WebhookPage shows an endpoint with its deliveries, and changes it.
func (c Pages) WebhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: host(v.Endpoint.Url), Section: frame.SectionWebhooks}, webhookContent(v, c.Now()))
}

// UpdateWebhook saves the address and the events of an endpoint.
func (c Pages) UpdateWebhook(w http.ResponseWriter, r *http.Request) error {
	events := r.PostForm["events"]
	if len(events) == 0 {
		return frame.Again(w, r, frame.Invalid("events", t(r.Context(), "Choose at least one event, or switch the endpoint off.")), c.WebhookPage)
	}
	_, err := query.UpdateWebhookEndpoint(r.Context(), c.Client, frame.PathID(r), frame.PastedLink(r, "url"), frame.Text(r, "description"), events)
	if err != nil {
		return frame.Again(w, r, frame.ItemRefusal(r.Context(), err), c.WebhookPage)
	}
	return c.Done(w, "/webhooks/"+frame.PathID(r), t(r.Context(), "The endpoint is saved. The next attempt goes to this address."))
}

// SetWebhookActive switches an endpoint on or off.
func (c Pages) SetWebhookActive(w http.ResponseWriter, r *http.Request) error {
	on := frame.Text(r, "active") == "1"
	if _, err := query.SetWebhookActive(r.Context(), c.Client, frame.PathID(r), on); err != nil {
		return frame.Again(w, r, err, c.WebhookPage)
	}
	sentence := t(r.Context(), "The endpoint is off. Deliveries that waited have failed, and nothing new is recorded for it.")
	if on {
		sentence = t(r.Context(), "The endpoint is on, and its count of failures starts again.")
	}
	return c.Done(w, "/webhooks/"+frame.PathID(r), sentence)
}

// TestWebhook sends a ping to an endpoint.
func (c Pages) TestWebhook(w http.ResponseWriter, r *http.Request) error {
	res, err := query.TestWebhookEndpoint(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.WebhookPage)
	}
	return c.Done(w, "/webhooks/"+frame.PathID(r)+"/deliveries/"+res.TestWebhookEndpoint.Id, t(r.Context(), "A ping is on its way. It is tried once."))
}

// RotateWebhookPage asks how long the old secret stays valid.
func (c Pages) RotateWebhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New secret"), Section: frame.SectionWebhooks}, rotateWebhookContent(v))
}

// graceOptions are how long the old secret goes on signing (contract 2, "Event endpoints", rule 2).
var graceOptions = []ui.Option{
	{Value: "86400", Text: mark("One day")}, {Value: "3600", Text: mark("One hour")}, {Value: "259200", Text: mark("Three days")},
	{Value: "604800", Text: mark("Seven days")}, {Value: "0", Text: mark("Stop it at once")},
}

// RotateWebhook makes a new secret and shows it, this once.
func (c Pages) RotateWebhook(w http.ResponseWriter, r *http.Request) error {
	grace, err := strconv.Atoi(frame.Text(r, "gracePeriodSeconds"))
	if err != nil {
		return frame.Again(w, r, frame.Invalid("gracePeriodSeconds", t(r.Context(), "Choose how long the old secret goes on.")), c.RotateWebhookPage)
	}
	res, err := query.RotateWebhookSecret(r.Context(), c.Client, frame.PathID(r), grace)
	if err != nil {
		return frame.Again(w, r, err, c.RotateWebhookPage)
	}
	more := t(r.Context(), "The old secret has stopped signing.")
	if until := res.RotateWebhookSecret.Endpoint.PreviousSecretExpiresAt; until != nil {
		more = t(
			r.Context(), "Until %s deliveries carry two signatures, the new one first, so that receivers can change over.", locale.Moment(r.Context(), *until),
		)
	}
	return c.showSecret(w, r, t(r.Context(), "The secret is new"), res.RotateWebhookSecret, more)
}

// DeleteWebhookPage asks before an endpoint is deleted.
func (c Pages) DeleteWebhookPage(w http.ResponseWriter, r *http.Request) error {
	res, v, err := c.loadWebhook(r)
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Delete the endpoint"), Section: frame.SectionWebhooks}, deleteWebhookContent(v.Endpoint))
}

// DeleteWebhook deletes an endpoint.
func (c Pages) DeleteWebhook(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteWebhookEndpoint(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteWebhookPage)
	}
	return c.Done(w, "/webhooks", t(r.Context(), "The endpoint and its deliveries are deleted."))
}
