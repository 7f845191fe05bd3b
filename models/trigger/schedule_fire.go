package trigger

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"time"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/timetable"
)

// startFire starts the run of a minute that was taken on, as the schedule's
// creator, or settles why not: once, no matter who else tries.
func (s *Service) startFire(ctx context.Context, f fire) error {
	var outcome FireOutcome
	var t *Trigger
	var started *run.Execution
	creator := Trigger{CreatedBy: f.CreatedBy}
	err := s.DB.Write(creator.acting(ctx), func(tx *models.Tx) (err error) {
		if t, outcome, err = s.lockFire(tx, f); err != nil || outcome != "" {
			return err
		}
		if started, err = s.startAutomated(tx, t, nil); err != nil {
			return err
		}
		outcome = FireStarted
		if err := f.settle(tx, outcome, &started.ID, nil); err != nil {
			return err
		}
		return t.endIfUsedUp(tx)
	})
	if err == nil {
		s.fired.note(outcome, s.DB.Clock.Now().Sub(f.Minute))
		return nil
	}
	return s.settleRefused(ctx, f, t, err)
}

// lockFire holds a due minute and its workflow's other minutes, and reads its
// schedule. An outcome tells that it is settled, or was before ("due" for the
// latter, which notes nothing).
func (s *Service) lockFire(tx *models.Tx, f fire) (*Trigger, FireOutcome, error) {
	// Two schedules of one workflow wait for each other, so that the second sees the first's run.
	if _, err := tx.Run(`SELECT pg_advisory_xact_lock(hashtextextended($1, 11))`, f.WorkflowID.String()); err != nil {
		return nil, "", err
	}
	t := &Trigger{ID: f.TriggerID, WorkflowID: f.WorkflowID, Type: ScheduleTrigger}
	// Who looks for minutes that were left may hold this one for a moment and then not want it: that is waited for.
	var last models.IDs
	err := s.DB.Row(tx.Context(), `
		SELECT t.created_by, t.is_active, t.config, t.run_count, `+lastRuns+`
		FROM schedule_fires f JOIN workflow_triggers t ON t.id = f.trigger_id
		WHERE f.trigger_id = $1 AND f.fire_minute = $2 AND f.outcome = 'due'
		FOR UPDATE OF f`, f.TriggerID, f.Minute,
	).Scan(&t.CreatedBy, &t.IsActive, &t.Config, &t.RunCount, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, FireDue, nil
	}
	if err != nil {
		return nil, "", err
	}
	going, err := s.goingRun(tx.Context(), f.WorkflowID, last)
	if err != nil {
		return nil, "", err
	}
	table, problem := timetable.Read(t.Config)
	switch outcome := minuteOutcome(table, problem, t, going, tx.Now.Sub(f.Minute)); outcome {
	case "":
	case FireSkippedRunning:
		return t, outcome, f.settle(tx, outcome, going, nil)
	default:
		return t, outcome, f.settle(tx, outcome, nil, nil)
	}
	if t.CreatedBy != f.CreatedBy {
		return nil, "", errOtherCreatorMeanwhile
	}
	return t, "", nil
}

// minuteOutcome is what becomes of a due minute whose run is not to start, empty when it is.
func minuteOutcome(table *timetable.Timetable, problem *timetable.Problem, t *Trigger, going *models.ID, late time.Duration) FireOutcome {
	switch {
	case late > startWithin:
		return FireMissed
	case !t.IsActive || problem != nil || usedUp(table, t.RunCount):
		return FireSkippedPaused
	case going != nil:
		return FireSkippedRunning
	}
	return ""
}

// errOtherCreatorMeanwhile has a minute taken on again, for the person as whom the schedule runs now.
var errOtherCreatorMeanwhile = errors.New("the schedule has another creator now")

// lastRuns are the last runs of the schedules of t's workflow.
const lastRuns = `coalesce((SELECT array_agg(o.last_execution_id) FROM workflow_triggers o
		WHERE o.workflow_id = t.workflow_id AND o.type = 'schedule' AND o.last_execution_id IS NOT NULL), '{}')`

// goingRun is the workflow's previous run, if it still goes on (contract 2,
// "Schedule firing rules" 3): the last one of any schedule of the workflow, or
// one of the newest that the workflow has, the one who started it. Runs of an app
// that was published of it are the app's.
func (s *Service) goingRun(ctx context.Context, workflow models.ID, last models.IDs) (*models.ID, error) {
	all, err := run.GoingRuns(ctx, s.DB, map[models.ID]models.IDs{workflow: last})
	if run, found := all[workflow]; found {
		return &run, err
	}
	return nil, err
}

// settle writes what became of a due minute, which the transaction holds.
func (f fire) settle(tx *models.Tx, outcome FireOutcome, executionID *models.ID, code *string) error {
	_, err := tx.Run(`UPDATE schedule_fires SET outcome = $3, execution_id = $4, error_code = $5, settled_at = $6, try_at = NULL
		WHERE trigger_id = $1 AND fire_minute = $2 AND outcome = 'due'`, f.TriggerID, f.Minute, outcome, executionID, code, tx.Now)
	return err
}

// endIfUsedUp waits for nothing any more once the schedule has run as often as it may.
func (t *Trigger) endIfUsedUp(tx *models.Tx) error {
	table, problem := timetable.Read(t.Config)
	if problem != nil || !usedUp(table, t.RunCount) {
		return nil
	}
	_, err := tx.Run(`UPDATE workflow_triggers SET next_fire_at = NULL WHERE id = $1`, t.ID)
	return err
}

// settleRefused writes down that a minute started nothing: with one failed entry
// in the history for a refusal, and trying again for a trouble that passes.
func (s *Service) settleRefused(ctx context.Context, f fire, t *Trigger, cause error) error {
	refusal := leavesEntry(cause)
	if refusal == nil && !models.HasCode(cause, models.CodeTriggerPaused) {
		return s.tryAgain(ctx, f, cause)
	}
	outcome := FireFailed
	err := s.DB.Write(ctx, func(tx *models.Tx) error {
		var id *models.ID
		var code *string
		var held bool
		err := s.DB.Row(tx.Context(), `SELECT true FROM schedule_fires WHERE trigger_id = $1 AND fire_minute = $2 AND outcome = 'due' FOR UPDATE`,
			f.TriggerID, f.Minute).Scan(&held)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if refusal == nil {
			outcome = FireSkippedPaused
		} else {
			entry, err := s.refuseAutomated(tx, t, refusal)
			if err != nil {
				return err
			}
			said := string(refusal.Code)
			if code = &said; entry != nil {
				id = &entry.ID
			}
		}
		return f.settle(tx, outcome, id, code)
	})
	if err == nil {
		s.fired.note(outcome, s.DB.Clock.Now().Sub(f.Minute))
	}
	return err
}

// tryAgain leaves a due minute for later, later each time; after fireTries it has
// failed.
func (s *Service) tryAgain(ctx context.Context, f fire, cause error) error {
	slog.WarnContext(ctx, "a schedule's run did not start", "trigger", f.TriggerID, "minute", f.Minute, "error", cause)
	return s.DB.Write(ctx, func(tx *models.Tx) error {
		_, err := tx.Run(`
			UPDATE schedule_fires SET tries = tries + 1,
				try_at = CASE WHEN tries + 1 < $4 THEN $3::timestamptz + (tries + 1) * interval '5 seconds' END,
				outcome = CASE WHEN tries + 1 < $4 THEN outcome ELSE 'failed' END,
				error_code = CASE WHEN tries + 1 < $4 THEN error_code ELSE 'internal_error' END,
				settled_at = CASE WHEN tries + 1 < $4 THEN settled_at ELSE $3::timestamptz END
			WHERE trigger_id = $1 AND fire_minute = $2 AND outcome = 'due'`, f.TriggerID, f.Minute, tx.Now, fireTries)
		return err
	})
}

// RecheckSchedules works out again when schedules fire next: zones change their rules, and
// what was worked out before then is wrong.
func (s *Service) RecheckSchedules(ctx context.Context) error {
	timetable.ForgetZones()
	ctx = models.ForWork(ctx)
	var after models.ID
	for {
		var count int
		err := s.DB.Write(ctx, func(tx *models.Tx) error {
			all, err := models.Rows(tx.Context(), s.DB, func(d *recheckedSchedule) []any {
				return []any{&d.ID, &d.Config, &d.RunCount, &d.NextFireAt}
			}, `SELECT id, config, run_count, next_fire_at FROM workflow_triggers
				WHERE id > $1 AND type = 'schedule' AND is_active AND parked_reason IS NULL AND (next_fire_at IS NULL OR next_fire_at > $2)
				ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`, after, tx.Now, firesAtOnce)
			if err != nil {
				return err
			}
			count = len(all)
			var moves []scheduleMove
			for _, d := range all {
				after = d.ID
				next := nextFire(d.Config, d.RunCount, tx.Now)
				if next == nil && d.NextFireAt == nil || next != nil && d.NextFireAt != nil && next.Equal(*d.NextFireAt) {
					continue
				}
				moves = append(moves, scheduleMove{ID: d.ID, Next: next})
			}
			if len(moves) == 0 {
				return nil
			}
			_, err = writeDue(tx, s.DB, moves, []newFire{})
			return err
		})
		if err != nil || count < firesAtOnce {
			return err
		}
	}
}

type recheckedSchedule struct {
	ID         models.ID
	Config     nodegraph.Data
	RunCount   int64
	NextFireAt *time.Time
}
