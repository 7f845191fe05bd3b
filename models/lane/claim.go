package lane

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/models"
)

// lookAgain is when a lane with due work and full caps is looked at again,
// should nothing wake it before.
const lookAgain = time.Second

// spareLanes is how many more lanes than items a claim looks at, since some
// turn out to be empty.
const spareLanes = 8

// Claim takes up to n due items, fairly: lanes with the fewest live leases
// come first, then the longest due. The caps hold across all replicas.
func Claim(ctx context.Context, db *models.DB, kind Kind, worker string, n int) ([]Lease, error) {
	r := request{kind: kind, worker: worker, n: n, now: db.Clock.Now()}
	leases, err := claim(ctx, db, r)
	if err != nil {
		return nil, err
	}
	return leases, settleLanes(ctx, db, r, leases)
}

type request struct {
	kind   Kind
	worker string
	n      int
	now    time.Time
	// answering leaves out lanes whose last attempt had no answer.
	answering bool
}

// filled tells whether the claim took all that was wanted, so that more may be due.
func (r request) filled(leases []Lease) bool { return len(leases) == min(r.n, maxBatch) }

// claim leases items. Where caps hold it is one short transaction: they are
// counted in a statement of its own, after the lanes are locked, for a count in
// the locking statement would see the leases of an older snapshot and admit too
// many. Without caps one statement does both.
func claim(ctx context.Context, db *models.DB, r request) (leases []Lease, err error) {
	r.n = min(r.n, maxBatch)
	if r.n <= 0 {
		return nil, nil
	}
	if !r.kind.capped() {
		return takeItems(ctx, db.Work, r, fmt.Sprintf(lockQuery, "$8", "$9"), r.n+spareLanes, r.answering)
	}
	err = inTransaction(ctx, db, func(tx pgx.Tx) error {
		lanes, err := lockDueLanes(ctx, tx, r)
		if err != nil || len(lanes) == 0 {
			return err
		}
		leases, err = takeItems(ctx, tx, r, `SELECT unnest($8::uuid[]) AS id`, lanes)
		return err
	})
	return leases, err
}

// lockQuery locks due lanes with their owners, out of the longest due. Its own
// parameters are how many, and whether only lanes that answer are wanted.
const lockQuery = `
	SELECT l.id
	FROM (
		SELECT id FROM lanes
		WHERE kind = $1 AND next_due_at <= $2 AND (silent_streak = 0 OR NOT %[2]s)
		ORDER BY next_due_at LIMIT 256
	) due
	JOIN lanes l ON l.kind = $1 AND l.id = due.id
	JOIN lane_owners o ON o.kind = $1 AND o.owner_id = l.owner_id
	WHERE l.next_due_at <= $2
	ORDER BY (SELECT count(*) FROM lane_items f WHERE f.kind = $1 AND f.lane_id = l.id AND f.lease_until > $2), l.next_due_at
	LIMIT %[1]s
	FOR NO KEY UPDATE OF l, o SKIP LOCKED`

func lockDueLanes(ctx context.Context, tx pgx.Tx, r request) ([]models.ID, error) {
	result, err := tx.Query(ctx, fmt.Sprintf(lockQuery, "$3", "$4"), r.kind.Name, r.now, r.n+spareLanes, r.answering)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(result, pgx.RowTo[models.ID])
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// takeItems leases what the caps of some locked lanes and their owners leave
// room for; lanes is the query of their ids, more its parameters from $8 on. A
// lane that rests gives only items of a priority; one whose rest is over gives
// one item, the probe, until its rest is lifted.
func takeItems(ctx context.Context, q querier, r request, lanes string, more ...any) ([]Lease, error) {
	args := append([]any{
		r.kind.Name, r.now, orUnbounded(r.kind.PerLane), orUnbounded(r.kind.PerOwner), r.n, r.now.Add(r.kind.lease()), r.worker,
	}, more...)
	result, err := q.Query(ctx, fmt.Sprintf(takeQuery, min(orUnbounded(r.kind.PerLane), maxBatch), lanes), args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(result, func(row pgx.CollectableRow) (Lease, error) {
		l := Lease{Kind: r.kind.Name}
		err := row.Scan(&l.ID, &l.LaneID, &l.OwnerID, &l.DueAt, &l.Attempt, &l.Fence, &l.Until)
		return l, err
	})
}

// takeQuery has its inner limits as literals, for the planner to see that few
// rows of a long lane are wanted. An item's place is how many of its lane
// would fly with it: by place, free slots are spread over the lanes.
const takeQuery = `
	WITH locked AS MATERIALIZED (%[2]s), counted AS MATERIALIZED (
		SELECT l.id, l.owner_id, l.rest_until,
			(SELECT count(*) FROM lane_items f WHERE f.kind = $1 AND f.lane_id = l.id AND f.lease_until > $2) AS flying,
			$4::bigint - (SELECT count(*) FROM lane_items f WHERE f.kind = $1 AND f.owner_id = l.owner_id AND f.lease_until > $2) AS owner_room
		FROM locked JOIN lanes l ON l.kind = $1 AND l.id = locked.id
	), lane AS (
		SELECT id, owner_id, flying, owner_room, $3::bigint - flying AS room,
			CASE WHEN rest_until IS NULL THEN $5::bigint WHEN rest_until <= $2 THEN 1 - flying ELSE 0 END AS usual_room
		FROM counted
	), ready AS (
		SELECT i.id, i.due_at, l.owner_id, l.owner_room, l.room,
			row_number() OVER (PARTITION BY l.id ORDER BY i.priority DESC, i.due_at, i.id) AS nth,
			l.flying + row_number() OVER (PARTITION BY l.id ORDER BY i.priority DESC, i.due_at, i.id) AS place
		FROM lane l CROSS JOIN LATERAL (
			(SELECT id, due_at, priority FROM lane_items
			 WHERE kind = $1 AND lane_id = l.id AND priority > 0 AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $2)
			 ORDER BY due_at LIMIT %[1]d)
			UNION ALL
			SELECT id, due_at, priority FROM (
				SELECT id, due_at, priority, row_number() OVER (ORDER BY due_at, id) AS nth FROM (
					(SELECT id, due_at, priority FROM lane_items
					 WHERE kind = $1 AND lane_id = l.id AND priority <= 0 AND lease_until <= $2 LIMIT %[1]d)
					UNION ALL
					(SELECT id, due_at, priority FROM lane_items
					 WHERE kind = $1 AND lane_id = l.id AND priority <= 0 AND lease_until IS NULL AND due_at <= $2
					 ORDER BY due_at, id LIMIT %[1]d)
				) usual
			) numbered WHERE nth <= l.usual_room
		) i
	), chosen AS (
		SELECT id FROM (
			SELECT id, place, due_at, owner_room, row_number() OVER (PARTITION BY owner_id ORDER BY place, due_at, id) AS of_owner
			FROM ready WHERE nth <= room
		) r WHERE of_owner <= owner_room ORDER BY place, due_at, id LIMIT $5
	), free AS (
		SELECT i.id FROM lane_items i WHERE i.id IN (SELECT id FROM chosen)
			AND i.due_at <= $2 AND (i.lease_until IS NULL OR i.lease_until <= $2)
		FOR UPDATE SKIP LOCKED
	)
	UPDATE lane_items i SET lease_until = $6, lease_owner = $7, fence = i.fence + 1, attempt = i.attempt + 1
	FROM free WHERE i.id = free.id
	RETURNING i.id, i.lane_id, i.owner_id, i.due_at, i.attempt, i.fence, i.lease_until`

// settleLanes sets when lanes must be looked at next, after a claim: at their
// earliest due item, or the end of a lease, which is when a dead worker's item
// is due again; not before the end of a rest; never, when they are empty. These
// are the lanes of a claim that got all it wanted, else all that are due. A lane
// to which work is being added, or from which it is being taken, stays due.
//
// The first statement keeps others from the lanes; the second, whose snapshot
// is fresh, sees all that they did before.
func settleLanes(ctx context.Context, db *models.DB, r request, leases []Lease) error {
	return inTransaction(ctx, db, func(tx pgx.Tx) error {
		which, arg := `next_due_at <= $2 ORDER BY next_due_at LIMIT 256`, any(r.now)
		if r.filled(leases) {
			which, arg = `id = ANY($2::uuid[])`, lanesOf(leases)
		}
		result, err := tx.Query(ctx, `SELECT id FROM lanes WHERE kind = $1 AND `+which+` FOR UPDATE SKIP LOCKED`, r.kind.Name, arg)
		if err != nil {
			return err
		}
		quiet, err := pgx.CollectRows(result, pgx.RowTo[models.ID])
		if err != nil || len(quiet) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `
			WITH counted AS MATERIALIZED (
				SELECT l.id, l.rest_until,
					LEAST(
						(SELECT due_at FROM lane_items i WHERE i.kind = $1 AND i.lane_id = l.id AND i.lease_until IS NULL
						 ORDER BY i.due_at, i.id LIMIT 1),
						(SELECT min(lease_until) FROM lane_items i WHERE i.kind = $1 AND i.lane_id = l.id AND i.lease_until IS NOT NULL)
					) AS ready_at,
					(SELECT min(COALESCE(lease_until, due_at)) FROM lane_items i
					 WHERE i.kind = $1 AND i.lane_id = l.id AND i.priority > 0) AS urgent_at,
					(SELECT count(*) FROM lane_items f WHERE f.kind = $1 AND f.lane_id = l.id AND f.lease_until > $2) AS flying,
					(SELECT count(*) FROM lane_items f WHERE f.kind = $1 AND f.owner_id = l.owner_id AND f.lease_until > $2) AS owner_flying
				FROM lanes l WHERE l.kind = $1 AND l.id = ANY($3::uuid[])
			), moved AS (
				SELECT id,
					CASE WHEN rest_until > $2 THEN LEAST(GREATEST(ready_at, rest_until), urgent_at) ELSE ready_at END AS ready_at,
					flying >= $4 OR owner_flying >= $5 OR (rest_until <= $2 AND flying > 0) AS crowded
				FROM counted
			), next AS (
				SELECT id, CASE WHEN crowded AND ready_at <= $2 THEN $6 ELSE ready_at END AS due_at FROM moved
			)
			UPDATE lanes l SET next_due_at = next.due_at FROM next
			WHERE l.kind = $1 AND l.id = next.id AND l.next_due_at IS DISTINCT FROM next.due_at`,
			r.kind.Name, r.now, quiet, orUnbounded(r.kind.PerLane), orUnbounded(r.kind.PerOwner), r.now.Add(lookAgain))
		return err
	})
}

func lanesOf(leases []Lease) []models.ID {
	ids := make([]models.ID, len(leases))
	for i, l := range leases {
		ids[i] = l.LaneID
	}
	return ids
}

// nextDue is when a lane of the kind must be looked at next; nil when all sleep.
func nextDue(ctx context.Context, db *models.DB, kind Kind, answering bool) (*time.Time, error) {
	var next *time.Time
	err := db.Work.QueryRow(ctx, `
		SELECT min(next_due_at) FROM lanes WHERE kind = $1 AND next_due_at IS NOT NULL AND (silent_streak = 0 OR NOT $2)`,
		kind.Name, answering).Scan(&next)
	return next, err
}

// freeLanes has the owners' lanes looked at that wait for a slot, after some of
// the owners' items have ended. It waits for claims at work on these owners,
// which did not see the ends yet.
func freeLanes(ctx context.Context, db *models.DB, kind Kind, owners []models.ID) error {
	now := db.Clock.Now()
	return inTransaction(ctx, db, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			SELECT FROM lane_owners WHERE kind = $1 AND owner_id = ANY($2::uuid[]) ORDER BY owner_id FOR SHARE`, kind.Name, owners)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			WITH waiting AS (
				SELECT l.id FROM lanes l
				WHERE l.kind = $1 AND l.owner_id = ANY($2::uuid[]) AND l.next_due_at > $3
					AND (l.rest_until IS NULL OR l.rest_until <= $3)
					AND EXISTS (SELECT FROM lane_items i
						WHERE i.kind = $1 AND i.lane_id = l.id AND i.lease_until IS NULL AND i.due_at <= $3)
				FOR NO KEY UPDATE SKIP LOCKED
			)
			UPDATE lanes l SET next_due_at = $3 FROM waiting WHERE l.kind = $1 AND l.id = waiting.id`,
			kind.Name, owners, now)
		return err
	})
}
