package credit

import (
	"atelier/models"
	"atelier/models/account"
	"atelier/models/org"
)

// Service holds the use cases of credits.
type Service struct {
	DB   *models.DB
	Orgs *org.Service
	// SignUpCredits is what a new account starts with.
	SignUpCredits models.Credits
}

// openWallet gives a new account its wallet with the credits of the install.
func (s *Service) openWallet(tx *models.Tx, user *account.User) error {
	if err := tx.Create(&Wallet{UserID: user.ID, Balance: s.SignUpCredits}).Error; err != nil {
		return err
	}
	if s.SignUpCredits == 0 {
		return nil
	}
	entry := movement(Issued, nil, WalletBook, &user.ID, s.SignUpCredits)
	entry.Kind, entry.UserID, entry.BalanceAfter, entry.Description = "signup", &user.ID, &s.SignUpCredits, "Credits for a new account"
	return record(tx, entry)
}
