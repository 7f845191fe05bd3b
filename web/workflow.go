package web

import (
	"net/http"
	"strconv"

	"atelier/web/query"
	"atelier/web/ui"
)

// workflowView is the page of one workflow.
type workflowView struct {
	Flow    query.WorkflowHead
	History []query.RunRow
	Next    string
	Graph   ui.GraphProps
	Lines   []nodeLine
	Text    string // the graph as text
	Run     []formPart
	Kinds   []query.NodeKind
	Words   words
	Sharing bool   // whether the install shares workflows
	Payer   string // who pays for a run
	Form    form
}

func (c *Console) workflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowPage(r.Context(), c.client, pathID(r), after(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, kindsOf(res.NodeTypes)
	home := placeOf(r, c.placed(r, res.Shell, "", deref(flow.WorkspaceId)), "", deref(flow.WorkspaceId))
	v := workflowView{
		Flow: flow, History: res.Workflow.Executions.Nodes, Kinds: res.NodeTypes, Form: formOf(r),
		Graph: drawing("graph", flow.Name, flow.Nodes, flow.Edges, k, nil), Lines: nodeLines(flow.Nodes, flow.Edges, k),
		Text: writeGraph(flow.Nodes, flow.Edges), Run: runParts(flow.Nodes, flow.Edges, k),
		Words: home.Words, Sharing: res.Me.Memberships != nil, Payer: homePayer(home, flow),
	}
	if end := res.Workflow.Executions.PageInfo; r.Method == http.MethodGet {
		v.Next = nextHref(r, end)
	}
	at := page{Title: flow.Name, Section: sectionWorkflows, Workspace: deref(flow.WorkspaceId), Wide: true}
	return c.page(w, r, res.Shell, at, workflowContent(v, c.now()))
}

func (c *Console) updateWorkflow(w http.ResponseWriter, r *http.Request) error {
	graph, err := readGraph(r.PostForm.Get("graph"))
	if err != nil {
		return again(w, r, err, c.workflowPage)
	}
	version, err := strconv.Atoi(text(r, "version"))
	if err != nil {
		return refusal(http.StatusBadRequest, "validation_error", "The form does not say which version it was made on.")
	}
	name, description := text(r, "name"), text(r, "description")
	in := query.UpdateWorkflowInput{Name: &name, Description: &description, Nodes: graph.Nodes, Edges: graph.Edges, Version: &version}
	if v := query.WorkflowVisibility(text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	res, err := query.UpdateWorkflow(r.Context(), c.client, pathID(r), in)
	if hasCode(err, "stale_version") {
		return c.staleWorkflow(w, r, in)
	}
	if err != nil {
		return again(w, r, graphRefusal(err), c.workflowPage)
	}
	return c.done(w, "/workflows/"+pathID(r), res.UpdateWorkflow.Name+" is saved. It is at version "+ui.Count(res.UpdateWorkflow.Version)+".")
}

func (c *Console) runWorkflow(w http.ResponseWriter, r *http.Request) error {
	run, err := c.startRun(r)
	if err != nil {
		return again(w, r, err, c.workflowPage)
	}
	return seeOther(w, "/runs/"+run)
}

func (c *Console) deleteWorkflowPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkflowAlone(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	at := page{Title: "Delete " + res.Workflow.Name, Section: sectionWorkflows, Workspace: deref(res.Workflow.WorkspaceId)}
	return c.page(w, r, res.Shell, at, deleteWorkflowContent(res.Workflow))
}

func (c *Console) deleteWorkflow(w http.ResponseWriter, r *http.Request) error {
	if _, err := query.DeleteWorkflow(r.Context(), c.client, pathID(r)); err != nil {
		return again(w, r, err, c.deleteWorkflowPage)
	}
	return c.done(w, "/workflows", "The workflow is deleted.")
}
