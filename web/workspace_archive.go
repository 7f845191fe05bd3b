package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

func (c *Console) askArchive(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspacePage(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	return c.page(w, r, res.Shell, workspacePage(res.Workspace, "Archive "+res.Workspace.Name), archiveContent(res.Workspace, formOf(r)))
}

func (c *Console) archiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ArchiveWorkspace(r.Context(), c.client, pathID(r))
	if err != nil {
		return again(w, r, err, c.askArchive)
	}
	return c.done(w, "/orgs/"+res.ArchiveWorkspace.OrganizationId+"/workspaces?archived=1", res.ArchiveWorkspace.Name+" is archived. It can be brought back here.")
}

func (c *Console) unarchiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.UnarchiveWorkspace(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	return c.done(w, "/workspaces/"+pathID(r), res.UnarchiveWorkspace.Name+" is in use again.")
}

// archiveQuestion says what archiving stops, with the figures of this workspace.
func archiveQuestion(ws query.WorkspaceHead) ui.ConfirmProps {
	w := ws.Organization.Vocabulary
	return ui.ConfirmProps{
		ID: "archive", Title: "Archive " + ws.Name + "?", Text: "It stays readable, and can be brought back at any time.",
		Consequences: []string{
			count(ws.MemberCount, w.Member, w.Members) + " can look at everything, and make nothing new in it",
			"Runs, schedules and triggers in it are refused",
			"Nothing in it can be shared or changed; work can still be moved out",
			"Its join code admits nobody",
		},
		Form:    ui.FormProps{Action: "/workspaces/" + ws.Id + "/archive"},
		Confirm: "Archive the " + lower(w.Workspace), CancelHref: "/workspaces/" + ws.Id,
	}
}
