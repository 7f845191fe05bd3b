package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

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

// homePayer says who pays for a run of a workflow by its id: the space that it lives in, whatever is selected. It is
// empty where a run costs nothing.
func homePayer(home place, flow query.WorkflowHead) string {
	if flow.EstimatedCredits == 0 {
		return ""
	}
	if flow.WorkspaceId == nil {
		home.Workspace = nil
	}
	return payer(home) + ". "
}

// runParts are the fields of a run form: of the nodes that nothing feeds, what a person would fill in first.
func runParts(nodes []query.FlowNode, edges []query.FlowEdge, k kinds) []formPart {
	fed := map[string]bool{}
	for _, e := range feeds(nodes, edges) {
		fed[e.Target] = true
	}
	names := nodeNames(nodes, k)
	var out []formPart
	for _, n := range nodes {
		if fed[n.Id] || isOutbound(k[n.Type]) {
			continue
		}
		for _, f := range k.fields(n.Type) {
			if f.Type != "string" || !exposable(f) {
				continue
			}
			c := newControl(inputItem{ID: n.Id + "." + f.Name, NodeID: n.Id, Field: f.Name}, n, k)
			c.ID, c.Label, c.Required = "", names[n.Id]+": "+c.Label, false
			out = append(out, formPart{Control: &c})
			break
		}
	}
	withhold(controlsIn(out))
	return out
}

// isOutbound tells whether a kind of node sends to the outside; what it sends with is nobody's to fill in.
func isOutbound(k query.NodeKind) bool {
	for _, c := range k.Capabilities {
		if c == "outbound" {
			return true
		}
	}
	return k.Category == "trigger" || k.Category == "flow"
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

// graphRefusal makes a refusal of a node or an edge one of the field "graph"; its message names node and field.
func graphRefusal(err error) error {
	var e *Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Field, "nodes") && !strings.HasPrefix(e.Field, "edges") {
		return err
	}
	out := *e
	out.Field, out.Message = "graph", graphPlace(e.Field)+": "+e.Message
	return &out
}

// graphPlace says "Node sky, data.width" for "nodes.sky.data.width".
func graphPlace(field string) string {
	parts := strings.SplitN(field, ".", 3)
	if len(parts) < 3 {
		return field
	}
	return map[string]string{"nodes": "Node ", "edges": "Edge "}[parts[0]] + parts[1] + ", " + parts[2]
}

func (c *Console) runWorkflow(w http.ResponseWriter, r *http.Request) error {
	run, err := c.startRun(r)
	if err != nil {
		return again(w, r, err, c.workflowPage)
	}
	return seeOther(w, "/runs/"+run)
}

// startRun runs the saved version with the values of its form, and yields the id of the run.
func (c *Console) startRun(r *http.Request) (string, error) {
	res, err := query.WorkflowPage(r.Context(), c.client, pathID(r), nil)
	if err != nil {
		return "", err
	}
	flow := res.Workflow.WorkflowHead
	in, err := readInputs(controlsOf(runParts(flow.Nodes, flow.Edges, kindsOf(res.NodeTypes))), r.PostForm)
	if err == nil {
		err = addOverrides(&in, r.PostForm.Get("overrides"))
	}
	if err != nil {
		return "", err
	}
	run, err := query.RunWorkflow(r.Context(), c.client, pathID(r), query.RunWorkflowInput{InputOverrides: in.overrides()})
	if err != nil {
		return "", err
	}
	return run.RunWorkflow.Id, nil
}

// addOverrides lays JSON of the form {"node": {"field": value}} over what the fields said.
func addOverrides(in *inputs, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var typed map[string]map[string]any
	if err := readJSON(text, &typed); err != nil {
		return invalid("overrides", "The values cannot be read: "+err.Error()+".")
	}
	for _, node := range sortedKeys(typed) {
		for _, field := range sortedKeys(typed[node]) {
			in.set(node, field, typed[node][field])
		}
	}
	return nil
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
