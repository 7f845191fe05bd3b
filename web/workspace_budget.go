package web

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
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

// workspacePage is what a page about a workspace is called and where it stands.
func workspacePage(ws query.WorkspaceHead, title string) page {
	return page{Title: title, Section: sectionWorkspace, Workspace: ws.Id, Org: ws.OrganizationId}
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

// workspaceTabs divides a workspace into its pages.
func workspaceTabs(ws query.WorkspaceHead, current string) []ui.NavItem {
	base := "/workspaces/" + ws.Id
	tabs := []ui.NavItem{
		{Text: "Budget", Href: base},
		{Text: ws.Organization.Vocabulary.Members, Href: base + "/members", Count: ui.Count(ws.MemberCount)},
	}
	if ws.Role != nil && *ws.Role == query.WorkspaceRoleAdmin {
		tabs = append(tabs, ui.NavItem{Text: "Join code", Href: base + "/join-code"})
	}
	if ws.ViewerCan.Update || ws.ViewerCan.Archive {
		tabs = append(tabs, ui.NavItem{Text: "Settings", Href: base + "/edit"})
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Text == current
	}
	return tabs
}

// value is *p, or zero.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
