package rest

import (
	"context"

	"atelier/models"
	"atelier/models/event"
)

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
