package frame

import "atelier/web/ui"

// OperatorTabs lead from one list of the operators to the other.
func OperatorTabs(current string) []ui.NavItem {
	return []ui.NavItem{
		{Text: "Overview", Href: "/operator", Current: current == ""},
		{Text: "Organizations", Href: "/operator/orgs", Current: current == "orgs"},
		{Text: "People", Href: "/operator/people", Current: current == "people"},
		{Text: "Purchases", Href: "/operator/purchases", Current: current == "purchases"},
		{Text: "Sign-in", Href: "/operator/sign-in", Current: current == "sign-in"},
	}
}
