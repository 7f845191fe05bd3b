package lane_test

import (
	"context"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

// A slot is lent while the dispatcher takes work and has a free one, and never
// while due work waits for it.
func TestSpare(t *testing.T) {
	db := dbtest.NewWithClock(t, &models.DatabaseClock{})
	entered, leave := make(chan struct{}), make(chan struct{})
	d := &lane.Dispatcher{DB: db, Kind: lane.Kind{Name: "spare"}, Worker: "w", Slots: 1, Handle: func(ctx context.Context, lease lane.Lease) error {
		entered <- struct{}{}
		<-leave
		return db.Write(context.Background(), func(tx *models.Tx) error { return lane.Finish(tx, lease) })
	}}
	if _, ok := d.Spare(); ok {
		t.Error("a slot was lent before it ran")
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { d.Run(ctx); close(ended) }()
	borrow := func() (done func()) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if done, ok := d.Spare(); ok {
				return done
			}
		}
		t.Fatal("no slot is lent")
		return nil
	}
	done := borrow()
	if _, ok := d.Spare(); ok {
		t.Error("the only slot was lent twice")
	}
	item := func() lane.Item {
		owner := models.NewID(db.Clock.Now())
		return lane.Item{ID: models.NewID(db.Clock.Now()), LaneID: owner, OwnerID: owner}
	}
	add := func() {
		t.Helper()
		if err := db.Write(t.Context(), func(tx *models.Tx) error { return lane.Add(tx, d.Kind, item(), item()) }); err != nil {
			t.Fatal(err)
		}
	}
	add()
	done() // whereupon the first is taken
	<-entered
	if _, ok := d.Spare(); ok {
		t.Error("a slot was lent that is taken")
	}
	leave <- struct{}{}
	<-entered // the second, for no one stepped in between
	leave <- struct{}{}
	borrow()()
	cancel()
	<-ended
	if _, ok := d.Spare(); ok {
		t.Error("a slot was lent by one that has ended")
	}
}
