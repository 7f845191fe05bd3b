package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// workflowsView is the list of a space.
type workflowsView struct {
	Space string
	// Archived workspaces and the like take nothing new.
	Locked string
	Rows   []query.WorkflowRow
	Next   string
}

// Workflows lists the workflows of the selected space.
func (c Pages) Workflows(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Workflows(r.Context(), c.Client, frame.After(r))
	if err != nil {
		return err
	}
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	v := workflowsView{Space: frame.SpaceName(at), Locked: closedTo(at), Rows: res.Workflows.Nodes, Next: frame.NextHref(r, res.Workflows.PageInfo)}
	return c.Page(w, r, res.Shell, frame.Page{Title: "Workflows", Section: frame.SectionWorkflows, List: "/workflows"}, workflowsContent(v, c.Now()))
}

// closedTo says why nothing new can be made where the person works, empty when it can.
func closedTo(at frame.Place) string {
	switch {
	case at.Workspace != nil && at.Workspace.Archived:
		return at.Workspace.Name + " is archived."
	case at.Workspace != nil && frame.Suspended(at.Workspace.MemberStatus):
		return "You are suspended in " + at.Workspace.Name + "."
	case at.Org != nil && at.Org.Status != query.OrganizationStatusActive:
		return at.Org.Name + " is not active."
	}
	return ""
}

// NewWorkflow is the form of a workflow.
func (c Pages) NewWorkflow(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	return c.Page(w, r, res.Shell, frame.Page{Title: "New workflow", Section: frame.SectionWorkflows, Personal: true}, newWorkflowContent(at, frame.FormOf(r)))
}

// CreateWorkflow makes a workflow of a file, of what was pasted, or of a graph to begin with.
func (c Pages) CreateWorkflow(w http.ResponseWriter, r *http.Request) error {
	description := frame.Text(r, "description")
	in := query.CreateWorkflowInput{Name: frame.Text(r, "name"), Description: &description}
	start, err := startingGraph(pastedOr(r, "file", "graph"), frame.Text(r, "starter"))
	if err != nil {
		return frame.Again(w, r, err, c.NewWorkflow)
	}
	in.Nodes, in.Edges = start.Nodes, start.Edges
	start.nameIfNone(&in)
	if v := query.WorkflowVisibility(frame.Text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	res, err := query.CreateWorkflow(r.Context(), c.Client, in)
	if err != nil {
		return frame.Again(w, r, graphRefusal(err), c.NewWorkflow)
	}
	return c.Done(w, "/workflows/"+res.CreateWorkflow.Id, res.CreateWorkflow.Name+" is saved. Run it, or change its nodes.")
}

// startingGraph is the graph, or the whole template, that somebody pasted or uploaded, else one of ours.
func startingGraph(pasted, name string) (templateText, error) {
	if pasted != "" {
		return readTemplate(pasted)
	}
	for _, s := range starters {
		if s.Name == name {
			return readTemplate(s.Graph)
		}
	}
	return readTemplate(`{}`)
}
