package org

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// workspacesView is the list of an organization's workspaces.
type workspacesView struct {
	Org      query.OrganizationHead
	List     frame.Listing
	Rows     []query.WorkspaceRow
	Search   string
	Archived bool // archived ones are listed too
}

// Workspaces lists the workspaces of an organization.
func (c Pages) Workspaces(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/orgs/"+frame.PathID(r)+"/workspaces", 30, query.SortByName, query.SortByMembers, query.SortBySpent, query.SortByLeft,
		query.SortByCreated)
	archived := list.Values.Get("archived") == "1"
	search := strings.TrimSpace(list.Values.Get("q"))
	res, err := query.Workspaces(r.Context(), c.Client, frame.PathID(r), &search, list.After(), archived, list.Sort)
	if err != nil {
		return err
	}
	org := res.Organization
	list.Loaded(org.Workspaces.PageInfo, len(org.Workspaces.Nodes), org.Workspaces.TotalCount)
	v := workspacesView{Org: org.OrganizationHead, List: list, Rows: org.Workspaces.Nodes, Archived: archived, Search: search}
	at := frame.Page{Title: locale.Term(r.Context(), org.Vocabulary.Workspaces), Section: frame.SectionWorkspaces, Org: org.Id}
	return c.Page(w, r, res.Shell, at, workspacesContent(v))
}

// NewWorkspace is the form of a workspace.
func (c Pages) NewWorkspace(w http.ResponseWriter, r *http.Request) error {
	res, err := query.OrganizationPage(r.Context(), c.Client, frame.PathID(r))
	if err != nil {
		return err
	}
	title := t(frame.Saying(r.Context(), res.Organization.Vocabulary), "New {workspace}")
	at := frame.Page{Title: title, Section: frame.SectionWorkspaces, Org: res.Organization.Id}
	return c.Page(w, r, res.Shell, at, newWorkspaceContent(res.Organization, frame.FormOf(r)))
}

// CreateWorkspace makes a workspace.
func (c Pages) CreateWorkspace(w http.ResponseWriter, r *http.Request) error {
	description := frame.Text(r, "description")
	res, err := query.CreateWorkspace(r.Context(), c.Client, frame.PathID(r), query.CreateWorkspaceInput{
		Name: frame.Text(r, "name"), Slug: frame.TextOrNil(r, "slug"), Description: &description,
	})
	if err != nil {
		return frame.Again(w, r, formWords(r.Context(), err), c.NewWorkspace)
	}
	return c.Done(w, "/workspaces/"+res.CreateWorkspace.Id, t(r.Context(), "%s was created.", res.CreateWorkspace.Name))
}

// workspaceStatus is the tag of a workspace in a list.
func workspaceStatus(ctx context.Context, w query.WorkspaceRow) ui.Status {
	switch {
	case w.Archived:
		return ui.Status{Text: tc(ctx, "workspace", "Archived"), Tone: ui.Warn}
	case frame.Suspended(w.MemberStatus):
		return ui.Status{Text: t(ctx, "You are suspended"), Tone: ui.Bad}
	}
	return ui.Status{Text: tc(ctx, "workspace", "Active"), Tone: ui.OK}
}
