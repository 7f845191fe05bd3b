package account

import (
	"context"
	"time"

	"atelier/humantext"
	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// resetLifetime is how long the link to choose a password works.
const resetLifetime = time.Hour

// EmailToken is a link that was mailed to an account.
type EmailToken struct {
	TokenHash []byte `gorm:"primaryKey"`
	UserID    models.ID
	Purpose   string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
	// NewEmail is what the account's address is to become, of links that change it.
	NewEmail *string
}

func (EmailToken) TableName() string { return "email_tokens" }

// A link to choose a password is mailed, or handed over by an operator.
const (
	purposeReset  = "reset"
	purposeHanded = "handed"
)

var resetPurposes = []string{purposeReset, purposeHanded}

// Forgot mails the owner of an address a link to choose a password. It
// says nothing about whether there is one; not_found on installs without mail.
func (s Passwords) Forgot(ctx context.Context, address string) error {
	if err := s.account.requireMail(); err != nil {
		return err
	}
	email, err := CheckEmail("email", address)
	if err != nil {
		return err
	}
	if err := s.account.countMail(ctx, email); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		return tx.Enqueue(ResetMail{Email: email, Language: tx.Actor.PageLanguage}, MailOptions())
	})
}

// WriteResetLetter decides which mail a forgotten password gets, with a token
// of its own; nil means none, since the address has no account that could
// sign in.
func (s Passwords) WriteResetLetter(ctx context.Context, email string) (letter *Letter, err error) {
	user, err := s.account.FindUserByEmail(ctx, email)
	if models.HasCode(err, models.CodeNotFound) || err == nil && user.BannedAt != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	letter = &Letter{Kind: LetterExternal, Address: user.Email, Reader: user.Reader()}
	if user.PasswordHash == nil {
		return letter, nil
	}
	letter.Kind, letter.Token = LetterReset, models.NewSecret("", 32)
	return letter, s.account.DB.Write(ctx, func(tx *models.Tx) error {
		letter.Expires = tx.Now.Add(resetLifetime)
		return tx.Create(&EmailToken{
			TokenHash: models.HashSecret(letter.Token), UserID: user.ID, Purpose: purposeReset,
			CreatedAt: tx.Now, ExpiresAt: letter.Expires,
		}).Error
	})
}

// Reset chooses a new password with a token; a mailed one proves the
// address as well. It ends every session of the account, revokes its API tokens,
// uses up its other mailed tokens and begins a session; where the account has a
// second factor it is second_factor_required, and the password is chosen all the
// same. A token works once: unauthorized.
func (s Passwords) Reset(ctx context.Context, token, password string) (*SignedIn, error) {
	if err := s.account.mayUseToken(ctx); err != nil {
		return nil, err
	}
	unusable := s.account.checkResetToken(ctx, token)
	if models.HasCode(unusable, models.CodeUnauthorized) && !s.account.Mail {
		return nil, s.account.requireMail() // except for links that operators hand over, there is nothing here
	}
	if err := checkPassword("password", password); err != nil {
		return nil, err
	}
	if unusable != nil {
		return nil, unusable
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return nil, err
	}
	var signedIn *SignedIn
	var refusal error
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		user, found, err := ownerOfToken(tx, token, resetPurposes...)
		if err != nil {
			return err
		}
		err = tx.Model(&User{}).Where("id = ?", user.ID).Updates(map[string]any{"password_hash": hash, "updated_at": tx.Now}).Error
		if err != nil {
			return err
		}
		if found.Purpose == purposeReset { // mailed
			if err := proveAddress(tx, user.ID); err != nil {
				return err
			}
		}
		if err := useResetTokens(tx, user.ID); err != nil {
			return err
		}
		if err := endSessions(tx, user.ID, nil); err != nil {
			return err
		}
		if err := s.account.revokeTokens(tx, user.ID); err != nil {
			return err
		}
		user.PasswordHash = &hash
		signedIn, refusal, err = s.account.enter(tx, user)
		return err
	})
	if err == nil {
		err = refusal
	}
	return signedIn, err
}

// checkResetToken refuses a token that does nothing before a password is hashed for it.
func (s *Service) checkResetToken(ctx context.Context, token string) error {
	_, err := models.First[EmailToken](usable(s.DB.Read(ctx), token, s.DB.Clock.Now(), resetPurposes...), errUsedToken)
	return err
}

// usable finds a token that still does something, for one of some purposes.
func usable(query *gorm.DB, token string, now time.Time, purposes ...string) *gorm.DB {
	return query.Where("token_hash = ? AND purpose IN ? AND used_at IS NULL AND expires_at > ?", models.HashSecret(humantext.Code(token)), purposes, now)
}

// useResetTokens uses up every link of an account by which it could be taken over: to
// choose a password, and to change the address.
func useResetTokens(tx *models.Tx, userID models.ID) error {
	return useTokens(tx, userID, append([]string{purposeChange}, resetPurposes...)...)
}

// ownerOfToken is the account of an unused token for one of some purposes, and the
// token, both held until the transaction ends.
func ownerOfToken(tx *models.Tx, token string, purposes ...string) (*User, *EmailToken, error) {
	found, err := models.First[EmailToken](usable(tx.Clauses(clause.Locking{Strength: "UPDATE"}), token, tx.Now, purposes...), errUsedToken)
	if err != nil {
		return nil, nil, err
	}
	user, err := models.First[User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = ? AND deleted_at IS NULL AND banned_at IS NULL", found.UserID), errUsedToken)
	return user, found, err
}
