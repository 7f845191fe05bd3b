package run

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
)

// HasRun tells whether an account ever ran anything.
func (s *Service) HasRun(db *gorm.DB, accountID models.ID) (has bool, err error) {
	err = db.Raw(`SELECT EXISTS (SELECT 1 FROM executions WHERE account_id = ?)`, accountID).Scan(&has).Error
	return has, err
}

// newestLookedAt is among how many of a workflow's newest runs one is looked for that goes on.
const newestLookedAt = 20

// GoingRuns are runs of workflows that have not ended, one of each that has any: among the 20 newest of the workflow, those of
// an app left out, and among those that the caller names of it.
func GoingRuns(ctx context.Context, db *models.DB, named map[models.ID]models.IDs) (map[models.ID]models.ID, error) {
	workflows := slices.Collect(maps.Keys(named))
	if db.Spread() {
		return goingRunsApart(ctx, db, workflows, named)
	}
	var of, runs []models.ID
	for workflow, ids := range named {
		for _, id := range ids {
			of, runs = append(of, workflow), append(runs, id)
		}
	}
	type going struct{ workflow, run models.ID }
	found, err := models.Rows(ctx, db, func(g *going) []any { return []any{&g.workflow, &g.run} }, `
		SELECT w.id, g.id FROM unnest($1::uuid[]) AS w(id) CROSS JOIN LATERAL (
			SELECT id FROM (SELECT id, status, app_id FROM executions WHERE workflow_id = w.id ORDER BY id DESC LIMIT $4) newest
			WHERE status IN ('pending', 'running') AND app_id IS NULL LIMIT 1) g
		UNION ALL
		SELECT n.workflow, e.id FROM unnest($2::uuid[], $3::uuid[]) AS n(workflow, run)
			JOIN executions e ON e.id = n.run AND shard_fits_id(e.shard, n.run) WHERE e.status IN ('pending', 'running')`,
		workflows, of, runs, newestLookedAt)
	all := make(map[models.ID]models.ID, len(found))
	for _, g := range found {
		all[g.workflow] = g.run
	}
	return all, err
}

// goingRunsApart asks for each workflow by itself: over several servers the newest of several are not found at once.
func goingRunsApart(ctx context.Context, db *models.DB, workflows []models.ID, named map[models.ID]models.IDs) (map[models.ID]models.ID, error) {
	all := map[models.ID]models.ID{}
	for _, workflow := range workflows {
		var run models.ID
		err := db.Row(ctx, `SELECT id FROM (SELECT id, status, app_id FROM executions WHERE workflow_id = $1 ORDER BY id DESC LIMIT $2) newest
			WHERE status IN ('pending', 'running') AND app_id IS NULL LIMIT 1`, workflow, newestLookedAt).Scan(&run)
		if errors.Is(err, sql.ErrNoRows) && len(named[workflow]) > 0 {
			err = db.Row(ctx, `SELECT id FROM executions WHERE id = ANY($1::uuid[]) AND status IN ('pending', 'running') LIMIT 1`, []models.ID(named[workflow])).Scan(&run)
		}
		if err == nil {
			all[workflow] = run
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	return all, nil
}
