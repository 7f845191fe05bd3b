package event

import (
	"context"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/lane"
)

// deleteEndpointsOf removes the endpoints of an account that is deleted.
func deleteEndpointsOf(tx *models.Tx, user *account.User) error {
	var ids []models.ID
	if err := tx.Model(&Endpoint{}).Where("account_id = ?", user.ID).Order("id").Pluck("id", &ids).Error; err != nil {
		return err
	}
	for _, id := range ids {
		if err := deleteEndpoint(tx, id, user.ID); err != nil {
			return err
		}
	}
	return nil
}

// countEndpoints says how many endpoints go with an account.
func (s *Service) countEndpoints(ctx context.Context, userID models.ID, c *account.Closing) error {
	var n int64
	err := s.DB.Read(ctx).Model(&Endpoint{}).Where("account_id = ?", userID).Count(&n).Error
	c.Endpoints = int(n)
	return err
}

// countOfApps are how many endpoints apps registered for the caller.
func (s *Service) countOfApps(ctx context.Context, appIDs []models.ID) (map[models.ID]int, error) {
	var rows []struct {
		AppID models.ID
		Count int
	}
	err := s.DB.Read(ctx).Model(&Endpoint{}).Select("app_id, count(*) AS count").
		Where("account_id = ? AND app_id IN ?", models.ActorFrom(ctx).UserID, appIDs).Group("app_id").Find(&rows).Error
	counts := make(map[models.ID]int, len(rows))
	for _, row := range rows {
		counts[row.AppID] = row.Count
	}
	return counts, err
}

// deleteEndpoint removes an endpoint with what it was sent and what waits for
// it. The deliveries go first: a foreign key's cascade would look through every
// partition once per row.
func deleteEndpoint(tx *models.Tx, id, accountID models.ID) error {
	if err := tx.Where("endpoint_id = ?", id).Delete(&Attempt{}).Error; err != nil {
		return err
	}
	if err := tx.Where("endpoint_id = ?", id).Delete(&Delivery{}).Error; err != nil {
		return err
	}
	if err := tx.Where("id = ? AND account_id = ?", id, accountID).Delete(&Endpoint{}).Error; err != nil {
		return err
	}
	_, err := lane.RemoveLane(tx, Lane, id)
	return err
}
