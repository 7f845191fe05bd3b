package run

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/flow"
)

// countDailyRun counts one accepted run of the caller's UTC day, by one
// conditional statement, so that no number of runs at once exceeds the limit;
// a run that is refused afterwards is not counted, for the transaction goes
// back. The one beyond the limit is rate_limit_exceeded until midnight UTC.
func countDailyRun(tx *models.Tx, app *flow.App) error {
	var counts []int
	err := tx.Raw(`
		INSERT INTO app_daily_runs (app_id, user_id, day, count) VALUES (?, ?, ?, 1)
		ON CONFLICT (app_id, user_id, day) DO UPDATE SET count = app_daily_runs.count + 1
		WHERE ?::int IS NULL OR app_daily_runs.count < ?::int
		RETURNING count`,
		app.ID, tx.Actor.UserID, dayOf(tx.Now), app.MaxRunsPerUserPerDay, app.MaxRunsPerUserPerDay).Scan(&counts).Error
	if err != nil || len(counts) == 1 {
		return err
	}
	refusal := models.Err(models.CodeRateLimitExceeded, "This app may be run %d times a day. It can be run again after midnight UTC.", *app.MaxRunsPerUserPerDay)
	refusal.RetryAfter = dayOf(tx.Now).Add(24 * time.Hour).Sub(tx.Now)
	return refusal
}

func dayOf(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// tellDailyRuns notes what is left of the caller's runs of an app, for the
// answer, however it turns out.
func (s *Service) tellDailyRuns(ctx context.Context, app *flow.App) error {
	left, err := s.AppRuns().LeftToday(ctx, app)
	if err != nil || left == nil {
		return err
	}
	now := s.DB.Clock.Now()
	models.RecordAllowance(ctx, models.Allowance{
		Limit: *app.MaxRunsPerUserPerDay, Remaining: *left, Reset: dayOf(now).Add(24 * time.Hour).Sub(now),
	})
	return nil
}

// LeftToday is how often the caller may still run an app in the current
// UTC day; nil without a limit or without a sign-in.
func (s AppRuns) LeftToday(ctx context.Context, app *flow.App) (*int, error) {
	actor := models.ActorFrom(ctx)
	if app.MaxRunsPerUserPerDay == nil || !actor.SignedIn() {
		return nil, nil
	}
	var count int
	err := s.run.DB.Read(ctx).Raw(`SELECT COALESCE((SELECT count FROM app_daily_runs WHERE app_id = ? AND user_id = ? AND day = ?), 0)`,
		app.ID, actor.UserID, dayOf(s.run.DB.Clock.Now())).Scan(&count).Error
	left := max(*app.MaxRunsPerUserPerDay-count, 0)
	return &left, err
}
