package account

import (
	"context"

	"atelier/models"
)

// Change chooses a new password, ends every other session of the
// caller and, where asked to, revokes their API tokens. Session only. A wrong
// current password is a validation_error and counts like one at sign-in:
// rate_limit_exceeded. An account without a password has none to change: forbidden.
func (s Passwords) Change(ctx context.Context, in ChangePasswordInput) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	if err := checkPassword("newPassword", in.NewPassword); err != nil {
		return err
	}
	user, err := s.account.checkCurrentPassword(ctx, actor.UserID, in.CurrentPassword)
	if err != nil {
		return err
	}
	hash, err := hashPassword(ctx, in.NewPassword)
	if err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := stillHas(tx, user); models.HasCode(err, models.CodeUnauthorized) {
			return errNotCurrent
		} else if err != nil {
			return err
		}
		if err := s.account.StillValid(tx.Context()); err != nil {
			return err
		}
		err := tx.Model(&User{}).Where("id = ?", user.ID).Updates(map[string]any{"password_hash": hash, "updated_at": tx.Now}).Error
		if err != nil {
			return err
		}
		if err := useResetTokens(tx, user.ID); err != nil {
			return err
		}
		if in.RevokeTokens {
			if err := s.account.revokeTokens(tx, user.ID); err != nil {
				return err
			}
		}
		return endSessions(tx, user.ID, &actor.SessionID)
	})
}

var errNotCurrent = models.Invalid("currentPassword", "is not your password")

// checkCurrentPassword is the account, whose password was compared.
func (s *Service) checkCurrentPassword(ctx context.Context, id models.ID, password string) (*User, error) {
	user, err := s.FindUserByID(ctx, id)
	if err != nil {
		return nil, err
	}
	if user.PasswordHash == nil {
		return nil, models.Err(models.CodeForbidden, "Your account has no password: it signs in through a provider")
	}
	if len(password) > maxPassword {
		return nil, errNotCurrent
	}
	right, err := s.attempt(ctx, user.Email, func() (bool, error) { return s.isPassword(ctx, user, user.PasswordHash, password) })
	if err == nil && !right {
		err = errNotCurrent
	}
	return user, err
}
