package event

import (
	"context"

	"atelier/models"
	"atelier/models/lane"
)

// DeleteEndpoint deletes an endpoint with its deliveries and their attempts.
func (s *Service) DeleteEndpoint(ctx context.Context, id models.ID) error {
	actor, err := s.admitChange(ctx, changeLimit)
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		endpoint, err := lockEndpoint(tx, actor, id, "UPDATE")
		if err != nil {
			return err
		}
		// The deliveries go first: a foreign key's cascade would look through
		// every partition once per row.
		if err := tx.Where("endpoint_id = ?", endpoint.ID).Delete(&Attempt{}).Error; err != nil {
			return err
		}
		if err := tx.Where("endpoint_id = ?", endpoint.ID).Delete(&Delivery{}).Error; err != nil {
			return err
		}
		if err := tx.Where("id = ? AND account_id = ?", id, endpoint.AccountID).Delete(&Endpoint{}).Error; err != nil {
			return err
		}
		_, err = lane.RemoveLane(tx, Lane, endpoint.ID)
		return err
	})
}
