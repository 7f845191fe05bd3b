package flow

import (
	"context"

	"atelier/models/credit"
)

// Differences are the executions of which the ledger says something else: what
// was held, charged and absorbed, and whether it was settled, as what is still
// held. An execution that is gone must have been settled. At most a thousand are
// named.
func (s *Service) Differences(ctx context.Context) (differences []credit.Difference, err error) {
	return differences, s.DB.Read(ctx).Raw(`
		WITH runs AS (
			SELECT coalesce(e.id, l.execution_id) AS id, e.id IS NULL AS gone,
				ARRAY['executions.hold', 'executions.charged', 'executions.markup_charged', 'executions.absorbed', 'executions.markup_absorbed', 'executions.settled_at'] AS counters,
				ARRAY[coalesce(e.hold, 0), coalesce(e.charged, 0), coalesce(e.markup_charged, 0), coalesce(e.absorbed, 0), coalesce(e.markup_absorbed, 0),
					CASE WHEN e.settled_at IS NULL THEN coalesce(e.hold, 0) ELSE 0 END] AS stored,
				ARRAY[coalesce(l.hold, 0), coalesce(l.charged, 0), coalesce(l.markup, 0), coalesce(l.absorbed, 0), coalesce(l.markup_absorbed, 0),
					CASE WHEN l.settled THEN 0 ELSE coalesce(l.hold, 0) END]::bigint[] AS ledger
			FROM (SELECT id, hold, charged, markup_charged, absorbed, markup_absorbed, settled_at FROM executions WHERE hold > 0 OR charged > 0) e
			`+credit.FullJoinRuns+` l ON l.execution_id = e.id
		)
		SELECT counter, id, c.stored, c.ledger FROM runs CROSS JOIN LATERAL unnest(counters, runs.stored, runs.ledger) c (counter, stored, ledger)
		WHERE runs.stored <> runs.ledger AND c.stored <> c.ledger AND (NOT gone OR counter = 'executions.settled_at')
		ORDER BY id, counter LIMIT ?`, credit.MaxDifferences).Scan(&differences).Error
}
