package account

import (
	"cmp"
	"context"
	"slices"

	"atelier/models"

	"github.com/golang-jwt/jwt/v5"
	"gorm.io/gorm/clause"
)

// beginSession makes a session of the account and its JWT, and notes the language of the page.
func (s *Service) beginSession(tx *models.Tx, user *User, origin string, provider *string) (*SignedIn, error) {
	session := Session{
		ID: tx.NewID(), UserID: user.ID, Origin: origin, Provider: provider,
		IP: tx.Actor.IP, UserAgent: models.CutUserAgent(tx.Actor.UserAgent), CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(cmp.Or(s.SessionLasts, SessionLifetime)),
	}
	if err := tx.Create(&session).Error; err != nil {
		return nil, err
	}
	if page := tx.Actor.PageLanguage; page != "" && page != models.Deref(user.PageLanguage) {
		user.PageLanguage = &page
		if err := tx.Model(&User{}).Where("id = ?", user.ID).UpdateColumn("page_language", page).Error; err != nil {
			return nil, err
		}
	}
	claims := jwt.RegisteredClaims{
		ID: session.ID.String(), Subject: user.ID.String(), Issuer: "atelier",
		IssuedAt: jwt.NewNumericDate(tx.Now), ExpiresAt: jwt.NewNumericDate(session.ExpiresAt),
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(s.SessionKey)
	if err != nil {
		return nil, err
	}
	return &SignedIn{User: user, Token: token, ExpiresAt: session.ExpiresAt}, nil
}

// readSession is the session id within a session JWT; the row decides whether it still counts.
func (s *Service) readSession(token string) (models.ID, error) {
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return s.SessionKey, nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer("atelier"), jwt.WithTimeFunc(s.DB.Clock.Now))
	if err != nil {
		return models.ID{}, errUnauthorized
	}
	id, err := models.ParseID("session", claims.ID)
	if err != nil {
		return models.ID{}, errUnauthorized
	}
	return id, nil
}

var errUnauthorized = models.Err(models.CodeUnauthorized, "The session or token is unknown, expired or revoked. Sign in again.")

var (
	errWrongPassword = models.Err(models.CodeUnauthorized, "The address or the password is wrong")
	errBanned        = models.Err(models.CodeForbidden, "This account was closed by the operator of this install")
)

// SignIn begins a session with address and password. A wrong password and an
// unknown address are one unauthorized, in the same time; a banned account is
// forbidden; too many failures are rate_limit_exceeded. Where the account has a
// second factor, the right password is second_factor_required: see SecondFactors.CompleteSignIn.
func (s *Service) SignIn(ctx context.Context, in SignInInput) (*SignedIn, error) {
	if len(in.Password) > maxPassword || len(in.Email) > 1000 {
		return nil, errWrongPassword
	}
	email := models.TypedEmail(in.Email)
	var user *User
	right, err := s.attempt(ctx, email, func() (right bool, err error) {
		if user, err = s.FindUserByEmail(ctx, email); err != nil && !models.HasCode(err, models.CodeNotFound) {
			return false, err
		}
		var hash *string
		if user != nil && s.admitsPassword(in, email) {
			hash = user.PasswordHash
		}
		return s.isPassword(ctx, user, hash, in.Password)
	})
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, errWrongPassword
	}
	if user.BannedAt != nil {
		return nil, errBanned
	}
	var signedIn *SignedIn
	var refusal error
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		held, err := stillHas(tx, user)
		if err != nil {
			return err
		}
		signedIn, refusal, err = s.enter(tx, held)
		return err
	})
	if err == nil {
		err = refusal
	}
	return signedIn, err
}

// admitsPassword tells whether a password is looked at: on a page that offers
// external sign-in alone only that of the account that pays (contract 3,
// "Deployment with a billing account").
func (s *Service) admitsPassword(in SignInInput, email string) bool {
	offered := len(s.External.Methods) == 0 || slices.Contains(s.External.Methods, "email")
	return !in.Page || offered || s.Payer != "" && email == s.Payer
}

// stillHas holds an account whose password was compared, unless it was changed
// or closed meanwhile: comparing may wait.
func stillHas(tx *models.Tx, user *User) (*User, error) {
	return models.First[User](tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("id = ? AND password_hash = ? AND deleted_at IS NULL AND banned_at IS NULL", user.ID, *user.PasswordHash), errWrongPassword)
}

// SignOut ends the caller's session everywhere at once. Tokens have no session to end.
func (s *Service) SignOut(ctx context.Context) error {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		tx.Notify(models.RightsTopic(actor.UserID))
		return tx.Model(&Session{}).Where("id = ? AND user_id = ? AND revoked_at IS NULL", actor.SessionID, actor.UserID).
			Update("revoked_at", tx.Now).Error
	})
}
