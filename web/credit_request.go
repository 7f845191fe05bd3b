package web

import (
	"net/http"

	"atelier/web/query"
)

// requestView is the page on which a member asks for more credits.
type requestView struct {
	Workspace query.WorkspaceHead
	Owner     string
	Mail      bool // the install sends mail
	Form      form
}

func (c *Console) askCredits(w http.ResponseWriter, r *http.Request) error {
	res, err := query.RequestPage(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	owner, err := query.WorkspaceOwner(r.Context(), c.client, res.Workspace.OrganizationId)
	if err != nil {
		return err
	}
	v := requestView{Workspace: res.Workspace, Owner: owner.Organization.Owner.DisplayName, Mail: res.Install.Mail, Form: formOf(r)}
	return c.page(w, r, res.Shell, workspacePage(v.Workspace, "Request more credits"), requestContent(v))
}

func (c *Console) requestCredits(w http.ResponseWriter, r *http.Request) error {
	var wanted *float64
	if text(r, "amount") != "" {
		f, err := amount(r, "amount")
		if err != nil {
			return again(w, r, err, c.askCredits)
		}
		wanted = &f
	}
	if _, err := query.RequestCredits(r.Context(), c.client, pathID(r), wanted, text(r, "reason")); err != nil {
		return again(w, r, err, c.askCredits)
	}
	return c.done(w, "/workspaces/"+pathID(r), "Your request is on its way by mail.")
}
