package account

import (
	"context"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// SecondFactor is how an account is guarded beside its password.
type SecondFactor struct {
	Since, TotpSince  *time.Time
	RecoveryCodesLeft int
	Passkeys          []*Passkey
	RequiredBy        []string
	TotpAvailable     bool
	ConfirmedUntil    time.Time
}

// maxPasskeysShown bounds the passkeys of an account that are read.
const maxPasskeysShown = 50

// Find is how the caller's account is guarded. Session only.
func (s SecondFactors) Find(ctx context.Context) (*SecondFactor, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	user, err := s.account.FindUserByID(ctx, actor.UserID)
	if err != nil {
		return nil, err
	}
	f := &SecondFactor{
		Since: user.SecondFactorAt, RequiredBy: []string{}, Passkeys: []*Passkey{}, TotpAvailable: s.account.Vault != nil,
		ConfirmedUntil: actor.ConfirmedAt.Add(models.ConfirmationLasts),
	}
	err = s.account.DB.Row(ctx, `
		SELECT (SELECT confirmed_at FROM totp_secrets WHERE user_id = $1),
			(SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL)`, user.ID).Scan(&f.TotpSince, &f.RecoveryCodesLeft)
	if err != nil {
		return nil, err
	}
	if err := s.account.DB.Read(ctx).Where("user_id = ?", user.ID).Order("id").Limit(maxPasskeysShown).Find(&f.Passkeys).Error; err != nil {
		return nil, err
	}
	if s.account.requires != nil {
		if f.RequiredBy, err = s.account.requires(ctx, user.ID); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// GuardChange is what happened to the second factor of an account.
type GuardChange string

const (
	TotpAdded      GuardChange = "totp_added"
	TotpRemoved    GuardChange = "totp_removed"
	PasskeyAdded   GuardChange = "passkey_added"
	PasskeyRemoved GuardChange = "passkey_removed"
	RecoveryUsed   GuardChange = "recovery_used"
	RecoveryMade   GuardChange = "recovery_made"
	GuardReset     GuardChange = "reset"
)

// guardChanged notes that a second factor was added or removed, and tells its person.
func (s *Service) guardChanged(tx *models.Tx, user *User, change GuardChange) error {
	if err := s.noteSecondFactor(tx, user.ID); err != nil {
		return err
	}
	return s.tellGuard(tx, user.ID, change)
}

func (s *Service) tellGuard(tx *models.Tx, userID models.ID, change GuardChange) error {
	for _, hook := range s.hooks.guardChanged {
		if err := hook.Do(tx, userID, change); err != nil {
			return hook.Failed(err)
		}
	}
	return nil
}

// noteSecondFactor writes down whether the account has a second factor: codes of
// an authenticator app that are confirmed, or a passkey. Everything that adds or
// removes one calls it, holding the account's row. Recovery codes end with the
// last one, for they stand in for it.
func (s *Service) noteSecondFactor(tx *models.Tx, userID models.ID) error {
	tx.Notify(models.RightsTopic(userID))
	_, err := tx.Run(`
		UPDATE users u SET updated_at = $2, second_factor_at = CASE
			WHEN EXISTS (SELECT FROM totp_secrets WHERE user_id = u.id AND confirmed_at IS NOT NULL) OR EXISTS (SELECT FROM passkeys WHERE user_id = u.id)
			THEN coalesce(second_factor_at, $2) END
		WHERE id = $1`, userID, tx.Now)
	if err != nil {
		return err
	}
	_, err = tx.Run(`DELETE FROM recovery_codes WHERE user_id = $1 AND NOT EXISTS (SELECT FROM users WHERE id = $1 AND second_factor_at IS NOT NULL)`, userID)
	return err
}

// guarding is the caller's account where they may change its second factor now:
// session only, confirmed within the hour, and with a password.
func (s *Service) guarding(ctx context.Context) (*User, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	user, err := s.FindUserByID(ctx, actor.UserID)
	if err != nil {
		return nil, err
	}
	if !user.HasPassword() {
		return nil, errNoPassword
	}
	return user, actor.RequireConfirmed(s.DB.Clock.Now())
}

// lockGuarding holds the caller's account while its second factor is changed,
// unless the session ended meanwhile.
func (s *Service) lockGuarding(tx *models.Tx, id models.ID) (*User, error) {
	user, err := lockUser(tx, id)
	if err != nil {
		return nil, err
	}
	if !user.HasPassword() {
		return nil, errNoPassword
	}
	return user, s.StillValid(tx.Context())
}

// forgetSecondFactor takes every second factor and recovery code off an account
// that is held, and ends sign-ins that wait for one.
func (s *Service) forgetSecondFactor(tx *models.Tx, userID models.ID) error {
	for _, row := range []any{&TotpSecret{}, &RecoveryCode{}, &Passkey{}, &SecondStep{}} {
		if err := tx.Where("user_id = ?", userID).Delete(row).Error; err != nil {
			return err
		}
	}
	return s.noteSecondFactor(tx, userID)
}

// Reset takes the second factor off an account whose person lost it,
// and signs them out everywhere (platform operator). Tokens stay; so does the
// password, with which alone they sign in then. An account without a second
// factor is a validation_error, an operator's insufficient_role.
func (s SecondFactors) Reset(ctx context.Context, id models.ID) (*User, error) {
	return s.account.operateOn(ctx, id, func(tx *models.Tx, user *User) error {
		if user.SecondFactorAt == nil {
			return models.Err(models.CodeValidation, "%s has no second factor", user.DisplayName)
		}
		if err := s.account.forgetSecondFactor(tx, user.ID); err != nil {
			return err
		}
		if err := endSessions(tx, user.ID, nil); err != nil {
			return err
		}
		if err := s.account.tellGuard(tx, user.ID, GuardReset); err != nil {
			return err
		}
		user.SecondFactorAt = nil
		return act(tx, ActSecondFactorReset, user, "")
	})
}

// holdUser locks an account that is open: neither deleted nor closed.
func holdUser(tx *models.Tx, id models.ID, otherwise error) (*User, error) {
	return models.First[User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ? AND deleted_at IS NULL AND banned_at IS NULL", id), otherwise)
}
