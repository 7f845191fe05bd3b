package org

import (
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// workspacePage is what a page about a workspace is called and where it stands.
func workspacePage(ws query.WorkspaceHead, title string) frame.Page {
	return frame.Page{Title: title, Section: frame.SectionWorkspace, Workspace: ws.Id, Org: ws.OrganizationId}
}

// workspaceTabs divides a workspace into its pages.
func workspaceTabs(ws query.WorkspaceHead, current string) []ui.NavItem {
	base := "/workspaces/" + ws.Id
	tabs := []ui.NavItem{
		{Text: "Budget", Href: base},
		{Text: ws.Organization.Vocabulary.Members, Href: base + "/members", Count: ui.Count(ws.MemberCount)},
	}
	if ws.Role != nil && *ws.Role == query.WorkspaceRoleAdmin {
		tabs = append(tabs, ui.NavItem{Text: "Join code", Href: base + "/join-code"})
	}
	if ws.ViewerCan.Update || ws.ViewerCan.Archive {
		tabs = append(tabs, ui.NavItem{Text: "Settings", Href: base + "/edit"})
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Text == current
	}
	return tabs
}
