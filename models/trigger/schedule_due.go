package trigger

import (
	"context"
	"encoding/json"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/timetable"
)

// How schedules fire. There is no leader: every replica looks for schedules that
// are due and takes them in batches, and the rows decide. Taking writes the minute
// down and moves the schedule to its next one, in one transaction; the run of the
// minute starts in a transaction of its own, together with what became of the
// minute. Anyone who dies in between leaves a due minute, which another takes up.

// fire is a minute that this process has taken on.
type fire struct {
	TriggerID, WorkflowID, CreatedBy models.ID
	Minute                           time.Time
}

// dueSchedule is a schedule whose minute has come.
type dueSchedule struct {
	ID, WorkflowID, CreatedBy models.ID
	Config                    nodegraph.Data
	RunCount                  int64
	NextFireAt                time.Time
}

// scheduleMove is what taking a due schedule writes.
type scheduleMove struct {
	ID     models.ID  `json:"id"`
	Next   *time.Time `json:"next"`
	Parked *string    `json:"parked"`
}

// newFire is a row of schedule_fires that taking a schedule writes.
type newFire struct {
	TriggerID  models.ID   `json:"trigger_id"`
	Minute     time.Time   `json:"fire_minute"`
	Label      string      `json:"local_label"`
	Outcome    FireOutcome `json:"outcome"`
	Minutes    int         `json:"minutes"`
	LastMinute time.Time   `json:"last_minute"`
	TryAt      *time.Time  `json:"try_at"`
	SettledAt  *time.Time  `json:"settled_at"`
}

// takeDue takes up to firesAtOnce schedules whose minute has come. The first room
// of their fires are for this process to start; others are left to the one who has
// time. seen is how many schedules there were.
func (s *Service) takeDue(ctx context.Context, room int) (taken []fire, seen int, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		taken, seen = nil, 0
		due, err := models.Rows(tx.Context(), s.DB, func(d *dueSchedule) []any {
			return []any{&d.ID, &d.WorkflowID, &d.CreatedBy, &d.Config, &d.RunCount, &d.NextFireAt}
		}, `SELECT id, workflow_id, created_by, config, run_count, next_fire_at FROM workflow_triggers
			WHERE next_fire_at <= $1 ORDER BY next_fire_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`, tx.Now, firesAtOnce)
		if err != nil || len(due) == 0 {
			return err
		}
		seen = len(due)
		moves, fires := make([]scheduleMove, 0, seen), make([]newFire, 0, seen)
		mine := make(map[models.ID]dueSchedule, seen)
		for _, d := range due {
			move, add := d.take(tx.Now)
			moves = append(moves, move)
			if move.Parked != nil {
				t := &Trigger{WorkflowID: d.WorkflowID, Type: ScheduleTrigger, CreatedBy: d.CreatedBy, ParkedReason: move.Parked}
				if err := s.tellParked(tx, t); err != nil {
					return err
				}
			}
			for i := range add {
				if add[i].Outcome == FireDue {
					add[i].TryAt = &tx.Now
					if room > 0 {
						until := tx.Now.Add(fireLease)
						add[i].TryAt, mine[d.ID] = &until, d
						room--
					}
				}
			}
			fires = append(fires, add...)
		}
		added, err := writeDue(tx, s.DB, moves, fires)
		for _, f := range added {
			if d, ok := mine[f.TriggerID]; ok {
				f.WorkflowID, f.CreatedBy = d.WorkflowID, d.CreatedBy
				taken = append(taken, f)
			}
		}
		return err
	})
	return taken, seen, err
}

// take decides what a due schedule does: minutes that are over were missed, the
// one that the clock shows fires, and the next one is waited for. Rules may read
// otherwise than when the minute was worked out, for zones change theirs.
func (d *dueSchedule) take(now time.Time) (move scheduleMove, fires []newFire) {
	move.ID = d.ID
	table, problem := timetable.Read(d.Config)
	if problem != nil {
		move.Parked = &problem.Sentence
		return move, nil
	}
	if usedUp(table, d.RunCount) {
		return move, nil
	}
	overAt := now.Add(-fireWithin)
	from := d.NextFireAt.Add(-time.Second)
	if n, last := table.Count(from, overAt, maxMissed); n > 0 {
		first, _ := table.NextAfter(from)
		fires = append(fires, newFire{
			TriggerID: d.ID, Minute: first, Label: label(table, first), Outcome: FireMissed, Minutes: n, LastMinute: last, SettledAt: &now,
		})
	}
	if overAt.After(from) {
		from = overAt
	}
	if minute, ok := table.NextAfter(from); ok && !minute.After(now) {
		fires = append(fires, newFire{
			TriggerID: d.ID, Minute: minute, Label: label(table, minute), Outcome: FireDue, Minutes: 1, LastMinute: minute,
		})
	}
	move.Next = nextMinute(table, d.RunCount, now)
	return move, fires
}

// label names a minute once, however often a clock shows it: with its zone, so
// that a schedule may move to another.
func label(table *timetable.Timetable, minute time.Time) string {
	return table.LabelAt(minute).String() + " " + table.ZoneName
}

// writeDue moves the schedules on and adds their minutes, those that no one added
// before; it returns the due ones among them.
func writeDue(tx *models.Tx, db *models.DB, moves []scheduleMove, fires []newFire) ([]fire, error) {
	moved, err := json.Marshal(moves)
	if err != nil {
		return nil, err
	}
	added, err := json.Marshal(fires)
	if err != nil {
		return nil, err
	}
	return models.Rows(tx.Context(), db, func(f *fire) []any { return []any{&f.TriggerID, &f.Minute} }, `
		WITH moved AS (
			UPDATE workflow_triggers t SET next_fire_at = m.next, parked_reason = m.parked
			FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, next timestamptz, parked text) WHERE t.id = m.id
		), added AS (
			INSERT INTO schedule_fires (trigger_id, fire_minute, local_label, outcome, minutes, last_minute, try_at, created_at, settled_at)
			SELECT trigger_id, fire_minute, local_label, outcome, minutes, last_minute, try_at, $3, settled_at
			FROM jsonb_to_recordset($2::jsonb) AS f(trigger_id uuid, fire_minute timestamptz, local_label text, outcome text,
				minutes int, last_minute timestamptz, try_at timestamptz, settled_at timestamptz)
			ON CONFLICT DO NOTHING RETURNING trigger_id, fire_minute, outcome
		)
		SELECT trigger_id, fire_minute FROM added WHERE outcome = 'due'`, string(moved), string(added), tx.Now)
}

// takeLeft takes on due minutes that no one has started in time: those for which
// there was no room, and those of a process that died.
func (s *Service) takeLeft(ctx context.Context, room int) (taken []fire, err error) {
	if room <= 0 {
		return nil, nil
	}
	err = s.DB.Write(ctx, func(tx *models.Tx) (err error) {
		taken, err = models.Rows(tx.Context(), s.DB, func(f *fire) []any { return []any{&f.TriggerID, &f.Minute, &f.WorkflowID, &f.CreatedBy} }, `
			UPDATE schedule_fires f SET try_at = $2
			FROM (SELECT trigger_id, fire_minute FROM schedule_fires WHERE outcome = 'due' AND try_at <= $1
				ORDER BY try_at LIMIT $3 FOR UPDATE SKIP LOCKED) d, workflow_triggers t
			WHERE f.trigger_id = d.trigger_id AND f.fire_minute = d.fire_minute AND t.id = f.trigger_id
			RETURNING f.trigger_id, f.fire_minute, t.workflow_id, t.created_by`, tx.Now, tx.Now.Add(fireLease), min(room, firesAtOnce))
		return err
	})
	return taken, err
}
