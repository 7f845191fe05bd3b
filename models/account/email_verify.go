package account

import (
	"context"
	"time"

	"atelier/humantext"
	"atelier/models"

	"gorm.io/gorm/clause"
)

// confirmLifetime is how long the link of a sign-up works.
const confirmLifetime = 24 * time.Hour

// PendingSignUp is an account that waits for its address to be confirmed.
// Each sign-up has its own, so that no one's password becomes that of an
// address which another person confirms.
type PendingSignUp struct {
	ID           models.ID `gorm:"primaryKey"`
	Email        string
	Address      string
	DisplayName  string
	PasswordHash string
	TokenHash    []byte
	CreatedAt    time.Time
	ExpiresAt    time.Time
}

func (PendingSignUp) TableName() string { return "sign_ups" }

// askToConfirm keeps a sign-up until its address is confirmed. Everything is
// the same for every address; the mail tells its owner which case it is.
func (s *Service) askToConfirm(ctx context.Context, user *User) error {
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		pending := &PendingSignUp{
			ID: tx.NewID(), Email: user.Email, Address: user.Email, DisplayName: user.DisplayName,
			PasswordHash: *user.PasswordHash, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(confirmLifetime),
		}
		if err := tx.Create(pending).Error; err != nil {
			return err
		}
		return tx.Enqueue(SignUpMail{SignUpID: pending.ID, Language: tx.Actor.PageLanguage}, MailOptions())
	})
}

// WriteSignUpLetter decides which mail a sign-up gets, and makes its token
// again: of several attempts the last mail's link works. nil means none.
func (s Addresses) WriteSignUpLetter(ctx context.Context, id models.ID) (letter *Letter, err error) {
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		var pending []PendingSignUp
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ? AND expires_at > ?", id, tx.Now).Find(&pending).Error
		if err != nil || len(pending) == 0 {
			return err
		}
		letter = &Letter{Address: pending[0].Email, Expires: pending[0].ExpiresAt}
		if err = s.account.signUpCase(tx, letter); err != nil || letter.Kind != LetterConfirm {
			return err
		}
		letter.Token = models.NewSecret("", 32)
		return tx.Model(&PendingSignUp{}).Where("id = ?", id).Update("token_hash", models.HashSecret(letter.Token)).Error
	})
	return letter, err
}

// signUpCase decides what the owner of an address is told.
func (s *Service) signUpCase(tx *models.Tx, letter *Letter) error {
	user, err := s.FindUserByEmail(tx.Context(), letter.Address)
	if err == nil {
		letter.Kind, letter.Reader = LetterExists, user.Reader()
		return nil
	}
	if !models.HasCode(err, models.CodeNotFound) {
		return err
	}
	switch err := s.mayJoin(tx, letter.Address, nil); {
	case models.HasCode(err, models.CodeForbidden):
		letter.Kind = LetterUninvited
	case err != nil:
		return err
	default:
		letter.Kind = LetterConfirm
	}
	return nil
}

// errUsedToken is the one answer to every mailed token that does nothing.
var errUsedToken = models.Err(models.CodeUnauthorized, "This link was used already, has expired, or is not whole. Ask for a new one.")

// Verify makes the account of a sign-up whose link was followed, and
// begins a session. A token works once: unauthorized.
func (s Addresses) Verify(ctx context.Context, token string) (*SignedIn, error) {
	if err := s.account.requireMail(); err != nil {
		return nil, err
	}
	if err := s.account.mayUseToken(ctx); err != nil {
		return nil, err
	}
	var signedIn *SignedIn
	err := s.account.DB.Write(ctx, func(tx *models.Tx) error {
		pending, err := models.First[PendingSignUp](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
			Where("token_hash = ? AND expires_at > ?", models.HashSecret(humantext.Code(token)), tx.Now), errUsedToken)
		if err != nil {
			return err
		}
		if err := s.account.mayJoin(tx, pending.Email, nil); err != nil {
			return err
		}
		user := &User{
			ID: tx.NewID(), Email: pending.Email, Address: pending.Email, DisplayName: pending.DisplayName,
			PasswordHash: &pending.PasswordHash, EmailVerifiedAt: &tx.Now, AddressProvenAt: &tx.Now, CreatedAt: tx.Now, UpdatedAt: tx.Now,
		}
		if err := s.account.createUser(tx, user); err != nil {
			return err
		}
		if err := tx.Where("email = ?", user.Email).Delete(&PendingSignUp{}).Error; err != nil {
			return err
		}
		signedIn, err = s.account.beginSession(tx, user, "password", nil)
		return err
	})
	return signedIn, err
}

// mayUseToken limits guessing.
func (s *Service) mayUseToken(ctx context.Context) error {
	network := models.ActorFrom(ctx).Network()
	if network == "" {
		return nil
	}
	return s.DB.CountCall(ctx, tokensOfNetwork, network)
}
