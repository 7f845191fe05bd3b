package web

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// section is an entry of the navigation.
type section string

const (
	sectionOverview      section = "overview"
	sectionWorkspaces    section = "workspaces"
	sectionMembers       section = "members"
	sectionInvitations   section = "invitations"
	sectionCredits       section = "credits"
	sectionAudit         section = "audit"
	sectionSettings      section = "settings"
	sectionDanger        section = "danger"
	sectionWorkspace     section = "workspace"
	sectionWorkflows     section = "workflows"
	sectionShared        section = "shared"
	sectionApps          section = "apps"
	sectionRuns          section = "runs"
	sectionWebhooks      section = "webhooks"
	sectionTokens        section = "tokens"
	sectionOrganizations section = "organizations"
	sectionJoin          section = "join"
	sectionOperator      section = "operator"
	sectionAccount       section = "account"
)

// entry is a navigation item and the section that lights it.
type entry struct {
	section section
	item    ui.NavItem
}

// navigation is the left side: the organization's part, the workspace, work, developer, platform.
func navigation(shell query.Shell, at place, current section) []ui.NavGroup {
	var out []ui.NavGroup
	add := func(title string, entries ...entry) {
		g := ui.NavGroup{Title: title}
		for _, e := range entries {
			e.item.Current = e.section == current
			g.Items = append(g.Items, e.item)
		}
		if len(g.Items) > 0 {
			out = append(out, g)
		}
	}
	if at.Org != nil {
		add("", organizationEntries(at)...)
	}
	if at.Workspace != nil {
		add(at.Words.Workspace, entry{sectionWorkspace, ui.NavItem{Text: at.Workspace.Name, Href: "/workspaces/" + at.Workspace.Id, Icon: "classes", Key: "c"}})
	}
	work := ""
	if len(out) > 0 {
		work = "Work"
	}
	entries := []entry{{sectionWorkflows, ui.NavItem{Text: "Workflows", Href: "/workflows", Icon: "flow", Key: "f"}}}
	if shell.Me.Memberships != nil { // sharing comes with organizations
		entries = append(entries, entry{sectionShared, ui.NavItem{Text: "Shared with me", Href: "/shared", Key: "e"}})
	}
	add(work, append(entries,
		entry{sectionApps, ui.NavItem{Text: "Apps", Href: "/apps", Icon: "home", Key: "p"}},
		entry{sectionRuns, ui.NavItem{Text: "Runs", Href: "/runs", Icon: "run", Key: "r"}},
	)...)
	add("Developer",
		entry{sectionWebhooks, ui.NavItem{Text: "Webhook endpoints", Href: "/webhooks", Key: "h"}},
		entry{sectionTokens, ui.NavItem{Text: "API tokens", Href: "/tokens", Key: "t"}},
	)
	add("You", personalEntries(shell)...)
	return out
}

func organizationEntries(at place) []entry {
	base, can := "/orgs/"+at.Org.Id, at.Org.ViewerCan
	out := []entry{
		{sectionOverview, ui.NavItem{Text: "Overview", Href: base, Icon: "home", Key: "o"}},
		{sectionWorkspaces, ui.NavItem{Text: at.Words.Workspaces, Href: base + "/workspaces", Icon: "classes", Key: "w", Count: ui.Count(at.Org.WorkspaceCount)}},
	}
	if can.ReadCredits { // owner and admins, in every state of the organization
		out = append(out,
			entry{sectionMembers, ui.NavItem{Text: "People", Href: base + "/members", Icon: "people", Key: "m", Count: ui.Count(at.Org.MemberCount)}},
			entry{sectionCredits, ui.NavItem{Text: "Credits", Href: base + "/credits", Icon: "credits", Key: "b"}})
	}
	if can.ReadInvitations {
		out = append(out, entry{sectionInvitations, ui.NavItem{Text: "Invitations", Href: base + "/invitations", Key: "v"}})
	}
	if can.ReadAudit {
		out = append(out, entry{sectionAudit, ui.NavItem{Text: "Audit log", Href: base + "/audit", Key: "a"}})
	}
	if can.Update {
		out = append(out, entry{sectionSettings, ui.NavItem{Text: "Settings", Href: base + "/settings", Key: "s"}})
	}
	if text := lastResort(at.Org); text != "" {
		out = append(out, entry{sectionDanger, ui.NavItem{Text: text, Href: base + "/danger"}})
	}
	return out
}

// lastResort is what somebody can end or hand over: the owner the organization, everybody else a membership.
func lastResort(o *query.ViewerOrganization) string {
	switch {
	case o.ViewerCan.Transfer || o.ViewerCan.Delete:
		return "Hand over or delete"
	case o.ViewerCan.Leave:
		return "Leave"
	}
	return ""
}

func personalEntries(shell query.Shell) []entry {
	var out []entry
	if shell.Me.Memberships != nil {
		out = append(out,
			entry{sectionOrganizations, ui.NavItem{Text: "Organizations", Href: "/orgs", Icon: "people"}},
			entry{sectionJoin, ui.NavItem{Text: "Join with a code", Href: "/join", Key: "i"}})
	}
	out = append(out, entry{sectionAccount, ui.NavItem{Text: "Your settings", Href: "/account", Icon: "settings", Key: "y"}})
	if shell.Me.IsOperator {
		out = append(out, entry{sectionOperator, ui.NavItem{Text: "Platform", Href: "/operator"}})
	}
	return out
}

// tabs are the first four entries with an icon, for phones.
func tabs(nav []ui.NavGroup) []ui.NavItem {
	var out []ui.NavItem
	for _, g := range nav {
		for _, it := range g.Items {
			if it.Icon != "" && len(out) < 4 {
				out = append(out, it)
			}
		}
	}
	return out
}
