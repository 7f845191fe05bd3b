package run

import (
	"context"
	"slices"
	"time"

	"atelier/models/credit"
)

// Differences are the executions of which the ledger says something else: what
// was held, charged and absorbed, and whether it was settled, as what is still
// held. An execution that is gone must have been settled. At most a thousand are
// named. Where runs lie on other servers than the ledger the two are not read at one
// moment: there a difference is one that is found twice.
func (s *Service) Differences(ctx context.Context) (differences []credit.Difference, err error) {
	differences, err = s.differences(ctx)
	if err != nil || len(differences) == 0 || !s.DB.Spread() {
		return differences, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(betweenLooks):
	}
	again, err := s.differences(ctx)
	stay := map[string]bool{}
	for _, d := range again {
		stay[d.String()] = true
	}
	return slices.DeleteFunc(differences, func(d credit.Difference) bool { return !stay[d.String()] }), err
}

// betweenLooks is longer than a transaction of a run takes.
const betweenLooks = 2 * time.Second

func (s *Service) differences(ctx context.Context) (differences []credit.Difference, err error) {
	return differences, s.DB.Read(ctx).Raw(`
		WITH e AS MATERIALIZED (
			SELECT id, hold, charged, markup_charged, absorbed, markup_absorbed, settled_at FROM executions WHERE hold > 0 OR charged > 0
		), runs AS (
			SELECT coalesce(e.id, l.execution_id) AS id, e.id IS NULL AS gone,
				ARRAY['executions.hold', 'executions.charged', 'executions.markup_charged', 'executions.absorbed', 'executions.markup_absorbed', 'executions.settled_at'] AS counters,
				ARRAY[coalesce(e.hold, 0), coalesce(e.charged, 0), coalesce(e.markup_charged, 0), coalesce(e.absorbed, 0), coalesce(e.markup_absorbed, 0),
					CASE WHEN e.settled_at IS NULL THEN coalesce(e.hold, 0) ELSE 0 END] AS stored,
				ARRAY[coalesce(l.hold, 0), coalesce(l.charged, 0), coalesce(l.markup, 0), coalesce(l.absorbed, 0), coalesce(l.markup_absorbed, 0),
					CASE WHEN l.settled THEN 0 ELSE coalesce(l.hold, 0) END]::bigint[] AS ledger
			FROM e `+credit.FullJoinRuns+` l ON l.execution_id = e.id
		)
		SELECT counter, id, c.stored, c.ledger FROM runs CROSS JOIN LATERAL unnest(counters, runs.stored, runs.ledger) c (counter, stored, ledger)
		WHERE runs.stored <> runs.ledger AND c.stored <> c.ledger AND (NOT gone OR counter = 'executions.settled_at')
		ORDER BY id, counter LIMIT ?`, credit.MaxDifferences).Scan(&differences).Error
}
