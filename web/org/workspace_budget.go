package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// budgetView is a workspace with its budget; Admin sees every member's row.
type budgetView struct {
	Workspace query.WorkspaceHead
	Budget    query.Budget
	Storage   []query.StoragePart
	Admin     bool
}

// Workspace is a workspace with its budget.
func (c Pages) Workspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.Workspace(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	ws := res.Workspace
	v := budgetView{Workspace: ws.WorkspaceHead, Budget: ws.Budget, Storage: ws.Storage, Admin: ws.Budget.Allocated != nil}
	return c.Page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, ws.Name), budgetContent(v))
}

// WorkspaceBudget is the budget of a workspace.
func (c Pages) WorkspaceBudget(w http.ResponseWriter, r *http.Request) error {
	return c.Workspace(w, r)
}
