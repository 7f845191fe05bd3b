package mcp

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
)

// workflowTools keep and run workflows.
func (f *face) workflowTools() {
	add(f, tool{
		Name: "list_workflows", Title: "List workflows", Reads: true, Operations: []string{"Workflows"},
		Description: "Workflows of the space, newest first; search is a part of the name or the description.",
	}, listWorkflows)
	add(f, tool{
		Name: "read_workflow", Title: "Read a workflow", Reads: true, Operations: []string{"Workflow"},
		Description: "A workflow's nodes with their settings, its connections, its version and what a run costs.",
	}, readWorkflow)
	add(f, tool{
		Name: "check_workflow", Title: "Check a workflow", Reads: true, Operations: []string{"Workflow", "CheckWorkflow"},
		Description: "What saving a workflow with these edits would say and what a run would then cost. Saves nothing.",
	}, checkWorkflow)
	add(f, tool{
		Name: "create_workflow", Title: "Create a workflow", Operations: []string{"CreateWorkflow"},
		Description: "Saves a new workflow of nodes and connections in the space. list_nodes and describe_node say what nodes there are.",
	}, createWorkflow)
	add(f, tool{
		Name: "edit_workflow", Title: "Change a workflow", Destroys: true, Operations: []string{"Workflow", "UpdateWorkflow"},
		Description: "Changes a workflow by small edits, all of them or none, on the version that read_workflow showed. Earlier versions are kept.",
	}, editWorkflow)
	add(f, tool{
		Name: "run_workflow", Title: "Run a workflow", Outside: true, Operations: []string{"RunWorkflow", "Run"},
		Description: "Runs a workflow, which costs credits (see get_credits), and waits for the result up to waitSeconds.",
	}, runWorkflow)
}

type listWorkflowsInput struct {
	Space
	Paged
	Search string `json:"search,omitempty"`
}

// WorkflowRow is a workflow in a list.
type WorkflowRow struct {
	Workflow    string `json:"workflow" jsonschema:"Its id."`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Version     int    `json:"version"`
	Access      string `json:"access" jsonschema:"view, edit or creator: what the person may do with it."`
}

type workflowList struct {
	Workflows  []WorkflowRow `json:"workflows"`
	NextCursor string        `json:"nextCursor,omitempty"`
}

func listWorkflows(ctx context.Context, c *call, in listWorkflowsInput) (*workflowList, error) {
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	if in.Search != "" {
		variables["search"] = in.Search
	}
	var found struct {
		Workflows struct {
			Nodes []struct {
				ID, Name, Description, Access string
				Version                       int
			}
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "Workflows", variables, &found); err != nil {
		return nil, err
	}
	list := &workflowList{Workflows: []WorkflowRow{}, NextCursor: found.Workflows.PageInfo.next()}
	for _, w := range found.Workflows.Nodes {
		list.Workflows = append(list.Workflows, WorkflowRow{w.ID, w.Name, w.Description, w.Version, w.Access})
	}
	return list, nil
}

// Node is a node of a workflow.
type Node struct {
	ID       string         `json:"id" jsonschema:"Unique in the workflow."`
	Type     string         `json:"type" jsonschema:"A type of list_nodes."`
	Settings map[string]any `json:"settings,omitempty" jsonschema:"As describe_node says for the type."`
}

// Connection feeds what a node puts out into a field of another.
type Connection struct {
	From   string `json:"from" jsonschema:"Id of the node that feeds."`
	To     string `json:"to" jsonschema:"Id of the node that is fed."`
	Input  string `json:"input,omitempty" jsonschema:"The field that is fed; the main input when absent."`
	Output string `json:"output,omitempty" jsonschema:"The output, of a node that has several."`
}

// Workflow is a workflow as an agent reads it.
type Workflow struct {
	WorkflowRow
	Nodes            []Node         `json:"nodes"`
	Connections      []Connection   `json:"connections"`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
	Workspace        string         `json:"workspace" jsonschema:"Where it lies, and who pays for a run."`
	WhyNotRun        string         `json:"whyNotRun,omitempty" jsonschema:"Why the person may not run it."`
}

type workflowInput struct {
	Space
	Workflow string `json:"workflow" jsonschema:"Id of the workflow."`
}

func readWorkflow(ctx context.Context, c *call, in workflowInput) (*Workflow, error) {
	saved, err := c.savedWorkflow(ctx, in.Workflow)
	if err != nil {
		return nil, err
	}
	w := &Workflow{
		WorkflowRow: WorkflowRow{saved.ID, saved.Name, saved.Description, saved.Version, saved.Access},
		Nodes:       []Node{}, Connections: []Connection{}, EstimatedCredits: saved.EstimatedCredits,
		Workspace: personal, WhyNotRun: text(saved.WhyNotRun),
	}
	if saved.WorkspaceID != nil {
		w.Workspace = *saved.WorkspaceID
	}
	for _, n := range saved.Nodes {
		w.Nodes = append(w.Nodes, Node{n.ID, n.Type, n.Data})
	}
	for _, e := range saved.Edges {
		w.Connections = append(w.Connections, Connection{e.Source, e.Target, text(e.TargetHandle), text(e.SourceHandle)})
	}
	return w, nil
}

// savedWorkflow is a workflow as the schema has it.
type savedWorkflow struct {
	ID, Name, Description, Access string
	Version                       int
	WorkspaceID, WhyNotRun        *string
	EstimatedCredits              models.Credits
	workflowGraph
}

func (c *call) savedWorkflow(ctx context.Context, id string) (*savedWorkflow, error) {
	var found struct{ Workflow savedWorkflow }
	err := c.ask(ctx, "Workflow", map[string]any{"id": id}, &found)
	return &found.Workflow, err
}

type checkWorkflowInput struct {
	workflowInput
	Edits []Edit `json:"edits,omitempty" jsonschema:"Edits to check, as edit_workflow takes them. Absent: the workflow as it is saved."`
}

type workflowCheck struct {
	Problems         []Problem      `json:"problems" jsonschema:"Empty when it can be saved."`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
}

// Problem is what is wrong with a graph.
type Problem struct {
	Message string `json:"message"`
	Field   string `json:"field"`
	Node    string `json:"node,omitempty"`
}

func checkWorkflow(ctx context.Context, c *call, in checkWorkflowInput) (*workflowCheck, error) {
	saved, err := c.savedWorkflow(ctx, in.Workflow)
	if err != nil {
		return nil, err
	}
	if err := saved.apply(c.Resolver.Flows.Catalogue, in.Edits); err != nil {
		return nil, err
	}
	var found struct {
		CheckWorkflow struct {
			Problems []struct {
				Message, Field string
				NodeID         *string
			}
			EstimatedCredits models.Credits
		}
	}
	if err := c.ask(ctx, "CheckWorkflow", map[string]any{"id": in.Workflow, "nodes": saved.Nodes, "edges": saved.Edges}, &found); err != nil {
		return nil, err
	}
	check := &workflowCheck{Problems: []Problem{}, EstimatedCredits: found.CheckWorkflow.EstimatedCredits}
	for _, p := range found.CheckWorkflow.Problems {
		check.Problems = append(check.Problems, Problem{p.Message, p.Field, text(p.NodeID)})
	}
	return check, nil
}

type createWorkflowInput struct {
	Space
	Once
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Nodes       []Node       `json:"nodes,omitempty"`
	Connections []Connection `json:"connections,omitempty"`
}

type savedVersion struct {
	Workflow string `json:"workflow" jsonschema:"Its id."`
	Version  int    `json:"version"`
	URL      string `json:"url" jsonschema:"Its page in the console."`
}

func createWorkflow(ctx context.Context, c *call, in createWorkflowInput) (*savedVersion, error) {
	g := workflowGraph{Nodes: nodegraph.Nodes{}, Edges: nodegraph.Edges{}}
	for _, n := range in.Nodes {
		g.Nodes = append(g.Nodes, &nodegraph.Node{ID: n.ID, Type: n.Type, Data: orEmpty(n.Settings)})
	}
	for i, each := range in.Connections {
		g.Edges = append(g.Edges, each.edge(i+1))
	}
	input := map[string]any{"name": in.Name, "nodes": g.Nodes, "edges": g.Edges}
	if in.Description != "" {
		input["description"] = in.Description
	}
	var made savedBack
	if err := c.once(ctx, in.IdempotencyKey, "CreateWorkflow", map[string]any{"input": input}, &made); err != nil {
		return nil, err
	}
	return made.view(c), nil
}

type savedBack struct {
	Workflow struct {
		ID      string
		Version int
	}
}

func (s savedBack) view(c *call) *savedVersion {
	return &savedVersion{s.Workflow.ID, s.Workflow.Version, c.PublicURL + "/workflows/" + s.Workflow.ID}
}

type editWorkflowInput struct {
	workflowInput
	Version     int     `json:"version" jsonschema:"The version that read_workflow showed; another current one is refused."`
	Edits       []Edit  `json:"edits,omitempty" jsonschema:"In their order."`
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
}

func editWorkflow(ctx context.Context, c *call, in editWorkflowInput) (*savedVersion, error) {
	input := map[string]any{"version": in.Version}
	if len(in.Edits) > 0 {
		saved, err := c.savedWorkflow(ctx, in.Workflow)
		if err != nil {
			return nil, err
		}
		if saved.Version != in.Version {
			return nil, models.Err(models.CodeStale, "The workflow has version %d by now", saved.Version)
		}
		if err := saved.apply(c.Resolver.Flows.Catalogue, in.Edits); err != nil {
			return nil, err
		}
		input["nodes"], input["edges"] = saved.Nodes, saved.Edges
	}
	if in.Name != nil {
		input["name"] = *in.Name
	}
	if in.Description != nil {
		input["description"] = *in.Description
	}
	var made savedBack
	if err := c.ask(ctx, "UpdateWorkflow", map[string]any{"id": in.Workflow, "input": input}, &made); err != nil {
		return nil, err
	}
	return made.view(c), nil
}

type runWorkflowInput struct {
	workflowInput
	Once
	Wait
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"Values for this run by <node>.<field>, or by the field alone where only one node has it. The workflow stays as it is."`
}

func runWorkflow(ctx context.Context, c *call, in runWorkflowInput) (*Run, error) {
	return c.run(ctx, in.Once, in.Wait, "RunWorkflow", map[string]any{"id": in.Workflow, "input": map[string]any{"inputs": orEmpty(in.Inputs)}})
}

// begun is a run that was accepted.
type begun struct {
	Run struct {
		ID       string
		Job      *struct{ ExecutionID string }
		Warnings []string
	}
}

// run starts a run and waits for it.
func (c *call) run(ctx context.Context, once Once, wait Wait, operation string, variables map[string]any) (*Run, error) {
	most, err := wait.duration()
	if err != nil {
		return nil, err
	}
	var accepted begun
	if err := c.once(ctx, once.IdempotencyKey, operation, variables, &accepted); err != nil {
		return nil, err
	}
	id := accepted.Run.ID
	if accepted.Run.Job != nil {
		id = accepted.Run.Job.ExecutionID
	}
	return c.started(ctx, id, most, accepted.Run.Warnings)
}

func orEmpty(values map[string]any) map[string]any {
	if values == nil {
		return map[string]any{}
	}
	return values
}
