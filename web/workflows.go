package web

import (
	"net/http"

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

func (c *Console) workflows(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Workflows(r.Context(), c.client, after(r))
	if err != nil {
		return err
	}
	at := placeOf(r, res.Shell, "", "")
	v := workflowsView{Space: spaceName(at), Locked: closedTo(at), Rows: res.Workflows.Nodes, Next: nextHref(r, res.Workflows.PageInfo)}
	return c.page(w, r, res.Shell, page{Title: "Workflows", Section: sectionWorkflows, StaysOnSwitch: true}, workflowsContent(v, c.now()))
}

// closedTo says why nothing new can be made where the person works, empty when it can.
func closedTo(at place) string {
	switch {
	case at.Workspace != nil && at.Workspace.Archived:
		return at.Workspace.Name + " is archived."
	case at.Workspace != nil && suspended(at.Workspace.MemberStatus):
		return "You are suspended in " + at.Workspace.Name + "."
	case at.Org != nil && at.Org.Status != query.OrganizationStatusActive:
		return at.Org.Name + " is not active."
	}
	return ""
}

func (c *Console) newWorkflow(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Frame(r.Context(), c.client)
	if err != nil {
		return err
	}
	at := placeOf(r, res.Shell, "", "")
	return c.page(w, r, res.Shell, page{Title: "New workflow", Section: sectionWorkflows}, newWorkflowContent(at, formOf(r)))
}

func (c *Console) createWorkflow(w http.ResponseWriter, r *http.Request) error {
	description := text(r, "description")
	in := query.CreateWorkflowInput{Name: text(r, "name"), Description: &description}
	start, err := startingGraph(pastedOr(r, "file", "graph"), text(r, "starter"))
	if err != nil {
		return again(w, r, err, c.newWorkflow)
	}
	in.Nodes, in.Edges = start.Nodes, start.Edges
	start.nameIfNone(&in)
	if v := query.WorkflowVisibility(text(r, "visibility")); v != "" {
		in.Visibility = &v
	}
	res, err := query.CreateWorkflow(r.Context(), c.client, in)
	if err != nil {
		return again(w, r, graphRefusal(err), c.newWorkflow)
	}
	return c.done(w, "/workflows/"+res.CreateWorkflow.Id, res.CreateWorkflow.Name+" is saved. Run it, or change its nodes.")
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
