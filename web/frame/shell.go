package frame

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// Shell is everything around the content, made from the Shell fragment of the page's own operation.
func (c *Console) Shell(r *http.Request, shell query.Shell, p Page) ui.Shell {
	at := PlaceOf(r, shell, p.Org, p.Workspace)
	nav := around(at, shell, p)
	if at.Org == nil { // about nothing: where the person was last
		at = nav
	}
	s := ui.Shell{
		Title: p.Title, Theme: ThemeOf(r), NavLabel: "Main", Path: r.URL.RequestURI(), HomeHref: Landing, Wide: p.Wide, Scripts: p.Scripts,
		Nav: navigation(nav, p.Section), Switcher: switcher(shell, at, p),
		User: ui.User{
			Name: shell.Me.DisplayName, Email: shell.Me.Email, Picture: ui.Picture(shell.Me.AvatarUrl), Items: accountMenu(shell, p.Section),
			SignOutAction: "/auth/sign-out", ThemeAction: "/theme",
		},
		Banners: banners(shell, at),
		Search:  searchBox(at), Bell: ui.BellProps{Href: "/notifications", Unread: shell.Me.UnreadNotifications},
	}
	if r.Method == http.MethodPost { // a refused form: its address may have no page
		s.Path = "/"
	}
	s.Tabs = tabs(at, s.Nav)
	return s
}

// searchBox searches the organization of the page, else everywhere.
func searchBox(at Place) ui.SearchBox {
	box := ui.SearchBox{Action: "/search", Results: "/search/results"}
	if at.Org != nil {
		box.Org, box.OrgName = at.Org.Id, at.Org.Name
	}
	return box
}

// around is what the navigation stands in: the place of the page. On pages of an organization, and on those that are
// about no space at all, the space is the workspace that the person opened last.
func around(at Place, shell query.Shell, p Page) Place {
	m, last := shell.Me.Memberships, Value(shell.Me.LastWorkspaceId)
	if at.Workspace != nil || p.List != "" || p.Personal || m == nil || last == "" {
		return at
	}
	for i, w := range m.Workspaces {
		if w.Id != last || at.Org != nil && at.Org.Id != w.OrganizationId {
			continue
		}
		for j, o := range m.Organizations {
			if o.Id == w.OrganizationId && o.Status == query.OrganizationStatusActive {
				return Place{Org: &m.Organizations[j], Workspace: &m.Workspaces[i], Words: o.Vocabulary}
			}
		}
	}
	return at
}

// switcher is the list of spaces in its three states: absent, ready (also when empty), unavailable.
func switcher(shell query.Shell, at Place, p Page) ui.Switcher {
	m := shell.Me.Memberships
	if m == nil {
		return ui.Switcher{State: ui.SwitcherAbsent}
	}
	s := ui.Switcher{State: ui.SwitcherReady, CreateHref: "/orgs/new", JoinHref: "/join"}
	s.Personal = ui.SwitchTarget{Name: shell.Me.DisplayName, Detail: "Personal space", Href: Or(p.List, "/apps"), Current: at.Org == nil}
	s.Name, s.Detail = s.Personal.Name, s.Personal.Detail
	if m.Unavailable {
		s.State = ui.SwitcherUnavailable
		if p.Org != "" || p.Workspace != "" || at.Named {
			s.Name, s.Detail = "Where you are", "Its name comes when the list is back"
		}
		return s
	}
	if at.Org != nil {
		s.Name, s.Detail = at.Org.Name, OrgRole(at.Org.Role)
	}
	if at.Workspace != nil {
		s.Name, s.Detail = at.Workspace.Name, WorkspaceRole(at.Words, at.Workspace.Role)
	}
	if m.More {
		s.MoreHref = "/spaces"
	}
	for _, o := range m.Organizations {
		s.Orgs = append(s.Orgs, switchOrg(o, m.Workspaces, at, p.List))
	}
	return s
}

func switchOrg(o query.ViewerOrganization, workspaces []query.ViewerWorkspace, at Place, list string) ui.SwitchOrg {
	state := OrgState(o.Status, o.MemberStatus)
	out := ui.SwitchOrg{SwitchTarget: ui.SwitchTarget{
		Name: o.Name, Detail: OrgRole(o.Role), Status: state.Text, Tone: state.Tone, Href: "/orgs/" + o.Id,
		Current: at.Org != nil && at.Org.Id == o.Id && at.Workspace == nil,
	}}
	for _, w := range workspaces {
		current := at.Workspace != nil && at.Workspace.Id == w.Id
		if w.OrganizationId != o.Id || w.Archived && !current {
			continue
		}
		t := ui.SwitchTarget{
			Name: w.Name, Detail: WorkspaceRole(o.Vocabulary, w.Role), Href: SpacePath(w.Id, list),
			Current: current,
		}
		if Suspended(w.MemberStatus) {
			t.Status, t.Tone, t.Href = "Suspended", ui.Bad, SpacePath(w.Id, "")
		}
		out.Workspaces = append(out.Workspaces, t)
	}
	return out
}

// banners say what a pending or suspended organization, a suspended membership or an archived workspace means.
func banners(shell query.Shell, at Place) []ui.Banner {
	var out []ui.Banner
	if at.Org == nil {
		return nil
	}
	switch {
	case at.Org.Status == query.OrganizationStatusPending:
		out = append(out, ui.Banner{Tone: ui.Warn, Title: "Waiting for approval.", Text: "An operator of this install looks at new organizations. Until then " +
			at.Org.Name + " is visible to its owner alone, and nothing in it can change. You can already look around and read its audit log."})
	case at.Org.Status == query.OrganizationStatusSuspended:
		text := "Nothing in " + at.Org.Name + " can change or run. Everything stays readable, the audit log too."
		if at.Org.SuspensionReason != nil && *at.Org.SuspensionReason != "" {
			text += " Reason: " + *at.Org.SuspensionReason
		}
		out = append(out, ui.Banner{Tone: ui.Bad, Title: "Suspended by an operator.", Text: text})
	case Suspended(at.Org.MemberStatus):
		out = append(out, ui.Banner{Tone: ui.Bad, Title: "Your membership is suspended.", Text: "Ask an admin of " + at.Org.Name + " to lift that. Your personal space works as before."})
	case at.Workspace != nil && Suspended(at.Workspace.MemberStatus):
		out = append(out, ui.Banner{Tone: ui.Bad, Title: "You are suspended in " + at.Workspace.Name + ".", Text: "Ask its " + Lower(at.Words.Admin) + " to lift that."})
	case at.Workspace != nil && at.Workspace.Archived:
		out = append(out, ui.Banner{Tone: ui.Warn, Title: "Archived.", Text: at.Workspace.Name + " can be read; nothing new can be made or shared in it. An admin of the organization can bring it back."})
	}
	return out
}
