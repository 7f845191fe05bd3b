package credit

import (
	"context"

	"atelier/models"
	"atelier/models/account"
)

// countWallet says what is left in a personal space: it is lost with the account.
func (s *Service) countWallet(ctx context.Context, userID models.ID, c *account.Closing) error {
	var w Wallet
	err := s.Orgs.DB.Read(ctx).Where("user_id = ?", userID).Limit(1).Find(&w).Error
	c.Credits = w.Balance
	return err
}
