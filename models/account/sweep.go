package account

import (
	"context"
	"time"
)

// Sweep removes sessions, mailed links and waiting sign-ups that ended a day ago.
func (s *Service) Sweep(ctx context.Context) error {
	dayAgo := s.DB.Clock.Now().Add(-24 * time.Hour)
	for _, table := range []string{"sessions", "email_tokens", "sign_ups"} {
		if err := s.DB.SweepRows(ctx, table, "expires_at < $1", dayAgo); err != nil {
			return err
		}
	}
	return nil
}
