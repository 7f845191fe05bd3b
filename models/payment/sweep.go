package payment

import (
	"context"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

const (
	// sweepPurchases is how many purchases one transaction gives up.
	sweepPurchases = 100
	// eventsWait is how long what was told of an unknown payment waits for it:
	// Stripe tells again for three days.
	eventsWait = 30 * 24 * time.Hour
)

// Sweep gives up the purchases that waited too long for their payment, and
// forgets what was told of payments that are of nothing here.
func (s *Service) Sweep(ctx context.Context) error {
	ctx = models.ForWork(ctx)
	now := s.DB.Clock.Now()
	for provider, patience := range map[Provider]time.Duration{Manual: manualPatience, Stripe: stripePatience} {
		for {
			given, err := s.giveUp(ctx, provider, now.Add(-patience))
			if err != nil {
				return err
			}
			if given < sweepPurchases {
				break
			}
		}
	}
	return s.DB.SweepRows(ctx, "payment_events", "purchase_id IS NULL AND received_at < $1", now.Add(-eventsWait))
}

func (s *Service) giveUp(ctx context.Context, provider Provider, before time.Time) (given int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var late []*Purchase
		err := tx.Clauses(clause.Locking{Strength: "UPDATE", Options: "SKIP LOCKED"}).
			Where("status = ? AND id < first_id(?) AND provider = ?", Pending, before, provider).
			Order("id").Limit(sweepPurchases).Find(&late).Error
		for _, p := range late {
			if err == nil {
				err = s.cancel(tx, p)
			}
		}
		given = len(late)
		return err
	})
	return given, err
}
