package run

import (
	"atelier/models"
	"atelier/models/credit"
	"atelier/models/event"
)

// insertExecution writes a new execution with its jobs as far as they have come,
// queues what is ready, and takes the hold; one that has ended already is settled.
// Money comes last, for it locks the balance until the commit.
func (s *Service) insertExecution(tx *models.Tx, draft *Draft) error {
	exec := draft.Exec
	s.keepPlan(draft)
	exec.markBegun(tx)
	done := exec.changes
	exec.changes = changes{}
	result, err := s.resultAtOnce(tx, exec, draft.jobs)
	if err != nil {
		return err
	}
	if err := insertRows(tx, exec, draft.jobs, result); err != nil {
		return err
	}
	if err := s.insertRefs(tx, draft); err != nil {
		return err
	}
	if err := s.Events.PublishJob(tx, exec.AccountID, done.ended...); err != nil {
		return err
	}
	if err := s.queue(tx, done.ready); err != nil {
		return err
	}
	if exec.CompletedAt == nil {
		tx.Notify(exec.topic())
	} else if exec.RetryOf != nil { // see resultAtOnce
		if err := s.recordResult(tx, exec); err != nil {
			return err
		}
	}
	if exec.CompletedAt != nil {
		exec.endedJobs = draft.jobs
		if err := s.executionEnded(tx, exec); err != nil {
			return err
		}
	}
	return s.takeHold(tx, exec, draft.payer, done.charges)
}

// InsertEnded writes an execution that ended as it began and has no jobs: the entry of a run that
// was refused.
func InsertEnded(tx *models.Tx, exec *Execution) error {
	tx.Notify(exec.topic())
	return insertRows(tx, exec, nil, nil)
}

// InsertExecutions is insertExecution for several: a statement for each kind of row. Refused are
// runs whose payer does not cover all that are paid so (see credit.PayTogether); then the
// transaction must be rolled back.
func (s *Service) InsertExecutions(tx *models.Tx, runs []*Draft) (refused []*Draft, err error) {
	defer func() {
		for _, run := range runs {
			endAccept(run.span, run.Exec, err)
		}
	}()
	events, ready := map[models.ID][]event.JobEvent{}, make([][]*Job, 0, len(runs))
	payments, made := make([]credit.Payment, len(runs)), make([]*Result, len(runs))
	var retries []*Execution
	for i, run := range runs {
		exec := run.Exec
		s.keepPlan(run)
		exec.markBegun(tx)
		done := exec.changes
		exec.changes = changes{}
		events[exec.AccountID] = append(events[exec.AccountID], done.ended...)
		ready, payments[i] = append(ready, done.ready), run.payment(done.charges)
		if made[i], err = s.resultAtOnce(tx, exec, run.jobs); err != nil {
			return nil, err
		}
		if exec.CompletedAt == nil {
			tx.Notify(exec.topic())
		} else if exec.endedJobs = run.jobs; exec.RetryOf != nil {
			retries = append(retries, exec)
		}
	}
	if err := insertManyRows(tx, runs, made); err != nil {
		return nil, err
	}
	if err := s.insertRefs(tx, runs...); err != nil {
		return nil, err
	}
	if err := s.Events.PublishJobs(tx, events); err != nil {
		return nil, err
	}
	if err := s.queue(tx, ready...); err != nil {
		return nil, err
	}
	if err := s.recordResults(tx, retries...); err != nil {
		return nil, err
	}
	for _, run := range runs {
		if run.Exec.CompletedAt != nil {
			if err := s.executionEnded(tx, run.Exec); err != nil {
				return nil, err
			}
		}
	}
	unpaid, err := s.Credits.PayTogether(tx, payments)
	for _, i := range unpaid {
		refused = append(refused, runs[i])
	}
	return refused, err
}

// payment is what the run is held for, or has cost.
func (d *Draft) payment(charges []credit.NodeCharge) credit.Payment {
	return credit.Payment{
		Payer: d.payer, ActorID: d.actorID, ExecutionID: d.Exec.ID, Ended: d.Exec.SettledAt != nil,
		Bill: credit.Bill{Hold: d.Exec.Hold, Parts: d.Exec.parts, Charged: d.Exec.Charged, Charges: charges},
	}
}

// markBegun notes how far a new execution has come before it is written.
func (e *Execution) markBegun(tx *models.Tx) {
	if len(e.changed) > 0 || e.OpenNodes == 0 {
		e.StartedAt, e.Status = &tx.Now, ExecutionRunning
		e.Revision++
	}
	if e.OpenNodes > 0 {
		return
	}
	e.finish(tx)
	if e.Hold > 0 {
		e.SettledAt = &tx.Now
		e.chargeMarkup()
	}
}

// takeHold reserves what a new execution may cost and charges what it did; one
// that has ended pays at once.
func (s *Service) takeHold(tx *models.Tx, exec *Execution, payer credit.Payer, charges []credit.NodeCharge) error {
	if exec.SettledAt != nil {
		return s.Credits.PayAtOnce(tx, payer, exec.ID, credit.Bill{Hold: exec.Hold, Parts: exec.parts, Charged: exec.Charged, Charges: charges})
	}
	if err := s.Credits.Reserve(tx, payer, exec.ID, exec.Hold, exec.parts...); err != nil {
		return err
	}
	return s.Credits.Charge(tx, payer, exec.ID, charges...)
}

// What runs keep is counted by triggers of executions (migration 14). Where runs lie on several servers there are none, for a
// trigger of a worker reaches nothing that lies elsewhere: then the program makes the statements.

// checkRoom refuses new runs whose space has no room for what they put out.
func checkRoom(tx *models.Tx, runs ...*Execution) error {
	if !tx.Spread() {
		return nil
	}
	seen := map[models.ID]bool{}
	for _, exec := range runs {
		if seen[exec.space()] {
			continue
		}
		seen[exec.space()] = true
		if _, err := tx.Run(`SELECT check_room($1, $2)`, exec.WorkspaceID, exec.AccountID); err != nil {
			return err
		}
	}
	return nil
}

// countKept notes what runs keep that have ended, or were erased, in this transaction.
func countKept(tx *models.Tx, runs ...*Execution) error {
	if !tx.Spread() {
		return nil
	}
	for _, exec := range runs {
		if !exec.Finished() {
			continue
		}
		var kept int64
		first, after := jobIDs(exec.ID)
		err := tx.Raw(`
			SELECT pg_column_size(e.nodes) + pg_column_size(e.edges) + (
				SELECT coalesce(sum(pg_column_size(j.input_data) + coalesce(pg_column_size(j.output_data), 0)), 0) FROM jobs j
				WHERE j.execution_id = e.id AND shards_match(j.shard, e.shard) AND shard_fits_space(j.shard, ?) AND j.id >= ? AND j.id < ?)
			FROM executions e WHERE e.id = ? AND shard_fits_space(e.shard, ?)`, exec.space(), first, after, exec.ID, exec.space()).Row().Scan(&kept)
		if err != nil {
			return err
		}
		if _, err := tx.Run(`SELECT keep_outputs($1, $2, $3, $4)`, exec.ID, exec.WorkspaceID, exec.AccountID, kept); err != nil {
			return err
		}
	}
	return nil
}
