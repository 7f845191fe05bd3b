package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// roleRank sorts roles of an organization by what they may do.
const roleRank = "array_position(ARRAY['owner', 'admin', 'member'], listed.role)"

// memberSorts are what an organization's members can be sorted by; spent is a
// column of the credits' area.
var memberSorts = models.Sorts{ID: "user_id", By: map[models.SortBy]models.SortColumn{
	models.SortByName:       {Column: "listed.sort_name", Type: "text"},
	models.SortByRole:       {Column: roleRank, Type: "int"},
	models.SortByStatus:     {Column: "listed.status", Type: "text"},
	models.SortByWorkspaces: {Column: "listed.workspaces", Type: "bigint"},
	models.SortBySpent:      {Column: "listed.spent", Type: "numeric"},
	models.SortByCreated:    {Column: "listed.joined_at", Type: "timestamptz"},
}}

// List is an organization's members that a filter leaves, newest first,
// with their addresses (owner and admins).
func (s Members) List(ctx context.Context, organizationID models.ID, filter MemberFilter, page models.Page) (*models.Connection[*OrganizationMember], error) {
	if _, err := s.org.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	query, err := filter.apply(s.org.organizationMembers(s.org.DB.Read(ctx), organizationID))
	if err != nil {
		return nil, err
	}
	list := models.List[*OrganizationMember]{
		Name:     "members:" + organizationID.String() + ":" + filter.name(),
		Position: func(m *OrganizationMember) string { return models.TimePosition(m.JoinedAt, m.UserID) },
		Sorts:    memberSorts,
	}
	return models.ListPage(s.org.DB, list, page, query, models.LatestFirst("organization_members.joined_at", "organization_members.user_id"))
}

// Find is one member of an organization (owner and admins).
func (s Members) Find(ctx context.Context, organizationID, userID models.ID) (*OrganizationMember, error) {
	if _, err := s.org.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	return s.org.findMember(s.org.DB.Read(ctx), organizationID, userID)
}

// organizationMembers reads an organization's members, each with its address and with
// what it would lose by being removed.
func (s *Service) organizationMembers(db *gorm.DB, organizationID models.ID) *gorm.DB {
	columns := append([]string{"organization_members.*", "u.address AS email", "lower(u.display_name) AS sort_name",
		`(SELECT count(*) FROM workspace_members wm WHERE wm.organization_id = organization_members.organization_id
			AND wm.user_id = organization_members.user_id) AS workspaces`,
		`(SELECT min(wm.role) FROM workspace_members wm WHERE wm.organization_id = organization_members.organization_id
			AND wm.user_id = organization_members.user_id) AS workspace_role`}, s.memberColumns...)
	return db.Table("organization_members").Select(columns).Joins(account.Join("organization_members.user_id")).
		Where("organization_members.organization_id = ?", organizationID)
}

// What a workspace's members can be sorted by: by everyone, and by its admins
// alone. Cap, spent and last run are columns of other areas.
var (
	listedSorts = models.Sorts{ID: "user_id", By: map[models.SortBy]models.SortColumn{
		models.SortByName:    {Column: listedName, Type: "text"},
		models.SortByRole:    {Column: "listed.role", Type: "text"},
		models.SortByCreated: {Column: "listed.added_at", Type: "timestamptz"},
	}}
	listedAdminSorts = models.Sorts{ID: "user_id", By: map[models.SortBy]models.SortColumn{
		models.SortByName:    {Column: listedName, Type: "text"},
		models.SortByRole:    {Column: "listed.role", Type: "text"},
		models.SortByCreated: {Column: "listed.added_at", Type: "timestamptz"},
		models.SortByStatus:  {Column: "listed.status", Type: "text"},
		models.SortBySpent:   {Column: "listed.spent", Type: "bigint"},
		models.SortByCap:     {Column: "coalesce(listed.credit_cap, 9223372036854775807)", Type: "bigint"},
		models.SortByLastRun: {Column: "coalesce(listed.last_run_at, 'epoch')", Type: "timestamptz"},
	}}
)

// listedName is looked up beside a list that is sorted, which is short.
var listedName = "(SELECT lower(u.display_name) FROM (VALUES (1)) AS one " + account.Join("listed.user_id") + ")"

// List is a workspace's listed members that a filter leaves,
// newest first; status and cap are shown to its admins alone, and only they can
// filter by the status: validation_error.
func (s WorkspaceMembers) List(ctx context.Context, workspaceID models.ID, filter ListedFilter, page models.Page) (*models.Connection[*ListedMember], error) {
	w, err := s.org.Workspaces().Find(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	admin := *w.Role() == WorkspaceRoleAdmin
	query, err := filter.apply(s.org.listedMembers(s.org.DB.Read(ctx), w, admin), admin)
	if err != nil {
		return nil, err
	}
	list := models.List[*ListedMember]{
		Name:     "workspace-members:" + w.ID.String() + filter.name(),
		Position: func(m *ListedMember) string { return models.TimePosition(m.AddedAt, m.UserID) },
		Sorts:    listedSorts,
	}
	if admin {
		list.Sorts = listedAdminSorts
	}
	return models.ListPage(s.org.DB, list, page, query, models.LatestFirst("m.added_at", "m.user_id"))
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
		for _, column := range s.workspaceMemberColumns {
			columns = append(columns, column(w.ID))
		}
	}
	return db.Table("workspace_members m").Select(columns).Where("m.workspace_id = ? AND m.organization_id = ?", w.ID, w.OrganizationID)
}
