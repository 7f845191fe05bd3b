package org

import (
	"context"
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
	return c.Page(w, r, res.Shell, workspacePage(res.Workspace, t(r.Context(), "Archive %s", res.Workspace.Name)), archiveContent(res.Workspace, frame.FormOf(r)))
}

// ArchiveWorkspace archives a workspace.
func (c Pages) ArchiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.ArchiveWorkspace(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return frame.Again(w, r, err, c.AskArchive)
	}
	return c.Done(w, "/orgs/"+res.ArchiveWorkspace.OrganizationId+"/workspaces?archived=1", t(r.Context(), "%s is archived. It can be brought back "+
		"here.", res.ArchiveWorkspace.Name))
}

// UnarchiveWorkspace brings an archived workspace back.
func (c Pages) UnarchiveWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.UnarchiveWorkspace(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r), t(r.Context(), "%s is in use again.", res.UnarchiveWorkspace.Name))
}

// archiveQuestion says what archiving stops, with the figures of this workspace.
func archiveQuestion(ctx context.Context, ws query.WorkspaceHead) ui.ConfirmProps {
	return ui.ConfirmProps{
		ID: "archive", Title: t(ctx, "Archive %s?", ws.Name), Text: t(ctx, "It stays readable, and can be brought back at any time."),
		Consequences: []string{
			tn(ctx, "%d {member} can look at everything, and make nothing new in it", "%d {members} can look at everything, and make nothing new in it", ws.MemberCount),
			t(ctx, "Runs, schedules and triggers in it are refused"),
			t(ctx, "Nothing in it can be shared or changed; work can still be moved out"),
			t(ctx, "Its join code admits no one"),
		},
		Form:    ui.FormProps{Action: "/workspaces/" + ws.Id + "/archive"},
		Confirm: t(ctx, "Archive the {workspace}"), CancelHref: "/workspaces/" + ws.Id,
	}
}
