package lane_test

import (
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/lane"
)

var rest = lane.Cooldown{After: 5, First: time.Minute, Longest: time.Hour}

func TestRestRule(t *testing.T) {
	now := dbtest.Start
	in := func(d time.Duration) time.Time { return now.Add(d) }
	for name, test := range map[string]struct {
		before   lane.Health
		answered bool
		want     lane.Health
	}{
		"an answer of a healthy lane":     {lane.Health{}, true, lane.Health{}},
		"the first silence":               {lane.Health{}, false, lane.Health{Streak: 1}},
		"the fourth silence":              {lane.Health{Streak: 3}, false, lane.Health{Streak: 4}},
		"an answer after four":            {lane.Health{Streak: 4}, true, lane.Health{}},
		"the fifth silence":               {lane.Health{Streak: 4}, false, lane.Health{Streak: 5, Level: 1, Until: in(time.Minute)}},
		"a straggler during the rest":     {lane.Health{Streak: 5, Level: 1, Until: in(time.Second)}, false, lane.Health{Streak: 6, Level: 1, Until: in(time.Second)}},
		"an answer during the rest":       {lane.Health{Streak: 5, Level: 1, Until: in(time.Second)}, true, lane.Health{}},
		"the first probe fails":           {lane.Health{Streak: 5, Level: 1, Until: now}, false, lane.Health{Streak: 6, Level: 2, Until: in(2 * time.Minute)}},
		"the second probe fails":          {lane.Health{Streak: 6, Level: 2, Until: now}, false, lane.Health{Streak: 7, Level: 3, Until: in(4 * time.Minute)}},
		"the sixth rest is below an hour": {lane.Health{Streak: 9, Level: 5, Until: now}, false, lane.Health{Streak: 10, Level: 6, Until: in(32 * time.Minute)}},
		"the seventh rest is an hour":     {lane.Health{Streak: 10, Level: 6, Until: now}, false, lane.Health{Streak: 11, Level: 7, Until: in(time.Hour)}},
		"a rest is never longer":          {lane.Health{Streak: 99, Level: 95, Until: now}, false, lane.Health{Streak: 100, Level: 96, Until: in(time.Hour)}},
		"the probe succeeds":              {lane.Health{Streak: 99, Level: 95, Until: now}, true, lane.Health{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rest.Next(test.before, test.answered, now); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
	short := lane.Cooldown{After: 5, First: 2 * time.Hour, Longest: time.Hour}
	if got := short.Next(lane.Health{Streak: 4}, false, now); !got.Until.Equal(in(time.Hour)) {
		t.Errorf("a first rest beyond the longest ends at %v", got.Until)
	}
}

// note gives back a lease after an attempt, as the deliveries do.
func note(t *testing.T, db *models.DB, l lane.Lease, answered bool) {
	t.Helper()
	write(t, db, func(tx *models.Tx) error {
		if err := lane.NoteAttempt(tx, deliveries, l.LaneID, rest, answered); err != nil {
			return err
		}
		return lane.Retry(tx, l, tx.Now)
	})
}

func TestRestAndProbe(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 20)
	for _, l := range claimN(t, db, deliveries, 64, 5) {
		note(t, db, l, false)
	}
	for level, length := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		advance(db, length*time.Minute-time.Second)
		claimN(t, db, deliveries, 64, 0)
		advance(db, time.Second)
		probe := claimN(t, db, deliveries, 64, 1)
		advance(db, time.Second)
		claimN(t, db, deliveries, 64, 0) // one probe only
		if level < 7 {
			note(t, db, probe[0], false)
			continue
		}
		note(t, db, probe[0], true)
		claimN(t, db, deliveries, 64, 5) // an answer lifts the rest
	}
}

func TestAProbeWhoseWorkerDiedIsRepeated(t *testing.T) {
	db := dbtest.New(t)
	owner := newID()
	add(t, db, deliveries, owner, owner, 3)
	write(t, db, func(tx *models.Tx) error {
		return lane.SetHealth(tx, deliveries, owner, lane.Health{Until: tx.Now.Add(time.Minute), Level: 1, Streak: 5})
	})
	claimN(t, db, deliveries, 64, 0)
	advance(db, time.Minute)
	claimN(t, db, deliveries, 64, 1)
	advance(db, lane.DefaultLease+time.Second)
	claimN(t, db, deliveries, 64, 1)
}

func TestAPriorityPassesARest(t *testing.T) {
	db := dbtest.New(t)
	owner, ping := newID(), newID()
	add(t, db, deliveries, owner, owner, 3)
	write(t, db, func(tx *models.Tx) error {
		return lane.SetHealth(tx, deliveries, owner, lane.Health{Until: tx.Now.Add(time.Minute), Level: 1, Streak: 5})
	})
	claimN(t, db, deliveries, 64, 0)
	write(t, db, func(tx *models.Tx) error {
		return lane.Add(tx, deliveries, lane.Item{ID: ping, LaneID: owner, OwnerID: owner, Priority: 1})
	})
	if got := claimN(t, db, deliveries, 64, 1); got[0].ID != ping {
		t.Error("something else than the ping was sent during the rest")
	}
}

func TestSilencesAtOnceAreCountedExactly(t *testing.T) {
	db := dbtest.New(t)
	laneID := newID()
	add(t, db, deliveries, laneID, laneID, 1)
	never := lane.Cooldown{After: 1000, First: time.Minute, Longest: time.Hour}
	done := make(chan error)
	for range 20 {
		go func() {
			done <- db.Write(t.Context(), func(tx *models.Tx) error {
				return lane.NoteAttempt(tx, deliveries, laneID, never, false)
			})
		}()
	}
	for range 20 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := count(t, db, `SELECT silent_streak FROM lanes WHERE id = $1`, laneID); n != 20 {
		t.Errorf("counted %d silences, want 20", n)
	}
}
