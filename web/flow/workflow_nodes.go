package flow

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// nodesView is the graph of a workflow as a list to work on.
type nodesView struct {
	Flow  query.WorkflowHead
	Tabs  workflowTabs
	Lines []nodeform.NodeLine
	Kinds []query.NodeKind
	Wrong []query.GraphProblem
	Cost  float64
	Form  frame.Form
}

func (v nodesView) base() string { return "/workflows/" + v.Flow.Id + "/nodes" }

func nodeHref(flow, node string) string {
	return "/workflows/" + flow + "/nodes/edit?" + url.Values{"node": {node}}.Encode()
}

// NodesPage lists the nodes of a workflow, to be changed without script.
func (c Pages) NodesPage(w http.ResponseWriter, r *http.Request) error {
	res, err := query.NodesPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, nodeform.KindsOf(res.NodeTypes)
	v := nodesView{Flow: flow, Lines: nodeform.NodeLines(r.Context(), flow.Nodes, flow.Edges, k), Kinds: res.NodeTypes, Form: frame.FormOf(r)}
	v.Tabs = workflowTabs{flow.Id, flow.Name, tabNodes, res.Me.Memberships != nil, flow.ViewerCan.Publish, flow.ViewerCan.Edit}
	graph := graphOf(flow)
	checked, err := query.CheckWorkflow(r.Context(), c.Client, flow.Id, graph.Nodes, graph.Edges)
	if err != nil {
		return err
	}
	v.Wrong, v.Cost = checked.CheckWorkflow.Problems, checked.CheckWorkflow.EstimatedCredits
	at := frame.Page{Title: t(r.Context(), "Nodes of %s", flow.Name), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true}
	return c.Page(w, r, res.Shell, at, nodesContent(v))
}

// nodeView is the page of one node.
type nodeView struct {
	Flow     query.WorkflowHead
	Node     query.FlowNode
	Name     string
	Kind     query.NodeKind
	Controls []nodeform.Control
	Feeds    []nodeFeed
	Sources  []ui.Option // what may feed it
	Places   []ui.Option // the fields that may be fed
	Prefill  url.Values  // what came with the address
	Form     frame.Form
}

// nodeFeed is a connection into a node.
type nodeFeed struct{ ID, Source, SourceID, Field, Label string }

func (v nodeView) base() string { return "/workflows/" + v.Flow.Id + "/nodes" }

func (v nodeView) hidden(form string) []ui.Hidden {
	return []ui.Hidden{{Name: "node", Value: v.Node.Id}, {Name: "form", Value: form}}
}

// NodePage is the form of one node.
func (c Pages) NodePage(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("node") == "" { // which one: the list asks
		return c.NodesPage(w, r)
	}
	res, err := query.NodesPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow, k := res.Workflow.WorkflowHead, nodeform.KindsOf(res.NodeTypes)
	i := slices.IndexFunc(flow.Nodes, func(n query.FlowNode) bool { return n.Id == r.FormValue("node") })
	if i < 0 {
		return frame.ErrNotFound
	}
	v := viewNode(r.Context(), flow, flow.Nodes[i], k)
	v.Form = frame.FormOf(r)
	if err := c.addChoices(r, v.Controls); err != nil {
		return err
	}
	space := frame.Value(flow.WorkspaceId)
	if err := nodeform.AddThingsOf(c.Console, r, &space, nodeform.Pointers(v.Controls)); err != nil {
		return err
	}
	v.Prefill = r.URL.Query()
	at := frame.Page{Title: v.Name, Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true}
	return c.Page(w, r, res.Shell, at, nodeContent(v))
}

func viewNode(ctx context.Context, flow query.WorkflowHead, n query.FlowNode, k nodeform.Kinds) nodeView {
	names := nodeform.NodeNames(flow.Nodes, k)
	v := nodeView{Flow: flow, Node: n, Name: names[n.Id], Kind: k[n.Type]}
	fed, placeholders := map[string]bool{}, placeholdersOf(n, k)
	for _, e := range nodeform.Feeds(flow.Nodes, flow.Edges) {
		if e.Target != n.Id {
			continue
		}
		field := frame.Or(frame.Value(e.TargetHandle), v.Kind.MainInput)
		v.Feeds = append(v.Feeds, nodeFeed{e.Id, names[e.Source], e.Source, field, k.FieldLabel(n.Type, field)})
		fed[field] = true
	}
	for _, f := range k.Fields(n.Type) {
		if f.Type != "object" {
			v.Places = append(v.Places, ui.Option{Value: f.Name, Text: k.FieldLabel(n.Type, f.Name), Selected: f.Name == v.Kind.MainInput})
		}
		switch {
		case f.Name == "values" && len(placeholders) > 0:
			v.Controls = append(v.Controls, valueControls(ctx, placeholders, fed, n)...)
		case !fed[f.Name] || f.Type == "array":
			v.Controls = append(v.Controls, nodeform.SavedControl(f, n, k))
		}
	}
	nodeform.Withhold(nodeform.Pointers(v.Controls))
	for _, name := range placeholders {
		v.Places = append(v.Places, ui.Option{Value: "values." + name, Text: t(ctx, "Value %s", name)})
	}
	for _, other := range flow.Nodes {
		if other.Id != n.Id && other.Type != "group" {
			v.Sources = append(v.Sources, ui.Option{Value: other.Id, Text: names[other.Id]})
		}
	}
	return v
}

// valueControls are a line for each value that a template asks for and nothing feeds.
func valueControls(ctx context.Context, names []string, fed map[string]bool, n query.FlowNode) []nodeform.Control {
	var out []nodeform.Control
	for _, name := range names {
		if field := "values." + name; !fed[field] {
			out = append(out, nodeform.Control{
				Name: "in-" + field, NodeID: n.Id, Field: field, Kind: nodeform.ControlLine, Label: t(ctx, "Value %s", name), Value: nodeform.ValueAt(n.Data, field),
			})
		}
	}
	return out
}

// addChoices gives fields that name a workflow those of the space to choose from, and fields that name a credential
// those of the workflow's creator.
func (c Pages) addChoices(r *http.Request, controls []nodeform.Control) error {
	if i := slices.IndexFunc(controls, func(one nodeform.Control) bool { return one.Kind == nodeform.ControlCredential }); i >= 0 {
		res, err := query.CredentialChoices(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return err
		}
		for _, one := range res.CredentialChoices {
			controls[i].Picks = append(controls[i].Picks, query.WorkflowChoice{Id: one.Id, Name: credentialChoice(r.Context(), one)})
		}
	}
	i := slices.IndexFunc(controls, func(one nodeform.Control) bool { return one.Kind == nodeform.ControlPick })
	if i < 0 {
		return nil
	}
	res, err := query.WorkflowChoices(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	controls[i].Picks = workflowChoices(r, res.Workflow.Beside)
	return nil
}

// graphOf is a saved graph as it is saved again. Its nodes have data of their own, that may be changed.
func graphOf(flow query.WorkflowHead) graphText {
	g := graphText{Nodes: nodeInputs(flow.Nodes), Edges: edgeInputs(flow.Edges)}
	for i, n := range g.Nodes {
		data := nodeform.Cloned(*n.Data)
		g.Nodes[i].Data = &data
	}
	return g
}

// graphStep is one small change of a graph: what to say when it is saved, and the page to go on at.
type graphStep func(ctx context.Context, g *graphText, flow query.WorkflowHead, k nodeform.Kinds, values url.Values) (said, to string, err error)

// ChangingGraph makes an action of a change. One that was made for an earlier version gets the page of both versions,
// with the change laid over what is saved now.
func (c Pages) ChangingGraph(step graphStep, page frame.Action) frame.Action {
	return func(w http.ResponseWriter, r *http.Request) error {
		res, err := query.NodesPage(r.Context(), c.Client, frame.PathID(r))
		if err != nil {
			return err
		}
		flow, g := res.Workflow.WorkflowHead, graphOf(res.Workflow.WorkflowHead)
		version, err := strconv.Atoi(frame.Text(r, "version"))
		if err != nil {
			return frame.Refusal(http.StatusBadRequest, "validation_error", t(r.Context(), "The form does not say which version it was made on."))
		}
		said, to, err := step(r.Context(), &g, flow, nodeform.KindsOf(res.NodeTypes), r.PostForm)
		if err != nil {
			return frame.Again(w, r, err, page)
		}
		err = frame.Refusal(http.StatusConflict, "stale_version", "")
		if version == flow.Version {
			_, err = query.SaveGraph(r.Context(), c.Client, flow.Id, g.Nodes, g.Edges, version)
		}
		if frame.HasCode(err, "stale_version") {
			r.PostForm.Set("graph", g.written().text())
			return c.staleWorkflow(w, r, query.UpdateWorkflowInput{Name: &flow.Name, Description: &flow.Description, Nodes: g.Nodes, Edges: g.Edges})
		}
		if err != nil {
			return frame.Again(w, r, nodeRefusal(r.Context(), err, frame.Text(r, "node")), page)
		}
		return c.Done(w, to, said)
	}
}

// nodeRefusal makes a refusal of a field of the node that is shown one of its form field.
func nodeRefusal(ctx context.Context, err error, node string) error {
	e, known := frame.Refused(err)
	if !known {
		return err
	}
	field, own := strings.CutPrefix(e.Field, "nodes."+node+".data.")
	if !own {
		return graphRefusal(ctx, err)
	}
	head, _, _ := strings.Cut(field, ".")
	head, _, _ = strings.Cut(head, "[")
	return &frame.Error{Code: e.Code, Status: e.Status, Field: "in-" + head, Message: e.Message, RetryAfter: e.RetryAfter}
}

// freeID is a name that is not taken yet: wish, wish-2, wish-3.
func freeID(wish string, taken func(string) bool) string {
	for n := 2; ; n++ {
		id := wish
		if n > 2 {
			id = fmt.Sprintf("%s-%d", wish, n-1)
		}
		if !taken(id) {
			return id
		}
	}
}
