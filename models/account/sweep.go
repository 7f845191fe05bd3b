package account

import (
	"context"
	"errors"
	"time"
)

// Sweep removes sessions, mailed links and waiting sign-ups that ended a day ago.
func (s *Service) Sweep(ctx context.Context) error {
	dayAgo := s.DB.Clock.Now().Add(-24 * time.Hour)
	return errors.Join(
		s.DB.SweepRows(ctx, "sessions", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "email_tokens", "expires_at < $1", dayAgo),
		s.DB.SweepRows(ctx, "sign_ups", "expires_at < $1", dayAgo))
}
