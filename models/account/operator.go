package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"atelier/humantext"
	"atelier/models"
)

// IsOperator tells whether the account is a platform operator: its address is
// on the install's list, and was proven to be the person's.
func (s *Service) IsOperator(u *User) bool {
	return s.onOperatorList(u.Email) && u.EmailVerified() && u.AddressProvenAt != nil
}

// MayProveOperator tells whether the account has an operator's address that it
// has not proven yet: it was made before the address was on the list, or before
// addresses were proven.
func (s *Service) MayProveOperator(u *User) bool {
	return s.onOperatorList(u.Email) && !s.IsOperator(u)
}

func (s *Service) onOperatorList(email string) bool { return slices.Contains(s.Operators, email) }

// AwaitsOperator tells whether the install names operators and none of them
// has proven their address yet. The database is asked every ten seconds at
// most, and no more once one has.
func (s *Service) AwaitsOperator(ctx context.Context) (bool, error) {
	if len(s.Operators) == 0 || s.proven.Load() {
		return false, nil
	}
	now := s.DB.Clock.Now().UnixNano()
	if now < s.awaitedUntil.Load() {
		return true, nil
	}
	var proven int64
	err := s.operators(s.DB.Read(ctx)).Count(&proven).Error
	if err != nil {
		return false, err
	}
	s.proven.Store(proven > 0)
	s.awaitedUntil.Store(now + int64(10*time.Second))
	return proven == 0, nil
}

// operators are the accounts of the platform operators, as IsOperator tells them.
func (s *Service) operators(db *gorm.DB) *gorm.DB {
	return db.Model(&User{}).Where("email IN ? AND address_proven_at IS NOT NULL AND email_verified_at IS NOT NULL AND deleted_at IS NULL", s.Operators)
}

// ListOperators are the ids of the platform operators; none where the install names none.
func (s *Service) ListOperators(tx *models.Tx) (found []models.ID, err error) {
	if len(s.Operators) == 0 {
		return nil, nil
	}
	err = s.operators(tx.DB).Order("id").Limit(len(s.Operators)).Pluck("id", &found).Error
	return found, err
}

// checkOperatorCode tells whether a sign-up proves an operator's address, which
// on an install without mail it must: validation_error naming operatorCode,
// and rate_limit_exceeded for too many wrong ones. Every other address needs no
// code, and one that is sent along says nothing.
func (s *Service) checkOperatorCode(ctx context.Context, email string, code *string) (proven bool, err error) {
	if s.Mail || !s.onOperatorList(email) {
		return false, nil
	}
	if code == nil || humantext.Pasted(*code) == "" {
		return false, models.Invalid("operatorCode", "is needed for this address: it is the code that the service prints at its start")
	}
	return true, s.compareCode(ctx, email, *code)
}

// compareCode refuses a wrong code; it counts like a wrong password.
func (s *Service) compareCode(ctx context.Context, email, code string) error {
	right, err := s.attempt(ctx, email, func() (bool, error) {
		want, found := sha256.Sum256([]byte(s.OperatorCode)), 0
		for _, typed := range []string{strings.TrimSpace(code), humantext.Link(code), humantext.Code(code)} { // a code may end with a sign of its own
			got := sha256.Sum256([]byte(typed))
			found |= subtle.ConstantTimeCompare(want[:], got[:])
		}
		return found == 1 && s.OperatorCode != "", nil
	})
	if err == nil && !right {
		err = models.Invalid("operatorCode", "is wrong: it is the code that the service prints at its start")
	}
	return err
}

// ProveOperator makes the caller the operator that their address says, by the
// operators' code. Session only; insufficient_role for every other address,
// validation_error for a wrong code, rate_limit_exceeded.
func (s *Service) ProveOperator(ctx context.Context, code string) (*User, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	user, err := s.FindUserByID(ctx, actor.UserID)
	if err != nil {
		return nil, err
	}
	if !s.onOperatorList(user.Email) {
		return nil, models.InsufficientRole("Your address is not an operator's: PLATFORM_OPERATOR_EMAILS does not name it")
	}
	if s.IsOperator(user) {
		return user, nil
	}
	if err := s.compareCode(ctx, user.Email, code); err != nil {
		return nil, err
	}
	if err := s.DB.Write(ctx, func(tx *models.Tx) error { return proveAddress(tx, user.ID) }); err != nil {
		return nil, err
	}
	s.awaitedUntil.Store(0)
	return s.FindUserByID(ctx, user.ID)
}

// proveAddress notes that the address of an account is its person's.
func proveAddress(tx *models.Tx, userID models.ID) error {
	tx.Notify(models.RightsTopic(userID))
	_, err := tx.Run(`UPDATE users SET address_proven_at = coalesce(address_proven_at, $2), email_verified_at = coalesce(email_verified_at, $2)
		WHERE id = $1`, userID, tx.Now)
	return err
}
