package rest

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// legacyRoutes are the older workflow routes; their answers have no envelope
// (contract 1, "Conventions" 2). Two of them count against the token's budget.
func (a *API) legacyRoutes() {
	const tag, scope = "Workflows (legacy)", models.ScopeExecute
	handle(a, route{Method: "POST", Path: "/v1/api/run", Tag: tag, Summary: "Run a workflow; ?wait=true answers with its result", Scope: scope, Status: 202, Wait: true, Budget: true, Covered: true}, a.legacyRun)
	handle(a, route{Method: "GET", Path: "/v1/api/workflows", Tag: tag, Summary: "List workflows", Scope: scope, Budget: true, Covered: true}, a.legacyWorkflows)
	handle(a, route{Method: "GET", Path: "/v1/api/schema", Tag: tag, Summary: "The inputs of a workflow", Scope: scope, Covered: true}, a.legacySchema)
}

// countCall counts a call of the budgeted routes against the caller's token,
// before anything of the request is read.
func (a *API) countCall(ctx huma.Context, next func(huma.Context)) {
	if err := a.Resolver.Flows.CountTokenCall(ctx.Context()); err != nil {
		request, w := humamux.Unwrap(ctx)
		WriteProblem(w, request, err)
		return
	}
	next(ctx)
}

type legacyRunInput struct {
	Body struct {
		WorkflowID models.ID `json:"workflowId"`
		RunValues
	}
}

func (a *API) legacyRun(ctx context.Context, in *legacyRunInput) (*plain[acceptedRun], error) {
	return a.startWorkflow(ctx, in.Body.WorkflowID, in.Body.RunValues)
}

type legacyWorkflowList struct {
	Body struct {
		Workflows  []workflowView `json:"workflows"`
		NextCursor *string        `json:"nextCursor"`
	}
}

func (a *API) legacyWorkflows(ctx context.Context, in *PageQuery) (*legacyWorkflowList, error) {
	workflows, err := a.workflowPage(ctx, in)
	if err != nil {
		return nil, err
	}
	reply := &legacyWorkflowList{}
	reply.Body.Workflows, reply.Body.NextCursor = mapAll(workflows.Nodes, viewWorkflow), workflows.Next()
	return reply, nil
}

type legacySchemaInput struct {
	WorkflowID string `query:"workflowId" required:"true" doc:"The workflow whose inputs are asked for."`
}

type legacySchemaView struct {
	WorkflowID models.ID     `json:"workflowId"`
	Inputs     []legacyInput `json:"inputs"`
}

// legacyInput is a value that a run may be given by name.
type legacyInput struct {
	ID       string     `json:"id"`
	NodeID   string     `json:"nodeId"`
	NodeType string     `json:"nodeType"`
	Field    string     `json:"field"`
	Value    any        `json:"value" doc:"The current value."`
	Schema   kit.Schema `json:"schema" doc:"JSON Schema of the value."`
}

func (a *API) legacySchema(ctx context.Context, in *legacySchemaInput) (*plain[legacySchemaView], error) {
	id, err := models.ParseID("workflowId", in.WorkflowID)
	if err != nil {
		return nil, err
	}
	w, err := a.query().Workflow(ctx, id)
	if err != nil {
		return nil, err
	}
	view := legacySchemaView{WorkflowID: w.ID, Inputs: mapAll(nodegraph.WorkflowInputs(a.Resolver.Flows.Catalogue, w.Nodes, w.Edges), func(input nodegraph.Input) legacyInput {
		return legacyInput{
			ID: input.ID, NodeID: input.NodeID, NodeType: input.NodeType, Field: input.Field,
			Value: input.Value, Schema: input.Schema,
		}
	})}
	return &plain[legacySchemaView]{Status: 200, Body: view}, nil
}
