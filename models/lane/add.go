package lane

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"time"

	"atelier/models"
)

// Add makes items that exist exactly when the transaction commits, and wakes
// the kind's dispatchers then. An id that has an item already keeps it.
func Add(tx *models.Tx, kind Kind, items ...Item) error {
	if len(items) == 0 {
		return nil
	}
	var (
		ids, lanes, owners   []models.ID
		dues                 []time.Time
		priorities, attempts []int32
		fences               []int64
		wake                 = wakes{}
	)
	for _, item := range items {
		if item.DueAt.IsZero() {
			item.DueAt = tx.Now
		}
		ids, lanes, owners = append(ids, item.ID), append(lanes, item.LaneID), append(owners, item.OwnerID)
		dues = append(dues, item.DueAt)
		priorities, attempts = append(priorities, int32(item.Priority)), append(attempts, int32(item.Attempt))
		// Fences start anywhere, so that an id that is added a second time
		// never meets the fence of a worker from its first life.
		fences = append(fences, rand.Int64N(1<<52))
		wake.add(item.LaneID, item.DueAt)
	}
	var known int
	err := rows(tx, func(row *sql.Rows) error { return row.Scan(&known) }, `
		WITH item AS (
			SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::int[], $7::int[], $8::bigint[])
				AS t(id, lane_id, owner_id, due_at, priority, attempt, fence)
		), owner AS (
			INSERT INTO lane_owners (kind, owner_id) SELECT DISTINCT $1, owner_id FROM item ORDER BY owner_id
			ON CONFLICT DO NOTHING
		), fresh AS (
			INSERT INTO lanes (kind, id, owner_id, next_due_at)
			SELECT $1, lane_id, owner_id, min(due_at) FROM item GROUP BY lane_id, owner_id ORDER BY lane_id
			ON CONFLICT DO NOTHING RETURNING id
		), added AS (
			INSERT INTO lane_items (id, kind, lane_id, owner_id, due_at, priority, attempt, fence)
			SELECT id, $1, lane_id, owner_id, due_at, priority, attempt, fence FROM item
			ON CONFLICT (id) DO NOTHING
		), held AS (
			SELECT FROM lanes WHERE kind = $1 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE
		)
		SELECT (SELECT count(*) FROM fresh) + (SELECT count(*) FROM held)`,
		kind.Name, ids, lanes, owners, dues, priorities, attempts, fences)
	if err != nil {
		return err
	}
	if known < len(wake) { // others made some of the lanes meanwhile
		return wake.holdAndWake(tx, kind.Name)
	}
	return wake.wake(tx, kind.Name)
}

// wakes collects when lanes must be looked at, by lane.
type wakes map[models.ID]time.Time

func (w wakes) add(lane models.ID, due time.Time) {
	if earliest, ok := w[lane]; !ok || due.Before(earliest) {
		w[lane] = due
	}
}

// holdAndWake makes sure that the lanes are looked at when their work is due:
// it holds back anyone who would put a lane to sleep (see the package comment),
// and then wakes lanes that sleep.
func (w wakes) holdAndWake(tx *models.Tx, kind string) error {
	ids, _ := w.columns()
	held, err := tx.Run(`
		SELECT FROM lanes WHERE kind = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE`, kind, ids)
	if err != nil {
		return err
	}
	if held != int64(len(ids)) {
		return fmt.Errorf("lane: a lane of kind %s was removed meanwhile", kind)
	}
	return w.wake(tx, kind)
}

// wake wakes lanes that sleep and that the transaction holds. It takes a
// statement of its own: the lock FOR KEY SHARE hands out a row as the locking
// statement's snapshot has it, also when the lane went to sleep since.
func (w wakes) wake(tx *models.Tx, kind string) error {
	ids, dues := w.columns()
	_, err := tx.Run(`
		WITH sleeping AS (
			SELECT l.id, w.due FROM lanes l JOIN unnest($2::uuid[], $3::timestamptz[]) AS w(id, due) ON w.id = l.id
			WHERE l.kind = $1 AND (l.next_due_at IS NULL OR l.next_due_at > w.due)
			ORDER BY l.id FOR NO KEY UPDATE OF l
		)
		UPDATE lanes l SET next_due_at = LEAST(l.next_due_at, s.due) FROM sleeping s WHERE l.kind = $1 AND l.id = s.id`,
		kind, ids, dues)
	if err == nil {
		tx.Notify(Topic(kind))
	}
	return err
}

func (w wakes) columns() (ids []models.ID, dues []time.Time) {
	for id, due := range w {
		ids, dues = append(ids, id), append(dues, due)
	}
	return ids, dues
}
