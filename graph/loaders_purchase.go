package graph

import (
	"atelier/models"
	"atelier/models/payment"

	"github.com/vikstrous/dataloadgen"
)

// purchaseLoaders gather what was taken back of purchases.
type purchaseLoaders struct {
	reversals *dataloadgen.Loader[models.ID, []*payment.Reversal]
}

func newPurchaseLoaders(r *Resolver) purchaseLoaders {
	return purchaseLoaders{reversals: loader(r.Payments.ReversalsOf)}
}
