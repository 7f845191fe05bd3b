package run

import (
	"context"
	"slices"
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

// appStarts writes the runs of apps that start together.
var appStarts = StartKind{Name: "app", Write: countAndWriteTogether}

// countAndWriteTogether is countAndWrite for new runs of several people. Where the limit does not admit
// all of one person's runs of an app, it refuses these.
func countAndWriteTogether(tx *models.Tx, starts []*Start) (refused []*Start, err error) {
	type person struct{ app, user models.ID }
	counted := map[person]int{} // index into the columns of counts
	var apps, users []models.ID
	var counts []int64
	var limits []*int64
	runs := make([]*AppRun, len(starts))
	var ids, appIDs, accounts, executions []models.ID
	var workspaces, clients []*models.ID
	var versions []int64
	for i, start := range starts {
		run := *start.Of.(**AppRun)
		runs[i] = run
		who := person{run.AppID, run.AccountID}
		at, known := counted[who]
		if !known {
			at = len(apps)
			counted[who] = at
			var limit *int64
			if run.App.MaxRunsPerUserPerDay != nil {
				limit = new(int64(*run.App.MaxRunsPerUserPerDay))
			}
			apps, users, counts, limits = append(apps, run.AppID), append(users, run.AccountID), append(counts, 0), append(limits, limit)
		}
		counts[at]++
		ids, appIDs, accounts = append(ids, run.ID), append(appIDs, run.AppID), append(accounts, run.AccountID)
		executions, versions = append(executions, *run.ExecutionID), append(versions, int64(*run.Version))
		workspaces, clients = append(workspaces, run.WorkspaceID), append(clients, run.ClientAppID)
	}
	written, err := models.Rows(tx.Context(), tx.Database(), func(id *models.ID) []any { return []any{id} }, `
		WITH person AS MATERIALIZED (
			SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[]) AS p(app_id, user_id, runs, most)
		), counted AS (
			INSERT INTO app_daily_runs AS d (app_id, user_id, day, count)
			SELECT app_id, user_id, $5, runs FROM person WHERE most IS NULL OR runs <= most ORDER BY app_id, user_id
			ON CONFLICT (app_id, user_id, day) DO UPDATE SET count = d.count + EXCLUDED.count
			WHERE EXISTS (SELECT FROM person p WHERE p.app_id = d.app_id AND p.user_id = d.user_id AND (p.most IS NULL OR d.count + p.runs <= p.most))
			RETURNING app_id, user_id
		)
		INSERT INTO app_runs (id, app_id, account_id, workspace_id, version, execution_id, client_app_id, created_at, started_at)
		SELECT r.id, r.app_id, r.account_id, r.workspace_id, r.version, r.execution_id, r.client_app_id, $6, $6
		FROM unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[], $11::int[], $12::uuid[], $13::uuid[])
			AS r(id, app_id, account_id, workspace_id, version, execution_id, client_app_id)
			JOIN counted c ON c.app_id = r.app_id AND c.user_id = r.account_id
		RETURNING id`,
		apps, users, counts, limits, dayOf(tx.Now), tx.Now, ids, appIDs, accounts, workspaces, versions, executions, clients)
	if err != nil {
		return nil, err
	}
	for i, start := range starts {
		if !slices.Contains(written, runs[i].ID) {
			refused = append(refused, start)
		}
	}
	return refused, nil
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
