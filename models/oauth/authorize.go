package oauth

import (
	"context"
	"errors"
	"slices"
	"strings"

	"atelier/models"

	"gorm.io/gorm/clause"
)

// FindAuthorization looks at a request of an app to act for the caller. Session
// only. An unknown app and a redirect URI that it did not register are an error;
// whatever else is wrong is the answer for the app. Who allowed everything
// before is not asked again by an app that keeps a secret and that somebody
// registered by hand: its answer holds the code. A program that keeps no secret
// may be impersonated by another, so it always asks (RFC 8252, 8.6).
func (s *Service) FindAuthorization(ctx context.Context, in AuthorizationInput) (*Authorization, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return nil, err
	}
	req, err := s.read(s.DB.Read(ctx), in)
	if err != nil {
		return nil, err
	}
	shown, err := s.view(ctx, req)
	if err != nil {
		return nil, err
	}
	var grants []Grant
	err = s.DB.Read(ctx).Where("user_id = ? AND app_id = ? AND revoked_at IS NULL", actor.UserID, req.app.ID).Find(&grants).Error
	if err != nil {
		return nil, err
	}
	for _, grant := range grants {
		shown.Granted = scopesOf(grant.Scopes)
	}
	shown.Answer, err = s.atOnce(ctx, req, in, shown.Granted)
	return shown, err
}

// atOnce is the answer to a request that its person is not asked about; nil where
// they are. A code is given without asking only where the app asks for that, keeps
// a secret, is answered for by a person, and was allowed all of it before.
func (s *Service) atOnce(ctx context.Context, req *request, in AuthorizationInput, granted []models.Scope) (*string, error) {
	silent := req.refusal == nil && req.prompt == "none" && req.app.Confidential() && req.app.OwnerID != nil && covers(granted, req.scopes)
	if silent {
		to, err := s.Approve(ctx, in)
		return &to, err
	}
	refusal := req.refusal
	if refusal == nil && strings.TrimSpace(req.prompt) == "none" {
		refusal = refuse(consentRequired, "The person has to be asked")
	}
	if refusal == nil {
		return nil, nil
	}
	to := req.deny(refusal)
	return &to, nil
}

// covers tells whether all that is asked was granted.
func covers(granted, asked []models.Scope) bool {
	return !slices.ContainsFunc(asked, func(scope models.Scope) bool { return !slices.Contains(granted, scope) })
}

// Approve allows what an app asks for, beside what it was allowed before, and
// is where to send the browser: with a code, or with what is wrong about the
// request. Session only; limit_reached where a hundred apps are connected;
// rate_limit_exceeded beyond sixty codes a minute.
func (s *Service) Approve(ctx context.Context, in AuthorizationInput) (string, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireSession(); err != nil {
		return "", err
	}
	if err := s.DB.CountCall(ctx, approvalLimit, actor.UserID.String()); err != nil {
		return "", err
	}
	secret := models.NewSecret(CodePrefix, secretBytes)
	to := ""
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		if err := s.lockPerson(tx); err != nil {
			return err
		}
		// The app is held: one that is deleted meanwhile ends this grant too.
		req, err := s.read(tx.Clauses(clause.Locking{Strength: "SHARE"}), in)
		if err != nil {
			return err
		}
		if req.refusal != nil {
			to = req.deny(req.refusal)
			return nil
		}
		grant, err := s.grant(tx, req)
		if err != nil {
			return err
		}
		code := Code{
			CodeHash: models.HashSecret(secret), GrantID: grant.ID, AppID: req.app.ID, Scopes: column(req.scopes),
			CodeChallenge: req.challenge, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(codeLifetime),
		}
		if req.sent {
			code.RedirectURI = req.redirectURI
		}
		to = answer(req.redirectURI, "code", secret, "state", req.state, "iss", req.issuer)
		return tx.Create(&code).Error
	})
	return to, err
}

// grant is the one grant of a person who is held and an app, with the scopes of
// the request beside those that it had.
func (s *Service) grant(tx *models.Tx, req *request) (*Grant, error) {
	userID := tx.Actor.UserID
	grant, err := models.First[Grant](tx.Where("user_id = ? AND app_id = ? AND revoked_at IS NULL", userID, req.app.ID).
		Clauses(clause.Locking{Strength: "UPDATE"}), errNoApp)
	if err == nil {
		grant.Scopes = column(scopesOf(append(grant.Scopes, column(req.scopes)...)))
		return grant, tx.Model(&Grant{}).Where("id = ?", grant.ID).Updates(map[string]any{"scopes": grant.Scopes, "updated_at": tx.Now}).Error
	}
	if !errors.Is(err, errNoApp) {
		return nil, err
	}
	var count int64
	if err := tx.Model(&Grant{}).Where("user_id = ? AND revoked_at IS NULL", userID).Count(&count).Error; err != nil {
		return nil, err
	}
	if count >= maxConnected {
		return nil, models.Err(models.CodeLimitReached, "At most %d apps may act for an account. Take one back on your account page first.", maxConnected)
	}
	grant = &Grant{ID: tx.NewID(), AppID: req.app.ID, UserID: userID, Scopes: column(req.scopes), CreatedAt: tx.Now, UpdatedAt: tx.Now}
	return grant, tx.Create(grant).Error
}

// Deny refuses what an app asks for, and is where to send the browser. Session only.
func (s *Service) Deny(ctx context.Context, in AuthorizationInput) (string, error) {
	if err := models.ActorFrom(ctx).RequireSession(); err != nil {
		return "", err
	}
	req, err := s.read(s.DB.Read(ctx), in)
	if err != nil {
		return "", err
	}
	if req.refusal == nil {
		req.refusal = refuse(accessDenied, "The person refused")
	}
	return req.deny(req.refusal), nil
}
