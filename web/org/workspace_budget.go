package org

import (
	"net/http"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
)

// budgetView is a workspace with its budget; those who run it see every member's row.
type budgetView struct {
	query.WorkspaceBudgetWorkspace
	Now time.Time
}

// admin tells whether the viewer sees the whole budget.
func (v budgetView) admin() bool { return v.Budget.Allocated != nil }

// words are the organization's own.
func (v budgetView) words() frame.Words { return v.WorkspaceHead.Organization.Vocabulary }

// WorkspaceBudget is the budget of a workspace.
func (c Pages) WorkspaceBudget(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspaceBudget(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := budgetView{res.Workspace, c.Now()}
	return c.Page(w, r, res.Shell, workspacePage(v.WorkspaceHead, t(r.Context(), "Budget of %s", v.Name)), budgetContent(v))
}
