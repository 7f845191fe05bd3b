package trigger

import (
	"bytes"
	"maps"
	"slices"

	"atelier/models"
)

// The bounds of what starts by itself. Every schedule may start a run each minute, for
// nothing when its workflow costs nothing, so they are counted by account.
const (
	// MaxActiveSchedules is how many schedules of an account may wait for their minutes.
	MaxActiveSchedules = 100
	// MaxTriggerNodes is how many trigger nodes of a graph start something.
	MaxTriggerNodes = 20
)

// Why a trigger of a node is parked that is beyond a bound: the workflow is saved all the same.
const (
	parkedForSchedules = "The account that it runs as has 100 schedules already: pause or delete another one."
	parkedForNodes     = "A workflow may have 20 triggers on its canvas, and this is one more: remove another one."
)

// errSchedules is the refusal of a schedule that is made or turned on by hand.
var errSchedules = models.Err(models.CodeLimitReached, "An account may have %d schedules that are on; pause or delete one first", MaxActiveSchedules)

// parkedFor tells whether it is parked for a reason.
func (t *Trigger) parkedFor(reason string) bool {
	return t.ParkedReason != nil && *t.ParkedReason == reason
}

// park has a trigger start nothing, and says why.
func (t *Trigger) park(reason string) {
	t.ParkedReason, t.NextFireAt = &reason, nil
	t.IsActive = t.IsActive && t.Type == ScheduleTrigger // an address answers that it is paused
}

// wakes tells whether a change has a schedule wait for a minute that waited for none.
func (t *Trigger) wakes(before *Trigger) bool { return before.NextFireAt == nil && t.NextFireAt != nil }

// roomForSchedules is how many more schedules of an account may wait for their minutes.
// Others who ask wait until the transaction has ended.
func (s *Service) roomForSchedules(tx *models.Tx, accountID models.ID) (int, error) {
	if _, err := tx.Run(`SELECT pg_advisory_xact_lock(hashtextextended($1, 12))`, accountID.String()); err != nil {
		return 0, err
	}
	var waiting int
	err := s.DB.Row(tx.Context(), `
		SELECT count(*) FROM (SELECT FROM workflow_triggers WHERE created_by = $1 AND next_fire_at IS NOT NULL LIMIT $2) n`,
		accountID, 10*MaxActiveSchedules).Scan(&waiting)
	return MaxActiveSchedules - waiting, err
}

// admitSchedule refuses what would have a further schedule wait: limit_reached.
func (s *Service) admitSchedule(tx *models.Tx, t, before *Trigger) error {
	if !t.wakes(before) {
		return nil
	}
	room, err := s.roomForSchedules(tx, t.CreatedBy)
	if err == nil && room <= 0 {
		err = errSchedules
	}
	return err
}

// followed is a trigger with the settings of its node; before is what it was, nil
// when it is new.
type followed struct{ t, before *Trigger }

// was is what it was; nothing when it is new.
func (f followed) was() *Trigger {
	if f.before == nil {
		return &Trigger{}
	}
	return f.before
}

// park parks those of a graph's triggers that are beyond a bound: those that are new
// before those that were there.
func (s *Service) park(tx *models.Tx, all []followed, removed []*Trigger) error {
	room := MaxTriggerNodes
	for _, known := range []bool{true, false} {
		for _, f := range all {
			if (f.before != nil && !f.before.parkedFor(parkedForNodes)) != known {
				continue
			}
			if room--; room < 0 {
				f.t.park(parkedForNodes)
			}
		}
	}
	return s.parkSchedules(tx, all, removed)
}

// parkSchedules parks the schedules that their accounts have no room for. What the
// same save has stop waiting makes room.
func (s *Service) parkSchedules(tx *models.Tx, all []followed, removed []*Trigger) error {
	rooms := map[models.ID]int{}
	for _, f := range all {
		if f.t.wakes(f.was()) {
			rooms[f.t.CreatedBy] = 0
		}
	}
	if len(rooms) == 0 {
		return nil
	}
	ids := slices.SortedFunc(maps.Keys(rooms), func(a, b models.ID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range ids { // in one order, for others wait
		room, err := s.roomForSchedules(tx, id)
		if err != nil {
			return err
		}
		rooms[id] = room
	}
	for _, f := range all {
		if f.was().NextFireAt != nil && f.t.NextFireAt == nil {
			rooms[f.before.CreatedBy]++
		}
	}
	for _, t := range removed {
		if t.NextFireAt != nil {
			rooms[t.CreatedBy]++
		}
	}
	for _, f := range all {
		if f.t.wakes(f.was()) {
			if rooms[f.t.CreatedBy]--; rooms[f.t.CreatedBy] < 0 {
				f.t.park(parkedForSchedules)
			}
		}
	}
	return nil
}
