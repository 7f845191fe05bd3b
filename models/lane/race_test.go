package lane_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

// Claims that meet at the same moment: never do more fly than the caps allow,
// as the database itself has it, no matter who commits between another's look and lock.
func TestClaimsThatMeet(t *testing.T) {
	url := dbtest.NewURL(t)
	clock := dbtest.NewClock()
	db := dbtest.Open(t, url, clock)
	owner := newID()
	for range 3 {
		add(t, db, deliveries, newID(), owner, 400)
	}
	for range 60 { // lanes of others, to look at before anything is locked
		id := newID()
		add(t, db, lane.Kind{Name: "delivery"}, id, id, 1)
	}
	var over, claimed atomic.Int64
	var all sync.WaitGroup
	for range 6 {
		replica := dbtest.Open(t, url, clock)
		all.Go(func() {
			for range 60 {
				leases, err := lane.Claim(t.Context(), replica, deliveries, "test", 64)
				if err != nil {
					t.Error(err)
					return
				}
				claimed.Add(int64(len(leases)))
				var flying int
				err = replica.Pool.QueryRow(t.Context(), `SELECT count(*) FROM lane_items WHERE owner_id = $1 AND lease_until > $2`,
					owner, clock.Now()).Scan(&flying)
				if err != nil {
					t.Error(err)
				}
				if flying > deliveries.PerOwner {
					over.Add(1)
				}
				for _, l := range leases {
					if err := replica.Write(t.Context(), func(tx *models.Tx) error { return lane.Retry(tx, l, tx.Now) }); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if over.Load() > 0 || claimed.Load() < 100 {
		t.Errorf("more than %d flew %d times, of %d claimed", deliveries.PerOwner, over.Load(), claimed.Load())
	}
}
