package event

import (
	"bytes"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/lane"
	"atelier/models/oauth"
)

// failWaiting fails an endpoint's waiting deliveries except for pings, those
// under way included. The caller holds the endpoint's lock.
func failWaiting(tx *models.Tx, endpointID models.ID, reason string) error {
	return failPending(tx, reason, tx.Where("endpoint_id = ? AND event <> ?", endpointID, Ping))
}

// endApp switches off the endpoints that a connected app registered for the
// account, unless the approval that is left still includes jobs:read. What waits
// for them fails with app_revoked, pings included, and is forgotten. Should the
// person approve the app again, it has to switch them on itself.
func endApp(tx *models.Tx, appID, accountID models.ID) error {
	endpoints, err := lockAll(tx, tx.Where("account_id = ? AND app_id = ? AND NOT "+
		oauth.Approves("webhook_endpoints.account_id", "webhook_endpoints.app_id", models.ScopeJobsRead), accountID, appID))
	if err != nil || len(endpoints) == 0 {
		return err
	}
	err = tx.Model(&Endpoint{}).Where("id IN ? AND is_active", endpoints).
		UpdateColumns(map[string]any{"is_active": false, "disabled_reason": nil, "disabled_at": tx.Now, "updated_at": tx.Now}).Error
	if err != nil {
		return err
	}
	return failPending(tx, errorAppRevoked, tx.Where("endpoint_id IN ?", endpoints))
}

// ForgetJobs forgets what was to be sent about jobs that are being deleted:
// what waits fails with job_deleted, and the bodies of what failed before go too.
func (s *Service) ForgetJobs(tx *models.Tx, accountID models.ID, jobIDs []models.ID) error {
	endpoints, err := lockAll(tx, tx.Where("account_id = ?", accountID))
	if err != nil || len(endpoints) == 0 || len(jobIDs) == 0 {
		return err
	}
	// A delivery's id is later than its job's.
	first := slices.MinFunc(jobIDs, func(a, b models.ID) int { return bytes.Compare(a[:], b[:]) })
	about := func() *gorm.DB {
		return tx.Where("endpoint_id IN ? AND job_id IN ? AND id > ?", endpoints, jobIDs, first)
	}
	if err := failPending(tx, errorJobDeleted, about()); err != nil {
		return err
	}
	return about().Model(&Delivery{}).Where("request_body IS NOT NULL").UpdateColumn("request_body", nil).Error
}

func lockAll(tx *models.Tx, which *gorm.DB) (ids []models.ID, err error) {
	err = tx.Raw(`SELECT id FROM webhook_endpoints WHERE id IN (?) ORDER BY id FOR NO KEY UPDATE`,
		which.Model(&Endpoint{}).Select("id")).Scan(&ids).Error
	return ids, err
}

// failPending locks the deliveries in the order that all keep, as results of
// attempts are written beside it.
func failPending(tx *models.Tx, reason string, which *gorm.DB) error {
	var failed []models.ID
	err := tx.Raw(`WITH waiting AS MATERIALIZED (
			SELECT id FROM webhook_deliveries WHERE status = ? AND id IN (?) ORDER BY id FOR NO KEY UPDATE
		)
		UPDATE webhook_deliveries SET status = ?, error = ?, next_attempt_at = NULL, finished_at = ?,
			request_body = CASE WHEN ? THEN request_body END
		WHERE status = ? AND id IN (SELECT id FROM waiting) RETURNING id`,
		DeliveryPending, which.Model(&Delivery{}).Select("id").Where("status = ?", DeliveryPending),
		DeliveryFailed, reason, tx.Now, reason != errorAppRevoked, DeliveryPending).Scan(&failed).Error
	if err != nil || len(failed) == 0 {
		return err
	}
	_, err = lane.Cancel(tx, failed...)
	return err
}
