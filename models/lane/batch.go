package lane

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"atelier/models"
)

// Statements for batches: they go to the database together, without an answer
// awaited in between, and are one transaction. What one statement locked reaches
// the next by a setting that ends with the transaction, so that the next has a
// snapshot of its own.

// Held are the ids that QueueHold held, for the statements behind it.
const Held = `string_to_array(NULLIF(current_setting('lane.held', true), ''), ',')::uuid[]`

// SetEnding names the items that QueueEnd is to end: it is selected from rows
// whose column id holds them.
const SetEnding = `set_config('lane.ending', COALESCE(string_agg(id::text, ','), ''), true)`

const ending = `string_to_array(NULLIF(current_setting('lane.ending', true), ''), ',')::uuid[]`

// QueueHold locks the items whose leases still are the worker's, and hands on
// their ids. A time asks besides that the leases have not ended by then.
func QueueHold(b *pgx.Batch, leases []Lease, alive *time.Time, held func(models.ID)) {
	ids, fences := make([]models.ID, len(leases)), make([]int64, len(leases))
	for i, l := range leases {
		ids[i], fences[i] = l.ID, l.Fence
	}
	b.Queue(`
		SELECT set_config('lane.held', COALESCE(string_agg(id::text, ','), ''), true) FROM (
			SELECT i.id FROM lane_items i JOIN unnest($1::uuid[], $2::bigint[]) AS mine(id, fence) ON mine.id = i.id AND mine.fence = i.fence
			WHERE $3::timestamptz IS NULL OR i.lease_until > $3
			ORDER BY i.id FOR UPDATE OF i
		) held`, ids, fences, alive).QueryRow(func(row pgx.Row) error { return scanIDs(row, held) })
}

// End is how the work of a lease ends.
type End struct {
	Lease Lease
	// Again is when the item is due again; zero ends it for good.
	Again time.Time
	// Answered ends a rest of the lane; an attempt without an answer is NoteAttempt's.
	Answered bool
}

// QueueEnd ends the leases that SetEnding named: like Finish or Retry, and
// NoteAttempt of an answer. woken is told how many lanes are to be looked at.
// It locks the lanes that it changes, so anyone who puts a lane to sleep either
// has done so before, or leaves it be. The lock has a statement of its own: an
// update in the same statement would start at the version of the row that its
// snapshot has, and there wait for another that waits for the version locked.
func QueueEnd(b *pgx.Batch, kind Kind, now time.Time, ends []End, woken func(int64)) {
	ids, lanes := make([]models.ID, len(ends)), make([]models.ID, len(ends))
	again, answered := make([]*time.Time, len(ends)), make([]bool, len(ends))
	for i, e := range ends {
		ids[i], lanes[i], answered[i] = e.Lease.ID, e.Lease.LaneID, e.Answered
		if !e.Again.IsZero() {
			again[i] = &e.Again
		}
	}
	b.Queue(`
		WITH `+endings+`
		SELECT set_config('lane.touched', COALESCE(string_agg(id::text, ','), ''), true) FROM (
			SELECT l.id FROM lanes l JOIN wanted w ON w.lane_id = l.id
			WHERE l.kind = $1 AND (w.again IS NOT NULL OR w.answered AND `+unwell+`)
			ORDER BY l.id FOR NO KEY UPDATE OF l
		) touched`, kind.Name, ids, lanes, again, answered)
	b.Queue(`
		WITH `+endings+`, gone AS (
			DELETE FROM lane_items i USING mine m WHERE i.id = m.id AND m.again IS NULL
		), back AS (
			UPDATE lane_items i SET due_at = m.again, lease_until = NULL, lease_owner = NULL, fence = i.fence + 1
			FROM mine m WHERE i.id = m.id AND m.again IS NOT NULL
		)
		UPDATE lanes l SET
			next_due_at = LEAST(l.next_due_at, w.again, CASE WHEN w.answered AND `+unwell+` THEN $6::timestamptz END),
			rest_until = CASE WHEN w.answered THEN NULL ELSE l.rest_until END,
			rest_level = CASE WHEN w.answered THEN 0 ELSE l.rest_level END,
			silent_streak = CASE WHEN w.answered THEN 0 ELSE l.silent_streak END
		FROM wanted w WHERE l.kind = $1 AND l.id = w.lane_id AND l.id = ANY(`+touched+`)`,
		kind.Name, ids, lanes, again, answered, now).Exec(func(tag pgconn.CommandTag) error {
		woken(tag.RowsAffected())
		return nil
	})
}

const (
	// endings are the items that are to be ended, and what that asks of their lanes.
	endings = `mine AS (
			SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::boolean[]) AS t(id, lane_id, again, answered)
			WHERE id = ANY(` + ending + `)
		), wanted AS (
			SELECT lane_id, min(again) AS again, bool_or(answered) AS answered FROM mine GROUP BY lane_id
		)`
	unwell  = `(l.rest_until IS NOT NULL OR l.rest_level <> 0 OR l.silent_streak <> 0)`
	touched = `string_to_array(NULLIF(current_setting('lane.touched', true), ''), ',')::uuid[]`
)

// ScanEnding reads what a statement with SetEnding returned.
func ScanEnding(row pgx.Row, each func(models.ID)) error { return scanIDs(row, each) }

func scanIDs(row pgx.Row, each func(models.ID)) error {
	var ids string
	if err := row.Scan(&ids); err != nil || ids == "" {
		return err
	}
	for text := range strings.SplitSeq(ids, ",") {
		id, err := uuid.Parse(text)
		if err != nil {
			return err
		}
		each(id)
	}
	return nil
}
