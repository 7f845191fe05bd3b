package account

import (
	"context"

	"atelier/web/ui"
)

// accountTabs lead from one page of the account to the other: "" is the
// first, else security, apps, tokens or developer.
func accountTabs(ctx context.Context, current string) []ui.NavItem {
	return []ui.NavItem{
		{Text: t(ctx, "You"), Href: "/account", Current: current == ""},
		{Text: t(ctx, "Security"), Href: "/account/security", Current: current == "security"},
		{Text: t(ctx, "Connected apps"), Href: "/account/apps", Current: current == "apps"},
		{Text: t(ctx, "API tokens"), Href: "/tokens", Current: current == "tokens"},
		{Text: t(ctx, "Developer apps"), Href: "/developer/apps", Current: current == "developer"},
	}
}
