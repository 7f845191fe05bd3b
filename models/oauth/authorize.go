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
// before is not asked again by an app that keeps a secret and that a person
// registered by hand: its answer holds the code. A program that keeps no secret
// may be impersonated by another, so it always asks (RFC 8252, 8.6). An app that
// registered itself gets no answer before its person sends it: anyone can
// register an address, and a link here must not lead there by itself.
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
	refusal := req.refusal
	if refusal == nil && req.silent() && !req.known(shown.Granted) {
		refusal = refuse(consentRequired, "The person has to be asked")
	}
	switch {
	case refusal != nil && req.app.OwnerID == nil:
		shown.Refusal = &refusal.Description
	case refusal != nil:
		to := req.deny(refusal)
		shown.Answer = &to
	case req.silent():
		to, err := s.approve(ctx, in, false) // it widens nothing
		if err != nil {
			return nil, err
		}
		shown.Answer = &to
	}
	return shown, nil
}

// silent tells whether the app wants no question to be asked.
func (req *request) silent() bool { return strings.TrimSpace(req.prompt) == "none" }

// known tells whether an app gets a code without a question: it keeps a secret, a
// person answers for it, and it was allowed all of it before.
func (req *request) known(granted []models.Scope) bool {
	return req.app.Confidential() && req.app.OwnerID != nil && covers(granted, req.scopes)
}

// covers tells whether all that is asked was granted.
func covers(granted, asked []models.Scope) bool {
	return !slices.ContainsFunc(asked, func(scope models.Scope) bool { return !slices.Contains(granted, scope) })
}

// Approve allows what an app asks for, beside what it was allowed before, and
// is where to send the browser: with a code, or with what is wrong about the
// request. Only a session that was confirmed within the hour allows anything:
// reauthentication_required. limit_reached where a hundred apps are connected;
// rate_limit_exceeded beyond sixty codes a minute.
func (s *Service) Approve(ctx context.Context, in AuthorizationInput) (string, error) {
	return s.approve(ctx, in, true)
}

func (s *Service) approve(ctx context.Context, in AuthorizationInput, confirmed bool) (string, error) {
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
		if confirmed {
			if err := tx.Actor.RequireConfirmed(tx.Now); err != nil {
				return err
			}
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
