package org

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// workspaceMembersView is a page of the people in a workspace.
type workspaceMembersView struct {
	Workspace query.WorkspaceHead
	List      frame.Listing
	Rows      []query.WorkspacePerson
	// Unlisted are admins by way of the organization; on the first page of the whole list alone.
	Unlisted []query.ListedPerson
	// Former are people who left or were removed while suspended; on the first page alone.
	Former []query.ListedPerson
	Caps   bool // the settings let members have caps
	// Default is the cap of those who join, for those who run the workspace.
	Default query.DefaultCap
	Self    string
	// Search is who is sought to be added, Found those who fit.
	Search string
	Found  []query.ListedPerson
	Form   frame.Form
}

// admin tells whether the viewer sees what admins of the workspace see.
func (v workspaceMembersView) admin() bool { return isWorkspaceAdmin(v.Workspace) }

func isWorkspaceAdmin(ws query.WorkspaceHead) bool {
	return ws.Role != nil && *ws.Role == query.WorkspaceRoleAdmin
}

// listedFilter is what the address leaves of the list.
type listedFilter struct {
	Search *string
	Role   *query.WorkspaceRole
	Status *query.MemberStatus
}

func listedFilterOf(l frame.Listing) listedFilter {
	f := listedFilter{Search: frame.Given(l.Values, "q"), Status: memberFilterOf(l.Values).Status}
	switch role := query.WorkspaceRole(l.Values.Get("role")); role {
	case query.WorkspaceRoleAdmin, query.WorkspaceRoleMember:
		f.Role = &role
	}
	return f
}

// WorkspaceMembers lists the people of a workspace.
func (c Pages) WorkspaceMembers(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/workspaces/"+frame.PathID(r)+"/members", peoplePage, query.SortByName, query.SortByRole, query.SortByStatus,
		query.SortByCap, query.SortBySpent, query.SortByLastrun, query.SortByCreated)
	f := listedFilterOf(list)
	res, err := query.WorkspaceMembers(r.Context(), c.Client, frame.PathID(r), f.Search, f.Role, f.Status, list.After(), list.Sort)
	if err != nil {
		return err
	}
	ws := res.Workspace
	list.Loaded(ws.Members.PageInfo, len(ws.Members.Nodes), ws.Members.TotalCount)
	v := workspaceMembersView{
		Workspace: ws.WorkspaceHead, List: list, Rows: ws.Members.Nodes, Caps: capsOn(ws.Settings), Default: ws.Budget, Self: res.Me.Id,
		Search: strings.TrimSpace(r.FormValue("add")), Form: frame.FormOf(r),
	}
	if err := c.loadForAdmins(r, &v); err != nil {
		return err
	}
	title := t(frame.Saying(r.Context(), ws.Organization.Vocabulary), "{Members} of %s", ws.Name)
	return c.Page(w, r, res.Shell, workspacePage(ws.WorkspaceHead, title), workspaceMembersContent(v))
}

// filtered tells whether the address leaves a person out.
func (v workspaceMembersView) filtered() bool { return len(v.List.Filters("q", "role", "status")) > 0 }

// loadForAdmins reads who else is an admin here, and who can be added.
func (c Pages) loadForAdmins(r *http.Request, v *workspaceMembersView) error {
	if v.admin() && v.List.First() {
		more, err := query.WorkspaceAdmins(r.Context(), c.Client, v.Workspace.Id)
		if err != nil {
			return err
		}
		v.Former = more.Workspace.SuspendedFormerPeople
		if !v.filtered() && v.List.Sort == nil {
			v.Unlisted = more.Workspace.UnlistedAdmins
		}
	}
	if v.Search == "" || !v.Workspace.ViewerCan.ManageMembers {
		return nil
	}
	found, err := query.Candidates(r.Context(), c.Client, v.Workspace.Id, v.Search)
	if err == nil {
		v.Found = found.Workspace.Candidates
	}
	return err
}

// AddWorkspaceMember adds a person of the organization to a workspace.
func (c Pages) AddWorkspaceMember(w http.ResponseWriter, r *http.Request) error {
	in := query.AddWorkspaceMemberInput{UserId: frame.Text(r, "user"), Role: query.WorkspaceRole(frame.Text(r, "role"))}
	if _, err := query.AddWorkspaceMember(r.Context(), c.Client, frame.PathID(r), in); err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	return c.Done(w, "/workspaces/"+frame.PathID(r)+"/members", t(r.Context(), "The person is listed now."))
}

// SetCaps gives those who are selected one cap, or none, and offers to give them back the ones that they had.
func (c Pages) SetCaps(w http.ResponseWriter, r *http.Request) error {
	users, path := r.PostForm["user"], "/workspaces/"+frame.PathID(r)+"/members"
	if was := r.PostForm["was"]; len(users) > 0 && len(was) == len(users) {
		return c.restoreCaps(w, r, path, users, was)
	}
	switch {
	case len(users) == 0:
		return frame.Again(w, r, frame.Invalid("user", t(r.Context(), "Select the people first.")), c.WorkspaceMembers)
	case len(users) > maxAtOnce:
		return frame.Again(w, r, frame.Invalid("user", t(r.Context(), "Select at most %d people.", maxAtOnce)), c.WorkspaceMembers)
	}
	limit, err := chosenCap(r)
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	back := frame.Return(r, path)
	undo := &frame.Undo{Action: path + "/caps", Fields: []ui.Hidden{{Name: "return", Value: back}}}
	name, capped := "", users[:0:0]
	for _, user := range users {
		was, err := query.FormerCap(r.Context(), c.Client, frame.PathID(r), user)
		if err != nil {
			return frame.Again(w, r, err, c.WorkspaceMembers)
		}
		if role := was.Workspace.Member.OrganizationRole; len(users) > 1 && role != nil && *role != query.OrganizationRoleMember {
			continue // no cap binds an admin of the organization
		}
		capped = append(capped, user)
		name = was.Workspace.Member.User.DisplayName
		undo.Fields = append(undo.Fields, ui.Hidden{Name: "user", Value: user}, ui.Hidden{Name: "was", Value: capValue(r.Context(), was.Workspace.Member.CreditCap)})
	}
	if len(capped) == 0 {
		return frame.Again(w, r, frame.Invalid("user", t(r.Context(), "No cap binds an admin of the organization.")), c.WorkspaceMembers)
	}
	res, err := query.SetCaps(r.Context(), c.Client, frame.PathID(r), capped, limit)
	if err != nil {
		return frame.Again(w, r, err, c.WorkspaceMembers)
	}
	if len(capped) > 1 {
		name = ""
	}
	out := capOutcome(r.Context(), name, res.SetWorkspaceMemberCaps, limit)
	out.Undo = undo
	return c.DoneWith(w, back, out)
}

// restoreCaps gives people back the caps that they had.
func (c Pages) restoreCaps(w http.ResponseWriter, r *http.Request, path string, users, was []string) error {
	same := map[string][]string{}
	for i, limit := range was {
		same[limit] = append(same[limit], users[i])
	}
	for _, typed := range slices.Sorted(maps.Keys(same)) {
		var limit *float64
		if typed != "" {
			amount, err := frame.ParseAmount(r.Context(), "cap", typed)
			if err != nil {
				return frame.Again(w, r, err, c.WorkspaceMembers)
			}
			limit = &amount
		}
		if _, err := query.SetCaps(r.Context(), c.Client, frame.PathID(r), same[typed], limit); err != nil {
			return frame.Again(w, r, err, c.WorkspaceMembers)
		}
	}
	return c.Done(w, frame.Return(r, path), t(r.Context(), "The caps are as they were."))
}

// personLeft is what a cap leaves; a cap below what is spent stops new runs.
func personLeft(ctx context.Context, m query.WorkspacePerson) string {
	if m.CreditCap == nil {
		return "–"
	}
	left := *m.CreditCap - frame.Value(m.Spent) - frame.Value(m.Reserved)
	if left <= 0 {
		return t(ctx, "0, no new runs")
	}
	return credits(ctx, left)
}

// tools searches, filters and sorts the people of a workspace.
func (v workspaceMembersView) tools(ctx context.Context) ui.ToolsProps {
	w, f := v.Workspace.Organization.Vocabulary, listedFilterOf(v.List)
	p := ui.ToolsProps{
		ID: "people", Action: v.List.Path, Search: "q", SearchLabel: t(ctx, "Name"), Query: frame.Value(f.Search), Clear: v.List.Path, List: "people",
		Selects: []ui.ToolSelect{{Name: "role", Label: t(ctx, "Role"), Options: []ui.Option{
			{Text: t(ctx, "Any role")}, {Value: "admin", Text: locale.Term(ctx, w.Admins), Selected: f.Role != nil && *f.Role == query.WorkspaceRoleAdmin},
			{Value: "member", Text: locale.Term(ctx, w.Members), Selected: f.Role != nil && *f.Role == query.WorkspaceRoleMember},
		}}},
		Sort: v.List.Sorts(ctx, t(ctx, "Newest first"), frame.SortChoice{Text: t(ctx, "Name"), By: query.SortByName}),
	}
	if v.admin() {
		p.Selects = append(p.Selects, ui.ToolSelect{Name: "status", Label: t(ctx, "Status"), Options: []ui.Option{
			{Text: t(ctx, "Any status")}, {Value: "active", Text: tc(ctx, "person", "Active"), Selected: f.Status != nil && *f.Status == query.MemberStatusActive},
			{Value: "suspended", Text: t(ctx, "Suspended"), Selected: frame.Suspended(f.Status)},
		}})
		p.Sort = v.List.Sorts(ctx, t(ctx, "Newest first"), frame.SortChoice{Text: t(ctx, "Name"), By: query.SortByName},
			frame.SortChoice{Text: t(ctx, "Most spent first"), By: query.SortBySpent, Descending: true},
			frame.SortChoice{Text: t(ctx, "Last run first"), By: query.SortByLastrun, Descending: true})
	}
	return p
}

func memberColumns(ctx context.Context, v workspaceMembersView) []ui.Column {
	columns := []ui.Column{v.List.Head(t(ctx, "Name"), query.SortByName, false), v.List.Head(t(ctx, "Role"), query.SortByRole, false)}
	if !v.admin() {
		return append(columns, v.List.OwnHead(t(ctx, "Joined"), query.SortByCreated))
	}
	if v.bulk() {
		columns = append([]ui.Column{checkAll(ctx, v.List)}, columns...)
	}
	return append(
		columns,
		v.List.Head(t(ctx, "Status"), query.SortByStatus, true),
		v.List.Head(t(ctx, "Cap"), query.SortByCap, false),
		v.List.NumHead(t(ctx, "Spent"), query.SortBySpent),
		ui.Column{Text: t(ctx, "Left"), Numeric: true},
		v.List.Head(t(ctx, "Last run"), query.SortByLastrun, true),
		ui.Column{Text: t(ctx, "Actions"), Hidden: true},
	)
}

// personActions are what can be done with a person who is listed.
func (v workspaceMembersView) personActions(ctx context.Context, m query.WorkspacePerson) ui.RowActionsProps {
	path := personHref(v, m)
	a := ui.RowActionsProps{ID: m.User.Id, Of: m.User.DisplayName, First: ui.ButtonProps{Text: t(ctx, "Change"), Kind: ui.Quiet, Href: path}}
	if !v.Workspace.ViewerCan.ManageMembers {
		a.First.Text = t(ctx, "Open")
		return a
	}
	do := func(name, value string) ui.FormProps {
		return ui.FormProps{Action: path, Hidden: []ui.Hidden{{Name: name, Value: value}, v.List.Back()}}
	}
	if m.Role == query.WorkspaceRoleAdmin {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Make {member}"), Form: do("role", "member")})
	} else {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Make {admin}"), Form: do("role", "admin")})
	}
	switch {
	case frame.Suspended(m.Status):
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Reactivate"), Form: do("status", "active")})
	case m.OrganizationRole == nil || *m.OrganizationRole != query.OrganizationRoleOwner:
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Suspend"), Form: do("status", "suspended")})
	}
	return with(a, ui.MenuItem{Text: t(ctx, "Remove…"), Href: path + "/remove", Danger: true, Apart: true})
}
