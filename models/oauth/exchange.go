package oauth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"regexp"
	"time"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm/clause"
)

// TokenRequest is what an app sends to exchange a code (RFC 6749, 4.1.3);
// empty texts were not sent.
type TokenRequest struct {
	Client       ClientAuth
	GrantType    string
	Code         string
	RedirectURI  string
	CodeVerifier string
	Resource     []string
}

// IssuedToken is a new access token, shown once.
type IssuedToken struct {
	Token     string
	ExpiresIn time.Duration
	Scopes    []models.Scope
}

var (
	errBadCode = refuse(invalidGrant, "The code is unknown, used, expired or another app's, or redirect_uri or code_verifier do not belong to it")
	// verifierForm is RFC 7636, 4.1.
	verifierForm = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
)

// Exchange gives an access token for a code. A code is exchanged once: anyone who
// sends it again with the verifier that belongs to it ends the tokens that came
// from it, for one of the two had stolen it. invalid_request, invalid_client,
// invalid_grant, unsupported_grant_type; rate_limit_exceeded.
func (s *Service) Exchange(ctx context.Context, in TokenRequest) (*IssuedToken, error) {
	if in.GrantType == "" {
		return nil, refuse(invalidRequest, "grant_type is missing")
	}
	app, err := s.authenticateClient(ctx, in.Client)
	if err != nil {
		return nil, err
	}
	if in.GrantType != "authorization_code" {
		return nil, refuse(unsupportedGrant, "The only grant_type is authorization_code")
	}
	if in.Code == "" || in.CodeVerifier == "" {
		return nil, refuse(invalidRequest, "code and code_verifier are needed")
	}
	if err := s.checkResources(in.Resource); err != nil {
		return nil, err
	}
	if !verifierForm.MatchString(in.CodeVerifier) {
		return nil, errBadCode
	}
	issued := &IssuedToken{Token: models.NewSecret(account.OAuthPrefix, secretBytes), ExpiresIn: TokenLifetime}
	replayed := false
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		code, err := s.findCode(tx, app, in)
		if err != nil {
			return err
		}
		if replayed = code.UsedAt != nil; replayed {
			return s.revokeOfCode(tx, code)
		}
		issued.Scopes = scopesOf(code.Scopes)
		return s.redeem(tx, code, issued.Token)
	})
	if err == nil && replayed {
		err = errBadCode
	}
	if err != nil {
		return nil, err
	}
	return issued, nil
}

// findCode holds the code that a request names, once all that belongs to it is
// right. A stranger to the code changes nothing about it.
func (s *Service) findCode(tx *models.Tx, app *App, in TokenRequest) (*Code, error) {
	code, err := models.First[Code](tx.Where("code_hash = ? AND app_id = ?", models.HashSecret(in.Code), app.ID).
		Clauses(clause.Locking{Strength: "UPDATE"}), errBadCode)
	if err != nil {
		return nil, err
	}
	asked := code.RedirectURI
	if asked == "" && in.RedirectURI != "" {
		asked = app.RedirectURIs[0]
	}
	challenge := sha256.Sum256([]byte(in.CodeVerifier))
	written := base64.RawURLEncoding.EncodeToString(challenge[:])
	if in.RedirectURI != asked || subtle.ConstantTimeCompare([]byte(written), []byte(code.CodeChallenge)) != 1 {
		return nil, errBadCode
	}
	return code, nil
}

// redeem makes the token of a code that is held. The grant is locked: one that
// is taken back meanwhile takes the token with it. Locks are taken in this order:
// account, app, grant.
func (s *Service) redeem(tx *models.Tx, code *Code, token string) error {
	if !tx.Now.Before(code.ExpiresAt) {
		return errBadCode
	}
	grant, err := models.First[Grant](tx.Where("id = ? AND revoked_at IS NULL", code.GrantID).Clauses(clause.Locking{Strength: "UPDATE"}), errBadCode)
	if err != nil {
		return err
	}
	if _, err := findUsable(tx.DB, grant.AppID); errors.Is(err, errNoApp) {
		return errBadCode
	} else if err != nil {
		return err
	}
	if usable, err := account.IsUsable(tx.DB, grant.UserID); err != nil {
		return err
	} else if !usable {
		return errBadCode
	}
	if err := tx.Model(&Code{}).Where("code_hash = ?", code.CodeHash).Update("used_at", tx.Now).Error; err != nil {
		return err
	}
	row := Token{
		ID: tx.NewID(), TokenHash: models.HashSecret(token), GrantID: grant.ID, AppID: grant.AppID, UserID: grant.UserID,
		CodeHash: code.CodeHash, Scopes: code.Scopes, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(TokenLifetime),
	}
	if err := tx.Create(&row).Error; err != nil {
		return err
	}
	// Anyone who changes the app holds it before its grants, so it is not waited for here.
	err = tx.Exec(`UPDATE oauth_apps SET last_used_at = ? WHERE id = (SELECT id FROM oauth_apps WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED)`, tx.Now, grant.AppID).Error
	if err != nil {
		return err
	}
	return s.endOldTokens(tx, grant)
}

// endOldTokens leaves a grant its newest tokens.
func (s *Service) endOldTokens(tx *models.Tx, grant *Grant) error {
	ended, err := models.Affected(tx.Exec(`
		UPDATE oauth_tokens SET revoked_at = ? WHERE revoked_at IS NULL AND id IN (
			SELECT id FROM oauth_tokens WHERE grant_id = ? AND revoked_at IS NULL ORDER BY id DESC OFFSET ?)`, tx.Now, grant.ID, maxTokens))
	if ended > 0 {
		tx.Notify(models.RightsTopic(grant.UserID))
	}
	return err
}

// revokeOfCode ends the tokens that came from a code.
func (s *Service) revokeOfCode(tx *models.Tx, code *Code) error {
	return revokeTokens(tx, "code_hash = ?", code.CodeHash)
}

// revokeTokens ends the tokens of a condition, open streams included.
func revokeTokens(tx *models.Tx, condition string, values ...any) error {
	var ended []Token
	err := tx.Model(&ended).Clauses(clause.Returning{Columns: []clause.Column{{Name: "user_id"}}}).
		Where("revoked_at IS NULL").Where(condition, values...).Update("revoked_at", tx.Now).Error
	for _, token := range ended {
		tx.Notify(models.RightsTopic(token.UserID))
	}
	return err
}

// Revoke ends a token of the app that asks (RFC 7009). Of a token that is
// unknown, or another app's, nothing is said. What the person allowed stays.
// invalid_request, invalid_client; rate_limit_exceeded.
func (s *Service) Revoke(ctx context.Context, auth ClientAuth, token string) error {
	app, err := s.authenticateClient(ctx, auth)
	if err != nil {
		return err
	}
	if token == "" {
		return refuse(invalidRequest, "token is missing")
	}
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		return revokeTokens(tx, "token_hash = ? AND app_id = ?", models.HashSecret(token), app.ID)
	})
}
