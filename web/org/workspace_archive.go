package org

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// AskArchive asks before a workspace is archived.
func (c Pages) AskArchive(w http.ResponseWriter, r *http.Request) error {
	res, err := query.WorkspacePage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Page(w, r, res.Shell, workspacePage(res.Workspace, "Archive "+res.Workspace.Name), archiveContent(res.Workspace, frame.FormOf(r)))
}

// ArchiveWorkspace archives a workspace.
func (c Pages) ArchiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ArchiveWorkspace(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.AskArchive)
	}
	return c.Done(w, "/orgs/"+res.ArchiveWorkspace.OrganizationId+"/workspaces?archived=1", res.ArchiveWorkspace.Name+" is archived. It can be brought back here.")
}

// UnarchiveWorkspace brings an archived workspace back.
func (c Pages) UnarchiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.UnarchiveWorkspace(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), res.UnarchiveWorkspace.Name+" is in use again.")
}

// archiveQuestion says what archiving stops, with the figures of this workspace.
func archiveQuestion(ws query.WorkspaceHead) ui.ConfirmProps {
	w := ws.Organization.Vocabulary
	return ui.ConfirmProps{
		ID: "archive", Title: "Archive " + ws.Name + "?", Text: "It stays readable, and can be brought back at any time.",
		Consequences: []string{
			frame.Count(ws.MemberCount, w.Member, w.Members) + " can look at everything, and make nothing new in it",
			"Runs, schedules and triggers in it are refused",
			"Nothing in it can be shared or changed; work can still be moved out",
			"Its join code admits nobody",
		},
		Form:    ui.FormProps{Action: "/workspaces/" + ws.Id + "/archive"},
		Confirm: "Archive the " + frame.Lower(w.Workspace), CancelHref: "/workspaces/" + ws.Id,
	}
}
