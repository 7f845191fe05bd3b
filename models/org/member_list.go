package org

import (
	"context"

	"atelier/models"

	"gorm.io/gorm"
)

// ListMembers is an organization's members that a filter leaves, newest first,
// with their addresses (owner and admins).
func (s *Service) ListMembers(ctx context.Context, organizationID models.ID, filter MemberFilter, page models.Page) (*models.Connection[*OrganizationMember], error) {
	if _, err := s.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	query, err := filter.apply(memberships(s.DB.Read(ctx), organizationID))
	if err != nil {
		return nil, err
	}
	list := models.List[*OrganizationMember]{
		Name:     "members:" + organizationID.String() + ":" + filter.name(),
		Position: func(m *OrganizationMember) string { return models.TimePosition(m.JoinedAt, m.UserID) },
	}
	return models.ListPage(s.DB, list, page, query, models.LatestFirst("organization_members.joined_at", "organization_members.user_id"))
}

// FindMember is one member of an organization (owner and admins).
func (s *Service) FindMember(ctx context.Context, organizationID, userID models.ID) (*OrganizationMember, error) {
	if _, err := s.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	return findMember(s.DB.Read(ctx), organizationID, userID)
}

// memberships reads an organization's members, each with its address and with
// what it would lose by being removed.
func memberships(db *gorm.DB, organizationID models.ID) *gorm.DB {
	return db.Table("organization_members").
		Select(`organization_members.*, u.address AS email,
			(SELECT count(*) FROM workspace_members wm WHERE wm.organization_id = organization_members.organization_id
				AND wm.user_id = organization_members.user_id) AS workspaces,
			(SELECT coalesce(sum(b.spent), 0) FROM member_budgets b JOIN workspaces w ON w.id = b.workspace_id
				WHERE b.user_id = organization_members.user_id AND w.organization_id = organization_members.organization_id) AS spent`).
		Joins("JOIN users u ON u.id = organization_members.user_id").
		Where("organization_members.organization_id = ?", organizationID)
}

// ListWorkspaceMembers is a workspace's listed members, newest first; status
// and cap are shown to its admins alone.
func (s *Service) ListWorkspaceMembers(ctx context.Context, workspaceID models.ID, page models.Page) (*models.Connection[*MemberRow], error) {
	w, err := s.ShowWorkspace(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	query := memberRows(s.DB.Read(ctx), w, *w.Role() == WorkspaceAdmin)
	list := models.List[*MemberRow]{
		Name:     "workspace-members:" + w.ID.String(),
		Position: func(m *MemberRow) string { return models.TimePosition(m.AddedAt, m.UserID) },
	}
	return models.ListPage(s.DB, list, page, query, models.LatestFirst("m.added_at", "m.user_id"))
}

// lastRun is when a listed member's newest execution in the workspace was made.
const lastRun = `(SELECT e.created_at FROM executions e WHERE e.workspace_id = m.workspace_id AND e.account_id = m.user_id
	ORDER BY e.id DESC LIMIT 1) AS last_run_at`

// ofShare is a column of the member's budget.
func ofShare(column string) string {
	return "(SELECT " + column + " FROM member_budgets b WHERE b.workspace_id = m.workspace_id AND b.user_id = m.user_id)"
}

// memberRows reads listed members, for an admin with status, cap and last run.
// What stands beside a row is looked up for the rows of the page alone: a join
// would be made for all of a large workspace first, since the plan does not
// know how short a page is.
func memberRows(db *gorm.DB, w *Workspace, admin bool) *gorm.DB {
	columns := "m.workspace_id, m.user_id, m.role, m.added_at"
	if admin {
		columns += ", m.status, " + ofShare("b.cap") + " AS credit_cap, coalesce(" + ofShare("b.reserved") + ", 0) AS reserved, coalesce(" +
			ofShare("b.spent") + `, 0) AS spent, (SELECT om.role FROM organization_members om
				WHERE om.organization_id = m.organization_id AND om.user_id = m.user_id) AS organization_role, ` + lastRun
	}
	return db.Table("workspace_members m").Select(columns).Where("m.workspace_id = ? AND m.organization_id = ?", w.ID, w.OrganizationID)
}
