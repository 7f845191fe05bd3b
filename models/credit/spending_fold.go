package credit

import (
	"context"
	"time"

	"atelier/models"
)

// What organizations and workspaces spent is added up by the hour (spending_hours), once an hour is over for so long that
// nothing is written with its time any more. A reader adds what the ledger says since: the hours and how far they go
// (spending_folded) are written together, so that each line counts once.
const (
	foldBehind = time.Hour
	foldStep   = 24 * time.Hour // what one transaction adds up
)

// spentSince begins a statement that reads lines of the ledger that are not added up yet, of a moment or later.
const spentSince = `WITH since AS MATERIALIZED (
		SELECT at, first_id(at - interval '1 minute') AS id
		FROM (SELECT greatest(?::timestamptz, (SELECT ends_at FROM spending_folded)) AS at) s
	)`

// notAddedUp are these lines.
const notAddedUp = `ledger_entries.id >= (SELECT id FROM since) AND ledger_entries.created_at >= (SELECT at FROM since)`

// FoldSpending adds up the hours that are over.
func (s *Service) FoldSpending(ctx context.Context) error {
	ctx = models.ForWork(ctx)
	for {
		var more bool
		err := s.DB.Write(ctx, func(tx *models.Tx) (err error) {
			more, err = foldSpending(tx)
			return err
		})
		if err != nil || !more {
			return err
		}
	}
}

// foldSpending adds up the next day, or what is over of it, and tells whether more may be. While another process is at it
// there is nothing to do.
func foldSpending(tx *models.Tx) (more bool, err error) {
	if err := tx.Exec(`
		INSERT INTO spending_folded (ends_at)
		SELECT date_trunc('hour', created_at - interval '1 minute', 'UTC') FROM ledger_entries
		WHERE NOT EXISTS (SELECT FROM spending_folded) ORDER BY id LIMIT 1 ON CONFLICT DO NOTHING`).Error; err != nil {
		return false, err
	}
	var begins []time.Time
	over := tx.Now.Add(-foldBehind).UTC().Truncate(time.Hour)
	err = tx.Raw(`SELECT ends_at FROM spending_folded WHERE ends_at < ? FOR UPDATE SKIP LOCKED`, over).Scan(&begins).Error
	if err != nil || len(begins) == 0 {
		return false, err
	}
	ends := begins[0].Add(foldStep)
	if ends.After(over) {
		ends = over
	}
	if err := tx.Exec(`INSERT INTO spending_hours (scope_id, starts_at, credits, absorbed) `+spentByHour+`
		AND id >= first_id(?::timestamptz - interval '1 minute') AND id < first_id(?::timestamptz + interval '1 minute')
		AND created_at >= ? AND created_at < ? GROUP BY 1, 2`, begins[0], ends, begins[0], ends).Error; err != nil {
		return false, err
	}
	return ends.Before(over), tx.Exec(`UPDATE spending_folded SET ends_at = ?`, ends).Error
}

// spentByHour adds up lines of the ledger.
const spentByHour = `SELECT s.scope_id, date_trunc('hour', created_at, 'UTC') AS starts_at,
		coalesce(sum(amount) FILTER (WHERE kind <> 'absorbed'), 0) AS credits, coalesce(sum(amount) FILTER (WHERE kind = 'absorbed'), 0) AS absorbed
	FROM ledger_entries CROSS JOIN LATERAL (VALUES (organization_id), (workspace_id)) s(scope_id)
	WHERE organization_id IS NOT NULL AND s.scope_id IS NOT NULL AND kind IN ('charge', 'markup', 'absorbed')`

// RebuildSpending compares the hours with the ledger, and makes right what differs; how many were wrong.
func (s *Service) RebuildSpending(ctx context.Context) (wrong int64, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		var ends []time.Time
		if err := tx.Raw(`SELECT ends_at FROM spending_folded FOR UPDATE`).Scan(&ends).Error; err != nil || len(ends) == 0 {
			return err
		}
		wrong, err = models.Affected(tx.Exec(`
			WITH right_ones AS (`+spentByHour+` AND created_at < ? GROUP BY 1, 2), kept AS (
				INSERT INTO spending_hours AS h (scope_id, starts_at, credits, absorbed) SELECT scope_id, starts_at, credits, absorbed FROM right_ones
				ON CONFLICT (scope_id, starts_at) DO UPDATE SET credits = EXCLUDED.credits, absorbed = EXCLUDED.absorbed
					WHERE (h.credits, h.absorbed) <> (EXCLUDED.credits, EXCLUDED.absorbed) RETURNING scope_id, starts_at
			), gone AS (
				DELETE FROM spending_hours h WHERE NOT EXISTS (SELECT FROM right_ones r WHERE r.scope_id = h.scope_id AND r.starts_at = h.starts_at)
				RETURNING scope_id, starts_at
			) SELECT * FROM kept UNION ALL SELECT * FROM gone`, ends[0]))
		return err
	})
	return wrong, err
}
