package account

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"atelier/models"
)

// purposeChange is a link that changes the address of an account to the one that it was mailed to.
const purposeChange = "change"

// changeLifetime is how long that link works.
const changeLifetime = 24 * time.Hour

// AddressMail is the job that tells the new address of an account how to confirm it, and the old one that this was asked
// for; or, once it is done, the old one that it was.
type AddressMail struct {
	UserID models.ID `json:"userId"`
	// SessionID is the session that asked; once it is ended the new address gets no link.
	SessionID models.ID `json:"sessionId"`
	// Old is the address that the account had; New the one that it is to have, or has.
	Old  string `json:"old"`
	New  string `json:"new"`
	Done bool   `json:"done,omitempty"`
	// ToNew has the new address asked, which gets a link; else the old one is told.
	ToNew bool `json:"toNew,omitempty"`
}

func (AddressMail) Kind() string { return "mail_address" }

// RequestChange asks a new address of the caller to be confirmed: it gets a link, and the present address is told.
// Nothing is said of whether another account has it already. Session only, and confirmed: reauthentication_required.
// not_found on installs without mail; payer_account_protected; validation_error naming email; rate_limit_exceeded.
func (s Addresses) RequestChange(ctx context.Context, address string) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return err
	}
	if err := actor.RequireConfirmed(s.account.DB.Clock.Now()); err != nil {
		return err
	}
	if err := s.account.requireMail(); err != nil {
		return err
	}
	email, err := CheckEmail("email", address)
	if err != nil {
		return err
	}
	user, err := s.account.FindUserByID(ctx, actor.UserID)
	switch {
	case err != nil:
		return err
	case user.Email == email:
		return models.Invalid("email", "is your address already")
	case s.account.isPayer(user) || s.account.Payer != "" && email == s.account.Payer:
		return models.Err(models.CodePayerProtected, "The address of the account that pays for everyone here cannot be changed")
	}
	if err := s.account.countMail(ctx, email); err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.account.StillValid(tx.Context()); err != nil {
			return err
		}
		if err := tx.Enqueue(AddressMail{UserID: user.ID, SessionID: actor.SessionID, Old: user.Email, New: email, ToNew: true}, MailOptions()); err != nil {
			return err
		}
		return tx.Enqueue(AddressMail{UserID: user.ID, SessionID: actor.SessionID, Old: user.Email, New: email}, MailOptions())
	})
}

// WriteChangeLetter is a mail about a change of an address; the link is made with it, and the one before works no more.
// nil means none: the account is gone, or has another address by now, or the session that asked for a link was ended, as
// it is when another one of the account chooses a new password.
func (s Addresses) WriteChangeLetter(ctx context.Context, about AddressMail) (letter *Letter, err error) {
	if about.Done {
		user, err := s.account.FindUserByID(ctx, about.UserID)
		if models.HasCode(err, models.CodeNotFound) {
			user, err = &User{}, nil
		}
		if err != nil {
			return nil, err
		}
		return &Letter{Kind: LetterAddressChanged, Address: about.Old, Reader: user.Reader()}, nil
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		user, err := models.First[User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
			Where("id = ? AND email = ? AND deleted_at IS NULL AND banned_at IS NULL", about.UserID, about.Old), nil)
		if err != nil || user == nil {
			return err
		}
		if !about.ToNew {
			letter = &Letter{Kind: LetterAddressAsked, Address: about.Old, Reader: user.Reader()}
			return nil
		}
		asking, err := models.First[Session](tx.Where("id = ? AND user_id = ? AND revoked_at IS NULL", about.SessionID, user.ID), nil)
		if err != nil || asking == nil {
			return err
		}
		if other, err := s.account.FindUserByEmail(tx.Context(), about.New); err == nil {
			letter = &Letter{Kind: LetterAddressTaken, Address: about.New, Reader: other.Reader()}
			return nil
		} else if !models.HasCode(err, models.CodeNotFound) {
			return err
		}
		if err := useTokens(tx, user.ID, purposeChange); err != nil {
			return err
		}
		letter = &Letter{
			Kind: LetterAddressConfirm, Address: about.New, Reader: user.Reader(), Token: models.NewSecret("", 32), Expires: tx.Now.Add(changeLifetime),
		}
		return tx.Create(&EmailToken{
			TokenHash: models.HashSecret(letter.Token), UserID: user.ID, Purpose: purposeChange, NewEmail: &about.New,
			CreatedAt: tx.Now, ExpiresAt: letter.Expires,
		}).Error
	})
	return letter, err
}

// ConfirmChange gives an account the address that a link was mailed to, which proves it. Links to choose a password
// that the old address got work no more; sessions stay. A token works once: unauthorized.
func (s Addresses) ConfirmChange(ctx context.Context, token string) error {
	if actor := models.ActorFrom(ctx); actor.SignedIn() { // the link may be opened without a session, and by no program
		if err := actor.RequireSession(); err != nil {
			return err
		}
	}
	if err := s.account.requireMail(); err != nil {
		return err
	}
	if err := s.account.mayUseToken(ctx); err != nil {
		return err
	}
	err := s.account.DB.Write(ctx, func(tx *models.Tx) error {
		user, found, err := ownerOfToken(tx, token, purposeChange)
		if err != nil {
			return err
		}
		if s.account.isPayer(user) {
			return errUsedToken
		}
		old := user.Email
		err = tx.Model(&User{}).Where("id = ?", user.ID).Updates(map[string]any{
			"email": *found.NewEmail, "address": *found.NewEmail, "email_verified_at": tx.Now, "address_proven_at": tx.Now, "updated_at": tx.Now,
		}).Error
		if err != nil {
			return err
		}
		if err := useResetTokens(tx, user.ID); err != nil {
			return err
		}
		tx.Notify(models.RightsTopic(user.ID))
		return tx.Enqueue(AddressMail{UserID: user.ID, Old: old, New: *found.NewEmail, Done: true}, MailOptions())
	})
	if models.HasCode(err, models.CodeEmailTaken) {
		return errUsedToken // the address got an account of its own meanwhile
	}
	return err
}

// useTokens uses up the mailed links of an account for some purposes.
func useTokens(tx *models.Tx, userID models.ID, purposes ...string) error {
	return tx.Model(&EmailToken{}).Where("user_id = ? AND purpose IN ? AND used_at IS NULL", userID, purposes).Update("used_at", tx.Now).Error
}
