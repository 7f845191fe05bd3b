package account

import (
	"context"

	"atelier/models"
)

// CheckPasskey is checkPasskey as its callers call it: holding the account, and committing what was wrong.
func (s *Service) CheckPasskey(ctx context.Context, purpose PasskeyPurpose, userID models.ID, answer *PasskeyAnswer) error {
	var wrong error
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := lockUser(tx, userID); err != nil {
			return err
		}
		wrong = s.checkPasskey(tx, purpose, userID, answer)
		if models.HasCode(wrong, models.CodeValidation) {
			return nil
		}
		return wrong
	})
	if err == nil {
		err = wrong
	}
	return err
}

// UserHandle is what passkeys keep of an account.
func UserHandle(id models.ID) []byte { return userHandle(id) }
