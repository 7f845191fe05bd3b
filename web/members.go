package web

import (
	"net/http"
	"net/url"

	"atelier/web/query"
	"atelier/web/ui"
)

func (c *Console) memberRoutes(on routes) {
	base := "/orgs/{id" + id + "}/members"
	one := base + "/{user" + id + "}"
	on.get(base, c.members)
	on.post(base+"/export", c.exportMembers)
	on.post(base+"/bulk", c.changeMembers)
	on.get(one, c.member)
	on.post(one, c.updateMember)
	on.get(one+"/remove", c.askRemoveMember)
	on.post(one+"/remove", c.removeMember)
}

// memberFilter is what the address leaves of the list.
type memberFilter struct {
	Search, Workspace *string
	Role              *query.OrganizationRole
	Status            *query.MemberStatus
}

// memberFilterOf reads a filter; values that do not exist are no filter.
func memberFilterOf(values url.Values) memberFilter {
	f := memberFilter{Search: given(values, "q"), Workspace: given(values, "workspace")}
	switch role := query.OrganizationRole(values.Get("role")); role {
	case query.OrganizationRoleOwner, query.OrganizationRoleAdmin, query.OrganizationRoleMember:
		f.Role = &role
	}
	switch status := query.MemberStatus(values.Get("status")); status {
	case query.MemberStatusActive, query.MemberStatusSuspended:
		f.Status = &status
	}
	return f
}

// given is a value of an address or a form, nil when it is empty.
func given(values url.Values, name string) *string {
	if s := values.Get(name); s != "" {
		return &s
	}
	return nil
}

// membersView is a page of the people of an organization.
type membersView struct {
	Org        query.OrganizationHead
	Rows       []query.OrganizationPerson
	Counts     query.PeopleCounts
	Filter     memberFilter
	Workspaces choices // to filter by
	Self       string
	// Former are people who left or were removed while suspended; on the first page alone.
	Former  []query.Person
	Next    string
	Address url.Values
	Form    form
}

func (c *Console) members(w http.ResponseWriter, r *http.Request) error {
	workspaces, err := c.workspaceChoices(r, pathID(r))
	if err != nil {
		return err
	}
	address := workspaces.in(r.URL.Query())
	f := memberFilterOf(address)
	res, err := query.Members(r.Context(), c.client, pathID(r), f.Search, f.Role, f.Status, f.Workspace, after(r))
	if err != nil {
		return err
	}
	org := res.Organization
	v := membersView{
		Org: org.OrganizationHead, Rows: org.Members.Nodes, Counts: org.MemberCounts, Filter: f, Self: res.Me.Id,
		Workspaces: workspaces, Address: address, Form: formOf(r),
	}
	if after(r) == nil {
		v.Former = org.SuspendedFormerMembers
	}
	if r.Method == http.MethodGet {
		v.Next = nextHref(r, org.Members.PageInfo)
	}
	return c.page(w, r, res.Shell, page{Title: "People", Section: sectionMembers, Org: org.Id}, membersContent(v))
}

// with is the address of the list with one value changed, from its first page on.
func (v membersView) with(pairs ...string) string {
	return addressWith("/orgs/"+v.Org.Id+"/members", v.Address, pairs...)
}

// addressWith changes values of an address, or drops those that become empty; the page of the list starts anew.
func addressWith(path string, values url.Values, pairs ...string) string {
	next := url.Values{}
	for name, list := range values {
		if name != "after" && len(list) > 0 && list[0] != "" {
			next.Set(name, list[0])
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		if next.Del(pairs[i]); pairs[i+1] != "" {
			next.Set(pairs[i], pairs[i+1])
		}
	}
	if len(next) == 0 {
		return path
	}
	return path + "?" + next.Encode()
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
		Action: "/orgs/" + v.Org.Id + "/members", Search: "q", SearchLabel: "Name or address", Query: value(v.Filter.Search), Chips: v.chips(),
	}
	for _, name := range []string{"role", "status"} {
		if s := v.Address.Get(name); s != "" {
			p.Hidden = append(p.Hidden, ui.Hidden{Name: name, Value: s})
		}
	}
	if len(v.Workspaces.Options) > 1 || v.Workspaces.Find != "" {
		p.Selects, p.Fields = []ui.ToolSelect{v.Workspaces.tool(v.Org.Vocabulary.Workspace)}, v.Workspaces.fields(v.Org.Vocabulary.Workspace)
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
	n := count(v.Counts.All, "person", "people")
	switch {
	case v.Filter.Role != nil || v.Filter.Status != nil:
		return n + " before the filter, newest first"
	case v.Next == "" && len(v.Rows) == v.Counts.All:
		return "All " + n
	}
	return n + " in all, newest first"
}

// memberLock says why a membership cannot be changed by the viewer; empty when it can.
func memberLock(o query.OrganizationHead, m query.OrganizationPerson, self string) string {
	switch {
	case m.Role == query.OrganizationRoleOwner:
		return "The owner's membership changes only when the ownership is handed over."
	case !o.ViewerCan.ManageMembers:
		return "Owner and admins can change people while the organization is active."
	case m.User.Id == self:
		return "Your own membership is changed by another admin. You can leave."
	}
	return ""
}
