package event

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// deliveryStatuses are the states of a delivery.
var deliveryStatuses = map[query.DeliveryStatus]ui.Status{
	query.DeliveryStatusPending:   {Text: "Waiting", Tone: ui.Warn},
	query.DeliveryStatusDelivered: {Text: "Delivered", Tone: ui.OK},
	query.DeliveryStatusFailed:    {Text: "Failed", Tone: ui.Bad},
}
