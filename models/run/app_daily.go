package run

import (
	"context"
	"time"

	"atelier/models"
	"atelier/models/flow"
)

// countAndWrite counts one run of the caller's UTC day and writes it, or its draft,
// by one conditional statement, so that no number of runs at once exceeds the limit;
// a run that is refused afterwards is not counted, for the transaction goes
// back. The one beyond the limit is rate_limit_exceeded until midnight UTC.
func countAndWrite(tx *models.Tx, run *AppRun, draft bool) error {
	limit := run.App.MaxRunsPerUserPerDay
	write := `INSERT INTO app_runs (id, app_id, account_id, workspace_id, version, execution_id, client_app_id, created_at, started_at)
		SELECT $5, $1, $2, $6::uuid, $7::int, $8::uuid, $9::uuid, $10::timestamptz, $11::timestamptz FROM counted`
	if draft {
		write = `UPDATE app_runs SET workspace_id = $6, version = $7, execution_id = $8, client_app_id = $9, created_at = $10, started_at = $11, archived_at = NULL
			FROM counted WHERE id = $5`
	}
	written, err := tx.Run(`
		WITH counted AS (
			INSERT INTO app_daily_runs (app_id, user_id, day, count) VALUES ($1, $2, $3, 1)
			ON CONFLICT (app_id, user_id, day) DO UPDATE SET count = app_daily_runs.count + 1
			WHERE $4::int IS NULL OR app_daily_runs.count < $4::int
			RETURNING count
		) `+write,
		run.AppID, tx.Actor.UserID, dayOf(tx.Now), limit,
		run.ID, run.WorkspaceID, run.Version, run.ExecutionID, run.ClientAppID, run.CreatedAt, run.StartedAt)
	if err != nil || written == 1 {
		return err
	}
	refusal := models.Err(models.CodeRateLimitExceeded, "This app may be run %d times a day. It can be run again after midnight UTC.", *limit)
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
