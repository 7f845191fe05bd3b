package run

import (
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/models/tracing"
)

// How a run is accepted, no matter who asks for it: the editor, an app, a trigger, a schedule, a
// retry, a single node, the library or the studio. The steps, in their order:
//
//	prepare            packComponents       what its components run becomes part of it
//	                   findReferences       what its nodes name of the library is found
//	                   applyReferences      the settings of presets and voices that decide the price go into the nodes
//	draftRun           nodegraph.NewPlan    which node waits for which
//	                   newExecution         the execution
//	                   addJobs              a job for each node, with its price
//	countFreeRun                            a run that costs nothing counts against its limit
//	RunFirstInline                          inline nodes are done, if a worker is free
//	insertExecution    insertRows           execution, jobs and result, in one statement
//	                   insertRefs           what the jobs may use of the library
//	                   PublishJob, queue    events of what has ended, lanes of what is ready
//	                   takeHold             the credits: last, for that locks the balance until the commit
//
// An estimate takes the steps of prepare and asks the same prices (jobParts); so does the
// studio, for which a refusal of one node does not end the preparation (ExamineGraph). Runs that
// are asked for at once take all steps in one transaction (Accept), and so do the minutes of schedules;
// InsertExecutions is their insertExecution.

// preparedRun is a request with everything that decides what is run and what it costs.
type preparedRun struct {
	Request
	// nodes are the request's, with the settings of presets and voices that decide the price.
	nodes nodegraph.Nodes
	// refs are what the nodes may use of the library, found those of them that were looked up
	// for this run; packed is what its components run.
	refs, found JobRefs
	packed      map[string]*component
}

// subject is what the run is about, for lists.
func (run *preparedRun) subject() *string {
	if run.Subject != nil {
		return run.Subject
	}
	if words := nodegraph.Subject(run.nodes, run.Inputs); words != "" {
		return &words
	}
	return nil
}

// preparation is how a request is prepared: for a run, or for one who only looks.
type preparation struct {
	s     *Service
	q     *gorm.DB
	actor models.Actor
	// find finds what nodes name of the library.
	find func(named []Reference) (JobRefs, error)
	// refuse decides about the refusal of a node: the error that it returns ends the preparation.
	refuse func(nodeID string, err error) error
}

// AcceptRun accepts a run in the caller's transaction. Where this process has a worker to
// spare, inline nodes at its beginning are done before it is written: then it may have ended
// when this returns. Refusals: what its components and its nodes name; rate_limit_exceeded;
// insufficient_app_credits, budget_exceeded or member_cap_exceeded.
func (s *Service) AcceptRun(tx *models.Tx, request Request) (exec *Execution, err error) {
	tx, span := traceAccept(tx, &request)
	defer func() { endAccept(span, exec, err) }()
	run, err := s.prepareRun(tx, request)
	if err != nil {
		return nil, err
	}
	return s.acceptPrepared(tx, run)
}

// traceAccept begins the span that accepts a run, which then has an id.
func traceAccept(tx *models.Tx, request *Request) (*models.Tx, *tracing.Span) {
	if !tracing.On() {
		return tx, nil
	}
	if request.ID == (models.ID{}) {
		request.ID = tx.NewRunID(request.Payer.Space())
	}
	ctx, span := tracing.StartRun(tx.Context(), request.ID)
	if span == nil {
		return tx, nil
	}
	span.Text("atelier.run.trigger", request.Trigger)
	span.Number("atelier.run.nodes", len(request.Nodes))
	if request.WorkflowID != nil {
		span.ID("atelier.workflow.id", *request.WorkflowID)
	}
	if request.AppID != nil {
		span.ID("atelier.app.id", *request.AppID)
	}
	return tx.Within(ctx), span
}

// endAccept ends it, with the refusal's code where there is one.
func endAccept(span *tracing.Span, exec *Execution, err error) {
	switch {
	case span == nil:
		return
	case err != nil:
		refusal, _ := models.AsError(err)
		span.Text("error.type", string(refusal.Code))
	case exec != nil:
		span.Text("atelier.run.status", string(exec.Status))
	}
	span.End()
}

// acceptPrepared accepts a run that has been prepared.
func (s *Service) acceptPrepared(tx *models.Tx, run *preparedRun) (*Execution, error) {
	draft, err := s.draftRun(tx, run)
	if err != nil {
		return nil, err
	}
	if err := s.countFreeRun(tx, draft.Exec); err != nil {
		return nil, err
	}
	if err := s.RunFirstInline(tx, draft); err != nil {
		return nil, err
	}
	return draft.Exec, s.insertExecution(tx, draft)
}

// DraftRun prepares a run and makes its execution and jobs, for InsertExecutions to write.
func (s *Service) DraftRun(tx *models.Tx, request Request) (*Draft, error) {
	_, span := traceAccept(tx, &request)
	run, err := s.prepareRun(tx, request)
	if err != nil {
		endAccept(span, nil, err)
		return nil, err
	}
	draft, err := s.draftRun(tx, run)
	if draft.span = span; err != nil {
		endAccept(span, nil, err)
	}
	return draft, err
}

// prepareRun prepares a run. Whatever it may not use refuses it.
func (s *Service) prepareRun(tx *models.Tx, request Request) (*preparedRun, error) {
	p := &preparation{
		s: s, q: tx.DB, actor: tx.Actor,
		find:   func(named []Reference) (JobRefs, error) { return s.hooks.library.FindReferences(tx, named) },
		refuse: stopAtRefusal,
	}
	return p.prepare(request)
}

func (p *preparation) prepare(request Request) (*preparedRun, error) {
	run := &preparedRun{Request: request, nodes: request.Nodes, refs: request.Refs}
	if err := p.packComponents(run); err != nil {
		return nil, err
	}
	if err := p.findReferences(run); err != nil {
		return nil, err
	}
	return run, p.applyReferences(run)
}

// packComponents packs the components that are left to do.
func (p *preparation) packComponents(run *preparedRun) error {
	var packer *packer
	for _, node := range run.Nodes {
		if node.Type != nodegraph.ComponentType || run.finishedEarlier(node.ID) {
			continue
		}
		if packer == nil {
			packer, run.packed = p.s.newPacker(p.q, p.actor, &run.Request), map[string]*component{}
		}
		packed, err := packer.packAnew(node, run.Earlier[node.ID])
		if err == nil {
			run.packed[node.ID] = packed
		} else if err := p.refuse(node.ID, err); err != nil {
			return err
		}
	}
	return nil
}

// findReferences finds what the nodes name of the library; a run that names nothing asks nothing.
func (p *preparation) findReferences(run *preparedRun) error {
	if p.s.hooks.library == nil {
		return nil
	}
	named, err := p.s.collectReferences(p.q, run)
	if err != nil || len(named) == 0 {
		return err
	}
	if run.found, err = p.find(named); err != nil {
		return err
	}
	run.refs = run.Refs.with(run.found)
	return nil
}

// applyReferences puts the settings of presets and voices that decide the price into the nodes.
func (p *preparation) applyReferences(run *preparedRun) (err error) {
	if len(run.refs) == 0 {
		return nil
	}
	a := applier{kinds: p.s.Flows.Catalogue, refs: run.refs, single: run.single(), complete: !run.unready}
	if run.nodes, err = a.nodes(run.nodes, "", p.refuse); err != nil {
		return err
	}
	for id, c := range run.packed {
		if err := a.component(c, id+componentBoundary); err != nil {
			if err := p.refuse(id, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// Draft is a new execution with its jobs before they are written, and who pays for it.
type Draft struct {
	Exec  *Execution
	jobs  []*Job
	plan  *nodegraph.Plan
	payer credit.Payer
	// actorID is who started it, nil for no one.
	actorID *models.ID
	span    *tracing.Span // of DraftRun
}

// draftRun makes the execution and its jobs.
func (s *Service) draftRun(tx *models.Tx, run *preparedRun) (*Draft, error) {
	plan := nodegraph.NewPlan(run.nodes, run.Edges)
	draft := &Draft{Exec: newExecution(tx, run, plan), plan: plan, payer: run.Payer}
	if tx.Actor.SignedIn() {
		draft.actorID = new(tx.Actor.UserID)
	}
	return draft, s.addJobs(tx, draft, run)
}

// newExecution makes an execution that has no jobs yet.
func newExecution(tx *models.Tx, run *preparedRun, plan *nodegraph.Plan) *Execution {
	id := run.ID
	if id == (models.ID{}) {
		id = tx.NewRunID(run.Payer.Space())
	}
	exec := &Execution{
		ID: id, TriggerID: run.TriggerID, AccountID: run.Payer.UserID,
		OrganizationID: run.Payer.OrganizationID, WorkspaceID: run.Payer.WorkspaceID,
		WorkflowID: run.WorkflowID, WorkflowVersion: run.WorkflowVersion, AppID: run.AppID, ClientAppID: tx.Actor.OfApp(),
		Trigger: run.Trigger, Personal: run.Personal, Source: run.Source, Status: ExecutionPending,
		Nodes: run.nodes, Edges: run.Edges,
		TotalNodes: len(plan.Order), OpenNodes: len(plan.Order),
		Purpose: run.Purpose, Markup: run.Markup, Revision: 1, CreatedAt: tx.Now, RetryOf: run.RetryOf, Subject: run.subject(),
	}
	exec.isNew, exec.refs, exec.foundRefs, exec.mainNode = true, run.refs, run.found, run.MainNode
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
func (s *Service) addJobs(tx *models.Tx, draft *Draft, run *preparedRun) error {
	exec := draft.Exec
	draft.jobs = make([]*Job, 0, len(draft.plan.Order))
	for i, id := range draft.plan.Order {
		job, err := s.newJob(tx, draft, run, id)
		if err != nil {
			return err
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
		draft.jobs = append(draft.jobs, job)
	}
	exec.holdMarkup()
	return nil
}

// newJob is the work of one node, ready when it waits for nothing.
func (s *Service) newJob(tx *models.Tx, draft *Draft, run *preparedRun, id string) (*Job, error) {
	exec, plan := draft.Exec, draft.plan
	node := plan.Nodes[id]
	job := &Job{
		ID: tx.NewIDIn(exec.ID), AccountID: exec.AccountID, ExecutionID: exec.ID, WorkspaceID: exec.WorkspaceID,
		ClientAppID: exec.ClientAppID,
		NodeID:      id, JobType: node.Type, Status: JobWaiting, WaitsFor: plan.WaitsFor(id),
		InputData: shownInput(exec, node, node.Data, run.refs[id]),
		Source:    exec.Source, CreditStatus: &creditReserved, CreatedAt: tx.Now,
	}
	if run.finishedEarlier(id) {
		job.copyFinished(run.Earlier[id], tx)
		return job, nil
	}
	for _, before := range plan.Before(id) {
		if run.finishedEarlier(before) {
			job.WaitsFor--
		}
	}
	if job.WaitsFor == 0 {
		job.Status = JobPending
	}
	job.InputData = shownInput(exec, node, s.withPinnedModel(node, node.Data), run.refs[id])
	var err error
	var inside []credit.Part
	switch {
	case node.Type == nodegraph.ComponentType:
		job.State, err = json.Marshal(run.packed[id])
		inside = run.packed[id].remainingParts(s.Flows.Catalogue)
	case run.Outputs[id] != nil:
		job.State, err = json.Marshal(run.Outputs[id])
	}
	parts := s.jobParts(&run.Request, node, inside)
	job.Cost, exec.parts = sumOf(parts), append(exec.parts, parts...)
	return job, err
}

// The states of a job's credits.
var (
	creditReserved  = "reserved"
	creditCommitted = "committed"
	creditReleased  = "released"
)

// RunFirstInline does the inline nodes that a new execution begins with, if this process
// has a worker to spare for them.
func (s *Service) RunFirstInline(tx *models.Tx, draft *Draft) error {
	if s.SpareWorker == nil || !slices.ContainsFunc(draft.Exec.ready, (*Job).inline) {
		return nil
	}
	done, spare := s.SpareWorker()
	if !spare {
		return nil
	}
	defer done()
	return s.runReadyInline(tx, draft.Exec, draft.plan)
}
