package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// ListMembers is an organization's members that a filter leaves, newest first,
// with their addresses (owner and admins).
func (s *Service) ListMembers(ctx context.Context, organizationID models.ID, filter MemberFilter, page models.Page) (*models.Connection[*OrganizationMember], error) {
	if _, err := s.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	query, err := filter.apply(s.organizationMembers(s.DB.Read(ctx), organizationID))
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
	return s.findMember(s.DB.Read(ctx), organizationID, userID)
}

// organizationMembers reads an organization's members, each with its address and with
// what it would lose by being removed.
func (s *Service) organizationMembers(db *gorm.DB, organizationID models.ID) *gorm.DB {
	columns := append([]string{"organization_members.*", "u.address AS email",
		`(SELECT count(*) FROM workspace_members wm WHERE wm.organization_id = organization_members.organization_id
			AND wm.user_id = organization_members.user_id) AS workspaces`}, s.memberColumns...)
	return db.Table("organization_members").Select(columns).Joins(account.Join("organization_members.user_id")).
		Where("organization_members.organization_id = ?", organizationID)
}

// ListWorkspaceMembers is a workspace's listed members, newest first; status
// and cap are shown to its admins alone.
func (s *Service) ListWorkspaceMembers(ctx context.Context, workspaceID models.ID, page models.Page) (*models.Connection[*ListedMember], error) {
	w, err := s.ShowWorkspace(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	query := s.listedMembers(s.DB.Read(ctx), w, *w.Role() == WorkspaceRoleAdmin)
	list := models.List[*ListedMember]{
		Name:     "workspace-members:" + w.ID.String(),
		Position: func(m *ListedMember) string { return models.TimePosition(m.AddedAt, m.UserID) },
	}
	return models.ListPage(s.DB, list, page, query, models.LatestFirst("m.added_at", "m.user_id"))
}

// listedMembers reads listed members, for an admin with status, role in the
// organization and what higher areas know of them. What stands beside a row is
// looked up for the rows of the page alone: a join would be made for all of a
// large workspace first, since the plan does not know how short a page is.
func (s *Service) listedMembers(db *gorm.DB, w *Workspace, admin bool) *gorm.DB {
	columns := []string{"m.workspace_id", "m.user_id", "m.role", "m.added_at"}
	if admin {
		columns = append(columns, "m.status", `(SELECT om.role FROM organization_members om
			WHERE om.organization_id = m.organization_id AND om.user_id = m.user_id) AS organization_role`)
		columns = append(columns, s.workspaceMemberColumns...)
	}
	return db.Table("workspace_members m").Select(columns).Where("m.workspace_id = ? AND m.organization_id = ?", w.ID, w.OrganizationID)
}
