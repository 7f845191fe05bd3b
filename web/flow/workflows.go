package flow

import (
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// workflowsView is the list of a space.
type workflowsView struct {
	Space string
	// Archived workspaces and the like take nothing new.
	Locked string
	List   frame.Listing
	Rows   []query.WorkflowRow
	Search string
	// NotRun is what stands where no run can be seen: those of others are for who looks after a workspace.
	NotRun string
}

// Workflows lists the workflows of the selected space.
func (c Pages) Workflows(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, r.URL.Path, 30, query.SortByName, query.SortByUpdated, query.SortByCreated)
	search := strings.TrimSpace(list.Values.Get("q"))
	res, err := query.Workflows(r.Context(), c.Client, list.After(), &search, list.Sort)
	if err != nil {
		return err
	}
	at := frame.PlaceOf(r, c.Placed(r, res.Shell, "", ""), "", "")
	list.Loaded(res.Workflows.PageInfo, len(res.Workflows.Nodes), res.Workflows.TotalCount)
	v := workflowsView{Space: frame.SpaceName(r.Context(), at), Locked: frame.ClosedTo(r.Context(), at), List: list, Rows: res.Workflows.Nodes, Search: search}
	v.NotRun = t(r.Context(), "Never run")
	if at.Workspace != nil && frame.Value(at.Workspace.Role) != query.WorkspaceRoleAdmin {
		v.NotRun = t(r.Context(), "Not by you yet")
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "Workflows"), Section: frame.SectionWorkflows, List: "/workflows"}, workflowsContent(v, c.Now()))
}
