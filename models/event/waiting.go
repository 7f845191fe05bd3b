package event

import (
	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/lane"
)

// failWaiting fails an endpoint's waiting deliveries but for pings, those
// under way included. The caller holds the endpoint's lock.
func failWaiting(tx *models.Tx, endpointID models.ID, reason string) error {
	return failPending(tx, reason, tx.Where("endpoint_id = ? AND event <> ?", endpointID, Ping))
}

// RevokeApp fails what waits for the endpoints that a connected app registered
// for the account, pings included: app_revoked.
func (s *Service) RevokeApp(tx *models.Tx, accountID, appID models.ID) error {
	endpoints, err := lockAll(tx, tx.Where("account_id = ? AND app_id = ?", accountID, appID))
	if err != nil || len(endpoints) == 0 {
		return err
	}
	return failPending(tx, errorAppRevoked, tx.Where("endpoint_id IN ?", endpoints))
}

// ForgetJob fails what waits to be sent about a job that is being deleted: job_deleted.
func (s *Service) ForgetJob(tx *models.Tx, accountID, jobID models.ID) error {
	endpoints, err := lockAll(tx, tx.Where("account_id = ?", accountID))
	if err != nil || len(endpoints) == 0 {
		return err
	}
	return failPending(tx, errorJobDeleted, tx.Where("endpoint_id IN ? AND job_id = ?", endpoints, jobID))
}

func lockAll(tx *models.Tx, which *gorm.DB) (ids []models.ID, err error) {
	err = tx.Raw(`SELECT id FROM webhook_endpoints WHERE id IN (?) ORDER BY id FOR NO KEY UPDATE`,
		which.Model(&Endpoint{}).Select("id")).Scan(&ids).Error
	return ids, err
}

func failPending(tx *models.Tx, reason string, which *gorm.DB) error {
	var failed []models.ID
	err := tx.Raw(`UPDATE webhook_deliveries SET status = ?, error = ?, next_attempt_at = NULL, finished_at = ?
		WHERE status = ? AND id IN (?) RETURNING id`, DeliveryFailed, reason, tx.Now, DeliveryPending,
		which.Model(&Delivery{}).Select("id").Where("status = ?", DeliveryPending)).Scan(&failed).Error
	if err != nil || len(failed) == 0 {
		return err
	}
	_, err = lane.Cancel(tx, failed...)
	return err
}
