package org

import (
	"context"
	"net/http"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// membersView is a page of the people of an organization.
type membersView struct {
	Org        query.OrganizationHead
	List       frame.Listing
	Rows       []query.OrganizationPerson
	Counts     query.PeopleCounts
	Filter     memberFilter
	Workspaces frame.Choices // to filter by
	Self       string
	// Former are people who left or were removed while suspended; on the first page alone.
	Former []query.ListedPerson
	Form   frame.Form
}

const peoplePage = 30

// Members lists the people of an organization.
func (c Pages) Members(w http.ResponseWriter, r *http.Request) error {
	list := frame.ListingOf(r, "/orgs/"+frame.PathID(r)+"/members", peoplePage, query.SortByName, query.SortByRole, query.SortByStatus,
		query.SortByWorkspaces, query.SortBySpent, query.SortByCreated)
	res, f, err := c.findMembers(r, list)
	if err != nil {
		return err
	}
	workspaces := c.FilterChoices(r, res.Organization.Choices)
	if workspaces.Chosen != list.Values.Get("workspace") { // what was typed found one alone
		list.Values = workspaces.In(list.Values)
		if res, f, err = c.findMembers(r, list); err != nil {
			return err
		}
	}
	org := res.Organization
	list.Loaded(org.Members.PageInfo, len(org.Members.Nodes), org.Members.TotalCount)
	v := membersView{
		Org: org.OrganizationHead, List: list, Rows: org.Members.Nodes, Counts: org.MemberCounts, Filter: f, Self: res.Me.Id,
		Workspaces: workspaces, Form: frame.FormOf(r),
	}
	if list.First() {
		v.Former = org.SuspendedFormerMembers
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: t(r.Context(), "People"), Section: frame.SectionMembers, Org: org.Id}, membersContent(v))
}

// findMembers reads the page of the list that an address asks for.
func (c Pages) findMembers(r *http.Request, list frame.Listing) (*query.MembersResponse, memberFilter, error) {
	f := memberFilterOf(list.Values)
	res, err := query.Members(r.Context(), c.Client, frame.PathID(r), f.Search, f.Role, f.Status, f.Workspace, frame.FindOf(r), list.After(), list.Sort)
	return res, f, err
}

// tools searches, filters and sorts; all of it is in the address.
func (v membersView) tools(ctx context.Context) ui.ToolsProps {
	w := v.Org.Vocabulary
	p := ui.ToolsProps{
		Action: v.List.Path, Search: "q", SearchLabel: t(ctx, "Name or address"), Query: frame.Value(v.Filter.Search), Clear: v.List.Path, List: "people",
		Selects: []ui.ToolSelect{
			{Name: "role", Label: t(ctx, "Role"), Options: []ui.Option{
				{Text: t(ctx, "Any role")}, v.role(ctx, "owner", t(ctx, "Owner"), v.Counts.Owners), v.role(ctx, "admin", t(ctx, "Admins"), v.Counts.Admins),
				v.role(ctx, "member", t(ctx, "{Members} and {admins}"), v.Counts.Members),
			}},
			{Name: "status", Label: t(ctx, "Status"), Options: []ui.Option{
				{Text: t(ctx, "Any status")}, v.status(ctx, "active", tc(ctx, "person", "Active"), v.Counts.All-v.Counts.Suspended), v.status(ctx, "suspended", t(ctx, "Suspended"), v.Counts.Suspended),
			}},
		},
		Sort: v.List.Sorts(ctx,
			t(ctx, "Newest first"), frame.SortChoice{Text: t(ctx, "Name"), By: query.SortByName}, frame.SortChoice{Text: t(ctx, "Most spent first"), By: query.SortBySpent, Descending: true},
			frame.SortChoice{Text: t(ctx, "Role"), By: query.SortByRole}, frame.SortChoice{Text: t(ctx, "Oldest first"), By: query.SortByCreated},
		),
	}
	if len(v.Workspaces.Options) > 1 || v.Workspaces.Find != "" {
		classes := v.Workspaces.Tool(ctx, locale.Term(ctx, w.Workspace))
		classes.Options[0].Text = t(ctx, "Any {workspace}")
		p.Selects, p.Fields = append(p.Selects, classes), v.Workspaces.Fields(ctx, w.Workspace)
	}
	return p
}

func (v membersView) role(ctx context.Context, value, text string, n int) ui.Option {
	on := v.Filter.Role != nil && string(*v.Filter.Role) == value
	return ui.Option{Value: value, Text: text + " (" + locale.Count(ctx, n) + ")", Selected: on}
}

func (v membersView) status(ctx context.Context, value, text string, n int) ui.Option {
	on := v.Filter.Status != nil && string(*v.Filter.Status) == value
	return ui.Option{Value: value, Text: text + " (" + locale.Count(ctx, n) + ")", Selected: on}
}

// filters are the list's filters as hidden fields, for the export.
func (v membersView) filters() []ui.Hidden { return v.List.Filters("q", "role", "status", "workspace") }

func (v membersView) filtered() bool { return len(v.filters()) > 0 }

func (v membersView) columns(ctx context.Context) []ui.Column {
	columns := []ui.Column{
		v.List.Head(t(ctx, "Name"), query.SortByName, false), v.List.Head(t(ctx, "Role"), query.SortByRole, false), v.List.Head(t(ctx, "Status"), query.SortByStatus, true),
		v.List.NumHead(locale.Term(ctx, v.Org.Vocabulary.Workspaces), query.SortByWorkspaces), v.List.NumHead(t(ctx, "Spent"), query.SortBySpent),
		v.List.OwnHead(t(ctx, "Joined"), query.SortByCreated), {Text: t(ctx, "Actions"), Hidden: true},
	}
	if v.bulk(ctx) {
		return append([]ui.Column{checkAll(ctx, v.List)}, columns...)
	}
	return columns
}

// checkAll is the head that selects everyone of the page, or no one.
func checkAll(ctx context.Context, l frame.Listing) ui.Column {
	return l.CheckAll(t(ctx, "Select everyone on this page"), t(ctx, "Select no one"))
}

// inWorkspaces is in how many workspaces a person is: the one who runs the organization is in all.
func (v membersView) inWorkspaces(ctx context.Context, m query.OrganizationPerson) string {
	if m.Role != query.OrganizationRoleMember {
		return t(ctx, "All")
	}
	return locale.Count(ctx, m.Workspaces)
}

// actions are what can be done with a person of the list, or why nothing can.
func (v membersView) actions(ctx context.Context, m query.OrganizationPerson) ui.RowActionsProps {
	path := v.List.Path + "/" + m.User.Id
	a := ui.RowActionsProps{ID: m.User.Id, Of: m.User.DisplayName}
	switch {
	case m.Role == query.OrganizationRoleOwner:
		a.Note = t(ctx, "Only by handing over")
		return a
	case m.User.Id == v.Self && v.Org.ViewerCan.Leave:
		a.Items = []ui.MenuItem{{Text: t(ctx, "Leave…"), Href: "/orgs/" + v.Org.Id + "/leave"}}
		return a
	case memberLock(ctx, v.Org, m, v.Self) != "":
		return a
	}
	do := func(action string) ui.FormProps {
		return ui.FormProps{Action: v.List.Path + "/bulk", Hidden: []ui.Hidden{{Name: "user", Value: m.User.Id}, {Name: "action", Value: action}, v.List.Back()}}
	}
	a.First = ui.ButtonProps{Text: t(ctx, "Change"), Kind: ui.Quiet, Href: path}
	if m.Status == query.MemberStatusSuspended {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Reactivate"), Form: do("reactivate")})
	} else {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Suspend"), Form: do("suspend")})
	}
	if m.Role == query.OrganizationRoleAdmin {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "No longer admin"), Form: do("member")})
	} else {
		a.Items = append(a.Items, ui.MenuItem{Text: t(ctx, "Make admin"), Form: do("admin")})
	}
	return with(a, ui.MenuItem{Text: t(ctx, "What they changed"), Href: "/orgs/" + v.Org.Id + "/audit?actor=" + m.User.Id},
		ui.MenuItem{Text: t(ctx, "Remove…"), Href: path + "/remove", Danger: true, Apart: true})
}

func with(a ui.RowActionsProps, items ...ui.MenuItem) ui.RowActionsProps {
	a.Items = append(a.Items, items...)
	return a
}
