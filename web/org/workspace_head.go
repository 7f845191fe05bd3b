package org

import (
	"atelier/web/frame"
	"atelier/web/query"
)

// workspacePage is what a page about a workspace is called and where it stands.
func workspacePage(ws query.WorkspaceHead, title string) frame.Page {
	return frame.Page{Title: title, Section: frame.SectionWorkspace, Workspace: ws.Id, Org: ws.OrganizationId}
}
