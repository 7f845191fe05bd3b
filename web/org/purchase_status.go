package org

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// purchaseStatuses are the states of a purchase.
var purchaseStatuses = map[query.PurchaseStatus]ui.Status{
	query.PurchaseStatusPending:  {Text: "Waiting for payment", Tone: ui.Warn},
	query.PurchaseStatusPaid:     {Text: "Paid", Tone: ui.OK},
	query.PurchaseStatusCanceled: {Text: "Cancelled", Tone: ui.Plain},
	query.PurchaseStatusDisputed: {Text: "Disputed", Tone: ui.Bad},
	query.PurchaseStatusRefunded: {Text: "Refunded", Tone: ui.Plain},
}

// purchaseStatus says how a purchase stands; of one that is paid, whether some of it was taken back.
func purchaseStatus(p query.PurchaseLine) ui.Status {
	if p.Status == query.PurchaseStatusPaid && p.TakenBack > 0 {
		return ui.Status{Text: "Partly refunded", Tone: ui.Info}
	}
	return purchaseStatuses[p.Status]
}
