package frame

import (
	"context"

	"atelier/web/ui"
)

// OperatorTabs lead from one list of the operators to the other.
func OperatorTabs(ctx context.Context, current string) []ui.NavItem {
	return []ui.NavItem{
		{Text: t(ctx, "Overview"), Href: "/operator", Current: current == ""},
		{Text: t(ctx, "Health"), Href: "/operator/health", Current: current == "health"},
		{Text: t(ctx, "Organizations"), Href: "/operator/orgs", Current: current == "orgs"},
		{Text: t(ctx, "People"), Href: "/operator/people", Current: current == "people"},
		{Text: t(ctx, "Purchases"), Href: "/operator/purchases", Current: current == "purchases"},
		{Text: t(ctx, "Sign-in"), Href: "/operator/sign-in", Current: current == "sign-in"},
		{Text: t(ctx, "Settings"), Href: "/operator/settings", Current: current == "settings"},
	}
}
