package lane_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"atelier/models/dbtest"
	"atelier/models/lane"
)

// Two batches of one lane are written while the lane is woken and more work is
// added to it. Each waits its turn, and neither waits for the other in a circle:
// the one who has the lane's new version does not go back to the one before.
func TestEndsOfOneLaneMeet(t *testing.T) {
	db := dbtest.New(t)
	laneID, owner := newID(), newID()
	add(t, db, deliveries, laneID, owner, 2)
	leases := claimN(t, db, deliveries, 2, 2)

	waker, err := db.Pool.Begin(t.Context())
	must(t, err)
	defer waker.Rollback(t.Context())
	adder, err := db.Pool.Begin(t.Context())
	must(t, err)
	defer adder.Rollback(t.Context())
	_, err = waker.Exec(t.Context(), `UPDATE lanes SET next_due_at = $2 WHERE id = $1`, laneID, db.Clock.Now())
	must(t, err)
	_, err = adder.Exec(t.Context(), `SELECT FROM lanes WHERE id = $1 FOR KEY SHARE`, laneID)
	must(t, err)

	ended := make(chan error, len(leases))
	for i, l := range leases {
		go func() {
			b := &pgx.Batch{}
			b.Queue(`SELECT `+lane.SetEnding+` FROM unnest($1::uuid[]) AS t(id)`, []any{l.ID})
			lane.QueueEnd(b, deliveries, db.Clock.Now(), []lane.End{{Lease: l, Again: db.Clock.Now()}}, func(int64) {})
			ended <- db.Background(t.Context()).SendBatch(t.Context(), b).Close()
		}()
		eventually(t, time.Minute, fmt.Sprintf("%d batches wait", i+1), func() bool {
			return count(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == i+1
		})
	}
	must(t, waker.Commit(t.Context()))
	for range leases {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if n := count(t, db, `SELECT count(*) FROM lane_items WHERE lane_id = $1 AND lease_until IS NULL`, laneID); n != 2 {
		t.Errorf("%d items were given back", n)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
