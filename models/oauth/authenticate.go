package oauth

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/account"
)

// live are tokens that count: of a grant that was not taken back, of an app that
// was not deleted and whose owner is not banned.
var live = `FROM oauth_tokens t
	JOIN oauth_grants g ON g.id = t.grant_id AND g.revoked_at IS NULL
	JOIN oauth_apps a ON a.id = t.app_id AND a.deleted_at IS NULL AND ` + account.OwnerUsable("a.owner_id")

// Authenticate finds out who a connected app's token stands for, in one
// statement. A token that is unknown, expired or revoked, that of an app that is
// gone, and that of a banned or deleted account is unauthorized.
func (s *Service) Authenticate(ctx context.Context, token string) (*account.Credentials, error) {
	now := s.DB.Clock.Now()
	row, scopes := Token{}, models.Strings{}
	actor, err := s.Accounts.ReadAppToken(ctx, "t.id, t.grant_id, t.app_id, t.scopes, t.last_used_at",
		live+" "+account.Join("t.user_id")+" WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2",
		[]any{models.HashSecret(token), now}, &row.ID, &row.GrantID, &row.AppID, &scopes, &row.LastUsedAt)
	if err != nil {
		return nil, err
	}
	if row.LastUsedAt == nil || now.Sub(*row.LastUsedAt) >= time.Minute {
		if err := s.used(ctx, row, now); err != nil {
			return nil, err
		}
	}
	actor.TokenID, actor.ClientAppID, actor.Scopes = row.ID, row.AppID, scopesOf(scopes)
	return &account.Credentials{Actor: actor}, nil
}

// used notes the last use of a token, its grant and its app, to the minute. It
// waits for no one who changes one of them.
func (s *Service) used(ctx context.Context, token Token, now time.Time) error {
	const stale = "(last_used_at IS NULL OR last_used_at <= $4::timestamptz - interval '1 minute') FOR NO KEY UPDATE SKIP LOCKED"
	_, err := s.DB.SQL.ExecContext(ctx, `
		WITH used AS (
			UPDATE oauth_tokens SET last_used_at = $4 WHERE id = (SELECT id FROM oauth_tokens WHERE id = $1 AND `+stale+`)
		), granted AS (
			UPDATE oauth_grants SET last_used_at = $4 WHERE id = (SELECT id FROM oauth_grants WHERE id = $2 AND `+stale+`)
		)
		UPDATE oauth_apps SET last_used_at = $4 WHERE id = (SELECT id FROM oauth_apps WHERE id = $3 AND `+stale+`)`,
		token.ID, token.GrantID, token.AppID, now)
	return err
}

// StillValid tells whether the token that the actor showed still counts; the
// account is looked at by who asks.
func (s *Service) StillValid(ctx context.Context, actor models.Actor) (valid bool, err error) {
	err = s.DB.Row(ctx, "SELECT EXISTS (SELECT "+live+" WHERE t.id = $1 AND t.user_id = $2 AND t.revoked_at IS NULL AND t.expires_at > $3)",
		actor.TokenID, actor.UserID, s.DB.Clock.Now()).Scan(&valid)
	return valid, err
}
