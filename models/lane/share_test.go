package lane_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"atelier/models/dbtest"
	"atelier/models/lane"
)

// Of two slots a lane holds one, whether others wait or not: the work of the next comes
// to the other at once, however long that of the first takes.
func TestALaneHoldsHalfOfTheSlots(t *testing.T) {
	db := dbtest.New(t)
	media := lane.Kind{Name: "media"}
	first, second := newID(), newID()
	release := make(chan struct{})
	var mu sync.Mutex
	begun := map[string]int{}
	holds := func(id string) int {
		mu.Lock()
		defer mu.Unlock()
		return begun[id]
	}
	run(t, &lane.Dispatcher{DB: db, Kind: media, Slots: 2, Half: true, Handle: finishing(db, func(ctx context.Context, l lane.Lease) error {
		mu.Lock()
		begun[l.LaneID.String()]++
		mu.Unlock()
		if l.LaneID == first {
			select {
			case <-release:
			case <-ctx.Done():
			}
		}
		return nil
	})})
	add(t, db, media, first, first, 5)
	eventually(t, time.Minute, "the first begins", func() bool { return holds(first.String()) == 1 })
	add(t, db, media, second, second, 3)
	eventually(t, time.Minute, "the second is done beside it", func() bool { return holds(second.String()) == 3 })
	if n := holds(first.String()); n != 1 {
		t.Errorf("the first holds %d slots", n)
	}
	close(release)
	eventually(t, time.Minute, "the rest is done", func() bool { return count(t, db, `SELECT count(*) FROM lane_items`) == 0 })
}
