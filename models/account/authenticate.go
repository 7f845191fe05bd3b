package account

import (
	"context"
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
	User        `gorm:"embedded"`
	SessionID   models.ID
	TokenID     models.ID
	RateLimit   int
	WorkspaceID *models.ID
	WorkflowIDs models.IDs `gorm:"column:workflow_ids"`
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
	row, err := models.First[credentialRow](s.DB.Read(ctx).Table("sessions").
		Select("users.*, sessions.id AS session_id").
		Joins("JOIN users ON users.id = sessions.user_id AND users.deleted_at IS NULL AND users.banned_at IS NULL").
		Where("sessions.id = ? AND sessions.revoked_at IS NULL AND sessions.expires_at > ?", id, s.DB.Clock.Now()), errUnauthorized)
	if err != nil {
		return nil, err
	}
	actor := s.actor(row, models.BySession)
	actor.SessionID = row.SessionID
	return &Credentials{Actor: actor, LastWorkspaceID: row.LastWorkspaceID}, nil
}

func (s *Service) authenticateToken(ctx context.Context, token string) (*Credentials, error) {
	row, err := models.First[credentialRow](s.DB.Read(ctx).Table("api_tokens").
		Select("users.*, api_tokens.id AS token_id, rate_limit, workspace_id, workflow_ids, last_used_at").
		Joins("JOIN users ON users.id = api_tokens.user_id AND users.deleted_at IS NULL AND users.banned_at IS NULL").
		Where("token_hash = ? AND revoked_at IS NULL", models.HashSecret(token)), errUnauthorized)
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

func (s *Service) actor(row *credentialRow, kind models.ActorKind) models.Actor {
	return models.Actor{
		Kind: kind, UserID: row.ID, DisplayName: row.DisplayName, Email: row.Email,
		EmailVerified: row.EmailVerified(), Operator: s.IsOperator(&row.User),
	}
}
