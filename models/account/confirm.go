package account

import (
	"context"

	"atelier/models"
)

// Confirm notes that it is still the person who signed in, by the
// password, by a code of the authenticator app or by a passkey; for an hour the
// session may do then what models.Actor.RequireConfirmed guards. Session only.
// What is wrong is a validation_error naming the field, and counts like a wrong
// password: rate_limit_exceeded. An account that signs in through a provider and
// has neither is forbidden: its person signs in there once more.
func (s Sessions) Confirm(ctx context.Context, in ConfirmSessionInput) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	if in.given() != 1 {
		return errConfirmChoice
	}
	user, err := s.account.FindUserByID(ctx, actor.UserID)
	if err != nil {
		return err
	}
	if !user.HasPassword() && user.SecondFactorAt == nil {
		return models.Err(models.CodeForbidden, "Your account signs in through a provider: sign out, and sign in there once more")
	}
	if in.Password != nil {
		return s.account.confirmByPassword(ctx, *in.Password)
	}
	var wrong error
	_, err = s.account.attemptCode(ctx, user.Email, func() (bool, error) {
		err := s.account.DB.Write(ctx, func(tx *models.Tx) (err error) {
			if _, err := holdUser(tx, user.ID, errUnauthorized); err != nil {
				return err
			}
			wrong, err = s.account.prove(tx, user.ID, proof{code: in.Code, passkey: in.Passkey, purpose: PasskeyConfirm})
			if err != nil || wrong != nil {
				return err
			}
			return confirmSession(tx)
		})
		return err == nil && wrong == nil, err
	})
	if err == nil {
		err = wrong
	}
	return err
}

func (in ConfirmSessionInput) given() (n int) {
	for _, given := range []bool{in.Password != nil, in.Code != nil, in.Passkey != nil} {
		if given {
			n++
		}
	}
	return n
}

func (s *Service) confirmByPassword(ctx context.Context, password string) error {
	user, err := s.checkCurrentPassword(ctx, models.ActorFrom(ctx).UserID, password)
	if models.HasCode(err, models.CodeValidation) {
		err = errNotYours
	}
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := stillHas(tx, user); models.HasCode(err, models.CodeUnauthorized) {
			return errNotYours
		} else if err != nil {
			return err
		}
		return confirmSession(tx)
	})
}

var errNotYours = models.Invalid("password", "is not your password")

// confirmSession writes down that the actor's session is confirmed, unless it ended meanwhile.
func confirmSession(tx *models.Tx) error {
	confirmed, err := models.Affected(tx.Model(&Session{}).
		Where("id = ? AND user_id = ? AND revoked_at IS NULL AND expires_at > ?", tx.Actor.SessionID, tx.Actor.UserID, tx.Now).Update("confirmed_at", tx.Now))
	if err == nil && confirmed == 0 {
		err = errUnauthorized
	}
	return err
}
