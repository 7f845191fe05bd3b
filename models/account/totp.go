package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"atelier/humantext"
	"atelier/models"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm/clause"
)

// Codes of authenticator apps are those of RFC 6238 as every app makes them:
// six digits of SHA-1, a new one each 30 seconds. The one before and the one
// after are taken too, for clocks that differ.
const (
	totpPeriod = 30 * time.Second
	totpDigits = 6
	totpSpread = 1 // steps
	totpBytes  = 20
	// totpSetup is how long a secret that was not confirmed can be.
	totpSetup = time.Hour
)

// TotpSecret is the secret that an authenticator app shares with an account;
// without ConfirmedAt it is not in use yet.
type TotpSecret struct {
	UserID      models.ID `gorm:"primaryKey"`
	Secret      string    // sealed
	CreatedAt   time.Time
	ConfirmedAt *time.Time
	LastStep    int64 // the newest step whose code was used
}

func (TotpSecret) TableName() string { return "totp_secrets" }

// Refusals about second factors.
var (
	errTotpLost      = models.Err(models.CodeEncryptionKeyMissing, "This install lost the key to codes of authenticator apps. Use a recovery code or a passkey.")
	errWrongCode     = models.Invalid("code", "is wrong, or was used already. Wait for the next one.")
	errHasTotp       = models.Err(models.CodeValidation, "Codes of an authenticator app are asked for already. Remove that app first.")
	errNoTotp        = models.Err(models.CodeValidation, "No authenticator app is being set up, or it took longer than an hour. Begin once more.")
	errNoPassword    = models.Err(models.CodeForbidden, "Your account has no password: its provider sees to a second factor")
	errNoSecondYet   = models.Err(models.CodeValidation, "Recovery codes stand in for an authenticator app or a passkey. Set one of them up first.")
	errConfirmChoice = models.Err(models.CodeValidation, "Send one of password, code and passkey")
)

// BeginTotp makes a secret for an authenticator app, which is in use once a code
// of it was confirmed; one that was not is forgotten. Session only, confirmed
// within the hour: reauthentication_required. encryption_key_missing on an
// install that keeps no secrets; forbidden for an account without a password.
func (s SecondFactors) BeginTotp(ctx context.Context) (*TotpSetup, error) {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return nil, err
	}
	secret := newTotpSecret()
	sealed, err := s.account.Vault.Seal(totpPurpose(user.ID), secret)
	if err != nil {
		return nil, err
	}
	err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
		if _, err := s.account.lockGuarding(tx, user.ID); err != nil {
			return err
		}
		if found, err := totpOf(tx, user.ID); err != nil {
			return err
		} else if found != nil && found.ConfirmedAt != nil {
			return errHasTotp
		}
		row := &TotpSecret{UserID: user.ID, Secret: sealed, CreatedAt: tx.Now}
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error
	})
	if err != nil {
		return nil, err
	}
	return &TotpSetup{Secret: secret, URI: s.account.totpURI(user, secret)}, nil
}

func newTotpSecret() string {
	b := make([]byte, totpBytes)
	rand.Read(b)
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b)
}

// totpURI is what the QR code says: the app shows the install's host and the address.
func (s *Service) totpURI(user *User, secret string) string {
	issuer := "Atelier"
	if u, err := url.Parse(s.PublicURL); err == nil && u.Hostname() != "" {
		issuer += " (" + u.Hostname() + ")"
	}
	query := url.Values{"secret": {secret}, "issuer": {issuer}, "digits": {strconv.Itoa(totpDigits)}, "period": {strconv.Itoa(int(totpPeriod.Seconds()))}}
	// Apps read a plus sign as it is.
	return "otpauth://totp/" + url.PathEscape(issuer+":"+user.Email) + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// ConfirmTotp turns codes of the authenticator app on, with one of them; the
// answer are recovery codes, shown once, in place of earlier ones. A wrong code
// is a validation_error naming code, and counts like a wrong password:
// rate_limit_exceeded. Session only, confirmed within the hour.
func (s SecondFactors) ConfirmTotp(ctx context.Context, code string) (codes []string, err error) {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return nil, err
	}
	right, err := s.account.attemptCode(ctx, user.Email, func() (right bool, err error) {
		err = s.account.DB.Write(ctx, func(tx *models.Tx) error {
			locked, err := s.account.lockGuarding(tx, user.ID)
			if err != nil {
				return err
			}
			found, err := totpOf(tx, user.ID)
			switch {
			case err != nil:
				return err
			case found == nil || found.ConfirmedAt == nil && tx.Now.Sub(found.CreatedAt) > totpSetup:
				return errNoTotp
			case found.ConfirmedAt != nil:
				return errHasTotp
			}
			if right, err = s.account.useTotp(tx, found, code); err != nil || !right {
				return err
			}
			if err := tx.Model(found).Update("confirmed_at", tx.Now).Error; err != nil {
				return err
			}
			if codes, err = newRecoveryCodes(tx, user.ID); err != nil {
				return err
			}
			return s.account.guardChanged(tx, locked, TotpAdded)
		})
		return right, err
	})
	if err == nil && !right {
		err = errWrongCode
	}
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// RemoveTotp forgets the caller's authenticator app; where no passkey is left
// either, the recovery codes too. Repeating is nothing. Session only, confirmed
// within the hour.
func (s SecondFactors) RemoveTotp(ctx context.Context) error {
	user, err := s.account.guarding(ctx)
	if err != nil {
		return err
	}
	return s.account.DB.Write(ctx, func(tx *models.Tx) error {
		locked, err := s.account.lockGuarding(tx, user.ID)
		if err != nil {
			return err
		}
		found, err := totpOf(tx, user.ID)
		if err != nil || found == nil {
			return err
		}
		if err := tx.Delete(found).Error; err != nil {
			return err
		}
		if found.ConfirmedAt == nil {
			return nil
		}
		return s.account.guardChanged(tx, locked, TotpRemoved)
	})
}

// totpOf is the secret of an account, held until the transaction ends; nil without one.
func totpOf(tx *models.Tx, userID models.ID) (*TotpSecret, error) {
	var found []*TotpSecret
	err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("user_id = ?", userID).Find(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// useTotp tells whether the code is one of now, and uses it up: neither it nor
// an older one is right again. The secret is held.
func (s *Service) useTotp(tx *models.Tx, t *TotpSecret, code string) (bool, error) {
	secret, err := s.Vault.Open(totpPurpose(t.UserID), t.Secret)
	if err != nil {
		slog.ErrorContext(tx.Context(), "the secret of an authenticator app does not open", "user", t.UserID, "error", err)
		return false, errTotpLost
	}
	code, now, matched := plainCode(code), tx.Now.Unix()/int64(totpPeriod.Seconds()), int64(0)
	for step := now - totpSpread; step <= now+totpSpread; step++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(step), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return false, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && step > t.LastStep {
			matched = step
		}
	}
	if matched == 0 {
		return false, nil
	}
	t.LastStep = matched
	return true, tx.Model(t).Update("last_step", matched).Error
}

func totpPurpose(userID models.ID) string { return "totp:" + userID.String() }

// plainCode is a code without what people and apps put between its parts.
func plainCode(code string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' || r == '_' || r == '\u2212' || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(humantext.Code(code)))
}
