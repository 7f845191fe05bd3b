package org

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// usageView is a report of what runs cost: of an organization, or of a workspace.
type usageView struct {
	Org        query.OrganizationHead
	Workspace  *query.WorkspaceHead // nil for the whole organization
	Words      frame.Words
	All        bool // the viewer sees everyone's runs, not only their own
	Report     query.UsagePage
	Filter     *usageFilter
	Workspaces frame.Choices
	People     usagePeople
	List       frame.Listing
	// Labels are what node types are called, Left is what can still be spent.
	Labels map[string]string
	Left   float64
}

const (
	// usageRunsOnPage is how many single runs a page has; groups come all at once.
	usageRunsOnPage = 50
	// maxUsageGroups is how many of them are listed; a file has all.
	maxUsageGroups = 200
	// fewDays is how many days are listed one by one, whether something ran or not.
	fewDays = 7
)

func (v usageView) path() string {
	if v.Workspace != nil {
		return "/workspaces/" + v.Workspace.Id + "/usage"
	}
	return "/orgs/" + v.Org.Id + "/usage"
}

// who is a part of a name that narrows the choice of people.
func who(r *http.Request) string { return strings.TrimSpace(r.URL.Query().Get("who")) }

// OrganizationUsage is what runs cost in an organization (owner and admins).
func (c Pages) OrganizationUsage(w http.ResponseWriter, r *http.Request) error {
	id, f := frame.PathID(r), usageFilterOf(r.Context(), r.URL.Query(), ui.ZoneFrom(r.Context()), c.Now(), "workspace")
	var res *query.OrganizationUsageResponse
	err := f.find(func(q query.UsageQuery, after *string) (err error) {
		res, err = query.OrganizationUsage(r.Context(), c.Client, id, q, frame.FindOf(r), who(r), usageRunsOnPage, after)
		return err
	})
	if err != nil {
		return err
	}
	org := res.Organization
	v := usageView{Org: org.OrganizationHead, Words: org.Vocabulary, All: true, Report: org.Usage, Filter: f, Labels: labelsOf(res.NodeTypes), Left: leftOf(org.Credits)}
	v.Workspaces = c.WorkspaceChoices(r, org.Choices, f.value("workspace"))
	found := make([]query.Person, len(org.People.Nodes))
	for i, m := range org.People.Nodes {
		found[i] = m.User
	}
	member := f.value("member")
	v.People = usagePeopleOf(r.Context(), found, org.People.PageInfo.HasNextPage, who(r), member, func() string {
		one, err := query.UsagePersonOfOrganization(r.Context(), c.Client, id, member)
		if err != nil {
			return ""
		}
		return one.Organization.Member.User.DisplayName
	})
	at := frame.Page{Title: t(r.Context(), "Usage"), Section: frame.SectionUsage, Org: org.Id}
	return c.Page(w, r, res.Shell, at, usageContent(v.listed(r)))
}

// WorkspaceUsage is what runs cost in a workspace: those who run it see all, members their own.
func (c Pages) WorkspaceUsage(w http.ResponseWriter, r *http.Request) error {
	id, f := frame.PathID(r), usageFilterOf(r.Context(), r.URL.Query(), ui.ZoneFrom(r.Context()), c.Now(), "day")
	f.Values.Del("workspace") // the address has it
	var res *query.WorkspaceUsageResponse
	err := f.find(func(q query.UsageQuery, after *string) (err error) {
		res, err = query.WorkspaceUsage(r.Context(), c.Client, id, q, who(r), usageRunsOnPage, after)
		return err
	})
	if err != nil {
		return err
	}
	head := res.Workspace.WorkspaceHead
	v := usageView{Workspace: &head, Words: head.Organization.Vocabulary, All: isWorkspaceAdmin(head), Report: res.Workspace.Usage, Filter: f, Labels: labelsOf(res.NodeTypes), Left: res.Workspace.Budget.Headroom}
	found := make([]query.Person, len(res.Workspace.People.Nodes))
	for i, m := range res.Workspace.People.Nodes {
		found[i] = m.User
	}
	member := f.value("member")
	v.People = usagePeopleOf(r.Context(), found, res.Workspace.People.PageInfo.HasNextPage, who(r), member, func() string {
		one, err := query.UsagePersonOfWorkspace(r.Context(), c.Client, id, member)
		if err != nil {
			return ""
		}
		return one.Workspace.Member.User.DisplayName
	})
	at := workspacePage(head, t(r.Context(), "Usage of %s", head.Name))
	return c.Page(w, r, res.Shell, at, usageContent(v.listed(r)))
}

// leftOf is what the pool and the budgets hold still.
func leftOf(c query.UsagePool) float64 {
	return c.Pool + c.Totals.Allocated - c.Totals.Reserved - c.Totals.Spent
}

// labelsOf are the names of node types, which stand for the model where the install itself does the work.
func labelsOf(kinds []query.NodeLabel) map[string]string {
	out := make(map[string]string, len(kinds))
	for _, k := range kinds {
		out[k.Type] = k.Label
	}
	return out
}

// listed adds where the rows stand in their list.
func (v usageView) listed(r *http.Request) usageView {
	v.List = frame.ListingOf(r, v.path(), usageRunsOnPage)
	v.List.Loaded(v.Report.Rows.PageInfo, len(v.Report.Rows.Nodes), v.Report.Rows.TotalCount)
	return v
}

// rows are those that the page lists: the most expensive groups, days from the last one back.
func (v usageView) rows() []query.UsageRow {
	all := v.Report.Rows.Nodes
	switch v.Filter.Group() {
	case "runs":
		return all
	case "day":
		days := make([]query.UsageRow, 0, len(all))
		for i := len(all) - 1; i >= 0; i-- {
			if len(all) <= fewDays || all[i].Runs > 0 || all[i].Credits > 0 {
				days = append(days, all[i])
			}
		}
		return days
	}
	return all[:min(len(all), maxUsageGroups)]
}

// left says which rows the page leaves out; empty when it has all.
func (v usageView) left(ctx context.Context) string {
	all, shown := len(v.Report.Rows.Nodes), len(v.rows())
	switch {
	case shown == all:
		return ""
	case v.Filter.Group() == "day":
		return t(ctx, "Days on which nothing ran are left out here; the chart has them.")
	}
	return t(ctx, "These are the %d of %d that cost most. The file has all of them.", shown, all)
}

// empty tells whether nothing ran that the report would be about.
func (v usageView) empty() bool {
	return v.Report.Totals.Credits == 0 && v.Report.Totals.Runs == 0 && len(v.Report.Rows.Nodes) == 0
}

// nothing is what an empty report says, and its next step.
func (v usageView) nothing(ctx context.Context) ui.EmptyProps {
	p := ui.EmptyProps{Text: t(ctx, "Nothing ran in these days. When something does, this page shows what it cost: day by day, by {workspace}, {member} "+
		"and model, and at which hours.")}
	if v.Workspace != nil {
		p.Text = t(ctx, "Nothing ran in %s in these days. When something does, this page shows what it cost: day by day, by model, and at which "+
			"hours.", v.Workspace.Name)
	}
	if v.Workspace != nil && !v.All {
		p.Text = t(ctx, "You ran nothing in %s in these days. When you do, this page shows what it cost: day by day, by model, and at which hours.", v.Workspace.Name)
	}
	if before := v.Report.Previous.Credits; before > 0 {
		p.Text += " " + v.beforeSentence(ctx, before)
	}
	switch {
	case v.workspaceName() != "" || v.memberName() != "":
		p.Action = ui.ButtonProps{Text: t(ctx, "Show everything of these days"), Href: v.with("workspace", "", "member", "")}
	case v.Filter.Range() != "90":
		p.Action = ui.ButtonProps{Text: t(ctx, "Show the last 90 days"), Href: v.with("range", "90", "from", "", "to", "")}
	case v.Workspace != nil:
		p.Action = ui.ButtonProps{Text: t(ctx, "Open the apps"), Href: "/workspaces/" + v.Workspace.Id + "/apps"}
	default:
		p.Action = ui.ButtonProps{Text: t(ctx, "Open the {workspaces}"), Href: "/orgs/" + v.Org.Id + "/workspaces"}
	}
	return p
}
