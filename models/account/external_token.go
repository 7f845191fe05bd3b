package account

import (
	"context"
	"crypto/subtle"
	"time"

	"atelier/models"
)

const (
	// ssoTokenLifetime is how long the one-time token of an external sign-in
	// works (open points, "Signing in"); ssoTokenWaits how long at most, from when
	// it was made, one that came in time and met the limit.
	ssoTokenLifetime = 60 * time.Second
	ssoTokenWaits    = 5 * time.Minute
	// ssoTokenGrace is how long after the limit's wait such a token works.
	ssoTokenGrace = 15 * time.Second
	// maxSSOToken is longer than any token.
	maxSSOToken = 200
)

// exchangesOfNetwork is how often one-time tokens may be exchanged from an
// address (contract 3, "Limits").
var exchangesOfNetwork = models.Limit{Name: "sso.exchange", Max: 20, Per: time.Minute}

// errSSOToken is the one answer to every one-time token that does nothing.
var errSSOToken = models.Err(models.CodeUnauthorized, "This sign-in was used already, has expired, or began in another browser. Sign in once more.")

// SSOToken is what becomes a session, once.
type SSOToken struct {
	TokenHash []byte `gorm:"primaryKey"`
	UserID    models.ID
	Origin    string
	Provider  string
	// BrowserHash is of the secret of the browser that began; nil where none did.
	BrowserHash []byte
	CreatedAt   time.Time
	ExpiresAt   time.Time
	UsedAt      *time.Time
}

func (SSOToken) TableName() string { return "sso_tokens" }

// HandOver is Follow with a one-time token of the account, which works
// for 60 seconds. browser is the secret of the browser that began the sign-in
// here, and then the token works there alone; empty where none began.
func (s SSO) HandOver(ctx context.Context, who Asserted, browser string) (token string, err error) {
	token = models.NewSecret("", 32)
	_, err = s.account.follow(ctx, who, func(tx *models.Tx, user *User) error {
		row := &SSOToken{
			TokenHash: models.HashSecret(token), UserID: user.ID, Origin: who.Origin, Provider: who.Provider,
			CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(ssoTokenLifetime),
		}
		if browser != "" {
			row.BrowserHash = models.HashSecret(browser)
		}
		return tx.Create(row).Error
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// ExchangeToken begins a session with a one-time token, which works once;
// browser is the secret of the browser that sends it, empty without one. One
// that is unknown, used, too old or of another browser is unauthorized, an
// account that was banned meanwhile forbidden; beyond 20 a minute of one
// address it is rate_limit_exceeded, and a good token then works a little
// longer than it is to wait.
func (s SSO) ExchangeToken(ctx context.Context, token, browser string) (*SignedIn, error) {
	if network := models.ActorFrom(ctx).Network(); network != "" {
		if err := s.account.DB.CountCall(ctx, exchangesOfNetwork, network); err != nil {
			return nil, s.account.awaitExchange(ctx, token, browser, err)
		}
	}
	var signedIn *SignedIn
	err := s.account.DB.Write(ctx, func(tx *models.Tx) error {
		row, err := findSSOToken(tx, token, browser)
		if err != nil {
			return err
		}
		user, err := lockUser(tx, row.UserID)
		if models.HasCode(err, models.CodeNotFound) {
			return errSSOToken
		}
		if err != nil {
			return err
		}
		if user.BannedAt != nil {
			return errBanned
		}
		used, err := models.Affected(tx.Model(&SSOToken{}).Where("token_hash = ? AND used_at IS NULL", row.TokenHash).Update("used_at", tx.Now))
		if err != nil {
			return err
		}
		if used == 0 {
			return errSSOToken
		}
		signedIn, err = s.account.beginSession(tx, user, row.Origin, &row.Provider)
		return err
	})
	if err != nil {
		return nil, err
	}
	return signedIn, nil
}

// findSSOToken is a token that works in a browser: unauthorized.
func findSSOToken(tx *models.Tx, token, browser string) (*SSOToken, error) {
	if token == "" || len(token) > maxSSOToken {
		return nil, errSSOToken
	}
	row, err := models.First[SSOToken](tx.Where("token_hash = ? AND used_at IS NULL AND expires_at > ?", models.HashSecret(token), tx.Now), errSSOToken)
	if err != nil {
		return nil, err
	}
	if row.BrowserHash != nil && subtle.ConstantTimeCompare(row.BrowserHash, models.HashSecret(browser)) != 1 {
		return nil, errSSOToken
	}
	return row, nil
}

// awaitExchange answers a call beyond the limit: a class behind one address
// signs in one after another, so a token that works now still does when the
// wait is over.
func (s *Service) awaitExchange(ctx context.Context, token, browser string, refusal error) error {
	limited, known := models.AsError(refusal)
	if !known || limited.Code != models.CodeRateLimitExceeded {
		return refusal
	}
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		row, err := findSSOToken(tx, token, browser)
		if models.HasCode(err, models.CodeUnauthorized) {
			return nil
		}
		if err != nil {
			return err
		}
		until := tx.Now.Add(limited.RetryAfter + ssoTokenGrace)
		if last := row.CreatedAt.Add(ssoTokenWaits); until.After(last) {
			until = last
		}
		return tx.Model(&SSOToken{}).Where("token_hash = ? AND used_at IS NULL AND expires_at < ?", row.TokenHash, until).Update("expires_at", until).Error
	})
	if err != nil {
		return err
	}
	return refusal
}
