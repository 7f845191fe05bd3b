package flow

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/nodes"
)

// Start is everything that a new execution begins with.
type Start struct {
	Payer           credit.Payer
	WorkflowID      *models.ID
	WorkflowVersion *int
	AppID           *models.ID
	// Trigger is editor, api, app, webhook or schedule; Source names the client.
	Trigger, Source string
	// Nodes have inputs and overrides applied already.
	Nodes Nodes
	Edges Edges
	// Outputs are results that are there from the start: what reached a trigger
	// node, by its id.
	Outputs map[string]map[string]any
	// Free makes the run cost nothing (contract 1, "Slot fields" 2).
	Free bool
	// AuthorID is who made the graph; components may run what the author may.
	// Zero is the payer.
	AuthorID models.ID
	// Earlier are the jobs, by node, of the execution that this one retries.
	Earlier map[string]*Job
	RetryOf *models.ID
	// ClientAppID is the connected app that submitted the work itself; a
	// workflow's run has none (contract 2, "Event endpoints", rule 7).
	ClientAppID *models.ID
}

// startExecution accepts a run in the caller's transaction: execution, a job
// for each node, one hold on the credits, and the ready jobs in their lanes.
// Where this process has workers to spare, inline nodes at its beginning are
// done before it is written: then it may have ended when this returns.
// It refuses with insufficient_app_credits, budget_exceeded or
// member_cap_exceeded.
func (s *Service) startExecution(tx *models.Tx, start Start) (*Execution, error) {
	exec, jobs, graph, err := s.newExecution(tx, start)
	if err != nil {
		return nil, err
	}
	if err := s.begin(tx, exec, graph); err != nil {
		return nil, err
	}
	return exec, s.bear(tx, exec, jobs)
}

// newExecution makes an execution with its jobs; bear writes them.
func (s *Service) newExecution(tx *models.Tx, start Start) (*Execution, []*Job, *plan, error) {
	graph := newPlan(start.Nodes, start.Edges)
	exec := &Execution{
		ID: tx.NewID(), AccountID: start.Payer.UserID,
		OrganizationID: start.Payer.OrganizationID, WorkspaceID: start.Payer.WorkspaceID,
		WorkflowID: start.WorkflowID, WorkflowVersion: start.WorkflowVersion, AppID: start.AppID,
		Trigger: start.Trigger, Source: start.Source, Status: ExecutionPending,
		Nodes: start.Nodes, Edges: start.Edges,
		TotalNodes: len(graph.order), OpenNodes: len(graph.order),
		Revision: 1, CreatedAt: tx.Now, RetryOf: start.RetryOf,
	}
	exec.unborn = true
	if exec.Edges == nil {
		exec.Edges = Edges{}
	}
	if exec.Nodes == nil {
		exec.Nodes = Nodes{}
	}
	jobs := make([]*Job, 0, len(graph.order))
	for i, id := range graph.order {
		job, err := s.newJob(tx, exec, graph, start, id)
		if err != nil {
			return nil, nil, nil, err
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
		exec.know(job)
		jobs = append(jobs, job)
	}
	return exec, jobs, graph, nil
}

// begin does the inline nodes that a new execution begins with, if this process
// has a worker to spare for them.
func (s *Service) begin(tx *models.Tx, exec *Execution, graph *plan) error {
	if s.Spare == nil || !slices.ContainsFunc(exec.ready, (*Job).inline) {
		return nil
	}
	done, spare := s.Spare()
	if !spare {
		return nil
	}
	defer done()
	return s.goOn(tx, exec, graph)
}

// bear writes a new execution with its jobs as far as they have come, queues
// what is ready, and takes the hold; one that has ended already is settled.
// Money comes last, for it locks the balance until the commit.
func (s *Service) bear(tx *models.Tx, exec *Execution, jobs []*Job) error {
	if len(exec.changed) > 0 || exec.OpenNodes == 0 {
		exec.StartedAt, exec.Status = &tx.Now, ExecutionRunning
		exec.Revision++
	}
	if exec.OpenNodes == 0 {
		exec.end(tx)
		if exec.Hold > 0 {
			exec.SettledAt = &tx.Now
		}
	}
	news := exec.changes
	exec.changes = changes{}
	if err := tx.Create(exec).Error; err != nil {
		return err
	}
	if err := createJobs(tx, jobs); err != nil {
		return err
	}
	if err := s.Events.PublishJob(tx, exec.AccountID, news.ended...); err != nil {
		return err
	}
	if err := queue(tx, news.ready); err != nil {
		return err
	}
	if exec.CompletedAt == nil {
		tx.Notify(exec.topic())
	}
	if exec.Hold == 0 {
		return nil
	}
	if err := s.Credits.Reserve(tx, exec.payer(), exec.ID, exec.Hold); err != nil {
		return err
	}
	if exec.SettledAt != nil {
		return s.Credits.Settle(tx, exec.payer(), exec.ID, exec.Hold, exec.Charged, news.charges...)
	}
	return s.Credits.Charge(tx, exec.payer(), exec.ID, news.charges...)
}

// createJobs writes the jobs of a new execution: one statement, the same for
// any number of them, so that it is planned once.
func createJobs(tx *models.Tx, jobs []*Job) error {
	if len(jobs) == 0 {
		return nil
	}
	type newJob struct {
		ID        models.ID       `json:"id"`
		NodeID    string          `json:"node_id"`
		NodeIndex int             `json:"node_index"`
		JobType   string          `json:"job_type"`
		Status    JobStatus       `json:"status"`
		InputData Data            `json:"input_data"`
		State     json.RawMessage `json:"state"`
		Cost      int64           `json:"cost"`
		WaitsFor  int             `json:"waits_for"`

		// Of jobs that have ended, or were taken over from an earlier execution.
		Progress       int        `json:"progress"`
		OutputData     Data       `json:"output_data"`
		ErrorMessage   *string    `json:"error_message"`
		ErrorHint      *string    `json:"error_hint"`
		CreditStatus   *string    `json:"credit_status"`
		CreditsCharged *int64     `json:"credits_charged"`
		Attempts       int        `json:"attempts"`
		StartedAt      *time.Time `json:"started_at"`
		CompletedAt    *time.Time `json:"completed_at"`
	}
	rows := make([]newJob, len(jobs))
	for i, j := range jobs {
		rows[i] = newJob{
			j.ID, j.NodeID, j.NodeIndex, j.JobType, j.Status, j.InputData, j.State, int64(j.Cost), j.WaitsFor,
			j.Progress, j.OutputData, j.ErrorMessage, j.ErrorHint, j.CreditStatus, (*int64)(j.CreditsCharged),
			j.Attempts, j.StartedAt, j.CompletedAt,
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	first := jobs[0] // of what is the same in all
	_, err = tx.Run(`
		INSERT INTO jobs (id, account_id, execution_id, workspace_id, node_id, node_index, job_type, status, input_data, state,
			cost, source, client_app_id, waits_for, created_at,
			progress, output_data, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at)
		SELECT id, $2::uuid, $3::uuid, $4::uuid, node_id, node_index, job_type, status, input_data, state,
			cost, $5::text, $6::uuid, waits_for, $7::timestamptz,
			progress, output_data, error_message, error_hint, credit_status, credits_charged, attempts, started_at, completed_at
		FROM jsonb_to_recordset($1::jsonb) AS j(id uuid, node_id text, node_index int, job_type text, status text,
			input_data jsonb, state jsonb, cost bigint, waits_for int,
			progress int, output_data jsonb, error_message text, error_hint text, credit_status text, credits_charged bigint,
			attempts int, started_at timestamptz, completed_at timestamptz)`,
		string(body), first.AccountID, first.ExecutionID, first.WorkspaceID, first.Source, first.ClientAppID, first.CreatedAt)
	return err
}

// newJob is the work of one node, ready when it waits for nothing.
func (s *Service) newJob(tx *models.Tx, exec *Execution, graph *plan, start Start, id string) (*Job, error) {
	node := graph.nodes[id]
	job := &Job{
		ID: tx.NewID(), AccountID: exec.AccountID, ExecutionID: exec.ID, WorkspaceID: exec.WorkspaceID,
		ClientAppID: start.ClientAppID,
		NodeID:      id, JobType: node.Type, Status: JobWaiting, WaitsFor: len(graph.before[id]),
		InputData: publicInput(node, node.Data, exec.AppID != nil),
		Source:    exec.Source, CreditStatus: &creditReserved, CreatedAt: tx.Now,
	}
	if start.done(id) {
		job.takeOver(start.Earlier[id], tx)
		return job, nil
	}
	for _, before := range graph.before[id] {
		if start.done(before) {
			job.WaitsFor--
		}
	}
	if job.WaitsFor == 0 {
		job.Status = JobPending
	}
	if kind, ok := nodes.Find(node.Type); ok {
		job.InputData = publicInput(node, kind.Pin(node.Data), exec.AppID != nil)
		job.Cost = kind.Price(node.Data)
	}
	var err error
	switch {
	case node.Type == componentType:
		job.Cost, job.State, err = s.packComponent(tx, exec, start, node)
		if err == nil {
			job.State, job.Cost, err = takeOverParts(start.Earlier[id], job.State, job.Cost)
		}
	case start.Outputs[id] != nil:
		job.State, err = json.Marshal(start.Outputs[id])
	}
	if start.Free || s.Free {
		job.Cost = 0
	}
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
