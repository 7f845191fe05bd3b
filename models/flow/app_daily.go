package flow

import (
	"context"
	"fmt"
	"time"

	"atelier/models"
)

// countDailyRun counts one accepted run of the caller's UTC day, by one
// conditional statement, so that no number of runs at once exceeds the limit;
// a run that is refused afterwards is not counted, for the transaction goes
// back. The one beyond the limit is rate_limit_exceeded until midnight UTC.
func countDailyRun(tx *models.Tx, app *App) error {
	day := tx.Now.UTC().Truncate(24 * time.Hour)
	var counts []int
	err := tx.Raw(`
		INSERT INTO app_daily_runs (app_id, user_id, day, count) VALUES (?, ?, ?, 1)
		ON CONFLICT (app_id, user_id, day) DO UPDATE SET count = app_daily_runs.count + 1
		WHERE ?::int IS NULL OR app_daily_runs.count < ?::int
		RETURNING count`,
		app.ID, tx.Actor.UserID, day, app.MaxRunsPerUserPerDay, app.MaxRunsPerUserPerDay).Scan(&counts).Error
	if err != nil || app.MaxRunsPerUserPerDay == nil {
		return err
	}
	most := *app.MaxRunsPerUserPerDay
	allowance := models.Allowance{Limit: most, Reset: day.Add(24 * time.Hour).Sub(tx.Now)}
	if len(counts) == 1 {
		allowance.Remaining = most - counts[0]
	}
	models.RecordAllowance(tx.Context(), allowance)
	if len(counts) == 1 {
		return nil
	}
	refusal := models.Err(models.CodeRateLimitExceeded, "This app may be run %s a day. It can be run again after midnight UTC.", times(most))
	refusal.RetryAfter = allowance.Reset
	return refusal
}

// times says how often: once, 2 times.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// RunsLeftToday is how often the caller may still run an app in the current
// UTC day; nil without a limit or without a sign-in.
func (s *Service) RunsLeftToday(ctx context.Context, app *App) (*int, error) {
	actor := models.ActorFrom(ctx)
	if app.MaxRunsPerUserPerDay == nil || !actor.SignedIn() {
		return nil, nil
	}
	var count int
	err := s.DB.Read(ctx).Raw(`SELECT COALESCE((SELECT count FROM app_daily_runs WHERE app_id = ? AND user_id = ? AND day = ?), 0)`,
		app.ID, actor.UserID, s.DB.Clock.Now().UTC().Truncate(24*time.Hour)).Scan(&count).Error
	left := max(*app.MaxRunsPerUserPerDay-count, 0)
	return &left, err
}
