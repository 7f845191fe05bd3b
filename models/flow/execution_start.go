package flow

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/event"
	"atelier/models/nodegraph"
)

// Start is everything that a new execution begins with.
type Start struct {
	Payer           credit.Payer
	WorkflowID      *models.ID
	WorkflowVersion *int
	AppID           *models.ID
	// Trigger is editor, api, app, webhook or schedule; Source names the client.
	Trigger, Source string
	// Personal tells that the payer, signed in, started it or made the timetable that
	// does: plain credentials are sent then, and only then.
	Personal bool
	// ID is the execution's when it is known before; zero makes one. TriggerID is
	// the trigger that starts it.
	ID        models.ID
	TriggerID *models.ID
	// Nodes have inputs and overrides applied already.
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	// Outputs are results that are there from the start: what reached a trigger
	// node, by its id.
	Outputs map[string]map[string]any
	// Free are the nodes that cost nothing in this run; see nodegraph.FreeMotions.
	Free map[string]bool
	// Markup is what an approved app adds to what its nodes cost, in hundredths of a percent.
	Markup int
	// AuthorID is who made the graph; components may run what the author may.
	// Zero is the payer.
	AuthorID models.ID
	// HomeID is the workspace that the graph's workflow lives in; components may
	// run what it shares.
	HomeID *models.ID
	// Earlier are the jobs, by node, of the execution that this one retries.
	Earlier map[string]*Job
	RetryOf *models.ID
	// Inputs are what a person fills in before such a run: the first text of them is
	// its subject.
	Inputs []nodegraph.Input
	// Purpose says that another area began it, and Refs what it found for the nodes; nil
	// finds what they name.
	Purpose Purpose
	Refs    JobRefs
	// found is what prepare found for the nodes, packed what their components run, saved
	// what their author set; nil where all is the runner's.
	found  JobRefs
	packed map[string]*component
	saved  *authored
	// askedFor is the type of a single node as it was asked for; unready: a price is asked for, and the settings may
	// miss what a run needs.
	askedFor string
	unready  bool
	// Subject is the one of the execution that this one retries.
	Subject *string
}

// startExecution accepts a run in the caller's transaction: execution, a job
// for each node, one hold on the credits, and the ready jobs in their lanes.
// Where this process has workers to spare, inline nodes at its beginning are
// done before it is written: then it may have ended when this returns.
// It refuses with insufficient_app_credits, budget_exceeded or
// member_cap_exceeded.
func (s *Service) startExecution(tx *models.Tx, start Start) (*Execution, error) {
	if err := s.prepare(tx, &start); err != nil {
		return nil, err
	}
	return s.startPrepared(tx, start)
}

// startPrepared is startExecution for a run that is ready to be accepted.
func (s *Service) startPrepared(tx *models.Tx, start Start) (*Execution, error) {
	plan := nodegraph.NewPlan(start.Nodes, start.Edges)
	exec := newExecution(tx, start, plan)
	jobs, err := s.addJobs(tx, exec, plan, start)
	if err != nil {
		return nil, err
	}
	if err := s.countFreeRun(tx, exec); err != nil {
		return nil, err
	}
	if err := s.runFirstInline(tx, exec, plan); err != nil {
		return nil, err
	}
	if exec.OpenNodes > 0 {
		s.planCache.put(exec.ID, plan)
	}
	return exec, s.insertExecution(tx, exec, start.Payer, jobs)
}

// newExecution makes an execution that has no jobs yet.
func newExecution(tx *models.Tx, start Start, plan *nodegraph.Plan) *Execution {
	if start.ID == (models.ID{}) {
		start.ID = tx.NewID()
	}
	exec := &Execution{
		ID: start.ID, TriggerID: start.TriggerID, AccountID: start.Payer.UserID,
		OrganizationID: start.Payer.OrganizationID, WorkspaceID: start.Payer.WorkspaceID,
		WorkflowID: start.WorkflowID, WorkflowVersion: start.WorkflowVersion, AppID: start.AppID, ClientAppID: tx.Actor.OfApp(),
		Trigger: start.Trigger, Personal: start.Personal, Source: start.Source, Status: ExecutionPending,
		Nodes: start.Nodes, Edges: start.Edges,
		TotalNodes: len(plan.Order), OpenNodes: len(plan.Order),
		Purpose: start.Purpose, Markup: start.Markup, Revision: 1, CreatedAt: tx.Now, RetryOf: start.RetryOf, Subject: start.subject(),
	}
	exec.isNew, exec.refs, exec.foundRefs = true, start.Refs, start.found
	if exec.Edges == nil {
		exec.Edges = nodegraph.Edges{}
	}
	if exec.Nodes == nil {
		exec.Nodes = nodegraph.Nodes{}
	}
	return exec
}

// addJobs makes the jobs of a new execution, in the order of its nodes, and adds
// what they cost to its hold; insertExecution writes them.
func (s *Service) addJobs(tx *models.Tx, exec *Execution, plan *nodegraph.Plan, start Start) ([]*Job, error) {
	jobs := make([]*Job, 0, len(plan.Order))
	for i, id := range plan.Order {
		job, err := s.newJob(tx, exec, plan, start, id)
		if err != nil {
			return nil, err
		}
		job.NodeIndex = i
		exec.Hold += job.Cost
		switch job.Status {
		case JobCompleted:
			exec.CompletedNodes++
			exec.OpenNodes--
		case JobPending:
			exec.ready = append(exec.ready, job)
		}
		exec.remember(job)
		jobs = append(jobs, job)
	}
	exec.holdMarkup()
	return jobs, nil
}

// runFirstInline does the inline nodes that a new execution begins with, if this process
// has a worker to spare for them.
func (s *Service) runFirstInline(tx *models.Tx, exec *Execution, plan *nodegraph.Plan) error {
	if s.SpareWorker == nil || !slices.ContainsFunc(exec.ready, (*Job).inline) {
		return nil
	}
	done, spare := s.SpareWorker()
	if !spare {
		return nil
	}
	defer done()
	return s.runReadyInline(tx, exec, plan)
}

// insertExecution writes a new execution with its jobs as far as they have come,
// queues what is ready, and takes the hold; one that has ended already is settled.
// Money comes last, for it locks the balance until the commit.
func (s *Service) insertExecution(tx *models.Tx, exec *Execution, payer credit.Payer, jobs []*Job) error {
	exec.markBegun(tx)
	done := exec.changes
	exec.changes = changes{}
	result, err := s.resultAtOnce(tx, exec, jobs)
	if err != nil {
		return err
	}
	if err := insertRows(tx, exec, jobs, result); err != nil {
		return err
	}
	if err := s.insertRefs(tx, newRun{exec: exec, jobs: jobs}); err != nil {
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
	} else if exec.AppID == nil && exec.RetryOf != nil { // see resultAtOnce
		if err := s.recordResult(tx, exec); err != nil {
			return err
		}
	}
	if exec.CompletedAt != nil {
		if err := s.executionEnded(tx, exec); err != nil {
			return err
		}
	}
	return s.takeHold(tx, exec, payer, done.charges)
}

// newRun is a new execution with its jobs.
type newRun struct {
	exec  *Execution
	payer credit.Payer
	jobs  []*Job
}

// insertExecutions is insertExecution for several: a statement for each kind of row, but
// for the money of each. It tells whose run was refused.
func (s *Service) insertExecutions(tx *models.Tx, runs []newRun) (refused *Execution, err error) {
	events, ready := map[models.ID][]event.JobEvent{}, make([][]*Job, 0, len(runs))
	charges := make([][]credit.NodeCharge, len(runs))
	var ended []*Execution
	for i, run := range runs {
		run.exec.markBegun(tx)
		done := run.exec.changes
		run.exec.changes = changes{}
		events[run.exec.AccountID] = append(events[run.exec.AccountID], done.ended...)
		ready, charges[i] = append(ready, done.ready), done.charges
		if run.exec.CompletedAt == nil {
			tx.Notify(run.exec.topic())
		} else {
			ended = append(ended, run.exec)
		}
	}
	if err := insertManyRows(tx, runs); err != nil {
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
	if err := s.recordResults(tx, ended...); err != nil {
		return nil, err
	}
	for i, run := range runs {
		if err := s.takeHold(tx, run.exec, run.payer, charges[i]); err != nil {
			return run.exec, err
		}
	}
	return nil, nil
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

// newJob is the work of one node, ready when it waits for nothing.
func (s *Service) newJob(tx *models.Tx, exec *Execution, plan *nodegraph.Plan, start Start, id string) (*Job, error) {
	node := plan.Nodes[id]
	job := &Job{
		ID: tx.NewID(), AccountID: exec.AccountID, ExecutionID: exec.ID, WorkspaceID: exec.WorkspaceID,
		ClientAppID: exec.ClientAppID,
		NodeID:      id, JobType: node.Type, Status: JobWaiting, WaitsFor: plan.WaitsFor(id),
		InputData: shownInput(exec, node, node.Data, start.Refs[id]),
		Source:    exec.Source, CreditStatus: &creditReserved, CreatedAt: tx.Now,
	}
	if start.finishedEarlier(id) {
		job.copyFinished(start.Earlier[id], tx)
		return job, nil
	}
	for _, before := range plan.Before(id) {
		if start.finishedEarlier(before) {
			job.WaitsFor--
		}
	}
	if job.WaitsFor == 0 {
		job.Status = JobPending
	}
	job.InputData = shownInput(exec, node, s.withPinnedModel(node, node.Data), start.Refs[id])
	var err error
	var inside []credit.Part
	switch {
	case node.Type == nodegraph.ComponentType:
		job.State, err = json.Marshal(start.packed[id])
		inside = start.packed[id].remainingParts(s.Catalogue)
	case start.Outputs[id] != nil:
		job.State, err = json.Marshal(start.Outputs[id])
	}
	parts := s.jobParts(start, node, inside)
	job.Cost, exec.parts = sumOf(parts), append(exec.parts, parts...)
	return job, err
}

// The states of a job's credits.
var (
	creditReserved  = "reserved"
	creditCommitted = "committed"
	creditReleased  = "released"
)

// payer is who pays for the execution.
func (e *Execution) payer() credit.Payer {
	return credit.Payer{UserID: e.AccountID, WorkspaceID: e.WorkspaceID, OrganizationID: e.OrganizationID}
}

// topic wakes whoever watches the execution.
func (e *Execution) topic() string { return "execution:" + e.ID.String() }

// single tells whether the execution is a node that was started by itself.
func (e *Execution) single() bool {
	return e.WorkflowID == nil && e.AppID == nil && !e.Purpose.runsGraph()
}

// Finished tells whether the execution has ended.
func (e *Execution) Finished() bool {
	return e.Status == ExecutionCompleted || e.Status == ExecutionFailed
}

// firstJob is a lower bound of the ids of the execution's jobs, which keeps
// queries off the partitions of earlier months.
func (e *Execution) firstJob() models.ID {
	milliseconds := int64(binary.BigEndian.Uint64(e.ID[:8]) >> 16)
	return models.FirstID(time.UnixMilli(milliseconds).Add(-2 * time.Second))
}
