package lane_test

import (
	"slices"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

func TestClaimKeepsTheCaps(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	lanes := []models.ID{newID(), newID(), newID()}
	for _, l := range lanes {
		add(t, db, deliveries, l, owner, 20)
	}
	leases := claimN(t, db, deliveries, 64, 10)
	perLane := map[models.ID]int{}
	for _, l := range leases {
		perLane[l.LaneID]++
		if l.Attempt != 1 || l.OwnerID != owner || l.Kind != "delivery" {
			t.Errorf("unexpected lease %+v", l)
		}
	}
	for id, n := range perLane {
		if n > 5 {
			t.Errorf("%d of lane %v fly", n, id)
		}
	}
	claimN(t, db, deliveries, 64, 0)

	finish(t, db, leases[:3]...)
	advance(db, time.Second)
	claimN(t, db, deliveries, 64, 3)
	if other := newID(); true {
		add(t, db, deliveries, other, other, 1)
		claimN(t, db, deliveries, 64, 1) // another owner is not held up
	}
}

func TestClaimTakesTheLongestDueFirst(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	var want []models.ID
	for range 3 {
		want = append(want, add(t, db, deliveries, owner, owner, 1)...)
		advance(db, time.Second)
	}
	write(t, db, func(tx *models.Tx) error {
		return lane.Add(tx, deliveries, lane.Item{ID: newID(), LaneID: owner, OwnerID: owner, DueAt: tx.Now.Add(time.Minute)})
	})
	for _, id := range want {
		if got := claimN(t, db, deliveries, 1, 1); got[0].ID != id {
			t.Errorf("claimed %v, want %v", got[0].ID, id)
		}
	}
	claimN(t, db, deliveries, 64, 0) // the last one is not due
	advance(db, time.Minute)
	claimN(t, db, deliveries, 64, 4) // nor leased: three ended, one is due
}

func TestKindsAreApart(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 1)
	claimN(t, db, lane.Kind{Name: "node.cheap"}, 64, 0)
	claimN(t, db, deliveries, 64, 1)
}

func TestAPriorityGoesFirst(t *testing.T) {
	db := dbtest.New(t)
	owner, urgent := newID(), newID()
	add(t, db, deliveries, owner, owner, 3)
	write(t, db, func(tx *models.Tx) error {
		return lane.Add(tx, deliveries, lane.Item{ID: urgent, LaneID: owner, OwnerID: owner, Priority: 1})
	})
	if got := claimN(t, db, deliveries, 1, 1); got[0].ID != urgent {
		t.Error("the urgent item was not first")
	}
}

func TestFairness(t *testing.T) {
	db := dbtest.New(t)
	pool := lane.Kind{Name: "node.cheap"} // no cap: only fairness holds the busy one back
	busy, other := newID(), newID()
	add(t, db, pool, busy, busy, 10_000)
	first := claimN(t, db, pool, 4, 4)
	advance(db, time.Second)
	add(t, db, pool, other, other, 2)

	finish(t, db, first[0])
	if got := claimN(t, db, pool, 1, 1); got[0].LaneID != other {
		t.Error("the next slot went to the account with 10,000 items")
	}
	finish(t, db, first[1:]...)
	got := claimN(t, db, pool, 4, 4)
	if n := len(slices.DeleteFunc(got, func(l lane.Lease) bool { return l.LaneID != other })); n != 1 {
		t.Errorf("the small account got %d of the next four slots, want its last one", n)
	}
}

func TestSlotsAreSpreadOverLanes(t *testing.T) {
	db := dbtest.New(t)
	pool := lane.Kind{Name: "node.media"}
	accounts := []models.ID{newID(), newID(), newID()}
	for _, a := range accounts {
		add(t, db, pool, a, a, 10)
	}
	perLane := map[models.ID]int{}
	for _, l := range claimN(t, db, pool, 6, 6) {
		perLane[l.LaneID]++
	}
	for _, a := range accounts {
		if perLane[a] != 2 {
			t.Errorf("an account has %d slots of 6, want 2", perLane[a])
		}
	}
}

func TestAnEndedLeaseIsTakenOver(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 6)
	stopped := claimN(t, db, deliveries, 5, 5) // its worker stops here

	advance(db, 19*time.Second)
	claimN(t, db, deliveries, 64, 0)
	advance(db, 2*time.Second)
	taken := claimN(t, db, deliveries, 64, 5) // the slots of the dead are free again
	again := 0
	for _, l := range taken {
		if l.Attempt == 2 {
			again++
		}
	}
	if again < 4 {
		t.Errorf("%d items were taken over, want at least 4", again)
	}
	held, err := lane.Renew(t.Context(), db, deliveries, stopped)
	if err != nil || len(held) != 0 {
		t.Errorf("the stopped worker still holds %d leases (%v)", len(held), err)
	}
	for _, l := range stopped {
		if slices.ContainsFunc(taken, func(n lane.Lease) bool { return n.ID == l.ID }) {
			wantLost(t, db, "a late Hold", func(tx *models.Tx) error { return lane.Hold(tx, l) })
			wantLost(t, db, "a late Finish", func(tx *models.Tx) error { return lane.Finish(tx, l) })
			wantLost(t, db, "a late Retry", func(tx *models.Tx) error { return lane.Retry(tx, l, tx.Now) })
		}
	}
	finish(t, db, taken...)
}

func TestRenewedLeasesStay(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 1)
	leases := claimN(t, db, deliveries, 1, 1)
	for range 10 {
		advance(db, 15*time.Second)
		held, err := lane.Renew(t.Context(), db, deliveries, leases)
		if err != nil || len(held) != 1 || !held[0].Until.Equal(db.Clock.Now().Add(lane.DefaultLease)) {
			t.Fatalf("renewed %v (%v)", held, err)
		}
		claimN(t, db, deliveries, 64, 0)
	}
	finish(t, db, leases...)
}

func TestRenewDoesNotWaitForAWriter(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 2)
	leases := claimN(t, db, deliveries, 2, 2)
	advance(db, 5*time.Second)
	write(t, db, func(tx *models.Tx) error {
		if err := lane.Hold(tx, leases[0]); err != nil {
			return err
		}
		held, err := lane.Renew(t.Context(), db, deliveries, leases)
		if err != nil || len(held) != 2 {
			t.Errorf("held %d of 2 leases (%v)", len(held), err)
		}
		return nil
	})
}

func TestRetryAndRelease(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 1)
	for i, want := range []int{1, 2, 2, 3} {
		leases := claimN(t, db, deliveries, 1, 1)
		if leases[0].Attempt != want {
			t.Errorf("attempt %d, want %d", leases[0].Attempt, want)
		}
		write(t, db, func(tx *models.Tx) error {
			give := lane.Retry
			if i == 1 { // the first of the two second attempts does not count
				give = lane.Release
			}
			return give(tx, leases[0], tx.Now.Add(30*time.Second))
		})
		wantLost(t, db, "a second end", func(tx *models.Tx) error { return lane.Finish(tx, leases[0]) })
		advance(db, 29*time.Second)
		claimN(t, db, deliveries, 1, 0)
		advance(db, time.Second)
	}
}

func TestMakeDue(t *testing.T) {
	db := dbtest.New(t)
	owner, id := newID(), newID()
	makeDue := func() (ok bool) {
		write(t, db, func(tx *models.Tx) (err error) {
			ok, err = lane.MakeDue(tx, id)
			return err
		})
		return ok
	}
	if makeDue() {
		t.Error("an item that does not exist was made due")
	}
	write(t, db, func(tx *models.Tx) error {
		return lane.Add(tx, deliveries, lane.Item{ID: id, LaneID: owner, OwnerID: owner, DueAt: tx.Now.Add(time.Hour)})
	})
	claimN(t, db, deliveries, 1, 0)
	if !makeDue() {
		t.Error("a waiting item was not made due")
	}
	claimN(t, db, deliveries, 1, 1)
	if makeDue() {
		t.Error("an item in flight was made due")
	}
}

func TestCancel(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	ids := add(t, db, deliveries, owner, owner, 3)
	leases := claimN(t, db, deliveries, 1, 1)
	write(t, db, func(tx *models.Tx) error {
		removed, err := lane.Cancel(tx, append(ids, newID())...)
		if len(removed) != 3 {
			t.Errorf("removed %d items, want 3", len(removed))
		}
		return err
	})
	wantLost(t, db, "Finish after Cancel", func(tx *models.Tx) error { return lane.Finish(tx, leases[0]) })
	claimN(t, db, deliveries, 64, 0)

	// The same id in a second life does not meet the first one's fence.
	write(t, db, func(tx *models.Tx) error {
		return lane.Add(tx, deliveries, lane.Item{ID: leases[0].ID, LaneID: owner, OwnerID: owner})
	})
	claimN(t, db, deliveries, 1, 1)
	wantLost(t, db, "Finish of the first life", func(tx *models.Tx) error { return lane.Finish(tx, leases[0]) })
}

func TestCancelRacesFinish(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	pool := lane.Kind{Name: "node.cheap"}
	ids := add(t, db, pool, owner, owner, 40)
	leases := claimN(t, db, pool, 40, 40)
	finished, cancelled := make(chan int), make(chan int)
	go func() {
		n := 0
		for _, l := range leases {
			if db.Write(t.Context(), func(tx *models.Tx) error { return lane.Finish(tx, l) }) == nil {
				n++
			}
		}
		finished <- n
	}()
	go func() {
		n := 0
		for _, id := range slices.Backward(ids) {
			_ = db.Write(t.Context(), func(tx *models.Tx) error {
				removed, err := lane.Cancel(tx, id)
				n += len(removed)
				return err
			})
		}
		cancelled <- n
	}()
	if f, c := <-finished, <-cancelled; f+c != 40 {
		t.Errorf("%d finished and %d cancelled, of 40", f, c)
	}
}

func TestRemoveLane(t *testing.T) {
	db := dbtest.New(t)
	owner, gone, stays := newID(), newID(), newID()
	add(t, db, deliveries, gone, owner, 7)
	add(t, db, deliveries, stays, owner, 1)
	write(t, db, func(tx *models.Tx) error {
		removed, err := lane.RemoveLane(tx, deliveries, gone)
		if len(removed) != 7 {
			t.Errorf("removed %d items, want 7", len(removed))
		}
		return err
	})
	claimN(t, db, deliveries, 64, 1)
}

func TestAnEmptyLaneSleeps(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 1)
	finish(t, db, claimN(t, db, deliveries, 1, 1)...)
	advance(db, time.Minute)
	claimN(t, db, deliveries, 1, 0)
	if n := count(t, db, `SELECT count(*) FROM lanes WHERE next_due_at IS NOT NULL`); n != 0 {
		t.Error("an empty lane is still looked at")
	}
	add(t, db, deliveries, owner, owner, 1)
	claimN(t, db, deliveries, 1, 1)
}

// A claim that finds a lane empty while work is being added to it must not put
// it to sleep for good.
func TestWorkAddedDuringAClaimIsFound(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 1)
	write(t, db, func(tx *models.Tx) error {
		item := lane.Item{ID: tx.NewID(), LaneID: owner, OwnerID: owner}
		if err := lane.Add(tx, deliveries, item); err != nil {
			return err
		}
		claimN(t, db, deliveries, 64, 1) // not held up by the writer, and blind to its item
		return nil
	})
	claimN(t, db, deliveries, 64, 1)
}

// A long backlog of one lane keeps no one else waiting: claims behind it are as
// fast as those of a kind without one, measured by turns.
func TestBacklog(t *testing.T) {
	backlog, others := 20_000, 500
	if soak {
		backlog, others = 1_000_000, 10_000
	}
	db := dbtest.New(t)
	calm := lane.Kind{Name: "calm", PerLane: deliveries.PerLane, PerOwner: deliveries.PerOwner}
	busy := newID()
	for range backlog / 10_000 {
		add(t, db, deliveries, busy, busy, 10_000)
	}
	claimN(t, db, deliveries, 64, 5)
	for _, kind := range []lane.Kind{deliveries, calm} {
		items := make([]lane.Item, others)
		write(t, db, func(tx *models.Tx) error {
			for i := range items {
				id := newID()
				items[i] = lane.Item{ID: tx.NewID(), LaneID: id, OwnerID: id}
			}
			return lane.Add(tx, kind, items...)
		})
	}
	took := map[string][]time.Duration{}
	for taken := 0; taken < others; {
		for _, kind := range []lane.Kind{deliveries, calm} {
			before := time.Now()
			leases := claim(t, db, kind, 32)
			took[kind.Name] = append(took[kind.Name], time.Since(before))
			if len(leases) == 0 {
				t.Fatalf("claimed only %d of %d", taken, others)
			}
			if kind.Name == calm.Name {
				taken += len(leases)
			}
			finish(t, db, leases...)
		}
		advance(db, 10*time.Millisecond)
	}
	behind, beside := median(took[deliveries.Name]), median(took[calm.Name])
	if behind > 5*beside {
		t.Errorf("a claim takes %v behind the backlog, else %v", behind, beside)
	}
	t.Logf("%v behind a backlog of %d, %v beside it", behind, backlog, beside)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// Slots are counted from live leases: however many workers die, as many items
// fly as there are slots, once their leases are over.
func TestSlotsAfterKills(t *testing.T) { slotsAfterKills(t, 150) }

func slotsAfterKills(t *testing.T, kills int) {
	db := dbtest.New(t)
	owner := newID()
	lanes := []models.ID{newID(), newID(), newID()}
	for _, l := range lanes {
		add(t, db, deliveries, l, owner, 40)
	}
	for killed := 0; killed < kills; {
		leases := claimN(t, db, deliveries, 64, deliveries.PerOwner)
		killed += len(leases) - 2
		finish(t, db, leases[0])
		add(t, db, deliveries, leases[0].LaneID, owner, 1)
		claimN(t, db, deliveries, 64, 1) // one slot was given back
		if n := count(t, db, `SELECT count(*) FROM lane_items WHERE lease_until > $1`, db.Clock.Now()); n != deliveries.PerOwner {
			t.Fatalf("after %d kills %d items fly", killed, n)
		}
		advance(db, lane.DefaultLease+time.Second)
	}
}
