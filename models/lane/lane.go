// Package lane is the one mechanism by which pending work - node jobs and
// deliveries - is taken, by any number of replicas at once.
//
// A piece of work has an item here, under its own id, from the moment it is
// due to be done until it has ended; what it is about lives in its own table.
// Items queue in lanes (an endpoint, an account), lanes belong to owners
// (accounts). A worker claims items under a lease and a fence: a lease that is
// not renewed ends by itself, and the one who comes back late with an old fence
// changes nothing. How many items of a lane and of an owner fly at once is
// counted from live leases, so that a crash frees its slots by itself.
//
// Locks, since everything depends on them: a claim locks lanes and owners
// FOR NO KEY UPDATE and items FOR UPDATE, always SKIP LOCKED, so it waits for
// no one. Who adds work to a lane holds FOR KEY SHARE on it until the commit,
// which does not hinder claims; but who puts a lane to sleep tries FOR UPDATE
// before, which fails while work is being added; the lane then stays due. So no
// wake-up is lost, and a busy lane makes no one wait.
package lane

import (
	"database/sql"
	"errors"
	"time"

	"atelier/models"
)

// ErrLost says that the lease is no longer the worker's: it ended and another
// took the item, or the item was cancelled. Nothing may be written any more.
var ErrLost = errors.New("lane: the lease was lost")

// Kind is one family of work with its own caps; kinds do not see each other.
type Kind struct {
	Name string
	// PerLane and PerOwner bound the live leases of a lane and of an owner; 0 is no bound.
	PerLane, PerOwner int
	// Lease is how long a claim lasts without being renewed; 0 is DefaultLease.
	Lease time.Duration
}

// DefaultLease leaves room for three lost beats; with it the work of a worker
// that died is taken up again within 35 seconds (open points, "Events").
const DefaultLease = 20 * time.Second

// Item is a piece of work to be done.
type Item struct {
	ID, LaneID, OwnerID models.ID
	// DueAt is when it may be taken; zero is now.
	DueAt time.Time
	// Priority above zero goes before the rest of its lane, and also while the lane rests.
	Priority int
	// Attempt is how many attempts were made already.
	Attempt int
}

// Lease is the right of one worker to do one item.
type Lease struct {
	Kind                string
	ID, LaneID, OwnerID models.ID
	DueAt               time.Time
	// Attempt is the number of this attempt, 1 for the first. An attempt that
	// was cut off has counted, so it may exceed what the work allows.
	Attempt int
	Fence   int64
	Until   time.Time
}

// Topic wakes the dispatchers of a kind.
func Topic(kind string) string { return "lane:" + kind }

func cancelTopic(kind string) string { return "lane-cancelled:" + kind }

func (k Kind) lease() time.Duration {
	if k.Lease == 0 {
		return DefaultLease
	}
	return k.Lease
}

// capped tells whether anything bounds the kind's live leases.
func (k Kind) capped() bool { return k.PerLane > 0 || k.PerOwner > 0 }

// maxBatch bounds one claim.
const maxBatch = 64

// unbounded stands for a cap that is not there.
const unbounded = 1 << 30

func orUnbounded(n int) int {
	if n == 0 {
		return unbounded
	}
	return n
}

// rows reads what a statement returns; scan is called for each row.
func rows(tx *models.Tx, scan func(*sql.Rows) error, query string, args ...any) error {
	result, err := tx.Statement.ConnPool.QueryContext(tx.Context(), query, args...)
	if err != nil {
		return err
	}
	defer result.Close()
	for result.Next() {
		if err := scan(result); err != nil {
			return err
		}
	}
	return result.Err()
}
