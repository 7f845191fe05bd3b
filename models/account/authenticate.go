package account

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"atelier/models"
)

// TokenPrefix begins every personal token, OAuthPrefix every connected app's.
const (
	TokenPrefix = "svc_"
	OAuthPrefix = "svc_app_"
)

// Credentials is who a bearer token stands for.
type Credentials struct {
	Actor models.Actor
	// BoundWorkspaceID is the workspace that a personal token is bound to.
	BoundWorkspaceID *models.ID
	// LastWorkspaceID is the workspace that the account's sessions selected last.
	LastWorkspaceID *models.ID
}

// credentialRow is one read of everything that decides about a bearer token.
type credentialRow struct {
	User
	SessionID   models.ID
	SeenAt      *time.Time
	SeenIP      string
	TokenID     models.ID
	RateLimit   int
	WorkspaceID *models.ID
	WorkflowIDs models.IDs
	LastUsedAt  *time.Time
}

// Authenticate finds out who a bearer token stands for, in one statement: a
// session JWT, or a personal token. Anything unknown, expired or revoked, and
// a banned or deleted account, is unauthorized.
func (s *Service) Authenticate(ctx context.Context, token string) (*Credentials, error) {
	if strings.HasPrefix(token, TokenPrefix) {
		return s.authenticateToken(ctx, token)
	}
	id, err := s.readSession(token)
	if err != nil {
		return nil, err
	}
	row := &credentialRow{SessionID: id}
	err = s.credential(ctx, row, `
		SELECT u.id, u.display_name, u.email, u.email_verified_at, u.address_proven_at, u.last_workspace_id,
			s.seen_at, s.seen_ip
		FROM sessions s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL AND u.banned_at IS NULL
		WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`, []any{id, s.DB.Clock.Now()},
		&row.SeenAt, &row.SeenIP)
	if err != nil {
		return nil, err
	}
	if err := s.seen(ctx, row); err != nil {
		return nil, err
	}
	actor := s.actor(row, models.BySession)
	actor.SessionID = row.SessionID
	return &Credentials{Actor: actor, LastWorkspaceID: row.LastWorkspaceID}, nil
}

// credential reads the account behind a credential, and more columns.
func (s *Service) credential(ctx context.Context, row *credentialRow, query string, args []any, more ...any) error {
	columns := append([]any{&row.ID, &row.DisplayName, &row.Email, &row.EmailVerifiedAt, &row.AddressProvenAt, &row.LastWorkspaceID}, more...)
	err := s.DB.Row(ctx, query, args...).Scan(columns...)
	if errors.Is(err, sql.ErrNoRows) {
		return errUnauthorized
	}
	return err
}

func (s *Service) authenticateToken(ctx context.Context, token string) (*Credentials, error) {
	row := &credentialRow{}
	err := s.credential(ctx, row, `
		SELECT u.id, u.display_name, u.email, u.email_verified_at, u.address_proven_at, u.last_workspace_id,
			t.id, t.rate_limit, t.workspace_id, t.workflow_ids, t.last_used_at
		FROM api_tokens t JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL AND u.banned_at IS NULL
		WHERE t.token_hash = $1 AND t.revoked_at IS NULL`, []any{models.HashSecret(token)},
		&row.TokenID, &row.RateLimit, &row.WorkspaceID, &row.WorkflowIDs, &row.LastUsedAt)
	if err != nil {
		return nil, err
	}
	now := s.DB.Clock.Now()
	if row.LastUsedAt == nil || now.Sub(*row.LastUsedAt) >= time.Minute {
		// Last use is shown to the minute; a write each call would cost more than it tells.
		err := s.DB.Read(ctx).Model(&APIToken{}).Where("id = ?", row.TokenID).Update("last_used_at", now).Error
		if err != nil {
			return nil, err
		}
	}
	actor := s.actor(row, models.ByToken)
	actor.TokenID, actor.WorkflowIDs, actor.RunsPerMinute = row.TokenID, row.WorkflowIDs, row.RateLimit
	return &Credentials{Actor: actor, BoundWorkspaceID: row.WorkspaceID}, nil
}

// seen notes where a session is used, to the minute: its person looks for one that is not theirs.
func (s *Service) seen(ctx context.Context, row *credentialRow) error {
	now, ip := s.DB.Clock.Now(), models.ActorFrom(ctx).IP
	if ip == "" || row.SeenAt != nil && now.Sub(*row.SeenAt) < time.Minute {
		return nil
	}
	return s.DB.Read(ctx).Model(&Session{}).Where("id = ?", row.SessionID).Updates(map[string]any{"seen_at": now, "seen_ip": ip}).Error
}

func (s *Service) actor(row *credentialRow, kind models.ActorKind) models.Actor {
	return models.Actor{
		Kind: kind, UserID: row.ID, DisplayName: row.DisplayName, Email: row.Email,
		EmailVerified: row.EmailVerified(), Operator: s.IsOperator(&row.User),
	}
}
