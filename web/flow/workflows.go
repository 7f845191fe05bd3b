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
