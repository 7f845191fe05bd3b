package web

import (
	"net/http"

	"atelier/web/query"
)

func (c *Console) workspaceRoutes(on routes) {
	base := "/workspaces/{id" + id + "}"
	on.get(base, c.workspace)
	on.get(base+"/request", c.askCredits)
	on.post(base+"/request", c.requestCredits)
	on.get(base+"/archive", c.askArchive)
	on.post(base+"/archive", c.archiveWorkspace)
	on.post(base+"/unarchive", c.unarchiveWorkspace)
}

// budgetView is a workspace with its budget; Admin sees every member's row.
type budgetView struct {
	Workspace query.WorkspaceHead
	Budget    query.Budget
	Storage   []query.StoragePart
	Admin     bool
}

func (c *Console) workspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Workspace(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := budgetView{Workspace: ws.WorkspaceHead, Budget: ws.Budget, Storage: ws.Storage, Admin: ws.Budget.Allocated != nil}
	return c.page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, ws.Name), budgetContent(v))
}
