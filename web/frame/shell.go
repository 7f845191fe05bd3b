package frame

import (
	"context"
	"net/http"
	"strings"

	"atelier/web/query"
	"atelier/web/ui"
)

// Shell is everything around the content, made from the Shell fragment of the page's own operation.
func (c *Console) Shell(r *http.Request, shell query.Shell, p Page) ui.Shell {
	at := PlaceOf(r, shell, p.Org, p.Workspace)
	nav, title := around(at, shell, p), titleIn(p.Title, at)
	if at.Org == nil { // about nothing: where the person was last
		at = nav
	}
	s := ui.Shell{
		Title: title, Theme: ThemeOf(r), NavLabel: t(r.Context(), "Main"), Path: r.URL.RequestURI(), HomeHref: Landing, Wide: p.Wide, Scripts: p.Scripts,
		Nav: navigation(r.Context(), nav, p.Section, shell.Me.IsOperator), Switcher: switcher(r.Context(), shell, at, p),
		User: ui.User{
			Name: shell.Me.DisplayName, Email: shell.Me.Email, Picture: ui.Picture(shell.Me.AvatarUrl), Items: accountMenu(r.Context(), shell, p.Section),
			SignOutAction: "/auth/sign-out", ThemeAction: "/theme",
		},
		Banners: banners(r.Context(), shell, at),
		Search:  searchBox(at), Bell: ui.BellProps{Href: "/notifications", Unread: shell.Me.UnreadNotifications},
	}
	if r.Method == http.MethodPost { // a refused form: its address may have no page
		s.Path = "/"
	}
	s.Tabs = tabs(r.Context(), at, s.Nav, p.Section)
	return s
}

// titleIn is the title of a page with the place that it is about, by which tabs and the history of a browser are told apart.
func titleIn(title string, at Place) string {
	place := ""
	switch {
	case at.Workspace != nil:
		place = at.Workspace.Name
	case at.Org != nil:
		place = at.Org.Name
	}
	if place == "" || strings.Contains(title, place) {
		return title
	}
	return title + " · " + place
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
func switcher(ctx context.Context, shell query.Shell, at Place, p Page) ui.Switcher {
	m := shell.Me.Memberships
	if m == nil {
		return ui.Switcher{State: ui.SwitcherAbsent}
	}
	s := ui.Switcher{State: ui.SwitcherReady, CreateHref: "/orgs/new", JoinHref: "/join"}
	s.Personal = ui.SwitchTarget{Name: shell.Me.DisplayName, Detail: t(ctx, "Personal space"), Href: Or(p.List, "/apps"), Current: at.Org == nil}
	s.Name, s.Detail = s.Personal.Name, s.Personal.Detail
	if m.Unavailable {
		s.State = ui.SwitcherUnavailable
		if p.Org != "" || p.Workspace != "" || at.Named {
			s.Name, s.Detail = t(ctx, "Where you are"), t(ctx, "Its name comes when the list is back")
		}
		return s
	}
	if at.Org != nil {
		s.Name, s.Detail = at.Org.Name, OrgRole(ctx, at.Org.Role)
	}
	if at.Workspace != nil {
		s.Name, s.Detail = at.Workspace.Name, WorkspaceRole(ctx, at.Words, at.Workspace.Role)
	}
	if m.More {
		s.MoreHref = "/spaces"
	}
	for _, o := range m.Organizations {
		s.Orgs = append(s.Orgs, switchOrg(ctx, o, m.Workspaces, at, p.List))
	}
	return s
}

func switchOrg(ctx context.Context, o query.ViewerOrganization, workspaces []query.ViewerWorkspace, at Place, list string) ui.SwitchOrg {
	state := OrgState(ctx, o.Status, o.MemberStatus)
	out := ui.SwitchOrg{SwitchTarget: ui.SwitchTarget{
		Name: o.Name, Detail: OrgRole(ctx, o.Role), Status: state.Text, Tone: state.Tone, Href: "/orgs/" + o.Id,
		Current: at.Org != nil && at.Org.Id == o.Id && at.Workspace == nil,
	}}
	for _, w := range workspaces {
		current := at.Workspace != nil && at.Workspace.Id == w.Id
		if w.OrganizationId != o.Id || w.Archived && !current {
			continue
		}
		target := ui.SwitchTarget{
			Name: w.Name, Detail: WorkspaceRole(ctx, o.Vocabulary, w.Role), Href: SpacePath(w.Id, list),
			Current: current,
		}
		if Suspended(w.MemberStatus) {
			target.Status, target.Tone, target.Href = t(ctx, "Suspended"), ui.Bad, SpacePath(w.Id, "")
		}
		out.Workspaces = append(out.Workspaces, target)
	}
	return out
}

// banners say what a pending or suspended organization, a suspended membership or an archived workspace means.
func banners(ctx context.Context, shell query.Shell, at Place) []ui.Banner {
	var out []ui.Banner
	if at.Org == nil {
		return nil
	}
	switch {
	case at.Org.Status == query.OrganizationStatusPending:
		out = append(out, ui.Banner{Tone: ui.Warn, Title: t(ctx, "Waiting for approval."), Text: t(ctx, "An operator of this install looks at new organizations. Until then %s is visible to its owner alone, and it is read-only. You can already look around and read its audit log.", at.Org.Name)})
	case at.Org.Status == query.OrganizationStatusSuspended:
		text := t(ctx, "Nothing in %s can change or run. Everything stays readable, the audit log too.", at.Org.Name)
		if at.Org.SuspensionReason != nil && *at.Org.SuspensionReason != "" {
			text += " " + t(ctx, "Reason: %s", *at.Org.SuspensionReason)
		}
		out = append(out, ui.Banner{Tone: ui.Bad, Title: t(ctx, "Suspended by an operator."), Text: text})
	case Suspended(at.Org.MemberStatus):
		out = append(out, ui.Banner{Tone: ui.Bad, Title: t(ctx, "Your membership is suspended."), Text: t(ctx, "Ask an admin of %s to lift that. Your personal space works as before.", at.Org.Name)})
	case at.Workspace != nil && Suspended(at.Workspace.MemberStatus):
		out = append(out, ui.Banner{Tone: ui.Bad, Title: t(ctx, "You are suspended in %s.", at.Workspace.Name), Text: t(Saying(ctx, at.Words), "Ask its {admin} to lift that.")})
	case at.Workspace != nil && at.Workspace.Archived:
		out = append(out, ui.Banner{Tone: ui.Warn, Title: t(ctx, "Archived."), Text: t(ctx, "%s can be read; nothing new can be made or shared in it. An admin of the organization can bring it back.", at.Workspace.Name)})
	}
	return out
}
