package event

import (
	"context"

	"atelier/models"
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
		return deleteEndpoint(tx, endpoint.ID, endpoint.AccountID)
	})
}
