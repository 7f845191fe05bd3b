package frame

import (
	"net/http"

	"atelier/web/query"
	"atelier/web/ui"
)

// Shell is everything around the content, made from the Shell fragment of the page's own operation.
func (c *Console) Shell(r *http.Request, shell query.Shell, p Page) ui.Shell {
	at := PlaceOf(r, shell, p.Org, p.Workspace)
	s := ui.Shell{
		Title: p.Title, Theme: ThemeOf(r), NavLabel: "Main", Path: r.URL.RequestURI(), Wide: p.Wide, Scripts: p.Scripts,
		Nav: navigation(shell, at, p.Section), Switcher: switcher(r, shell, at, p),
		User:    ui.User{Name: shell.Me.DisplayName, Email: shell.Me.Email, Href: "/account", SignOutAction: "/auth/sign-out", ThemeAction: "/theme"},
		Banners: banners(shell, at),
	}
	if r.Method == http.MethodPost { // a refused form: its address may have no page
		s.Path = "/"
	}
	s.Tabs = tabs(s.Nav)
	return s
}

// switcher is the list of spaces in its three states: absent, ready (also when empty), unavailable.
func switcher(r *http.Request, shell query.Shell, at Place, p Page) ui.Switcher {
	m := shell.Me.Memberships
	if m == nil {
		return ui.Switcher{State: ui.SwitcherAbsent}
	}
	selected := CookieValue(r, WorkspaceCookie)
	s := ui.Switcher{State: ui.SwitcherReady, Action: "/switch", CreateHref: "/orgs/new", JoinHref: "/join"}
	s.Personal = ui.SwitchTarget{Name: shell.Me.DisplayName, Detail: "Personal space", Value: "personal", Current: at.Org == nil}
	s.Name, s.Detail = s.Personal.Name, s.Personal.Detail
	if m.Unavailable {
		s.State = ui.SwitcherUnavailable
		if selected != "" {
			s.Name, s.Detail = "Your selection", "Kept until the list is back"
		}
		return s
	}
	if at.Org != nil {
		s.Name, s.Detail = at.Org.Name, OrgRole(at.Org.Role)
	}
	if at.Workspace != nil {
		s.Name, s.Detail = at.Workspace.Name, WorkspaceRole(at.Words, at.Workspace.Role)
	}
	if p.StaysOnSwitch {
		s.Return = r.URL.Path
	}
	if m.More {
		s.MoreHref = "/spaces"
	}
	for _, o := range m.Organizations {
		s.Orgs = append(s.Orgs, switchOrg(o, m.Workspaces, at))
	}
	return s
}

func switchOrg(o query.ViewerOrganization, workspaces []query.ViewerWorkspace, at Place) ui.SwitchOrg {
	state, tone := OrgState(o.Status, o.MemberStatus)
	out := ui.SwitchOrg{SwitchTarget: ui.SwitchTarget{
		Name: o.Name, Detail: OrgRole(o.Role), Status: state, Tone: tone, Href: "/orgs/" + o.Id,
		Current: at.Org != nil && at.Org.Id == o.Id && at.Workspace == nil,
	}}
	for _, w := range workspaces {
		current := at.Workspace != nil && at.Workspace.Id == w.Id
		if w.OrganizationId != o.Id || w.Archived && !current {
			continue
		}
		t := ui.SwitchTarget{
			Name: w.Name, Detail: WorkspaceRole(o.Vocabulary, w.Role), Value: w.Id,
			Current: current,
		}
		if Suspended(w.MemberStatus) {
			t.Status, t.Tone = "Suspended", ui.Bad
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
