package lane_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

// gauge counts what flies, as the receivers see it.
type gauge struct {
	mu            sync.Mutex
	flying, most  map[models.ID]int
	handled, over int
}

func newGauge() *gauge { return &gauge{flying: map[models.ID]int{}, most: map[models.ID]int{}} }

func (g *gauge) enter(id models.ID, limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flying[id]++
	g.most[id] = max(g.most[id], g.flying[id])
	if g.flying[id] > limit {
		g.over++
	}
}

// reached tells whether that many of one id have flown at the same time.
func (g *gauge) reached(id models.ID, n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.most[id] >= n
}

func (g *gauge) leave(id models.ID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flying[id]--
	g.handled++
}

// The caps hold at the receiver, whatever four replicas do at once, and every
// item is handled once. No one's first items end before all of their owner's
// slots are in use, so slots that stay empty stop the test.
func TestCapsUnderFourReplicas(t *testing.T) {
	items, owners := 40, 6
	if soak {
		items = 1000
	}
	url, clock := dbtest.NewURL(t), &models.DatabaseClock{}
	db := dbtest.Open(t, url, clock)
	perLane, perOwner := newGauge(), newGauge()
	var twice sync.Map
	var repeated atomic.Int64
	var dispatchers []*lane.Dispatcher
	for i := range 4 {
		replica := dbtest.Open(t, url, clock)
		bus, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		go replica.Bus.Run(bus)
		dispatchers = append(dispatchers, &lane.Dispatcher{
			DB: replica, Kind: deliveries, Worker: fmt.Sprint("replica ", i), Slots: 32, Drain: 5 * time.Second,
			Handle: finishing(replica, func(ctx context.Context, l lane.Lease) error {
				perLane.enter(l.LaneID, 5)
				perOwner.enter(l.OwnerID, 10)
				if _, before := twice.LoadOrStore(l.ID, true); before {
					repeated.Add(1)
				}
				for !perOwner.reached(l.OwnerID, 10) && ctx.Err() == nil {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(time.Duration(rand.IntN(8)) * time.Millisecond)
				perLane.leave(l.LaneID)
				perOwner.leave(l.OwnerID)
				return nil
			}),
		})
	}
	stop := run(t, dispatchers...)
	started := time.Now()
	var adding sync.WaitGroup
	for range owners {
		owner := newID()
		for range 3 {
			adding.Go(func() {
				endpoint := newID()
				for range items / 10 {
					add(t, db, deliveries, endpoint, owner, 10)
				}
			})
		}
	}
	adding.Wait()
	want := items / 10 * 10 * owners * 3
	eventually(t, 2*time.Minute, "all items handled, every owner having used all its slots", func() bool {
		return count(t, db, `SELECT count(*) FROM lane_items`) == 0
	})
	t.Logf("%d items in %v", want, time.Since(started))
	stop()
	if perLane.over != 0 || perOwner.over != 0 {
		t.Errorf("caps exceeded: %d times on a lane, %d times on an owner", perLane.over, perOwner.over)
	}
	if perLane.handled != want || repeated.Load() != 0 {
		t.Errorf("handled %d items, want %d; %d more than once", perLane.handled, want, repeated.Load())
	}
}

// Slots that free up are used at once, not after the second in which a full
// lane is looked at again by itself: the clock stands still here.
func TestParkedLanesWake(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	var handled atomic.Int64
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 16, Handle: finishing(db, func(context.Context, lane.Lease) error {
		handled.Add(1)
		return nil
	})})
	add(t, db, deliveries, owner, owner, 300)
	eventually(t, time.Minute, "300 items through a cap of 5", func() bool { return handled.Load() == 300 })
}

func TestWorkerDies(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 12)
	// The first dispatcher hangs in all its items and renews nothing: killed.
	hanging := make(chan struct{})
	t.Cleanup(func() { close(hanging) })
	var hung atomic.Int64
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 5, Beat: time.Hour, Handle: func(ctx context.Context, l lane.Lease) error {
		hung.Add(1)
		select {
		case <-hanging:
		case <-ctx.Done():
		}
		return errors.New("dead")
	}})
	eventually(t, time.Minute, "five items hang", func() bool { return hung.Load() == 5 })

	var attempts sync.Map
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 3, Handle: finishing(db, func(_ context.Context, l lane.Lease) error {
		attempts.Store(l.ID, l.Attempt)
		return nil
	})})
	time.Sleep(50 * time.Millisecond)
	if n := count(t, db, `SELECT count(*) FROM lane_items`); n != 12 {
		t.Errorf("%d items are left, want 12: the lane is full", n)
	}
	advance(db, 21*time.Second)
	eventually(t, time.Minute, "the slots of the dead worker are free", func() bool {
		advance(db, time.Second)
		return count(t, db, `SELECT count(*) FROM lane_items`) == 0
	})
}

func TestALostLeaseEndsTheHandler(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	causes := make(chan error, 1)
	ids := add(t, db, deliveries, owner, owner, 1)
	started := make(chan struct{})
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 1, Beat: time.Hour, Handle: func(ctx context.Context, l lane.Lease) error {
		close(started)
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return ctx.Err()
	}})
	<-started
	write(t, db, func(tx *models.Tx) error {
		_, err := lane.Cancel(tx, ids...)
		return err
	})
	select {
	case cause := <-causes:
		if !errors.Is(cause, lane.ErrLost) {
			t.Errorf("ended by %v, want ErrLost", cause)
		}
	case <-time.After(time.Minute): // the bus tells, for there are no beats
		t.Error("the handler of a cancelled item goes on")
	}
}

// The clock goes on by far more than a lease, and each time a beat renews it
// before the next step: no other dispatcher takes the item.
func TestBeatsKeepALongItem(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	var begun atomic.Int64
	over, done := make(chan struct{}), make(chan error, 1)
	for range 2 {
		run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 4, Beat: 20 * time.Millisecond, Handle: func(ctx context.Context, l lane.Lease) error {
			begun.Add(1)
			select {
			case <-ctx.Done():
			case <-over:
			}
			err := db.Write(ctx, func(tx *models.Tx) error { return lane.Finish(tx, l) })
			done <- err
			return err
		}})
	}
	add(t, db, deliveries, owner, owner, 1)
	eventually(t, time.Minute, "the item is taken", func() bool { return begun.Load() == 1 })
	for range 5 {
		advance(db, lane.DefaultLease*3/4)
		eventually(t, time.Minute, "the lease is renewed", func() bool {
			return count(t, db, `SELECT count(*) FROM lane_items WHERE lease_until = $1`, db.Clock.Now().Add(lane.DefaultLease)) == 1
		})
	}
	close(over)
	if err := <-done; err != nil || begun.Load() != 1 {
		t.Errorf("begun %d times, ended with %v", begun.Load(), err)
	}
}

func TestDrain(t *testing.T) {
	for name, test := range map[string]struct {
		drain, work time.Duration
		want        error
	}{
		"handlers finish":        {5 * time.Second, 200 * time.Millisecond, nil},
		"handlers are cut off":   {100 * time.Millisecond, time.Minute, lane.ErrDraining},
		"handlers end at once":   {0, time.Minute, lane.ErrDraining},
		"nothing flies any more": {5 * time.Second, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			db := dbtest.New(t)
			owner := newID()
			add(t, db, deliveries, owner, owner, 1)
			begun, causes := make(chan struct{}), make(chan error, 1)
			stop := run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 1, Drain: test.drain, Handle: func(ctx context.Context, l lane.Lease) error {
				close(begun)
				select {
				case <-ctx.Done():
				case <-time.After(test.work):
				}
				causes <- context.Cause(ctx)
				return db.Write(context.WithoutCancel(ctx), func(tx *models.Tx) error { return lane.Release(tx, l, tx.Now) })
			}})
			<-begun
			before := time.Now()
			stop()
			if took := time.Since(before); took > 40*time.Second { // the longest handlers take a minute
				t.Errorf("draining took %v", took)
			}
			if cause := <-causes; !errors.Is(cause, test.want) {
				t.Errorf("ended by %v, want %v", cause, test.want)
			}
			if n := count(t, db, `SELECT count(*) FROM lane_items WHERE lease_until IS NULL AND attempt = 0`); n > 1 {
				t.Errorf("%d items wait", n)
			}
		})
	}
}

func TestAPanicIsContained(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	var handled, looked atomic.Int64
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 2, Looked: func() { looked.Add(1) }, Handle: finishing(db, func(_ context.Context, l lane.Lease) error {
		if l.Attempt == 1 {
			panic("no")
		}
		handled.Add(1)
		return nil
	})})
	add(t, db, deliveries, owner, owner, 2)
	eventually(t, time.Minute, "items whose handler panicked come back", func() bool {
		advance(db, time.Second)
		return handled.Load() == 2
	})
	if n := looked.Load(); n != 1 {
		t.Errorf("the first look at the lanes was told %d times", n)
	}
}

// Lanes that do not answer may not take the slots kept for the others.
func TestReserve(t *testing.T) {
	db := dbtest.New(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for range 3 {
		id := newID()
		add(t, db, deliveries, id, id, 5)
		write(t, db, func(tx *models.Tx) error {
			return lane.SetHealth(tx, deliveries, id, lane.Health{Streak: 1})
		})
	}
	well := newID()
	answered := make(chan struct{}, 1)
	var stuck atomic.Int64
	run(t, &lane.Dispatcher{DB: db, Kind: deliveries, Slots: 8, Reserve: 2, Handle: func(ctx context.Context, l lane.Lease) error {
		if l.LaneID == well {
			answered <- struct{}{}
			return nil
		}
		stuck.Add(1)
		select {
		case <-release:
		case <-ctx.Done():
		}
		return nil
	}})
	eventually(t, time.Minute, "six slots are stuck", func() bool { return stuck.Load() == 6 })
	add(t, db, deliveries, well, well, 1)
	select {
	case <-answered:
	case <-time.After(time.Minute):
		t.Error("no slot was left for a lane that answers")
	}
	if n := stuck.Load(); n != 6 {
		t.Errorf("%d slots are stuck, want 6 of 8", n)
	}
}
