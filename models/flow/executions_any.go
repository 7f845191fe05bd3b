package flow

import (
	"gorm.io/gorm"

	"atelier/models"
)

// HasRun tells whether an account ever ran anything.
func (s *Service) HasRun(db *gorm.DB, accountID models.ID) (has bool, err error) {
	err = db.Raw(`SELECT EXISTS (SELECT FROM executions WHERE account_id = ?)`, accountID).Scan(&has).Error
	return has, err
}
