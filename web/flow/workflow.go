package flow

import (
	"net/http"
	"net/url"
	"strconv"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// workflowView is the page of one workflow.
type workflowView struct {
	Flow    query.WorkflowHead
	History []runRow
	Next    string
	Graph   ui.GraphProps
	Lines   []nodeLine
	Text    string // the graph as text
	Run     []formPart
	Kinds   []query.NodeKind
	Words   frame.Words
	Sharing bool   // whether the install shares workflows
	Payer   string // who pays for a run
	Form    frame.Form
	Prefill url.Values // values for the run, from the address
}

// WorkflowPage is the page of one workflow: its graph, its runs, and the forms to run and to change it.
func (c Pages) WorkflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowPage(r.Context(), c.Client, frame.PathID(r), frame.After(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, kindsOf(res.NodeTypes)
	home := frame.PlaceOf(r, c.Placed(r, res.Shell, "", frame.Value(flow.WorkspaceId)), "", frame.Value(flow.WorkspaceId))
	v := workflowView{
		Flow: flow, History: c.runRows(res.Workflow.Executions.Nodes), Kinds: res.NodeTypes, Form: frame.FormOf(r), Prefill: r.URL.Query(),
		Graph: drawing("graph", flow.Name, flow.Nodes, flow.Edges, k, nil), Lines: nodeLines(flow.Nodes, flow.Edges, k),
		Text: writeGraph(flow.Nodes, flow.Edges), Run: runParts(flow.Nodes, flow.Edges, k),
		Words: home.Words, Sharing: res.Me.Memberships != nil, Payer: homePayer(home, flow),
	}
	if end := res.Workflow.Executions.PageInfo; r.Method == http.MethodGet {
		v.Next = frame.NextHref(r, end)
	}
	at := frame.Page{Title: flow.Name, Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true}
	return c.Page(w, r, res.Shell, at, workflowContent(v, c.Now()))
}

// UpdateWorkflow saves a workflow as the next version.
func (c Pages) UpdateWorkflow(w http.ResponseWriter, r *http.Request) error {
	graph, err := readGraph(r.PostForm.Get("graph"))
	if err != nil {
		return frame.Again(w, r, err, c.WorkflowPage)
	}
	version, err := strconv.Atoi(frame.Text(r, "version"))
	if err != nil {
		return frame.Refusal(http.StatusBadRequest, "validation_error", "The form does not say which version it was made on.")
	}
	name, description := frame.Text(r, "name"), frame.Text(r, "description")
	in := query.UpdateWorkflowInput{Name: &name, Description: &description, Nodes: graph.Nodes, Edges: graph.Edges, Version: &version}
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	res, err := query.UpdateWorkflow(r.Context(), c.Client, frame.PathID(r), in)
	if frame.HasCode(err, "stale_version") {
		return c.staleWorkflow(w, r, in)
	}
	if err != nil {
		return frame.Again(w, r, graphRefusal(err), c.WorkflowPage)
	}
	return c.Done(w, "/workflows/"+frame.PathID(r), res.UpdateWorkflow.Name+" is saved. It is at version "+ui.Count(res.UpdateWorkflow.Version)+".")
}

// RunWorkflow starts a run of the saved version.
func (c Pages) RunWorkflow(w http.ResponseWriter, r *http.Request) error {
	run, err := c.startRun(r)
	if err != nil {
		return frame.Again(w, r, err, c.WorkflowPage)
	}
	return frame.SeeOther(w, "/runs/"+run)
}

// DeleteWorkflowPage asks before a workflow is deleted.
func (c Pages) DeleteWorkflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowAlone(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	at := frame.Page{Title: "Delete " + res.Workflow.Name, Section: frame.SectionWorkflows, Workspace: frame.Value(res.Workflow.WorkspaceId)}
	return c.Page(w, r, res.Shell, at, deleteWorkflowContent(res.Workflow))
}

// DeleteWorkflow deletes a workflow.
func (c Pages) DeleteWorkflow(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteWorkflow(r.Context(), c.Client, frame.PathID(r)); err != nil {
		return frame.Again(w, r, err, c.DeleteWorkflowPage)
	}
	return c.Done(w, "/workflows", "The workflow is deleted.")
}
