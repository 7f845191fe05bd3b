package account

import (
	"context"
	"time"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// A sign-in whose password was right waits this long for its second step, which
// may be tried so often. An account has a few of them at once; older ones end.
const (
	stepLifetime = 5 * time.Minute
	maxStepTries = 5
	maxSteps     = 10
	maxCode      = 100 // bytes
)

// SecondStep is a sign-in whose second step is awaited; its token is kept as a hash.
type SecondStep struct {
	TokenHash []byte `gorm:"primaryKey"`
	UserID    models.ID
	// OfPassword says which password was right, as a hash of its hash.
	OfPassword []byte
	Tries      int
	CreatedAt  time.Time
	ExpiresAt  time.Time
	UsedAt     *time.Time
}

func (SecondStep) TableName() string { return "second_steps" }

// errStepEnded is the one answer to every second step that is not awaited.
var errStepEnded = models.Err(models.CodeUnauthorized, "This sign-in has ended. Begin once more with your password.")

// enter begins a session of an account whose password was right and whose row
// is held, or a second step where it has a second factor: then refusal is
// second_factor_required, with the step's token, and the transaction commits.
func (s *Service) enter(tx *models.Tx, user *User) (signedIn *SignedIn, refusal, err error) {
	if user.SecondFactorAt == nil {
		signedIn, err = s.beginSession(tx, user, OriginPassword, nil)
		return signedIn, nil, err
	}
	methods, err := stepMethods(tx, user.ID)
	if err != nil {
		return nil, nil, err
	}
	_, err = tx.Run(`
		DELETE FROM second_steps WHERE token_hash IN (
			SELECT token_hash FROM second_steps WHERE user_id = $1 ORDER BY created_at DESC, token_hash OFFSET $2)`, user.ID, maxSteps-1)
	if err != nil {
		return nil, nil, err
	}
	token := models.NewSecret("", 32)
	err = tx.Create(&SecondStep{
		TokenHash: models.HashSecret(token), UserID: user.ID, OfPassword: models.HashSecret(*user.PasswordHash),
		CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(stepLifetime),
	}).Error
	if err != nil {
		return nil, nil, err
	}
	asked := models.Err(models.CodeSecondFactor, "The password is right. Go on with the second step, within %s.", models.Several(int(stepLifetime.Minutes()), "minute"))
	asked.Extra = map[string]any{"secondFactorToken": token, "methods": methods}
	return nil, asked, nil
}

// stepMethods are the ways to take the second step that the account has: totp, passkey, recovery.
func stepMethods(tx *models.Tx, userID models.ID) ([]string, error) {
	var totp, passkey, recovery bool
	err := tx.Raw(`
		SELECT EXISTS (SELECT FROM totp_secrets WHERE user_id = ? AND confirmed_at IS NOT NULL), EXISTS (SELECT FROM passkeys WHERE user_id = ? AND suspected_at IS NULL),
			EXISTS (SELECT FROM recovery_codes WHERE user_id = ? AND used_at IS NULL)`, userID, userID, userID).Row().Scan(&totp, &passkey, &recovery)
	methods := []string{}
	for _, m := range []struct {
		has  bool
		name string
	}{{totp, "totp"}, {passkey, "passkey"}, {recovery, "recovery"}} {
		if m.has {
			methods = append(methods, m.name)
		}
	}
	return methods, err
}

// findStep is whose second step a token stands for: unauthorized for one that is
// unknown, over, used up, or of a password that was changed.
func (s *Service) findStep(ctx context.Context, token string) (*User, error) {
	step, err := models.First[SecondStep](s.DB.Read(ctx).Where("token_hash = ? AND expires_at > ?", models.HashSecret(token), s.DB.Clock.Now()), errStepEnded)
	if err != nil {
		return nil, err
	}
	user, err := s.FindUserByID(ctx, step.UserID)
	if models.HasCode(err, models.CodeNotFound) {
		err = errStepEnded
	}
	if err != nil {
		return nil, err
	}
	return user, step.awaits(user)
}

// awaits refuses a step that ended, or whose account changed since.
func (step *SecondStep) awaits(user *User) error {
	switch {
	case step.UsedAt != nil || step.Tries >= maxStepTries,
		user.BannedAt != nil || user.SecondFactorAt == nil || user.PasswordHash == nil,
		string(models.HashSecret(*user.PasswordHash)) != string(step.OfPassword):
		return errStepEnded
	}
	return nil
}

// CompleteSignIn begins a session with the second step of a sign-in: a code of
// the authenticator app, a recovery code, or a passkey. A token that is over, was
// used, tried five times, or whose password was changed is unauthorized; a wrong
// code a validation_error that counts like a wrong password: rate_limit_exceeded.
func (s SecondFactors) CompleteSignIn(ctx context.Context, in SecondStepInput) (*SignedIn, error) {
	if (in.Code == nil) == (in.Passkey == nil) {
		return nil, models.Err(models.CodeValidation, "Send one of code and passkey")
	}
	if len(in.SecondFactorToken) > 200 {
		return nil, errStepEnded
	}
	user, err := s.account.findStep(ctx, in.SecondFactorToken)
	if err != nil {
		return nil, err
	}
	var signedIn *SignedIn
	var wrong error
	_, err = s.account.attemptCode(ctx, user.Email, func() (bool, error) {
		err := s.account.DB.Write(ctx, func(tx *models.Tx) (err error) {
			signedIn, wrong, err = s.account.takeStep(tx, user.ID, in)
			return err
		})
		return signedIn != nil, err
	})
	if err == nil {
		err = wrong
	}
	if err != nil {
		return nil, err
	}
	return signedIn, nil
}

// takeStep counts a try and looks at what proves it: a session, or what is wrong.
// Tries for one account pass one after another, for its row is held.
func (s *Service) takeStep(tx *models.Tx, userID models.ID, in SecondStepInput) (signedIn *SignedIn, wrong, err error) {
	user, err := holdUser(tx, userID, errStepEnded)
	if err != nil {
		return nil, nil, err
	}
	step, err := models.First[SecondStep](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("token_hash = ? AND user_id = ? AND expires_at > ?", models.HashSecret(in.SecondFactorToken), userID, tx.Now), errStepEnded)
	if err != nil {
		return nil, nil, err
	}
	if err := step.awaits(user); err != nil {
		return nil, nil, err
	}
	proof := proof{code: in.Code, passkey: in.Passkey, purpose: PasskeySecondStep, recovery: true}
	if wrong, err = s.prove(tx, user.ID, proof); err != nil {
		return nil, nil, err
	}
	changes := map[string]any{"tries": step.Tries + 1}
	if wrong == nil {
		changes["used_at"] = tx.Now
	}
	if err := tx.Model(step).Updates(changes).Error; err != nil || wrong != nil {
		return nil, wrong, err
	}
	signedIn, err = s.beginSession(tx, user, OriginPassword, nil)
	return signedIn, nil, err
}

// proof is what a person shows beside their password.
type proof struct {
	code    *string
	passkey *PasskeyAnswer
	purpose PasskeyPurpose
	// recovery tells whether a recovery code counts.
	recovery bool
}

// prove compares a proof for an account that is held, and uses it up; wrong says
// that it does not fit, and the caller commits.
func (s *Service) prove(tx *models.Tx, userID models.ID, p proof) (wrong, err error) {
	if p.passkey != nil {
		err := s.checkPasskey(tx, p.purpose, userID, p.passkey)
		if models.HasCode(err, models.CodeValidation) {
			return err, nil
		}
		return nil, err
	}
	right, err := s.useCode(tx, userID, *p.code, p.recovery)
	if err == nil && !right {
		wrong = errWrongCode
	}
	return wrong, err
}

// useCode tells whether a code is right, and uses it up: six digits are the
// authenticator app's, everything else a recovery code.
func (s *Service) useCode(tx *models.Tx, userID models.ID, code string, recovery bool) (bool, error) {
	if len(code) > maxCode {
		return false, nil
	}
	if len(plainCode(code)) != totpDigits {
		if !recovery {
			return false, nil
		}
		return s.useRecoveryCode(tx, userID, code)
	}
	found, err := totpOf(tx, userID)
	if err != nil || found == nil || found.ConfirmedAt == nil {
		return false, err
	}
	return s.useTotp(tx, found, code)
}
