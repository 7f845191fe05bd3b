package org

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// purchaseStatuses are the states of a purchase.
var purchaseStatuses = map[query.PurchaseStatus]ui.Status{
	query.PurchaseStatusPending:  {Text: mark("Waiting for payment"), Tone: ui.Warn},
	query.PurchaseStatusPaid:     {Text: mark("Paid"), Tone: ui.OK},
	query.PurchaseStatusCanceled: {Text: mark("Cancelled"), Tone: ui.Plain},
	query.PurchaseStatusDisputed: {Text: mark("Disputed"), Tone: ui.Bad},
	query.PurchaseStatusRefunded: {Text: mark("Refunded"), Tone: ui.Plain},
}

// purchaseStatus says how a purchase stands; of one that is paid, whether some of it was taken back.
func purchaseStatus(ctx context.Context, p query.PurchaseLine) ui.Status {
	if p.Status == query.PurchaseStatusPaid && p.TakenBack > 0 {
		return ui.Status{Text: t(ctx, "Partly refunded"), Tone: ui.Info}
	}
	status := purchaseStatuses[p.Status]
	status.Text = t(ctx, status.Text)
	return status
}
