package web

import (
	"net/http"
	"reflect"

	"atelier/web/query"
	"atelier/web/ui"
)

// staleView shows a workflow as somebody else saved it beside what was typed meanwhile.
type staleView struct {
	Now     query.WorkflowHead
	Mine    query.UpdateWorkflowInput
	Text    string // my graph, as it was typed
	NowText string
	Changes []ui.Change
}

// staleWorkflow answers a save that came too late: 409 with both versions, and the way to save one's own all the same.
func (c *Console) staleWorkflow(w http.ResponseWriter, r *http.Request, in query.UpdateWorkflowInput) error {
	res, err := query.WorkflowAlone(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	flow := res.Workflow
	v := staleView{Now: flow, Mine: in, Text: r.PostForm.Get("graph"), NowText: writeGraph(flow.Nodes, flow.Edges), Changes: differences(flow, in)}
	p := page{Title: "Somebody was faster", Section: sectionWorkflows, Workspace: deref(flow.WorkspaceId), Wide: true}
	return write(w, r, http.StatusConflict, wrap(ui.Page(c.shell(r, res.Shell, p)), staleContent(v)))
}

// differences are what the two versions do not share: name, description, and node by node.
func differences(now query.WorkflowHead, mine query.UpdateWorkflowInput) []ui.Change {
	var out []ui.Change
	add := func(name, theirs, yours string) {
		if theirs != yours {
			out = append(out, ui.Change{Name: name, Before: theirs, After: yours})
		}
	}
	add("Name", now.Name, deref(mine.Name))
	add("Description", now.Description, deref(mine.Description))
	theirs, yours := map[string]string{}, map[string]string{}
	var order []string
	for _, n := range now.Nodes {
		theirs[n.Id] = nodeJSON(n.Type, n.Data)
		order = append(order, n.Id)
	}
	for _, n := range mine.Nodes {
		var data map[string]any
		if n.Data != nil {
			data = *n.Data
		}
		if yours[n.Id] = nodeJSON(n.Type, data); theirs[n.Id] == "" {
			order = append(order, n.Id)
		}
	}
	for _, id := range order {
		add("Node "+id, theirs[id], yours[id])
	}
	if edges := edgeInputs(now.Edges); !reflect.DeepEqual(edges, append([]query.WorkflowEdgeInput{}, mine.Edges...)) {
		add("Connections", plainJSON(edges), plainJSON(mine.Edges))
	}
	return out
}

func nodeJSON(nodeType string, data map[string]any) string {
	if data == nil {
		data = map[string]any{}
	}
	return nodeType + " " + plainJSON(data)
}

func edgeInputs(edges []query.FlowEdge) []query.WorkflowEdgeInput {
	out := []query.WorkflowEdgeInput{}
	for _, e := range edges {
		out = append(out, query.WorkflowEdgeInput(e))
	}
	return out
}
