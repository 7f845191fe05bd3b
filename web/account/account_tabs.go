package account

import "atelier/web/ui"

// accountTabs lead from one page of the account to the other: "" is the
// first, else security, apps, agents, tokens or developer.
func accountTabs(current string) []ui.NavItem {
	return []ui.NavItem{
		{Text: "You", Href: "/account", Current: current == ""},
		{Text: "Security", Href: "/account/security", Current: current == "security"},
		{Text: "Connected apps", Href: "/account/apps", Current: current == "apps"},
		{Text: "Agents", Href: "/account/agents", Current: current == "agents"},
		{Text: "API tokens", Href: "/tokens", Current: current == "tokens"},
		{Text: "Developer apps", Href: "/developer/apps", Current: current == "developer"},
	}
}
