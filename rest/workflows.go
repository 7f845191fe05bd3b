package rest

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/run"
	"atelier/models/space"
)

// maxWorkflowBody is the largest body with a graph, in bytes.
const maxWorkflowBody = 5 << 20

// workflowRoutes keep and run workflows (open points, "Workflows").
func (a *API) workflowRoutes() {
	const tag, all, each = "Workflows", "/v1/workflows", "/v1/workflows/{id}"
	const scope = models.ScopeExecute
	handle(a, route{Method: "POST", Path: all, Tag: tag, Summary: "Save a new workflow in the selected space", Scope: scope, Status: 201, MaxBody: maxWorkflowBody}, a.createWorkflow)
	handle(a, route{Method: "GET", Path: all, Tag: tag, Summary: "List the workflows of the selected space, newest first", Scope: scope, Covered: true}, a.listWorkflows)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One workflow", Scope: scope, Covered: true}, a.getWorkflow)
	handle(a, route{Method: "PATCH", Path: each, Tag: tag, Summary: "Save changes, or move to another project", Scope: scope, MaxBody: maxWorkflowBody}, a.updateWorkflow)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Delete a workflow and the app that it is published as", Scope: scope}, a.deleteWorkflow)
	handle(a, route{Method: "POST", Path: each + "/run", Tag: tag, Summary: "Run a saved workflow", Scope: scope, Status: 202, Wait: true, Covered: true}, a.runWorkflow)
}

type workflowView struct {
	ID          models.ID        `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	ProjectID   models.ID        `json:"projectId"`
	WorkspaceID *models.ID       `json:"workspaceId"`
	Visibility  space.Visibility `json:"visibility" enum:"private,workspace"`
	Nodes       []shownNode      `json:"nodes"`
	Edges       []edgeView       `json:"edges"`
	CreatedBy   models.ID        `json:"createdBy"`
	CreatedAt   timestamp        `json:"createdAt"`
	UpdatedAt   timestamp        `json:"updatedAt"`
	Version     int              `json:"version"`
	Source      json.RawMessage  `json:"source" doc:"What it is a copy of, by postId, title, license and author; null for what is no copy."`
	Access      space.Access     `json:"access" enum:"view,edit,creator" doc:"What the caller may do with it."`
}

// WorkflowShown is embedded under an exported name, for the document shows no other.
type WorkflowShown = workflowView

// workflowDetail is a workflow that is read by itself.
type workflowDetail struct {
	WorkflowShown
	EstimatedCredits models.Credits `json:"estimatedCredits" doc:"What one run costs, with all that its components run."`
}

// detailed answers with one workflow.
func (a *API) detailed(ctx context.Context, w *flow.Workflow, err error) (*single[workflowDetail], error) {
	if err != nil {
		return nil, err
	}
	estimated, err := a.Resolver.Workflow().EstimatedCredits(ctx, w)
	if err != nil {
		return nil, err
	}
	return one(workflowDetail{WorkflowShown: viewWorkflow(w), EstimatedCredits: estimated}), nil
}

func viewWorkflow(w *flow.Workflow) workflowView {
	return workflowView{
		ID: w.ID, Name: w.Name, Description: w.Description, ProjectID: w.ProjectID, WorkspaceID: w.WorkspaceID,
		Visibility: w.Visibility, Nodes: mapAll(w.Nodes, viewNode), Edges: mapAll(w.Edges, viewEdge),
		CreatedBy: w.OwnerID, CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt),
		Version: w.Version, Source: w.Source, Access: w.Access,
	}
}

type createWorkflowInput struct {
	Body struct {
		Name        string            `json:"name"`
		Description *string           `json:"description,omitempty"`
		ProjectID   *models.ID        `json:"projectId,omitempty" doc:"Default: the default project of the selected space."`
		Visibility  *space.Visibility `json:"visibility,omitempty" doc:"private or workspace; the default is the workspace's setting."`
		Nodes       []nodeView        `json:"nodes,omitempty"`
		Edges       []edgeView        `json:"edges,omitempty"`
	}
}

func (a *API) createWorkflow(ctx context.Context, in *createWorkflowInput) (*single[workflowDetail], error) {
	w, err := a.mutation().CreateWorkflow(ctx, flow.CreateWorkflowInput{
		Name: in.Body.Name, Description: in.Body.Description, ProjectID: in.Body.ProjectID, Visibility: in.Body.Visibility,
		Nodes: mapAll(in.Body.Nodes, readNode), Edges: mapAll(in.Body.Edges, readEdge),
	})
	return a.detailed(ctx, w, err)
}

func (a *API) listWorkflows(ctx context.Context, in *PageQuery) (*many[workflowView], error) {
	workflows, err := a.workflowPage(ctx, in)
	if err != nil {
		return nil, err
	}
	return page(workflows, viewWorkflow), nil
}

// workflowPage is a page of workflows with their graphs.
func (a *API) workflowPage(ctx context.Context, in *PageQuery) (*models.Connection[*flow.Workflow], error) {
	workflows, err := a.query().Workflows(ctx, in.first(), in.after(), nil, nil)
	if err != nil {
		return nil, err
	}
	if !chooses(ctx, "nodes", "edges") {
		return workflows, nil
	}
	return workflows, a.Resolver.AddGraphs(ctx, workflows)
}

func (a *API) getWorkflow(ctx context.Context, in *IDPath) (*single[workflowDetail], error) {
	w, err := a.query().Workflow(ctx, in.ID)
	return a.detailed(ctx, w, err)
}

type updateWorkflowInput struct {
	IDPath
	Body struct {
		Name        models.Opt[string]     `json:"name,omitzero"`
		Description models.Opt[string]     `json:"description,omitzero"`
		ProjectID   models.Opt[models.ID]  `json:"projectId,omitzero" doc:"Moves it."`
		Visibility  models.Opt[string]     `json:"visibility,omitzero"`
		Nodes       models.Opt[[]nodeView] `json:"nodes,omitzero"`
		Edges       models.Opt[[]edgeView] `json:"edges,omitzero"`
		Version     *int                   `json:"version,omitempty" doc:"The version that the change was made on; another current one is refused as stale_version."`
	}
}

func (a *API) updateWorkflow(ctx context.Context, in *updateWorkflowInput) (*single[workflowDetail], error) {
	change := flow.UpdateWorkflowInput{
		Name: in.Body.Name, Description: in.Body.Description, ProjectID: in.Body.ProjectID, Version: in.Body.Version,
	}
	if v, ok := in.Body.Visibility.ValueOK(); ok {
		change.Visibility = models.Null[space.Visibility]()
		if v != nil {
			change.Visibility = models.Some(space.Visibility(*v))
		}
	}
	if nodes, sent, err := models.Required("nodes", in.Body.Nodes); err != nil {
		return nil, err
	} else if sent {
		change.Nodes = models.Some(mapAll(nodes, readNode))
	}
	if edges, sent, err := models.Required("edges", in.Body.Edges); err != nil {
		return nil, err
	} else if sent {
		change.Edges = models.Some(mapAll(edges, readEdge))
	}
	w, err := a.mutation().UpdateWorkflow(ctx, in.ID, change)
	return a.detailed(ctx, w, err)
}

func (a *API) deleteWorkflow(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().DeleteWorkflow(ctx, in.ID)
	return succeeded(err)
}

// RunValues is the values of a run.
type RunValues struct {
	Inputs         map[string]any `json:"inputs,omitempty" doc:"Values by input: <nodeId>.<field>, or the field alone where only one input has it."`
	InputOverrides map[string]any `json:"inputOverrides,omitempty" doc:"Values by node id and field, over the inputs."`
}

type runWorkflowInput struct {
	IDPath
	Body *RunValues
}

// acceptedRun is the answer to a run that was accepted.
type acceptedRun struct {
	ExecutionID models.ID           `json:"executionId"`
	Status      run.ExecutionStatus `json:"status"`
}

func (a *API) runWorkflow(ctx context.Context, in *runWorkflowInput) (*plain[acceptedRun], error) {
	values := RunValues{}
	if in.Body != nil {
		values = *in.Body
	}
	return a.startWorkflow(ctx, in.ID, values)
}

func (a *API) startWorkflow(ctx context.Context, id models.ID, values RunValues) (*plain[acceptedRun], error) {
	execution, err := a.mutation().RunWorkflow(ctx, id, run.Input{Inputs: values.Inputs, InputOverrides: values.InputOverrides})
	if err != nil {
		return nil, err
	}
	noteEnded(ctx, execution)
	// As it was accepted, however far it has come (contract 1, "States and transitions").
	return &plain[acceptedRun]{Status: 202, Body: acceptedRun{ExecutionID: execution.ID, Status: run.ExecutionPending}}, nil
}

// nodeView is a node as clients send and see it.
type nodeView struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	ParentID *string        `json:"parentId,omitempty"`
	Position *positionView  `json:"position,omitempty"`
	Data     map[string]any `json:"data,omitempty"`
}

type positionView struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// edgeView is an edge as clients send and see it.
type edgeView struct {
	ID           string  `json:"id"`
	Source       string  `json:"source"`
	Target       string  `json:"target"`
	SourceHandle *string `json:"sourceHandle,omitempty"`
	TargetHandle *string `json:"targetHandle,omitempty"`
}

// shownNode is a node in an answer: its data is always there.
type shownNode struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	ParentID *string        `json:"parentId,omitempty"`
	Position *positionView  `json:"position,omitempty"`
	Data     map[string]any `json:"data"`
}

func viewNode(n *nodegraph.Node) shownNode {
	view := shownNode{ID: n.ID, Type: n.Type, ParentID: n.ParentID, Data: n.Data}
	if n.Position != nil {
		view.Position = &positionView{X: n.Position.X, Y: n.Position.Y}
	}
	if view.Data == nil {
		view.Data = map[string]any{}
	}
	return view
}

func viewEdge(e *nodegraph.Edge) edgeView {
	return edgeView{ID: e.ID, Source: e.Source, Target: e.Target, SourceHandle: e.SourceHandle, TargetHandle: e.TargetHandle}
}

func readNode(n nodeView) *nodegraph.Node {
	node := &nodegraph.Node{ID: n.ID, Type: n.Type, ParentID: n.ParentID, Data: n.Data}
	if n.Position != nil {
		node.Position = &nodegraph.Position{X: n.Position.X, Y: n.Position.Y}
	}
	return node
}

func readEdge(e edgeView) *nodegraph.Edge {
	return &nodegraph.Edge{ID: e.ID, Source: e.Source, Target: e.Target, SourceHandle: e.SourceHandle, TargetHandle: e.TargetHandle}
}
