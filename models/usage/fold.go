package usage

import (
	"context"
	"log/slog"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
)

const (
	// foldBatch is how many runs one transaction adds up.
	foldBatch = 2_000
	// foldEvery is how often it is looked for runs that have ended, and maxFold
	// how seldom at most: where many runs are at work, looking takes a while, and
	// then it is looked less often.
	foldEvery = time.Second
	maxFold   = 30 * time.Second
	foldShare = 20 // looking takes at most one part of so many
)

// alone keeps everything else that changes the rollups waiting until the
// transaction ends: they are added up by one process at a time, and what an
// account leaves when it is deleted is all of it.
const alone = `SELECT pg_advisory_xact_lock(hashtextextended('atelier usage', 0))`

// KeepFolding adds up runs that have ended, until the context ends. Any number of
// processes may do so.
func (s *Service) KeepFolding(ctx context.Context) {
	pause := foldEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		began := time.Now()
		folded, err := s.Fold(ctx)
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "runs that ended could not be added up; it is tried again", "error", err)
		}
		pause = min(max(foldEvery, foldShare*time.Since(began)), maxFold)
		if folded == foldBatch {
			pause = 0
		}
	}
}

// Fold adds some runs that have ended to the rollups and returns how many. A run
// leaves the open ones in the transaction that adds it, so that reports count it
// once, before and after. While another process is at it there is nothing to do.
func (s *Service) Fold(ctx context.Context) (folded int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var mine bool
		if err := s.DB.Row(tx.Context(), `SELECT pg_try_advisory_xact_lock(hashtextextended('atelier usage', 0))`).Scan(&mine); err != nil || !mine {
			return err
		}
		return s.DB.Row(tx.Context(), fold, foldBatch).Scan(&folded)
	})
	return folded, err
}

// fold takes runs out of the open ones and adds them to the rollups, in one
// statement. What deleted accounts ran is taken, too, and added to nothing.
var fold = `WITH ` + credit.TakeEnded + `, counted AS (
		SELECT ended.* FROM ended ` + account.JoinUndeleted("ended.user_id") + `
	), ` + credit.RunCosts + `, ` + addedUp + `, ` + rollups + `,
	added AS (
		INSERT INTO usage_sums AS u (organization_id, grain, starts_at, workspace_id, user_id, model, ` + sumColumns + `)
		SELECT organization_id, grain, starts_at, workspace_id, user_id, model, ` + sumColumns + ` FROM by_grain ORDER BY 1, 2, 3, 4, 5, 6
		ON CONFLICT (organization_id, grain, starts_at, workspace_id, user_id, model) DO UPDATE SET ` + plus + `
	), added_quarters AS (
		INSERT INTO usage_quarters AS u (scope_id, model, starts_at, ` + sumColumns + `)
		SELECT scope_id, model, starts_at, ` + sumColumns + ` FROM by_scope ORDER BY 1, 2, 3
		ON CONFLICT (scope_id, model, starts_at) DO UPDATE SET ` + plus + `
	)
	SELECT count(*) FROM ended`

const (
	sumColumns = `runs, main_runs, settled, absorbed, markup_absorbed`
	plus       = `runs = u.runs + EXCLUDED.runs, main_runs = u.main_runs + EXCLUDED.main_runs, settled = u.settled + EXCLUDED.settled,
		absorbed = u.absorbed + EXCLUDED.absorbed, markup_absorbed = u.markup_absorbed + EXCLUDED.markup_absorbed`
	summed = `sum(runs)::bigint AS runs, sum(main_runs)::bigint AS main_runs, sum(settled)::bigint AS settled,
		sum(absorbed)::bigint AS absorbed, sum(markup_absorbed)::bigint AS markup_absorbed`
)

// addedUp is what runs that ended come to by member, model and quarter of an
// hour; what cost nothing leaves no row.
const addedUp = `by_quarter AS (
	SELECT organization_id, workspace_id, user_id, model, date_bin('15 minutes', created_at, '2000-01-01 00:00:00+00'::timestamptz) AS starts_at,
		count(*) FILTER (WHERE settled > 0) AS runs, count(*) FILTER (WHERE first AND settled > 0) AS main_runs,
		sum(settled)::bigint AS settled, sum(absorbed)::bigint AS absorbed, sum(markup_absorbed)::bigint AS markup_absorbed
	FROM counted JOIN cost USING (execution_id) WHERE settled > 0 OR markup_absorbed > 0
	GROUP BY organization_id, workspace_id, user_id, model, 5
)`

// rollups are the rows of both tables that by_quarter comes to.
const rollups = `by_grain AS (
		SELECT organization_id, grain, g.starts_at, workspace_id, user_id, model, ` + summed + `
		FROM by_quarter q CROSS JOIN LATERAL (VALUES ('quarter', q.starts_at), ('day', date_trunc('day', q.starts_at, 'UTC')),
			('month', date_trunc('month', q.starts_at, 'UTC'))) g (grain, starts_at)
		GROUP BY organization_id, grain, g.starts_at, workspace_id, user_id, model
	), by_scope AS (
		SELECT scope_id, starts_at, s.model, ` + summed + ` FROM by_quarter q ` + scopes + `
		GROUP BY scope_id, starts_at, s.model
	)`

// scopes are the rows of usage_quarters that a row q of usage_sums counts in.
const scopes = `CROSS JOIN LATERAL (VALUES (q.organization_id, q.model), (q.organization_id, ''), (q.workspace_id, q.model), (q.workspace_id, '')) s (scope_id, model)`
