package flow

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Sweep removes the counters of runs of days that are over, what became of the
// minutes of schedules long ago, and the runs of accounts that were deleted.
func (s *Service) Sweep(ctx context.Context) error {
	return errors.Join(
		s.DB.SweepRows(ctx, "app_daily_runs", "day < $1::timestamptz::date", s.DB.Clock.Now().Add(-24*time.Hour)),
		s.DB.SweepRows(ctx, "schedule_fires", "created_at < $1", s.DB.Clock.Now().Add(-keepFires)),
		s.eraseRuns(ctx))
}

// SweepMedia removes stored contents that no address leads to.
func (s *Service) SweepMedia(ctx context.Context) error {
	if s.Media == nil {
		return nil
	}
	removed, err := s.Media.Sweep(ctx)
	if removed > 0 {
		slog.Info("orphan files removed", "count", removed)
	}
	return err
}
