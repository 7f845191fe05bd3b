package account

import (
	"context"
	"errors"
	"time"
)

// Sweep removes sessions, mailed links, waiting sign-ups, one-time tokens, second
// steps and answered challenges of passkeys that ended a day ago, secrets of
// authenticator apps that no one confirmed, assertions that can be used no more, calls of tokens that are too old,
// and counts of sign-ins that are too old to be shown.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.DB.Clock.Now()
	dayAgo := now.Add(-24 * time.Hour)
	return errors.Join(
		s.DB.SweepRows(ctx, "sessions", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "passkey_challenges", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "email_tokens", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "second_steps", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "totp_secrets", "created_at < $1 AND confirmed_at IS NULL", dayAgo),
		s.DB.SweepRows(ctx, "sign_ups", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "sso_tokens", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "used_assertions", "expires_at < $1", now.Add(-rememberedLonger)),
		s.DB.SweepRows(ctx, "token_calls", "called_at < $1", now.Add(-callsKept)),
		s.DB.SweepRows(ctx, "external_sign_ins", "last_at < $1", now.Add(-countsKept)))
}
