package trigger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/flow"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/models/timetable"
)

// How the runs of many minutes start at once: in one transaction, with a statement for
// each kind of row. A minute that is refused, or held by a person, is left to a
// transaction of its own, so that it takes no other along.

const (
	// firesPerBatch is how many runs of schedules one transaction starts.
	firesPerBatch = 32
	// batchTries is how often a batch is begun again without a run that was refused.
	batchTries = 3
)

// opened is a due minute that a transaction holds, with what decides about it.
type opened struct {
	fire
	trigger *Trigger
	firing  *firing
	last    models.IDs // runs of the workflow's schedules
	going   *models.ID
	outcome FireOutcome
	usedUp  bool
	run     *run.Draft
}

// executionID is the run that it started, or that still went on.
func (o *opened) executionID() *models.ID {
	switch o.outcome {
	case FireStarted:
		return &o.run.Exec.ID
	case FireSkippedRunning:
		return o.going
	}
	return nil
}

// startFires starts the runs of minutes that were taken on, or settles why not, each once,
// no matter who else tries. Errors of single minutes are noted; they are left for later.
func (s *Service) startFires(ctx context.Context, fires []fire) {
	for len(fires) > 0 {
		var batch []fire
		batch, fires = takeBatch(fires)
		batch, large := s.partLarge(ctx, s.admitFires(ctx, batch))
		if len(batch) > 1 {
			batch = s.startBatches(ctx, batch)
		}
		batch = append(batch, large...)
		for _, f := range batch {
			s.startOne(ctx, f)
		}
	}
}

// largeGraph is how many bytes of nodes, as they are stored, keep a run out of a batch: the
// graphs of all its runs are in memory at once.
const largeGraph = 16 << 10

// partLarge takes the minutes out of a batch whose workflows are large.
func (s *Service) partLarge(ctx context.Context, batch []fire) (small, large []fire) {
	ids := make([]models.ID, len(batch))
	for i, f := range batch {
		ids[i] = f.WorkflowID
	}
	found, err := models.Rows(ctx, s.DB, func(id *models.ID) []any { return []any{id} }, `
		SELECT w.id FROM unnest($1::uuid[]) AS t(id) `+flow.JoinGraph("t.id")+`
		WHERE pg_column_size(v.nodes) > $2`, ids, largeGraph)
	if err != nil {
		slog.WarnContext(ctx, "runs of schedules are started one by one", "schedules", len(batch), "error", err)
		return nil, batch
	}
	for _, f := range batch {
		if slices.Contains(found, f.WorkflowID) {
			large = append(large, f)
		} else {
			small = append(small, f)
		}
	}
	return small, large
}

// takeBatch parts minutes into a batch, in which a schedule has one at most, and the rest.
func takeBatch(fires []fire) (batch, rest []fire) {
	seen := map[models.ID]bool{}
	for i, f := range fires {
		if len(batch) == firesPerBatch {
			return batch, append(rest, fires[i:]...)
		}
		if seen[f.TriggerID] {
			rest = append(rest, f)
			continue
		}
		seen[f.TriggerID] = true
		batch = append(batch, f)
	}
	return batch, rest
}

// admitFires waits for the turns of runs while events are late. What gets none in time is
// left for later.
func (s *Service) admitFires(ctx context.Context, batch []fire) []fire {
	for i, f := range batch {
		t := Trigger{CreatedBy: f.CreatedBy}
		if err := s.Runs.Pace.Admit(t.acting(ctx)); err != nil {
			slog.WarnContext(ctx, "schedules wait, for events are late", "schedules", len(batch)-i)
			return batch[:i]
		}
	}
	return batch
}

// startBatches starts a batch; it returns the minutes that want a transaction of their own.
func (s *Service) startBatches(ctx context.Context, batch []fire) (left []fire) {
	for range batchTries {
		done, apart, refused, err := s.startBatch(ctx, batch)
		if err == nil {
			now := s.DB.Clock.Now()
			for _, o := range done {
				s.fired.note(o.outcome, now.Sub(o.Minute))
			}
			return append(left, apart...)
		}
		if len(refused) == 0 {
			slog.WarnContext(ctx, "runs of schedules are started one by one", "schedules", len(batch), "error", err)
			break
		}
		left = append(left, refused...)
		batch = slices.DeleteFunc(slices.Clone(batch), func(f fire) bool {
			return slices.ContainsFunc(refused, func(r fire) bool { return r.TriggerID == f.TriggerID })
		})
		if len(batch) == 0 {
			break
		}
	}
	return append(left, batch...)
}

// startBatch starts the runs of a batch in one transaction: all that is done commits
// together, and nothing after an error. Apart are minutes that are not part of it; refused
// are those whose runs the error is about, when that is known.
func (s *Service) startBatch(ctx context.Context, batch []fire) (done []*opened, apart, refused []fire, err error) {
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		done, apart, refused = nil, nil, nil
		found, err := s.openFires(tx, batch)
		if err != nil {
			return err
		}
		if apart, err = s.prepareFires(tx, batch, found); err != nil {
			return err
		}
		var runs []*run.Draft
		byRun := map[*run.Draft]*opened{}
		for _, f := range batch {
			o := found[f.TriggerID]
			if o == nil {
				continue
			}
			if done = append(done, o); o.outcome == FireStarted {
				runs = append(runs, o.run)
				byRun[o.run] = o
			}
		}
		if len(runs) > 0 {
			unpaid, err := s.Runs.InsertExecutions(tx, runs)
			if err != nil {
				return err
			}
			for _, draft := range unpaid {
				refused = append(refused, byRun[draft].fire)
			}
			if len(refused) > 0 {
				return errBatchEnds
			}
		}
		return settleFires(tx, done)
	})
	if err != nil {
		done = nil
	}
	return done, apart, refused, err
}

// openFires holds due minutes with their schedules and their workflows' other minutes,
// and reads all that decides about them: those that no one else holds, by trigger.
func (s *Service) openFires(tx *models.Tx, batch []fire) (map[models.ID]*opened, error) {
	triggers, workflows, minutes := make([]models.ID, len(batch)), make([]models.ID, len(batch)), make([]time.Time, len(batch))
	for i, f := range batch {
		triggers[i], workflows[i], minutes[i] = f.TriggerID, f.WorkflowID, f.Minute
	}
	// As lockFire does, in one order.
	if _, err := tx.Run(`SELECT pg_advisory_xact_lock(key) FROM (
		SELECT hashtextextended(id::text, 11) AS key FROM unnest($1::uuid[]) AS t(id) ORDER BY 1 OFFSET 0) k`, workflows); err != nil {
		return nil, err
	}
	rows, err := models.Rows(tx.Context(), s.DB, func(o *opened) []any {
		w, t := &flow.Workflow{}, &Trigger{Type: ScheduleTrigger}
		o.trigger, o.firing = t, &firing{workflow: w}
		return []any{
			&o.TriggerID, &o.Minute, &t.NodeID, &t.IsActive, &t.Config, &t.RunCount, &t.CreatedBy, &t.BySession, &o.firing.usable,
			&w.ID, &w.Name, &w.Description, &w.ProjectID, &w.OwnerID, &w.WorkspaceID, &w.OrganizationID, &w.Visibility,
			&w.Version, &w.CreatedAt, &w.UpdatedAt, &w.Nodes, &w.Edges, &w.Granted, &o.last,
		}
	}, `
		SELECT t.id, f.fire_minute, t.node_id, t.is_active, t.config, t.run_count, t.created_by, t.by_session, `+account.Usable+`,
			w.id, w.name, w.description, w.project_id, w.owner_id, w.workspace_id, w.organization_id, w.visibility,
			w.version, w.created_at, w.updated_at, v.nodes, v.edges, g.role, `+lastRuns+`
		FROM unnest($1::uuid[], $2::timestamptz[]) AS n(trigger_id, minute)
			JOIN schedule_fires f ON f.trigger_id = n.trigger_id AND f.fire_minute = n.minute AND f.outcome = 'due'
			JOIN workflow_triggers t ON t.id = f.trigger_id
			`+flow.JoinGraph("t.workflow_id")+`
			`+account.Join("t.created_by")+`
			`+flow.JoinGrant("t.created_by")+`
		FOR NO KEY UPDATE OF f, t SKIP LOCKED`, triggers, minutes)
	if err != nil {
		return nil, err
	}
	last := map[models.ID]models.IDs{}
	for i := range rows {
		last[rows[i].firing.workflow.ID] = rows[i].last
	}
	going, err := run.GoingRuns(tx.Context(), s.DB, last)
	if err != nil {
		return nil, err
	}
	found := make(map[models.ID]*opened, len(rows))
	for i := range rows {
		o := &rows[i]
		if run, goes := going[o.firing.workflow.ID]; goes {
			o.going = &run
		}
		o.trigger.ID, o.trigger.WorkflowID = o.TriggerID, o.firing.workflow.ID
		o.WorkflowID, o.CreatedBy = o.firing.workflow.ID, o.trigger.CreatedBy
		found[o.TriggerID] = o
	}
	return found, nil
}

// prepareFires decides what becomes of minutes, and makes the runs of those that start.
// Those that it leaves apart it takes out of what was found; nothing is written of them.
func (s *Service) prepareFires(tx *models.Tx, batch []fire, found map[models.ID]*opened) (apart []fire, err error) {
	var people []models.ID
	for _, o := range found {
		if o.firing.workflow.WorkspaceID == nil {
			people = append(people, o.CreatedBy)
		}
	}
	closed, err := s.Orgs.PersonalSpacesClosed(tx.Context(), people)
	if err != nil {
		return nil, err
	}
	// Runs of this transaction by workflow: those that are not at their end, and workflows with one that no one had time for.
	begun, going, late := time.Now(), map[models.ID]*models.ID{}, map[models.ID]bool{}
	for _, f := range batch {
		o := found[f.TriggerID]
		if o == nil || late[f.WorkflowID] {
			apart = append(apart, f)
			delete(found, f.TriggerID)
			continue
		}
		if o.going == nil {
			o.going = going[o.WorkflowID]
		}
		if o.outcome = o.decide(tx.Now); o.outcome != "" {
			continue
		}
		inline := time.Since(begun) < run.InlineTimeLimit
		if err := s.prepareFire(tx.As(o.trigger.acting(tx.Context())), o, closed[o.CreatedBy], inline); err != nil {
			if models.Refusal(err) == nil {
				return nil, err
			}
			apart = append(apart, f)
			delete(found, f.TriggerID)
		} else if !inline {
			late[o.WorkflowID] = true
		} else if o.run.Exec.OpenNodes > 0 {
			going[o.WorkflowID] = &o.run.Exec.ID
		}
	}
	return apart, nil
}

// decide is what becomes of a minute whose run is not to start; empty when it is.
func (o *opened) decide(now time.Time) FireOutcome {
	table, problem := timetable.Read(o.trigger.Config)
	outcome := minuteOutcome(table, problem, o.trigger, o.going, now.Sub(o.Minute))
	o.usedUp = problem == nil && usedUp(table, o.trigger.RunCount+1)
	return outcome
}

// prepareFire makes the run of a minute, as startAutomated does, without writing it.
func (s *Service) prepareFire(tx *models.Tx, o *opened, closed, inline bool) error {
	var home *space.Viewer
	if o.firing.workflow.WorkspaceID == nil {
		home = space.Personal(o.CreatedBy, closed)
	}
	request := o.trigger.request(models.ID{}, o.firing.workflow)
	if err := o.trigger.feed(&request, o.firing.workflow, nil); err != nil {
		return err
	}
	var err error
	if request.Payer, err = s.payerOfAutomated(tx, o.firing, home); err != nil {
		return err
	}
	request.ID = tx.NewIDIn(request.Payer.Space())
	if o.run, err = s.Runs.DraftRun(tx, request); err != nil {
		return err
	}
	o.outcome = FireStarted
	if inline {
		// What this writes, if anything, is part of the run: an error ends the batch.
		if err := s.Runs.RunFirstInline(tx, o.run); err != nil {
			return fmt.Errorf("%w: %v", errBatchEnds, err)
		}
	}
	return nil
}

// errBatchEnds is an error after which a transaction cannot go on without a run.
var errBatchEnds = errors.New("a run of a batch was not begun")

// settleFires writes what became of minutes that the transaction holds, and notes the
// runs that started at their schedules.
func settleFires(tx *models.Tx, all []*opened) error {
	if len(all) == 0 {
		return nil
	}
	var triggers []models.ID
	var executions []*models.ID
	var minutes []time.Time
	var outcomes []string
	var ended []bool
	for _, o := range all {
		triggers, minutes, outcomes = append(triggers, o.TriggerID), append(minutes, o.Minute), append(outcomes, string(o.outcome))
		executions, ended = append(executions, o.executionID()), append(ended, o.usedUp)
	}
	_, err := tx.Run(`
		WITH n AS MATERIALIZED (
			SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::uuid[], $5::boolean[])
				AS n(trigger_id, minute, outcome, execution_id, used_up)
		), settled AS (
			UPDATE schedule_fires f SET outcome = n.outcome, execution_id = n.execution_id, settled_at = $6, try_at = NULL
			FROM n WHERE f.trigger_id = n.trigger_id AND f.fire_minute = n.minute AND f.outcome = 'due'
		)
		UPDATE workflow_triggers t SET run_count = run_count + 1, last_fired_at = $6, last_execution_id = n.execution_id, last_error = NULL,
			next_fire_at = CASE WHEN n.used_up THEN NULL ELSE t.next_fire_at END
		FROM n WHERE t.id = n.trigger_id AND n.outcome = 'started'`, triggers, minutes, outcomes, executions, ended, tx.Now)
	return err
}
