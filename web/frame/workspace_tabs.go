package frame

import (
	"context"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// WorkspaceTab is a page of a workspace that its tabs lead to.
type WorkspaceTab string

// The tabs of a workspace; what an organization calls its members is asked of its words.
const (
	TabHome     WorkspaceTab = "home"
	TabMembers  WorkspaceTab = "members"
	TabJoinCode WorkspaceTab = "join-code"
	TabBudget   WorkspaceTab = "budget"
	TabUsage    WorkspaceTab = "usage"
	TabSettings WorkspaceTab = "edit"
	// TabNone is of pages below a workspace that have no tab of their own.
	TabNone WorkspaceTab = ""
)

// WorkspaceTabs divides a workspace into its pages; the join code and the settings are for those who run it.
func WorkspaceTabs(ctx context.Context, id string, role *query.WorkspaceRole, w Words, current WorkspaceTab) []ui.NavItem {
	base := "/workspaces/" + id
	item := func(tab WorkspaceTab, text string) ui.NavItem {
		return ui.NavItem{Text: text, Href: base + "/" + string(tab), Current: tab == current}
	}
	out := []ui.NavItem{
		{Text: t(ctx, "Home"), Href: base, Current: current == TabHome},
		item(TabMembers, locale.Term(ctx, w.Members)),
	}
	admin := role != nil && *role == query.WorkspaceRoleAdmin
	if admin {
		out = append(out, item(TabJoinCode, t(ctx, "Join code")))
	}
	out = append(out, item(TabBudget, t(ctx, "Budget")), item(TabUsage, t(ctx, "Usage")))
	if admin {
		out = append(out, item(TabSettings, t(ctx, "Settings")))
	}
	return out
}

type placeKey struct{}

// withPlace tells the content of a page where it stands.
func withPlace(ctx context.Context, at Place) context.Context {
	return Saying(context.WithValue(ctx, placeKey{}, at), at.Words)
}

// placeIn is where the page stands that is rendered with the context.
func placeIn(ctx context.Context) Place {
	if at, ok := ctx.Value(placeKey{}).(Place); ok {
		return at
	}
	return Place{Words: PlainWords}
}

// spaceHead is the head of a list: of a workspace, under its name where the list is one of its tabs, or of the
// personal space.
func spaceHead(ctx context.Context, at Place, title, lead string, tab WorkspaceTab) ui.HeadProps {
	switch {
	case at.Workspace == nil:
		return ui.HeadProps{Title: title, Lead: lead}
	case tab == TabNone:
		return ui.HeadProps{Crumbs: append(workspaceCrumbs(ctx, at), ui.Crumb{Text: at.Workspace.Name, Href: "/workspaces/" + at.Workspace.Id}), Title: title, Lead: lead}
	}
	return ui.HeadProps{Crumbs: workspaceCrumbs(ctx, at), Title: at.Workspace.Name, Lead: lead}
}

func workspaceCrumbs(ctx context.Context, at Place) []ui.Crumb {
	if at.Org == nil {
		return nil
	}
	return []ui.Crumb{
		{Text: at.Org.Name, Href: "/orgs/" + at.Org.Id},
		{Text: locale.Term(ctx, at.Words.Workspaces), Href: "/orgs/" + at.Org.Id + "/workspaces"},
	}
}
