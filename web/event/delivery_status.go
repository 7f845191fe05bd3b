package event

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// deliveryState is the state of a delivery in the reader's language.
func deliveryState(ctx context.Context, status query.DeliveryStatus) ui.Status {
	s := deliveryStatuses[status]
	if s.Text != "" {
		s.Text = t(ctx, s.Text)
	}
	return s
}

// deliveryStatuses are the states of a delivery.
var deliveryStatuses = map[query.DeliveryStatus]ui.Status{
	query.DeliveryStatusPending:   {Text: mark("Waiting"), Tone: ui.Warn},
	query.DeliveryStatusDelivered: {Text: mark("Delivered"), Tone: ui.OK},
	query.DeliveryStatusFailed:    {Text: mark("Failed"), Tone: ui.Bad},
}
