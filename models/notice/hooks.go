package notice

import (
	"atelier/models"
	"atelier/models/account"
)

// RegisterHooks tells people of changes of their second factor, and has notifications and the
// choices of what is mailed go with the account.
func (s *Service) RegisterHooks(accounts *account.Service) {
	accounts.OnGuardChange("notice: tell the account's person", s.tellGuard)
	accounts.OnDelete("notice: notifications and choices", func(tx *models.Tx, user *account.User) error {
		if err := tx.Exec(`DELETE FROM notifications WHERE recipient_id = ?`, user.ID).Error; err != nil {
			return err
		}
		return tx.Exec(`DELETE FROM notification_choices WHERE user_id = ?`, user.ID).Error
	})
}
