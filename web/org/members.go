package org

import (
	"net/http"
	"net/url"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// membersView is a page of the people of an organization.
type membersView struct {
	Org        query.OrganizationHead
	Rows       []query.OrganizationPerson
	Counts     query.PeopleCounts
	Filter     memberFilter
	Workspaces frame.Choices // to filter by
	Self       string
	// Former are people who left or were removed while suspended; on the first page alone.
	Former  []query.Person
	Next    string
	Address url.Values
	Form    frame.Form
}

// Members lists the people of an organization.
func (c Pages) Members(w http.ResponseWriter, r *http.Request) error {
	address := r.URL.Query()
	res, f, err := c.findMembers(r, address)
	if err != nil {
		return err
	}
	workspaces := c.FilterChoices(r, res.Organization.Choices)
	if workspaces.Chosen != address.Get("workspace") { // what was typed found one alone
		if res, f, err = c.findMembers(r, workspaces.In(address)); err != nil {
			return err
		}
	}
	org := res.Organization
	v := membersView{
		Org: org.OrganizationHead, Rows: org.Members.Nodes, Counts: org.MemberCounts, Filter: f, Self: res.Me.Id,
		Workspaces: workspaces, Address: address, Form: frame.FormOf(r),
	}
	if frame.After(r) == nil {
		v.Former = org.SuspendedFormerMembers
	}
	if r.Method == http.MethodGet {
		v.Next = frame.NextHref(r, org.Members.PageInfo)
	}
	return c.Page(w, r, res.Shell, frame.Page{Title: "People", Section: frame.SectionMembers, Org: org.Id}, membersContent(v))
}

// findMembers reads the page of the list that an address asks for.
func (c Pages) findMembers(r *http.Request, address url.Values) (*query.MembersResponse, memberFilter, error) {
	f := memberFilterOf(address)
	res, err := query.Members(r.Context(), c.Client, frame.PathID(r), f.Search, f.Role, f.Status, f.Workspace, frame.FindOf(r), frame.After(r))
	return res, f, err
}

// with is the address of the list with one value changed, from its first page on.
func (v membersView) with(pairs ...string) string {
	return frame.AddressWith("/orgs/"+v.Org.Id+"/members", v.Address, pairs...)
}

func (v membersView) chips() []ui.Chip {
	role, status := "", ""
	if v.Filter.Role != nil {
		role = string(*v.Filter.Role)
	}
	if v.Filter.Status != nil {
		status = string(*v.Filter.Status)
	}
	chip := func(text string, n int, r, s string) ui.Chip {
		return ui.Chip{Text: text + " " + ui.Count(n), Href: v.with("role", r, "status", s), On: r == role && s == status}
	}
	return []ui.Chip{
		chip("All", v.Counts.All, "", ""), chip("Owner", v.Counts.Owners, "owner", ""), chip("Admins", v.Counts.Admins, "admin", ""),
		chip("Members", v.Counts.Members, "member", ""), chip("Suspended", v.Counts.Suspended, "", "suspended"),
	}
}

// tools searches and filters; role and standing are chips and travel hidden with a search.
func (v membersView) tools() ui.ToolsProps {
	p := ui.ToolsProps{
		Action: "/orgs/" + v.Org.Id + "/members", Search: "q", SearchLabel: "Name or address", Query: frame.Value(v.Filter.Search), Chips: v.chips(),
	}
	for _, name := range []string{"role", "status"} {
		if s := v.Address.Get(name); s != "" {
			p.Hidden = append(p.Hidden, ui.Hidden{Name: name, Value: s})
		}
	}
	if len(v.Workspaces.Options) > 1 || v.Workspaces.Find != "" {
		p.Selects, p.Fields = []ui.ToolSelect{v.Workspaces.Tool(v.Org.Vocabulary.Workspace)}, v.Workspaces.Fields(v.Org.Vocabulary.Workspace)
	}
	return p
}

// filters are the list's filters as hidden fields, for the export.
func (v membersView) filters() []ui.Hidden {
	var out []ui.Hidden
	for _, name := range []string{"q", "role", "status", "workspace"} {
		if s := v.Address.Get(name); s != "" {
			out = append(out, ui.Hidden{Name: name, Value: s})
		}
	}
	return out
}

func (v membersView) filtered() bool { return len(v.filters()) > 0 }

func (v membersView) rangeText() string {
	n := frame.Count(v.Counts.All, "person", "people")
	switch {
	case v.Filter.Role != nil || v.Filter.Status != nil:
		return n + " before the filter, newest first"
	case v.Next == "" && len(v.Rows) == v.Counts.All:
		return "All " + n
	}
	return n + " in all, newest first"
}
