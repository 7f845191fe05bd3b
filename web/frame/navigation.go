package frame

import (
	"context"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// section is an entry of the navigation.
type section string

const (
	SectionOverview    section = "overview"
	SectionWorkspaces  section = "workspaces"
	SectionMembers     section = "members"
	SectionCredits     section = "credits"
	SectionUsage       section = "usage"
	SectionAudit       section = "audit"
	SectionSettings    section = "settings"
	SectionWorkspace   section = "workspace"
	SectionWorkflows   section = "workflows"
	SectionApps        section = "apps"
	SectionRuns        section = "runs"
	SectionMake        section = "make"
	SectionLibrary     section = "library"
	SectionStudio      section = "studio"
	SectionCommunity   section = "community"
	SectionWebhooks    section = "webhooks"
	SectionTokens      section = "tokens"
	SectionDeveloper   section = "developer"
	SectionCredentials section = "credentials"
	SectionGuide       section = "guide"
	SectionOperator    section = "operator"

	// Pages behind an entry: a tab of its page, or a part of it.
	SectionInvitations = SectionMembers
	SectionDanger      = SectionSettings
	SectionShared      = SectionWorkflows

	// Pages of the person, which the account menu leads to.
	SectionOrganizations section = "organizations"
	SectionAccount       section = "account"
	SectionMails         section = "mails"
	SectionConnected     section = "connected"
)

// entry is a navigation item and the section that lights it.
type entry struct {
	section section
	item    ui.NavItem
}

// navigation is the left side: the organization, the space to work in, what developers need. What is the person's own
// stands in the account menu.
func navigation(ctx context.Context, at Place, current section, operator bool) []ui.NavGroup {
	var out []ui.NavGroup
	add := func(g ui.NavGroup, entries []entry) {
		for _, e := range entries {
			e.item.Current = e.section == current
			g.Items = append(g.Items, e.item)
			g.Open = g.Open || e.item.Current
		}
		if len(g.Items) > 0 {
			out = append(out, g)
		}
	}
	if operator {
		add(ui.NavGroup{}, []entry{{SectionOperator, ui.NavItem{Text: t(ctx, "Platform"), Href: "/operator"}}})
	}
	if at.Org != nil {
		daily, seldom := organizationEntries(ctx, at)
		add(ui.NavGroup{Title: at.Org.Name}, daily)
		add(ui.NavGroup{Title: t(ctx, "Administration"), Folded: true}, seldom)
	}
	add(ui.NavGroup{Title: SpaceName(ctx, at)}, workEntries(ctx, at))
	add(ui.NavGroup{Title: t(ctx, "Developer"), Folded: true}, []entry{
		{SectionGuide, ui.NavItem{Text: t(ctx, "For developers"), Href: "/developer"}},
		{SectionWebhooks, ui.NavItem{Text: t(ctx, "Webhook endpoints"), Href: "/webhooks", Key: "h"}},
		{SectionTokens, ui.NavItem{Text: t(ctx, "API tokens"), Href: "/tokens", Key: "t"}},
		{SectionDeveloper, ui.NavItem{Text: t(ctx, "Developer apps"), Href: "/developer/apps"}},
		{SectionCredentials, ui.NavItem{Text: t(ctx, "Credentials"), Href: "/credentials"}},
	})
	return out
}

// organizationEntries are at most five that are in sight, and those that are opened seldom. Members who manage nothing find
// their workspaces.
func organizationEntries(ctx context.Context, at Place) (daily, seldom []entry) {
	base, can := "/orgs/"+at.Org.Id, at.Org.ViewerCan
	workspaces := entry{SectionWorkspaces, ui.NavItem{Text: locale.Term(ctx, at.Words.Workspaces), Href: base + "/workspaces", Icon: "classes", Key: "w", Count: locale.Count(ctx, at.Org.WorkspaceCount)}}
	if !can.ReadCredits {
		workspaces.item.Text, workspaces.item.Count = t(Saying(ctx, at.Words), "Your {workspaces}"), "" // it counts those of others too
		return []entry{workspaces}, nil
	}
	daily = []entry{
		{SectionOverview, ui.NavItem{Text: t(ctx, "Overview"), Href: base, Icon: "home", Key: "o"}},
		workspaces,
		{SectionMembers, ui.NavItem{Text: t(ctx, "People"), Href: base + "/members", Icon: "people", Key: "m", Count: locale.Count(ctx, at.Org.MemberCount)}},
		{SectionCredits, ui.NavItem{Text: t(ctx, "Credits"), Href: base + "/credits", Icon: "credits", Key: "b"}},
		{SectionUsage, ui.NavItem{Text: t(ctx, "Usage"), Href: base + "/usage", Icon: "usage", Key: "u"}},
	}
	if can.ReadAudit {
		seldom = append(seldom, entry{SectionAudit, ui.NavItem{Text: t(ctx, "Audit log"), Href: base + "/audit", Key: "a"}})
	}
	if can.Update {
		seldom = append(seldom, entry{SectionSettings, ui.NavItem{Text: t(ctx, "Settings"), Href: base + "/settings", Key: "s"}})
	}
	return daily, seldom
}

// workEntries are the lists of a space. A workspace itself is one entry, whose pages its tabs divide: no page is in both.
func workEntries(ctx context.Context, at Place) []entry {
	workspace := ""
	var out []entry
	if at.Workspace != nil {
		workspace = at.Workspace.Id
		out = append(out, entry{SectionWorkspace, ui.NavItem{Text: locale.Term(ctx, at.Words.Workspace), Href: SpacePath(workspace, ""), Icon: "home", Key: "c"}})
	}
	out = append(out,
		entry{SectionApps, ui.NavItem{Text: t(ctx, "Apps"), Href: SpacePath(workspace, "/apps"), Icon: "apps", Key: "p"}},
		entry{SectionWorkflows, ui.NavItem{Text: t(ctx, "Workflows"), Href: SpacePath(workspace, "/workflows"), Icon: "flow", Key: "f"}},
		entry{SectionRuns, ui.NavItem{Text: t(ctx, "Runs"), Href: SpacePath(workspace, "/runs"), Icon: "run", Key: "r"}},
		entry{SectionMake, ui.NavItem{Text: t(ctx, "Make"), Href: SpacePath(workspace, "/make"), Icon: "wand", Key: "k"}},
		entry{SectionLibrary, ui.NavItem{Text: t(ctx, "Library"), Href: SpacePath(workspace, "/library/characters"), Icon: "image", Key: "l"}},
		entry{SectionStudio, ui.NavItem{Text: t(ctx, "Studio"), Href: SpacePath(workspace, "/studio"), Icon: "video", Key: "d"}},
		entry{SectionCommunity, ui.NavItem{Text: t(ctx, "Community"), Href: SpacePath(workspace, "/community"), Icon: "people", Key: "x"}},
	)
	return out
}

// accountMenu is what is the person's own.
func accountMenu(ctx context.Context, shell query.Shell, current section) []ui.NavItem {
	var out []ui.NavItem
	add := func(of section, item ui.NavItem) {
		item.Current = of == current && of != ""
		out = append(out, item)
	}
	add(SectionAccount, ui.NavItem{Text: t(ctx, "Your account"), Href: "/account", Key: "y"})
	add(SectionMails, ui.NavItem{Text: t(ctx, "What comes by mail"), Href: "/account/notifications"})
	add(SectionConnected, ui.NavItem{Text: t(ctx, "Connected apps"), Href: "/account/apps"})
	if shell.Me.Memberships != nil {
		add(SectionOrganizations, ui.NavItem{Text: t(ctx, "Your organizations"), Href: "/orgs"})
		add("", ui.NavItem{Text: t(ctx, "Join with a code"), Href: "/join", Key: "i"})
		add("", ui.NavItem{Text: t(ctx, "Shared with you"), Href: "/shared", Key: "e"})
	}
	add("", ui.NavItem{Text: t(ctx, "Documentation"), Href: "/docs"})
	return out
}

// tabs are the four entries of phones: of the space where the page is about one, else of the organization. Members of a
// workspace who do not run it have what they open most.
func tabs(ctx context.Context, at Place, nav []ui.NavGroup, current section) []ui.NavItem {
	if at.Workspace != nil && (at.Workspace.Role == nil || *at.Workspace.Role != query.WorkspaceRoleAdmin) {
		return memberTabs(ctx, at.Workspace.Id, current)
	}
	var out []ui.NavItem
	groups := nav
	if at.Workspace != nil && at.Org != nil {
		for i, g := range nav {
			if g.Title == SpaceName(ctx, at) {
				groups = nav[i:]
			}
		}
	}
	for _, g := range groups {
		for _, it := range g.Items {
			if it.Icon != "" && len(out) < 4 {
				out = append(out, it)
			}
		}
	}
	return out
}

// memberTabs are those of a plain member of a workspace.
func memberTabs(ctx context.Context, workspace string, current section) []ui.NavItem {
	return []ui.NavItem{
		{Text: t(ctx, "Home"), Href: SpacePath(workspace, ""), Icon: "home", Current: current == SectionWorkspace},
		{Text: t(ctx, "Apps"), Href: SpacePath(workspace, "/apps"), Icon: "apps", Current: current == SectionApps},
		{Text: t(ctx, "Make"), Href: SpacePath(workspace, "/make"), Icon: "wand", Current: current == SectionMake},
		{Text: t(ctx, "Results"), Href: SpacePath(workspace, "/results"), Icon: "image", Current: current == SectionRuns},
	}
}
