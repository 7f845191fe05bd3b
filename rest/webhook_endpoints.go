package rest

import (
	"context"

	"atelier/models"
	"atelier/models/event"
)

// webhookEndpointRoutes manage the receivers of job events (contract 2,
// "Event endpoints").
func (a *API) webhookEndpointRoutes() {
	const tag, all, each = "Event endpoints", "/v1/webhook-endpoints", "/v1/webhook-endpoints/{id}"
	const scope = models.ScopeJobsRead
	read, change, test := a.Resolver.Events.Admit, a.Resolver.Events.AdmitChange, a.Resolver.Events.AdmitTest
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Register an https address; its signing secret is shown once", Scope: scope, Guard: change, Status: 201}, a.createWebhookEndpoint)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the account's endpoints, newest first", Scope: scope, Guard: read}, a.listWebhookEndpoints)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One endpoint", Scope: scope, Guard: read}, a.getWebhookEndpoint)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Change, enable or disable an endpoint", Scope: scope, Guard: change}, a.updateWebhookEndpoint)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete an endpoint with its deliveries", Scope: scope, Guard: change}, a.deleteWebhookEndpoint)
	handle(a, route{Method: "POST", Path: each + "/rotate-secret", Tag: tag, Summary: "Make a new signing secret; it is shown once", Scope: scope, Guard: change}, a.rotateWebhookSecret)
	handle(a, route{Method: "POST", Path: each + "/test", Tag: tag, Summary: "Queue a ping", Scope: scope, Guard: test, Status: 202}, a.testWebhookEndpoint)
	handle(a, route{Method: "GET", Path: each + "/deliveries", Tag: tag, Summary: "Deliveries of the last 30 days, newest first", Scope: scope, Guard: read}, a.listWebhookDeliveries)
	handle(a, route{Method: "GET", Path: each + "/deliveries/{deliveryId}", Tag: tag, Summary: "One delivery", Scope: scope, Guard: read}, a.getWebhookDelivery)
}

type webhookEndpointView struct {
	ID                      models.ID  `json:"id"`
	URL                     string     `json:"url"`
	Description             string     `json:"description"`
	Events                  []string   `json:"events" doc:"Out of job.completed and job.failed."`
	IsActive                bool       `json:"isActive"`
	DisabledReason          *string    `json:"disabledReason" doc:"consecutive_failures after an automatic shut-off."`
	DisabledAt              *timestamp `json:"disabledAt"`
	ConsecutiveFailures     int        `json:"consecutiveFailures"`
	AppID                   *models.ID `json:"appId" doc:"The connected app that registered the endpoint."`
	SecretCreatedAt         *timestamp `json:"secretCreatedAt"`
	PreviousSecretExpiresAt *timestamp `json:"previousSecretExpiresAt" doc:"End of the rotation's grace period."`
	CreatedAt               timestamp  `json:"createdAt"`
	UpdatedAt               timestamp  `json:"updatedAt"`
}

func viewWebhookEndpoint(e *event.Endpoint) webhookEndpointView {
	return webhookEndpointView{
		ID: e.ID, URL: e.URL, Description: e.Description, Events: e.Events,
		IsActive: e.IsActive, DisabledReason: e.DisabledReason, DisabledAt: moment(e.DisabledAt),
		ConsecutiveFailures: e.ConsecutiveFailures, AppID: e.AppID,
		SecretCreatedAt: moment(e.SecretCreatedAt), PreviousSecretExpiresAt: moment(e.PreviousSecretExpiresAt),
		CreatedAt: timestamp(e.CreatedAt), UpdatedAt: timestamp(e.UpdatedAt),
	}
}

type createWebhookEndpointInput struct {
	Body struct {
		URL         string   `json:"url" doc:"https on a public host, without user name or password."`
		Description *string  `json:"description,omitempty"`
		Events      []string `json:"events,omitempty" doc:"Default: job.completed and job.failed."`
	}
}

type createdWebhookEndpoint struct {
	Body struct {
		Data   webhookEndpointView `json:"data"`
		Secret string              `json:"secret" doc:"Signs every event; shown once."`
	}
}

func (a *API) createWebhookEndpoint(ctx context.Context, in *createWebhookEndpointInput) (*createdWebhookEndpoint, error) {
	created, err := a.mutation().CreateWebhookEndpoint(ctx, event.CreateEndpointInput{
		URL: in.Body.URL, Description: in.Body.Description, Events: in.Body.Events,
	})
	if err != nil {
		return nil, err
	}
	reply := &createdWebhookEndpoint{}
	reply.Body.Data, reply.Body.Secret = viewWebhookEndpoint(created.Endpoint), created.Secret
	return reply, nil
}

func (a *API) listWebhookEndpoints(ctx context.Context, _ *struct{}) (*many[webhookEndpointView], error) {
	endpoints, err := a.query().WebhookEndpoints(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(endpoints), viewWebhookEndpoint), nil
}

func (a *API) getWebhookEndpoint(ctx context.Context, in *IDPath) (*single[webhookEndpointView], error) {
	endpoint, err := a.query().WebhookEndpoint(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(viewWebhookEndpoint(endpoint)), nil
}

type updateWebhookEndpointInput struct {
	IDPath
	Body struct {
		URL         models.Opt[string]   `json:"url,omitzero"`
		Description models.Opt[string]   `json:"description,omitzero"`
		Events      models.Opt[[]string] `json:"events,omitzero"`
		IsActive    models.Opt[bool]     `json:"isActive,omitzero"`
	}
}

func (a *API) updateWebhookEndpoint(ctx context.Context, in *updateWebhookEndpointInput) (*single[webhookEndpointView], error) {
	endpoint, err := a.mutation().UpdateWebhookEndpoint(ctx, in.ID, event.UpdateEndpointInput{
		URL: in.Body.URL, Description: in.Body.Description, Events: in.Body.Events, IsActive: in.Body.IsActive,
	})
	if err != nil {
		return nil, err
	}
	return one(viewWebhookEndpoint(endpoint)), nil
}

func (a *API) deleteWebhookEndpoint(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteWebhookEndpoint(ctx, in.ID)
	return succeeded(err)
}

type rotateWebhookSecretInput struct {
	IDPath
	Body *struct {
		GracePeriodSeconds *int `json:"gracePeriodSeconds,omitempty" doc:"0 to 604800, default 86400; 0 stops the old secret at once."`
	}
}

type rotatedWebhookSecret struct {
	Body struct {
		Secret                  string     `json:"secret" doc:"Signs first from now on; shown once."`
		PreviousSecretExpiresAt *timestamp `json:"previousSecretExpiresAt"`
	}
}

func (a *API) rotateWebhookSecret(ctx context.Context, in *rotateWebhookSecretInput) (*rotatedWebhookSecret, error) {
	var grace *int
	if in.Body != nil {
		grace = in.Body.GracePeriodSeconds
	}
	rotated, err := a.mutation().RotateWebhookSecret(ctx, in.ID, grace)
	if err != nil {
		return nil, err
	}
	reply := &rotatedWebhookSecret{}
	reply.Body.Secret, reply.Body.PreviousSecretExpiresAt = rotated.Secret, moment(rotated.Endpoint.PreviousSecretExpiresAt)
	return reply, nil
}

func (a *API) testWebhookEndpoint(ctx context.Context, in *IDPath) (*single[webhookDeliveryView], error) {
	ping, err := a.mutation().TestWebhookEndpoint(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return one(viewWebhookDelivery(ping)), nil
}

type webhookDeliveryView struct {
	ID             models.ID            `json:"id" doc:"Also the event's id."`
	EndpointID     models.ID            `json:"endpointId"`
	Event          string               `json:"event" doc:"job.completed, job.failed or ping."`
	JobID          *models.ID           `json:"jobId" doc:"Null for a ping."`
	Status         event.DeliveryStatus `json:"status" enum:"pending,delivered,failed"`
	Attempts       int                  `json:"attempts"`
	ResponseStatus *int                 `json:"responseStatus" doc:"Of the last attempt."`
	ResponseBody   *string              `json:"responseBody" doc:"The first 2048 bytes of the last answer."`
	DurationMs     *int                 `json:"durationMs" doc:"Of the last attempt."`
	Error          *string              `json:"error"`
	NextAttemptAt  *timestamp           `json:"nextAttemptAt"`
	RequestBody    *string              `json:"requestBody" doc:"The exact body; null once delivered."`
	CreatedAt      timestamp            `json:"createdAt"`
}

func viewWebhookDelivery(d *event.Delivery) webhookDeliveryView {
	return webhookDeliveryView{
		ID: d.ID, EndpointID: d.EndpointID, Event: d.Event, JobID: d.JobID, Status: d.Status, Attempts: d.Attempts,
		ResponseStatus: d.ResponseStatus, ResponseBody: event.BodyText(d.ResponseBody), DurationMs: d.DurationMs,
		Error: d.Error, NextAttemptAt: moment(d.NextAttemptAt), RequestBody: event.BodyText(d.RequestBody),
		CreatedAt: timestamp(d.CreatedAt),
	}
}

type listWebhookDeliveriesInput struct {
	IDPath
	Status queryString `query:"status" doc:"pending, delivered or failed."`
	FieldsQuery
	Limit  queryInt    `query:"limit" doc:"1 to 100, default 20."`
	Cursor queryString `query:"cursor" doc:"next of the page before."`
}

func (a *API) listWebhookDeliveries(ctx context.Context, in *listWebhookDeliveriesInput) (*manyNext[webhookDeliveryView], error) {
	// The field's use case finds the endpoint itself, on the caller's behalf.
	endpoint := &event.Endpoint{ID: in.ID}
	status := (*event.DeliveryStatus)(in.Status.Value)
	deliveries, err := a.Resolver.WebhookEndpoint().Deliveries(ctx, endpoint, status, in.Limit.Value, in.Cursor.Value)
	if err != nil {
		return nil, err
	}
	return pageNext(deliveries, viewWebhookDelivery), nil
}

type webhookDeliveryPath struct {
	IDPath
	DeliveryID models.ID `path:"deliveryId"`
}

func (a *API) getWebhookDelivery(ctx context.Context, in *webhookDeliveryPath) (*single[webhookDeliveryView], error) {
	delivery, err := a.query().WebhookDelivery(ctx, in.ID, in.DeliveryID)
	if err != nil {
		return nil, err
	}
	return one(viewWebhookDelivery(delivery)), nil
}
