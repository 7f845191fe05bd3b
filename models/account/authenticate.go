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
	// Refusal is why a session may do nothing but end; nil for all others.
	Refusal error
}

// credentialRow is one read of everything that decides about a bearer token.
type credentialRow struct {
	User
	SessionID   models.ID
	SeenAt      *time.Time
	SeenIP      string
	ConfirmedAt time.Time
	Guarded     bool
	External    bool // signs in through an identity provider
	TokenID     models.ID
	RateLimit   int
	WorkspaceID *models.ID
	WorkflowIDs models.IDs
	LastUsedAt  *time.Time
}

// Authenticate finds out who a bearer token stands for, in one statement: a
// session JWT, or a personal token. Anything unknown, expired or revoked, and
// a banned or deleted account, is unauthorized. A session that the gate refuses
// comes with its Refusal, so that it can be ended.
func (s *Service) Authenticate(ctx context.Context, token string) (*Credentials, error) {
	if strings.HasPrefix(token, OAuthPrefix) && s.appTokens != nil {
		return s.appTokens.Authenticate(ctx, token)
	}
	if strings.HasPrefix(token, TokenPrefix) {
		return s.authenticateToken(ctx, token)
	}
	id, err := s.readSession(token)
	if err != nil {
		return nil, err
	}
	row := &credentialRow{SessionID: id}
	err = s.credential(ctx, row, `
		SELECT `+accountColumns+`,
			s.seen_at, s.seen_ip, coalesce(s.confirmed_at, s.created_at),
			u.second_factor_at IS NOT NULL, s.origin IN ('sso', 'oidc') OR EXISTS (SELECT FROM external_identities e WHERE e.user_id = u.id)
		FROM sessions s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL AND u.banned_at IS NULL
		WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2`, []any{id, s.DB.Clock.Now()},
		&row.SeenAt, &row.SeenIP, &row.ConfirmedAt, &row.Guarded, &row.External)
	if err != nil {
		return nil, err
	}
	if err := s.seen(ctx, row); err != nil {
		return nil, err
	}
	actor := s.actor(row, models.BySession)
	actor.SessionID, actor.ConfirmedAt, actor.Guarded = row.SessionID, row.ConfirmedAt, row.Guarded || row.External
	return &Credentials{Actor: actor, LastWorkspaceID: row.LastWorkspaceID, Refusal: s.gate(row)}, nil
}

// errSSORequired is what the gate says.
var errSSORequired = models.Err(models.CodeSSORequired, "This install asks everyone to sign in through its identity provider. Sign out, and sign in there.")

// gate refuses sessions of accounts that sign in through no provider, where
// there is no other way in (contract 3, "Authentication"): sso_required. The
// account that pays for everyone passes.
func (s *Service) gate(row *credentialRow) error {
	if !s.External.Only || row.External || s.isPayer(&row.User) {
		return nil
	}
	return errSSORequired
}

// accountColumns are what is read of the account, u, behind every credential, and
// guardedColumn tells whether a token's account has a second factor or signs in
// through an identity provider.
const (
	accountColumns = "u.id, u.display_name, u.email, u.email_verified_at, u.address_proven_at, u.last_workspace_id, u.language"
	guardedColumn  = "u.second_factor_at IS NOT NULL OR EXISTS (SELECT FROM external_identities e WHERE e.user_id = u.id)"
)

// ReadAppToken reads who a connected app's token stands for, in one statement:
// from begins with FROM, names the token's rows and joins the account (see Join), columns are read
// into more. Without a row, and of an account that is banned or deleted, it is
// unauthorized.
func (s *Service) ReadAppToken(ctx context.Context, columns, from string, args []any, more ...any) (models.Actor, error) {
	row := &credentialRow{}
	query := "SELECT " + accountColumns + ", " + guardedColumn + ", " + columns + " " + from + " AND " + Usable
	if err := s.credential(ctx, row, query, args, append([]any{&row.Guarded}, more...)...); err != nil {
		return models.Actor{}, err
	}
	actor := s.actor(row, models.ByOAuth)
	actor.Guarded, actor.RunsPerMinute = row.Guarded, DefaultTokenRate
	return actor, nil
}

// credential reads the account behind a credential, and more columns.
func (s *Service) credential(ctx context.Context, row *credentialRow, query string, args []any, more ...any) error {
	columns := append([]any{&row.ID, &row.DisplayName, &row.Email, &row.EmailVerifiedAt, &row.AddressProvenAt, &row.LastWorkspaceID, &row.Language}, more...)
	err := s.DB.Row(ctx, query, args...).Scan(columns...)
	if errors.Is(err, sql.ErrNoRows) {
		return errUnauthorized
	}
	return err
}

func (s *Service) authenticateToken(ctx context.Context, token string) (*Credentials, error) {
	row := &credentialRow{}
	err := s.credential(ctx, row, `
		SELECT `+accountColumns+`, t.id, t.rate_limit, t.workspace_id, t.workflow_ids, t.last_used_at, `+guardedColumn+`
		FROM api_tokens t JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL AND u.banned_at IS NULL
		WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
		[]any{models.HashSecret(token), s.DB.Clock.Now()},
		&row.TokenID, &row.RateLimit, &row.WorkspaceID, &row.WorkflowIDs, &row.LastUsedAt, &row.Guarded)
	if err != nil {
		return nil, err
	}
	now := s.DB.Clock.Now()
	if row.LastUsedAt == nil || now.Sub(*row.LastUsedAt) >= time.Minute {
		// Last use is shown to the minute; a write each call would cost more than it tells.
		err := s.DB.Read(ctx).Model(&APIToken{}).Where("id = ?", row.TokenID).
			Updates(map[string]any{"last_used_at": now, "last_used_ip": models.ActorFrom(ctx).IP}).Error
		if err != nil {
			return nil, err
		}
	}
	actor := s.actor(row, models.ByToken)
	actor.TokenID, actor.WorkflowIDs, actor.RunsPerMinute, actor.Guarded = row.TokenID, row.WorkflowIDs, row.RateLimit, row.Guarded
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
	actor := models.Actor{
		Kind: kind, UserID: row.ID, DisplayName: row.DisplayName, Email: row.Email,
		EmailVerified: row.EmailVerified(), Operator: s.IsOperator(&row.User),
	}
	if row.Language != nil {
		actor.Language = *row.Language
	}
	return actor
}
