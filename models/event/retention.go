package event

import (
	"context"

	"atelier/models"
	"atelier/models/lane"
)

const retentionBatch = 500

// Sweep removes deliveries and attempts that are too old to be read.
func (s *Service) Sweep(ctx context.Context) error {
	if _, err := s.ExpireDeliveries(ctx); err != nil {
		return err
	}
	return s.DB.SweepRows(ctx, "webhook_attempts", "id < first_id($1)", s.DB.Clock.Now().Add(-Retention))
}

// ExpireDeliveries removes deliveries, with their attempts, that are older than
// Retention; waiting ones too. It works in short transactions and returns how
// many went.
func (s *Service) ExpireDeliveries(ctx context.Context) (removed int, err error) {
	for {
		n := 0
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			var ids []models.ID
			err := tx.Raw(`DELETE FROM webhook_deliveries WHERE id IN (
				SELECT id FROM webhook_deliveries WHERE id < ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED) RETURNING id`,
				models.FirstID(tx.Now.Add(-Retention)), retentionBatch).Scan(&ids).Error
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			if err := tx.Exec(`DELETE FROM webhook_attempts WHERE delivery_id IN ?`, ids).Error; err != nil {
				return err
			}
			_, err = lane.Cancel(tx, ids...)
			return err
		})
		removed += n
		if err != nil || n < retentionBatch {
			return removed, err
		}
	}
}
