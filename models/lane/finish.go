package lane

import (
	"context"
	"database/sql"
	"time"

	"atelier/models"
)

// Finish ends the work for good: the item goes. ErrLost when the fence no
// longer fits; the whole transaction must then be rolled back. A lease that
// ended, but that no one else took, may still be finished.
func Finish(tx *models.Tx, lease Lease) error {
	return fenced(tx.Run(`DELETE FROM lane_items WHERE id = $1 AND fence = $2`, lease.ID, lease.Fence))
}

// Hold locks the item until the transaction ends and says whether the lease
// still is the worker's: ErrLost when not. Everything that is written while the
// work goes on starts with it.
func Hold(tx *models.Tx, lease Lease) error {
	return fenced(tx.Run(`SELECT FROM lane_items WHERE id = $1 AND fence = $2 AND lease_until > $3 FOR UPDATE`,
		lease.ID, lease.Fence, tx.Now))
}

// Retry gives the item back, to be taken again from dueAt on; the attempt
// counts. ErrLost when the fence no longer fits.
func Retry(tx *models.Tx, lease Lease, dueAt time.Time) error {
	return giveBack(tx, lease, dueAt, 0)
}

// Release is Retry for an attempt that does not count, such as one that the
// service's own trouble prevented.
func Release(tx *models.Tx, lease Lease, dueAt time.Time) error {
	return giveBack(tx, lease, dueAt, 1)
}

func giveBack(tx *models.Tx, lease Lease, dueAt time.Time, uncounted int) error {
	err := fenced(tx.Run(`
		UPDATE lane_items
		SET due_at = $3, lease_until = NULL, lease_owner = NULL, fence = fence + 1, attempt = GREATEST(attempt - $4, 0)
		WHERE id = $1 AND fence = $2`, lease.ID, lease.Fence, dueAt, uncounted))
	if err != nil {
		return err
	}
	return wakes{lease.LaneID: dueAt}.holdAndWake(tx, lease.Kind)
}

func fenced(affected int64, err error) error {
	if err == nil && affected == 0 {
		return ErrLost
	}
	return err
}

// MakeDue has a waiting item taken now. false: there is none, or a worker is
// at it already.
func MakeDue(tx *models.Tx, id models.ID) (bool, error) {
	woken, kind := wakes{}, ""
	err := rows(tx, func(row *sql.Rows) error {
		var lane models.ID
		err := row.Scan(&kind, &lane)
		woken.add(lane, tx.Now)
		return err
	}, `UPDATE lane_items SET due_at = LEAST(due_at, $2) WHERE id = $1 AND lease_until IS NULL RETURNING kind, lane_id`, id, tx.Now)
	if err != nil || len(woken) == 0 {
		return false, err
	}
	return true, woken.holdAndWake(tx, kind)
}

// Cancel removes items, leased or not, and returns the ids of those that were
// there. A worker that is at one finds its lease lost, at once when the bus
// reaches it, else at its next beat.
func Cancel(tx *models.Tx, ids ...models.ID) ([]models.ID, error) {
	return remove(tx, `
		DELETE FROM lane_items WHERE id IN (SELECT id FROM lane_items WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
		RETURNING id, kind, lease_until IS NOT NULL`, ids)
}

// RemoveLane removes a lane with all its items, and returns their ids.
func RemoveLane(tx *models.Tx, kind Kind, laneID models.ID) ([]models.ID, error) {
	if _, err := tx.Run(`DELETE FROM lanes WHERE kind = $1 AND id = $2`, kind.Name, laneID); err != nil {
		return nil, err
	}
	return remove(tx, `
		DELETE FROM lane_items WHERE id IN (SELECT id FROM lane_items WHERE kind = $1 AND lane_id = $2 ORDER BY id FOR UPDATE)
		RETURNING id, kind, lease_until IS NOT NULL`, kind.Name, laneID)
}

func remove(tx *models.Tx, query string, args ...any) (removed []models.ID, err error) {
	err = rows(tx, func(row *sql.Rows) error {
		var id models.ID
		var kind string
		var leased bool
		if err := row.Scan(&id, &kind, &leased); err != nil {
			return err
		}
		if leased {
			tx.Notify(cancelTopic(kind))
		}
		removed = append(removed, id)
		return nil
	}, query, args...)
	return removed, err
}

// Renew lengthens the leases and returns those that still are the worker's. An
// item that a transaction is just writing keeps its lease as it is.
//
// A statement that was given up may still come after a later one: it takes
// nothing back.
func Renew(ctx context.Context, db *models.DB, kind Kind, leases []Lease) ([]Lease, error) {
	if len(leases) == 0 {
		return nil, nil
	}
	byID := make(map[models.ID]Lease, len(leases))
	ids, fences := make([]models.ID, 0, len(leases)), make([]int64, 0, len(leases))
	for _, l := range leases {
		byID[l.ID] = l
		ids, fences = append(ids, l.ID), append(fences, l.Fence)
	}
	now := db.Clock.Now()
	result, err := db.Background(ctx).Query(ctx, `
		WITH mine AS (SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS t(id, fence)),
		held AS (
			SELECT i.id, i.lease_until FROM lane_items i JOIN mine USING (id, fence) WHERE i.lease_until > $3
		), free AS (
			SELECT i.id FROM lane_items i JOIN mine USING (id, fence) WHERE i.lease_until > $3 FOR UPDATE OF i SKIP LOCKED
		), renewed AS (
			UPDATE lane_items i SET lease_until = GREATEST(i.lease_until, $4) FROM free WHERE i.id = free.id RETURNING i.id, i.lease_until
		)
		SELECT id, COALESCE(renewed.lease_until, held.lease_until) FROM held LEFT JOIN renewed USING (id)`,
		ids, fences, now, now.Add(kind.lease()))
	if err != nil {
		return nil, err
	}
	defer result.Close()
	var held []Lease
	for result.Next() {
		var id models.ID
		var until time.Time
		if err := result.Scan(&id, &until); err != nil {
			return nil, err
		}
		lease := byID[id]
		lease.Until = until
		held = append(held, lease)
	}
	return held, result.Err()
}
