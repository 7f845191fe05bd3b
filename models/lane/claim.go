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
	leases, _, err := claim(ctx, db, r)
	if err != nil {
		return nil, err
	}
	_, err = settleLanes(ctx, db, r, leases)
	return leases, err
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

// claim leases items, and says when a lane must be looked at next; nil is never.
// Where caps hold it is one short transaction: they are counted in a statement
// of its own, after the lanes are locked, for a count in the locking statement
// would see the leases of an older snapshot and admit too many. The statements
// go out together, and the second finds the lanes in a setting. Without caps one
// statement does both.
func claim(ctx context.Context, db *models.DB, r request) (leases []Lease, next *time.Time, err error) {
	r.n = min(r.n, maxBatch)
	if r.n <= 0 {
		return nil, nil, nil
	}
	b := &pgx.Batch{}
	if r.kind.capped() {
		b.Queue(lockLanes, r.kind.Name, r.now, r.n+spareLanes, r.answering)
		takeItems(b, r, &leases, lockedLanes)
	} else {
		takeItems(b, r, &leases, lockWithoutCaps, r.n+spareLanes, r.answering)
	}
	queueNextDue(b, r, &next)
	err = db.Background(ctx).SendBatch(ctx, b).Close()
	if err != nil {
		return nil, nil, err
	}
	return leases, next, nil
}

var (
	lockLanes = `SELECT set_config('lane.locked', COALESCE(string_agg(id::text, ','), ''), true) FROM (` +
		fmt.Sprintf(lockQuery, "$3", "$4") + `) locked`
	lockWithoutCaps = fmt.Sprintf(lockQuery, "$8", "$9")
)

// lockedLanes are the ids of the lanes that lockLanes locked.
const lockedLanes = `SELECT unnest(string_to_array(NULLIF(current_setting('lane.locked', true), ''), ',')::uuid[]) AS id`

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

// takeItems leases what the caps of some locked lanes and their owners leave
// room for; lanes is the query of their ids, more its parameters from $8 on. A
// lane that rests gives only items of a priority; one whose rest is over gives
// one item, the probe, until its rest is lifted.
func takeItems(b *pgx.Batch, r request, leases *[]Lease, lanes string, more ...any) {
	args := append([]any{
		r.kind.Name, r.now, orUnbounded(r.kind.PerLane), orUnbounded(r.kind.PerOwner), r.n, r.now.Add(r.kind.lease()), r.worker,
	}, more...)
	b.Queue(fmt.Sprintf(takeQuery, min(orUnbounded(r.kind.PerLane), maxBatch), lanes), args...).Query(func(rows pgx.Rows) (err error) {
		*leases, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Lease, error) {
			l := Lease{Kind: r.kind.Name}
			err := row.Scan(&l.ID, &l.LaneID, &l.OwnerID, &l.DueAt, &l.Attempt, &l.Fence, &l.Until)
			return l, err
		})
		return err
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
// is fresh, sees all that they did before. It returns when a lane must be looked
// at next; nil is never.
func settleLanes(ctx context.Context, db *models.DB, r request, leases []Lease) (next *time.Time, err error) {
	b := &pgx.Batch{}
	if r.filled(leases) {
		b.Queue(quietThese, r.kind.Name, lanesOf(leases))
	} else {
		b.Queue(quietDue, r.kind.Name, r.now)
	}
	b.Queue(`
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
				FROM lanes l WHERE l.kind = $1 AND l.id = ANY(`+quietLanes+`)
			), moved AS (
				SELECT id,
					CASE WHEN rest_until > $2 THEN LEAST(GREATEST(ready_at, rest_until), urgent_at) ELSE ready_at END AS ready_at,
					flying >= $3 OR owner_flying >= $4 OR (rest_until <= $2 AND flying > 0) AS crowded
				FROM counted
			), next AS (
				SELECT id, CASE WHEN crowded AND ready_at <= $2 THEN $5 ELSE ready_at END AS due_at FROM moved
			)
			UPDATE lanes l SET next_due_at = next.due_at FROM next
			WHERE l.kind = $1 AND l.id = next.id AND l.next_due_at IS DISTINCT FROM next.due_at`,
		r.kind.Name, r.now, orUnbounded(r.kind.PerLane), orUnbounded(r.kind.PerOwner), r.now.Add(lookAgain))
	queueNextDue(b, r, &next)
	return next, db.Background(ctx).SendBatch(ctx, b).Close()
}

const (
	setQuiet   = `SELECT set_config('lane.quiet', COALESCE(string_agg(id::text, ','), ''), true) FROM (SELECT id FROM lanes WHERE kind = $1 AND `
	quietThese = setQuiet + `id = ANY($2::uuid[]) FOR UPDATE SKIP LOCKED) quiet`
	quietDue   = setQuiet + `next_due_at <= $2 ORDER BY next_due_at LIMIT 256 FOR UPDATE SKIP LOCKED) quiet`
	quietLanes = `string_to_array(NULLIF(current_setting('lane.quiet', true), ''), ',')::uuid[]`
)

func lanesOf(leases []Lease) []models.ID {
	ids := make([]models.ID, len(leases))
	for i, l := range leases {
		ids[i] = l.LaneID
	}
	return ids
}

// queueNextDue asks when a lane of the kind must be looked at next; nil when all sleep.
func queueNextDue(b *pgx.Batch, r request, next **time.Time) {
	b.Queue(`
		SELECT min(next_due_at) FROM lanes WHERE kind = $1 AND next_due_at IS NOT NULL AND (silent_streak = 0 OR NOT $2)`,
		r.kind.Name, r.answering).QueryRow(func(row pgx.Row) error { return row.Scan(next) })
}

// freeLanes has the owners' lanes looked at that wait for a slot, after some of
// the owners' items have ended. It waits for claims at work on these owners,
// which did not see the ends yet.
func freeLanes(ctx context.Context, db *models.DB, kind Kind, owners []models.ID) error {
	now := db.Clock.Now()
	b := &pgx.Batch{}
	b.Queue(`SELECT FROM lane_owners WHERE kind = $1 AND owner_id = ANY($2::uuid[]) ORDER BY owner_id FOR SHARE`, kind.Name, owners)
	// As in QueueEnd, what is locked is changed by a statement of its own.
	b.Queue(`
			SELECT set_config('lane.waiting', COALESCE(string_agg(id::text, ','), ''), true) FROM (
				SELECT l.id FROM lanes l
				WHERE l.kind = $1 AND l.owner_id = ANY($2::uuid[]) AND l.next_due_at > $3
					AND (l.rest_until IS NULL OR l.rest_until <= $3)
					AND EXISTS (SELECT FROM lane_items i
						WHERE i.kind = $1 AND i.lane_id = l.id AND i.lease_until IS NULL AND i.due_at <= $3)
				FOR NO KEY UPDATE SKIP LOCKED
			) waiting`, kind.Name, owners, now)
	b.Queue(`
			UPDATE lanes SET next_due_at = $2
			WHERE kind = $1 AND id = ANY(string_to_array(NULLIF(current_setting('lane.waiting', true), ''), ',')::uuid[])`, kind.Name, now)
	return db.Background(ctx).SendBatch(ctx, b).Close()
}
