package flow

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// NewWorkflow is the form of a workflow.
func (c Pages) NewWorkflow(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.Client)
	if err != nil {
		return err
	}
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "New workflow"), Section: frame.SectionWorkflows, Personal: true}, newWorkflowContent(at, frame.FormOf(r)))
}

// CreateWorkflow makes a workflow of a file, of what was pasted, or of a graph to begin with.
func (c Pages) CreateWorkflow(w http.ResponseWriter, r *http.Request) error {
	description := frame.Text(r, "description")
	in := query.CreateWorkflowInput{Name: frame.Text(r, "name"), Description: &description}
	pasted, err := frame.ChosenOrPasted(r, "file", "graph")
	if err != nil {
		return frame.Again(w, r, err, c.NewWorkflow)
	}
	start, err := startingGraph(r.Context(), pasted, frame.Text(r, "starter"))
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
		return frame.Again(w, r, graphRefusal(r.Context(), err), c.NewWorkflow)
	}
	to := "/workflows/" + res.CreateWorkflow.Id
	if pasted == "" { // what was brought is looked at as a whole first
		to += "/editor"
	}
	return c.Done(w, to, t(r.Context(), "%s is created.", res.CreateWorkflow.Name))
}

// importStarter begins with a file, or with what is pasted.
const importStarter = "import"

// startingGraph is the graph, or the whole template, that a person pasted or uploaded, else one of ours.
func startingGraph(ctx context.Context, pasted, name string) (templateText, error) {
	if pasted != "" {
		return readTemplate(ctx, pasted)
	}
	if name == importStarter {
		return templateText{}, frame.Invalid("graph", t(ctx, "Choose a file, or paste a graph."))
	}
	for _, s := range starters {
		if s.Name == name {
			return readTemplate(ctx, s.graph(ctx))
		}
	}
	return readTemplate(ctx, `{}`)
}
