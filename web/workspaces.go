package web

import (
	"net/http"
	"strings"

	"atelier/web/query"
	"atelier/web/ui"
)

// workspacesView is the list of an organization's workspaces.
type workspacesView struct {
	Org      query.OrganizationHead
	Rows     []query.WorkspaceRow
	Search   string
	Archived bool // archived ones are listed too
	Next     string
}

func (c *Console) workspaces(w http.ResponseWriter, r *http.Request) error {
	archived := r.URL.Query().Get("archived") == "1"
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	res, err := query.Workspaces(r.Context(), c.client, pathID(r), &search, after(r), archived)
	if err != nil {
		return err
	}
	org := res.Organization
	v := workspacesView{Org: org.OrganizationHead, Rows: org.Workspaces.Nodes, Archived: archived, Search: search, Next: nextHref(r, org.Workspaces.PageInfo)}
	at := page{Title: org.Vocabulary.Workspaces, Section: sectionWorkspaces, Org: org.Id}
	return c.page(w, r, res.Shell, at, workspacesContent(v))
}

func (c *Console) newWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationPage(r.Context(), c.client, pathID(r))
	if err != nil {
		return err
	}
	at := page{Title: "New " + lower(res.Organization.Vocabulary.Workspace), Section: sectionWorkspaces, Org: res.Organization.Id}
	return c.page(w, r, res.Shell, at, newWorkspaceContent(res.Organization, formOf(r)))
}

func (c *Console) createWorkspace(w http.ResponseWriter, r *http.Request) error {
	description := text(r, "description")
	res, err := query.CreateWorkspace(r.Context(), c.client, pathID(r), query.CreateWorkspaceInput{
		Name: text(r, "name"), Slug: textOrNil(r, "slug"), Description: &description,
	})
	if err != nil {
		return again(w, r, err, c.newWorkspace)
	}
	return c.done(w, "/workspaces/"+res.CreateWorkspace.Id, res.CreateWorkspace.Name+" exists now. Give it credits, then let people join.")
}

// workspaceStatus is the tag of a workspace in a list.
func workspaceStatus(w query.WorkspaceRow) (string, ui.Tone) {
	switch {
	case w.Archived:
		return "Archived", ui.Warn
	case suspended(w.MemberStatus):
		return "You are suspended", ui.Bad
	}
	return "Active", ui.OK
}
