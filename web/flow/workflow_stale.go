package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// staleView shows a workflow as another person saved it beside what was typed meanwhile.
type staleView struct {
	Now     query.WorkflowHead
	Mine    workflowState
	Text    string // my graph, as it was typed
	NowText string
	Changes graphChanges
}

// staleWorkflow answers a save that came too late: 409 with both versions, and the way to save one's own all the same.
func (c Pages) staleWorkflow(w http.ResponseWriter, r *http.Request, in query.UpdateWorkflowInput) error {
	res, err := query.WorkflowCompared(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	flow := res.Workflow
	mine := typedState(in, stateOf(flow))
	v := staleView{
		Now: flow, Mine: mine, Text: r.PostForm.Get("graph"), NowText: writeGraph(flow.Nodes, flow.Edges),
		Changes: differences(r.Context(), stateOf(flow), mine, nodeform.KindsOf(res.NodeTypes)),
	}
	if in.Nodes == nil {
		v.Text = v.NowText
	}
	p := frame.Page{Title: t(r.Context(), "Another change came first"), Section: frame.SectionWorkflows, Workspace: frame.Value(flow.WorkspaceId), Wide: true, Status: http.StatusConflict}
	return c.Page(w, r, res.Shell, p, staleContent(v))
}
