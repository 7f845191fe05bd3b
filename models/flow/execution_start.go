package flow

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/credit"
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
	// Nodes have inputs and overrides applied already.
	Nodes nodegraph.Nodes
	Edges nodegraph.Edges
	// Outputs are results that are there from the start: what reached a trigger
	// node, by its id.
	Outputs map[string]map[string]any
	// Free are the nodes that cost nothing in this run; see nodegraph.FreeMotions.
	Free map[string]bool
	// AuthorID is who made the graph; components may run what the author may.
	// Zero is the payer.
	AuthorID models.ID
	// HomeID is the workspace that the graph's workflow lives in; components may
	// run what it shares.
	HomeID *models.ID
	// Earlier are the jobs, by node, of the execution that this one retries.
	Earlier map[string]*Job
	RetryOf *models.ID
	// ClientAppID is the connected app that submitted the work itself; a
	// workflow's run has none (contract 2, "Event endpoints", rule 7).
	ClientAppID *models.ID
	// Inputs are what somebody fills in before such a run: the first text of them is
	// its subject.
	Inputs []nodegraph.Input
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
	plan := nodegraph.NewPlan(start.Nodes, start.Edges)
	exec := newExecution(tx, start, plan)
	jobs, err := s.addJobs(tx, exec, plan, start)
	if err != nil {
		return nil, err
	}
	if err := s.runFirstInline(tx, exec, plan); err != nil {
		return nil, err
	}
	if exec.OpenNodes > 0 {
		s.planCache.put(exec.ID, plan)
	}
	return exec, s.insertExecution(tx, exec, jobs)
}

// newExecution makes an execution that has no jobs yet.
func newExecution(tx *models.Tx, start Start, plan *nodegraph.Plan) *Execution {
	exec := &Execution{
		ID: tx.NewID(), AccountID: start.Payer.UserID,
		OrganizationID: start.Payer.OrganizationID, WorkspaceID: start.Payer.WorkspaceID,
		WorkflowID: start.WorkflowID, WorkflowVersion: start.WorkflowVersion, AppID: start.AppID,
		Trigger: start.Trigger, Personal: start.Personal, Source: start.Source, Status: ExecutionPending,
		Nodes: start.Nodes, Edges: start.Edges,
		TotalNodes: len(plan.Order), OpenNodes: len(plan.Order),
		Revision: 1, CreatedAt: tx.Now, RetryOf: start.RetryOf, Subject: start.subject(),
	}
	exec.isNew = true
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
	jobs, packer := make([]*Job, 0, len(plan.Order)), s.newPacker(tx, exec, start)
	for i, id := range plan.Order {
		job, err := s.newJob(tx, exec, plan, packer, start, id)
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
func (s *Service) insertExecution(tx *models.Tx, exec *Execution, jobs []*Job) error {
	exec.markBegun(tx)
	done := exec.changes
	exec.changes = changes{}
	if err := insertRows(tx, exec, jobs); err != nil {
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
	} else if exec.AppID == nil { // that of an app has its row first
		if err := s.recordResult(tx, exec); err != nil {
			return err
		}
	}
	return s.takeHold(tx, exec, done.charges)
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
	}
}

// takeHold reserves what a new execution may cost and charges what it did; one
// that has ended pays at once.
func (s *Service) takeHold(tx *models.Tx, exec *Execution, charges []credit.NodeCharge) error {
	if exec.SettledAt != nil {
		return s.Credits.PayAtOnce(tx, exec.payer(), exec.ID, exec.Hold, exec.Charged, charges...)
	}
	if err := s.Credits.Reserve(tx, exec.payer(), exec.ID, exec.Hold); err != nil {
		return err
	}
	return s.Credits.Charge(tx, exec.payer(), exec.ID, charges...)
}

// newJob is the work of one node, ready when it waits for nothing.
func (s *Service) newJob(tx *models.Tx, exec *Execution, plan *nodegraph.Plan, packer *packer, start Start, id string) (*Job, error) {
	node := plan.Nodes[id]
	job := &Job{
		ID: tx.NewID(), AccountID: exec.AccountID, ExecutionID: exec.ID, WorkspaceID: exec.WorkspaceID,
		ClientAppID: start.ClientAppID,
		NodeID:      id, JobType: node.Type, Status: JobWaiting, WaitsFor: plan.WaitsFor(id),
		InputData: nodegraph.PublicInput(node, node.Data, exec.AppID != nil),
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
	job.InputData = nodegraph.PublicInput(node, s.withPinnedModel(node, node.Data), exec.AppID != nil)
	var err error
	var inside models.Credits
	switch {
	case node.Type == nodegraph.ComponentType:
		job.State, inside, err = packComponent(packer, node, start.Earlier[id])
	case start.Outputs[id] != nil:
		job.State, err = json.Marshal(start.Outputs[id])
	}
	job.Cost = s.jobCost(start, node, inside)
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
