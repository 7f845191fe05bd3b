package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// requestView is the page on which a member asks for more credits.
type requestView struct {
	Workspace query.WorkspaceHead
	Owner     string
	Form      frame.Form
}

// AskCredits is the page on which a member asks for more credits.
func (c Pages) AskCredits(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RequestPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	v := requestView{Workspace: res.Workspace.WorkspaceHead, Owner: res.Workspace.Organization.Owner.DisplayName, Form: frame.FormOf(r)}
	return c.Page(w, r, res.Shell, workspacePage(v.Workspace, t(r.Context(), "Ask for credits")), requestContent(v))
}

// RequestCredits sends such a request.
func (c Pages) RequestCredits(w http.ResponseWriter, r *http.Request) error {
	var wanted *float64
	if frame.Text(r, "amount") != "" {
		f, err := frame.Amount(r, "amount")
		if err != nil {
			return frame.Again(w, r, err, c.AskCredits)
		}
		wanted = &f
	}
	if _, err := query.RequestCredits(r.Context(), c.Client, frame.PathID(r), wanted, frame.Text(r, "reason")); err != nil {
		return frame.Again(w, r, err, c.AskCredits)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), t(r.Context(), "Your request is sent. The answer will appear in your notifications."))
}
