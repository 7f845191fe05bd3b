package run

import (
	"bytes"
	"context"
	"encoding/json"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// Find reads an execution: one's own, or one of a workspace whose
// admin one is. Without access it is not_found; a token that is restricted to
// other workflows gets forbidden.
func (s Executions) Find(ctx context.Context, id models.ID) (*Execution, error) {
	if err := models.ActorFrom(ctx).RequireAccount(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	return s.run.executionInReach(ctx, id)
}

// executionInReach reads an execution, without its graph, that the actor may see.
func (s *Service) executionInReach(ctx context.Context, id models.ID) (*Execution, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireAccount(models.Unscoped); err != nil {
		return nil, err
	}
	exec, err := models.First[Execution](s.DB.Read(ctx).Select(executionColumns).Where(models.FitsID("id", id)).Where("erased_at IS NULL"), models.NotFound("Execution"))
	if err != nil {
		return nil, err
	}
	if !exec.startedFor(actor) || exec.AccountID != actor.UserID && !s.administers(ctx, exec.WorkspaceID) {
		return nil, models.NotFound("Execution")
	}
	return exec, coversRun(actor, exec.WorkflowID)
}

// startedFor tells whether a connected app started the execution for the person
// for whom it acts now; apps see no other. No one else is limited by that.
func (e *Execution) startedFor(actor models.Actor) bool {
	app := actor.OfApp()
	return app == nil || e.ClientAppID != nil && *e.ClientAppID == *app && e.AccountID == actor.UserID
}

// administers tells whether the actor is an admin of the workspace now.
func (s *Service) administers(ctx context.Context, workspaceID *models.ID) bool {
	if workspaceID == nil {
		return false
	}
	reach, err := s.Spaces.Viewer(ctx, workspaceID)
	return err == nil && reach.IsAdmin()
}

// coversRun refuses tokens that are restricted to other workflows: forbidden.
func coversRun(actor models.Actor, workflowID *models.ID) error {
	if workflowID == nil {
		return flow.CheckTokenCovers(actor, models.ID{})
	}
	return flow.CheckTokenCovers(actor, *workflowID)
}

// ExecutionFilter narrows a list of runs; nil fields narrow nothing.
type ExecutionFilter struct {
	Status     *ExecutionStatus
	Trigger    *string
	WorkflowID *models.ID
	AppID      *models.ID
}

// narrow adds the filter to a query and to the name of its list.
func (f ExecutionFilter) narrow(query *gorm.DB, name string) (*gorm.DB, string) {
	if f.Status != nil {
		query, name = query.Where("status = ?", *f.Status), name+" status "+string(*f.Status)
	}
	if f.Trigger != nil {
		query, name = query.Where("trigger = ?", *f.Trigger), name+" trigger "+*f.Trigger
	}
	if f.WorkflowID != nil {
		query, name = query.Where("workflow_id = ?", *f.WorkflowID), name+" workflow "+f.WorkflowID.String()
	}
	if f.AppID != nil {
		query, name = query.Where("app_id = ?", *f.AppID), name+" app "+f.AppID.String()
	}
	return query, name
}

// List reads the runs of the selected space, newest first and
// without their graphs: one's own, and everyone's for workspace admins.
func (s Executions) List(ctx context.Context, page models.Page, filter ExecutionFilter) (*models.Connection[*Execution], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireAccount(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	query, name := ofApp(s.run.DB.Read(ctx), actor), "executions:personal"
	switch {
	case actor.WorkspaceID == nil:
		query = query.Where("account_id = ? AND workspace_id IS NULL AND shard_fits_space(shard, ?)", actor.UserID, actor.UserID)
	case actor.OfApp() == nil && s.run.administers(ctx, actor.WorkspaceID):
		query, name = query.Where("workspace_id = ? AND shard_fits_space(shard, ?)", *actor.WorkspaceID, *actor.WorkspaceID), "executions:"+actor.WorkspaceID.String()
	default:
		query = query.Where("workspace_id = ? AND account_id = ? AND shard_fits_space(shard, ?)", *actor.WorkspaceID, actor.UserID, *actor.WorkspaceID)
		name = "executions:own:" + actor.WorkspaceID.String()
	}
	if actor.Restricted() {
		query = query.Where("workflow_id IN ?", actor.WorkflowIDs)
	}
	query, name = filter.narrow(query, name)
	return s.run.listExecutions(ctx, name, query, page)
}

// WorkflowHistory is ListOfWorkflow for callers that may read runs and
// nothing else of the workflow (contract 1, "Authentication" 6).
func (s Executions) WorkflowHistory(ctx context.Context, workflowID models.ID, page models.Page) (*models.Connection[*Execution], error) {
	actor := models.ActorFrom(ctx)
	if err := requireRuns(actor); err != nil {
		return nil, err
	}
	if err := flow.CheckTokenCovers(actor, workflowID); err != nil {
		return nil, err
	}
	if _, err := page.Size(models.DefaultPageSize, models.MaxPageSize); err != nil {
		return nil, err
	}
	w, _, err := s.run.Flows.ReachWithoutGraph(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	return s.ListOfWorkflow(ctx, w, page)
}

// ListOfWorkflow reads a workflow's history, newest first. Admins of
// its workspace see all that the workspace paid for; its creator sees
// everyone's runs but those of app viewers; others see their own. The caller
// has made sure that the actor may see the workflow.
func (s Executions) ListOfWorkflow(ctx context.Context, workflow *flow.Workflow, page models.Page) (*models.Connection[*Execution], error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireAccount(models.ScopeJobsRead); err != nil {
		return nil, err
	}
	if err := coversRun(actor, &workflow.ID); err != nil {
		return nil, err
	}
	query, name := ofApp(s.run.DB.Read(ctx), actor).Where("workflow_id = ?", workflow.ID), "history:"+workflow.ID.String()
	switch {
	case actor.OfApp() != nil:
		query, name = query.Where("account_id = ?", actor.UserID), "app-"+name
	case s.run.administers(ctx, workflow.WorkspaceID):
		query = query.Where("app_id IS NULL OR account_id = ? OR workspace_id = ?", actor.UserID, *workflow.WorkspaceID)
	case workflow.OwnerID == actor.UserID:
		query, name = query.Where("app_id IS NULL OR account_id = ?", actor.UserID), "creator-"+name
	default:
		query, name = query.Where("account_id = ?", actor.UserID), "own-"+name
	}
	return s.run.listExecutions(ctx, name, query, page)
}

// ofApp narrows executions, jobs and app runs to those that the connected app
// started that acts; for everyone else it narrows nothing.
func ofApp(query *gorm.DB, actor models.Actor) *gorm.DB {
	if app := actor.OfApp(); app != nil {
		return query.Where("client_app_id = ?", *app)
	}
	return query
}

func (s *Service) listExecutions(ctx context.Context, name string, query *gorm.DB, page models.Page) (*models.Connection[*Execution], error) {
	if app := models.ActorFrom(ctx).OfApp(); app != nil {
		name += " of " + app.String()
	}
	list := models.List[*Execution]{Name: name, Position: func(e *Execution) string { return e.ID.String() }}
	return models.ListPage(s.DB, list, page, query.Where("erased_at IS NULL").Select(executionColumns), models.NewestFirst("id"))
}

// Graphs reads the graphs of some executions as they ran. Those of
// app runs come without what their outbound nodes send with.
func (s Executions) Graphs(ctx context.Context, ids []models.ID) (map[models.ID]*Execution, error) {
	var rows []*Execution
	err := s.run.DB.Read(ctx).Select("id", "app_id", "nodes", "edges").Where(models.FitsIDs("id", ids)).Find(&rows).Error
	graphs := make(map[models.ID]*Execution, len(rows))
	for _, exec := range rows {
		if exec.AppID != nil {
			exec.Nodes = nodegraph.WithoutDestinations(exec.Nodes)
		}
		graphs[exec.ID] = exec
	}
	return graphs, err
}

// NodeStates reads where the nodes of some executions stand, in the graph's order; see
// jobColumnsWithin.
func (s Executions) NodeStates(ctx context.Context, executionIDs []models.ID) (map[models.ID][]*NodeState, error) {
	states := make(map[models.ID][]*NodeState, len(executionIDs))
	if len(executionIDs) == 0 {
		return states, nil
	}
	for _, id := range executionIDs {
		states[id] = []*NodeState{}
	}
	first, after := jobIDs(executionIDs...)
	var jobs []*Job
	err := s.run.DB.Read(ctx).Select(jobColumnsWithin("id")).Where(models.FitsIDs("execution_id", executionIDs)).Where("id >= ? AND id < ?", first, after).Order("node_index").Find(&jobs).Error
	for _, job := range jobs {
		states[job.ExecutionID] = append(states[job.ExecutionID], job.nodeState())
	}
	return states, err
}

// NodeOutputs reads what the completed nodes of an execution yielded, as it is stored, as far as
// it fits into twice a page; the others are empty.
func (s Executions) NodeOutputs(ctx context.Context, exec *Execution) (map[string]json.RawMessage, error) {
	if outputs, err := exec.outputsAtHand(); outputs != nil || err != nil {
		return outputs, err
	}
	type output struct {
		node string
		data []byte
	}
	first, after := jobIDs(exec.ID)
	found, err := models.Rows(ctx, s.run.DB, func(o *output) []any { return []any{&o.node, &o.data} }, `
		SELECT node_id, CASE WHEN sum(output_size) OVER (ORDER BY node_id, id) <= $4 THEN coalesce(output_data, '{}') ELSE '{}' END FROM jobs
		WHERE execution_id = $1 AND id >= $2 AND id < $3 AND status = 'completed' AND shard_fits_space(shard, $5)`,
		exec.ID, first, after, maxOutputsShown, exec.space())
	outputs := make(map[string]json.RawMessage, len(found))
	for _, o := range found {
		outputs[o.node] = o.data
	}
	return outputs, err
}

// maxOutputsShown is how many bytes of outputs are read of an execution at once.
const maxOutputsShown = 2 * models.MaxPageBytes

// outputsAtHand are the outputs of an execution that ended when it was accepted, which nothing has to be read for; nil for
// others, and where not all of them are to be shown.
func (e *Execution) outputsAtHand() (map[string]json.RawMessage, error) {
	total := 0
	for _, job := range e.endedJobs {
		total += job.OutputSize
	}
	if e.endedJobs == nil || total > maxOutputsShown {
		return nil, nil
	}
	outputs := make(map[string]json.RawMessage, len(e.endedJobs))
	for _, job := range e.endedJobs {
		switch {
		case job.Status != JobCompleted:
			continue
		case job.OutputData == nil && job.OutputSize > 0: // it was not read along
			return nil, nil
		}
		var body bytes.Buffer
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false) // the database keeps no escapes either
		if err := encoder.Encode(orEmpty(job.OutputData)); err != nil {
			return nil, err
		}
		outputs[job.NodeID] = bytes.TrimSpace(body.Bytes())
	}
	return outputs, nil
}

func (j *Job) nodeState() *NodeState {
	state := &NodeState{NodeID: j.NodeID, Job: j}
	switch j.Status {
	case JobCompleted:
		state.Status, state.Output = NodeCompleted, orEmpty(j.OutputData)
	case JobFailed:
		state.Status = NodeFailed
	case JobSkipped, JobCancelled:
		state.Status = NodeSkipped
	case JobProcessing, JobInReview:
		state.Status = NodeRunning
	default:
		state.Status = NodePending
	}
	return state
}

// labelOfType is what people call a node type; one that is unknown has no other name.
func labelOfType(nodeType string) string {
	if kind, ok := nodes.Find(nodeType); ok {
		return kind.Label
	}
	return nodeType
}

// Title is what an execution is called.
type Title struct {
	Text string
	// OfType is set where it is the label of a node type, and not what a person wrote.
	OfType bool
}

// Titles names some executions for lists: the workflow, the app, what a render is of, or the node
// that ran by itself. A workflow of another space is named while it is shared
// with the one who ran it.
func (s Executions) Titles(ctx context.Context, ids []models.ID) (map[models.ID]Title, error) {
	var rows []struct {
		ID models.ID
		Title
	}
	err := s.run.DB.Read(ctx).Raw(`
		WITH e AS MATERIALIZED (
			SELECT id, app_id, workflow_id, workspace_id, account_id, purpose IN ('render', 'pipeline') AS of_studio, subject, nodes -> 0 ->> 'type' AS type
			FROM executions WHERE id IN ?
		)
		SELECT e.id, COALESCE(a.name, w.name, CASE WHEN e.of_studio THEN e.subject END, e.type, '') AS text, a.id IS NULL AND w.id IS NULL AND NOT (e.of_studio AND e.subject IS NOT NULL) AS of_type
		FROM e `+flow.JoinRanFor, ids).Scan(&rows).Error
	titles := make(map[models.ID]Title, len(rows))
	for _, row := range rows {
		if row.OfType {
			row.Text = labelOfType(row.Text)
		}
		titles[row.ID] = row.Title
	}
	return titles, err
}

// Names reads the names of the workflows and apps that some executions ran,
// for lines of a ledger that the caller may read; nil for a node that ran by
// itself and for executions that are not there.
func (s Executions) Names(ctx context.Context, ids []models.ID) (map[models.ID]*string, error) {
	var rows []models.Named
	err := s.run.DB.Read(ctx).Raw(`
		WITH e AS MATERIALIZED (SELECT id, app_id, workflow_id, workspace_id FROM executions WHERE id IN ?)
		SELECT e.id, COALESCE(a.name, w.name) AS name
		FROM e `+flow.JoinRan+`
		WHERE COALESCE(a.name, w.name) IS NOT NULL`, ids).Scan(&rows).Error
	names := make(map[models.ID]*string, len(ids))
	for _, id := range ids {
		names[id] = nil
	}
	for _, row := range rows {
		names[row.ID] = &row.Name
	}
	return names, err
}
