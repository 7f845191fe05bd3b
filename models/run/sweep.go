package run

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Sweep removes the counters of runs of days that are over, what jobs used of the library long ago,
// and the runs of accounts that were deleted.
func (s *Service) Sweep(ctx context.Context) error {
	return errors.Join(
		s.DB.SweepRows(ctx, "app_daily_runs", "day < $1::timestamptz::date", s.DB.Clock.Now().Add(-24*time.Hour)),
		s.sweepRefs(ctx),
		s.eraseRuns(ctx))
}

// keepRefs is how long what jobs may use of the library stays behind the end of their
// execution: as long as results may come late, and a day.
const keepRefs = lateResultWindow + 24*time.Hour

// sweepRefs removes what jobs of executions that ended could use of the library.
func (s *Service) sweepRefs(ctx context.Context) error {
	return s.DB.InBatches(ctx, `
		DELETE FROM job_refs WHERE job_id IN (
			SELECT r.job_id FROM job_refs r LEFT JOIN executions e ON e.id = r.execution_id
			WHERE e.id IS NULL OR e.completed_at < $1 LIMIT $2)`, s.DB.Clock.Now().Add(-keepRefs))
}

// SweepMedia removes stored contents that no address leads to.
func (s *Service) SweepMedia(ctx context.Context) error {
	if s.Media == nil {
		return nil
	}
	removed, err := s.Media.Sweep(ctx)
	if removed > 0 {
		slog.InfoContext(ctx, "orphan files removed", "count", removed)
	}
	return err
}
