package frame

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// section is an entry of the navigation.
type section string

const (
	SectionOverview      section = "overview"
	SectionWorkspaces    section = "workspaces"
	SectionMembers       section = "members"
	SectionInvitations   section = "invitations"
	SectionCredits       section = "credits"
	SectionAudit         section = "audit"
	SectionSettings      section = "settings"
	SectionDanger        section = "danger"
	SectionWorkspace     section = "workspace"
	SectionWorkflows     section = "workflows"
	SectionShared        section = "shared"
	SectionApps          section = "apps"
	SectionRuns          section = "runs"
	SectionWebhooks      section = "webhooks"
	SectionTokens        section = "tokens"
	SectionOrganizations section = "organizations"
	sectionJoin          section = "join"
	SectionOperator      section = "operator"
	SectionAccount       section = "account"
)

// entry is a navigation item and the section that lights it.
type entry struct {
	section section
	item    ui.NavItem
}

// navigation is the left side: the organization's part, the workspace, work, developer, platform.
func navigation(shell query.Shell, at Place, current section) []ui.NavGroup {
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
		add(at.Words.Workspace, entry{SectionWorkspace, ui.NavItem{Text: at.Workspace.Name, Href: "/workspaces/" + at.Workspace.Id, Icon: "classes", Key: "c"}})
	}
	work := ""
	if len(out) > 0 {
		work = "Work"
	}
	entries := []entry{{SectionWorkflows, ui.NavItem{Text: "Workflows", Href: "/workflows", Icon: "flow", Key: "f"}}}
	if shell.Me.Memberships != nil { // sharing comes with organizations
		entries = append(entries, entry{SectionShared, ui.NavItem{Text: "Shared with me", Href: "/shared", Key: "e"}})
	}
	add(work, append(entries,
		entry{SectionApps, ui.NavItem{Text: "Apps", Href: "/apps", Icon: "home", Key: "p"}},
		entry{SectionRuns, ui.NavItem{Text: "Runs", Href: "/runs", Icon: "run", Key: "r"}},
	)...)
	add("Developer",
		entry{SectionWebhooks, ui.NavItem{Text: "Webhook endpoints", Href: "/webhooks", Key: "h"}},
		entry{SectionTokens, ui.NavItem{Text: "API tokens", Href: "/tokens", Key: "t"}},
	)
	add("You", personalEntries(shell)...)
	return out
}

func organizationEntries(at Place) []entry {
	base, can := "/orgs/"+at.Org.Id, at.Org.ViewerCan
	out := []entry{
		{SectionOverview, ui.NavItem{Text: "Overview", Href: base, Icon: "home", Key: "o"}},
		{SectionWorkspaces, ui.NavItem{Text: at.Words.Workspaces, Href: base + "/workspaces", Icon: "classes", Key: "w", Count: ui.Count(at.Org.WorkspaceCount)}},
	}
	if can.ReadCredits { // owner and admins, in every state of the organization
		out = append(out,
			entry{SectionMembers, ui.NavItem{Text: "People", Href: base + "/members", Icon: "people", Key: "m", Count: ui.Count(at.Org.MemberCount)}},
			entry{SectionCredits, ui.NavItem{Text: "Credits", Href: base + "/credits", Icon: "credits", Key: "b"}})
	}
	if can.ReadInvitations {
		out = append(out, entry{SectionInvitations, ui.NavItem{Text: "Invitations", Href: base + "/invitations", Key: "v"}})
	}
	if can.ReadAudit {
		out = append(out, entry{SectionAudit, ui.NavItem{Text: "Audit log", Href: base + "/audit", Key: "a"}})
	}
	if can.Update {
		out = append(out, entry{SectionSettings, ui.NavItem{Text: "Settings", Href: base + "/settings", Key: "s"}})
	}
	if text := lastResort(at.Org); text != "" {
		out = append(out, entry{SectionDanger, ui.NavItem{Text: text, Href: base + "/danger"}})
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
			entry{SectionOrganizations, ui.NavItem{Text: "Organizations", Href: "/orgs", Icon: "people"}},
			entry{sectionJoin, ui.NavItem{Text: "Join with a code", Href: "/join", Key: "i"}})
	}
	out = append(out, entry{SectionAccount, ui.NavItem{Text: "Your settings", Href: "/account", Icon: "settings", Key: "y"}})
	if shell.Me.IsOperator {
		out = append(out, entry{SectionOperator, ui.NavItem{Text: "Platform", Href: "/operator"}})
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
