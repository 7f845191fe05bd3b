package org

import (
	"context"
	"fmt"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// MemberFilter narrows the list of an organization's members; nil fields do not.
type MemberFilter struct {
	// Search is the beginning of words of the name or of the address: see models.Found.
	Search *string
	Role   *Role
	Status *MemberStatus
	// WorkspaceID keeps those who are listed in a workspace of the organization.
	WorkspaceID *models.ID
}

// name tells lists apart that are filtered differently, for their cursors.
func (f MemberFilter) name() string {
	return fmt.Sprintf("%q:%q:%q:%s", models.Deref(f.Search), models.Deref(f.Role), models.Deref(f.Status), models.Deref(f.WorkspaceID))
}

// apply narrows a query on organization_members joined with users as u.
func (f MemberFilter) apply(q *gorm.DB) (*gorm.DB, error) {
	search, err := models.ListSearch(f.Search)
	if err != nil {
		return nil, err
	}
	if search != "" {
		q = q.Where(models.FoundWithAddress("u.search"), search)
	}
	if f.Role != nil {
		q = q.Where("organization_members.role = ?", *f.Role)
	}
	if f.Status != nil {
		q = q.Where("organization_members.status = ?", *f.Status)
	}
	if f.WorkspaceID != nil {
		q = q.Where(`EXISTS (SELECT FROM workspace_members wm WHERE wm.organization_id = organization_members.organization_id
			AND wm.user_id = organization_members.user_id AND wm.workspace_id = ?)`, *f.WorkspaceID)
	}
	return q, nil
}

// MemberCounts is how many members of an organization there are by role and standing.
type MemberCounts struct {
	All, Owners, Admins, Members, Suspended int
}

// Count counts the members that a search finds (owner and admins).
func (s Members) Count(ctx context.Context, organizationID models.ID, filter MemberFilter) (*MemberCounts, error) {
	if _, err := s.org.readable(ctx, organizationID, ReadMembers); err != nil {
		return nil, err
	}
	query, err := filter.apply(s.org.DB.Read(ctx).Table("organization_members").
		Joins(account.Join("organization_members.user_id")).
		Where("organization_members.organization_id = ?", organizationID))
	if err != nil {
		return nil, err
	}
	counts := &MemberCounts{}
	return counts, query.Select(`count(*) AS "all", count(*) FILTER (WHERE role = 'owner') AS owners,
		count(*) FILTER (WHERE role = 'admin') AS admins, count(*) FILTER (WHERE role = 'member') AS members,
		count(*) FILTER (WHERE status = 'suspended') AS suspended`).Scan(counts).Error
}

// ListedFilter narrows the list of a workspace's members; nil fields do not.
type ListedFilter struct {
	// Search is the beginning of words of the name: see models.Found.
	Search *string
	Role   *WorkspaceRole
	Status *MemberStatus
}

// name tells lists apart that are filtered differently; the whole list keeps
// the name that its cursors have always had.
func (f ListedFilter) name() string {
	if f == (ListedFilter{}) {
		return ""
	}
	return fmt.Sprintf(":%q:%q:%q", models.Deref(f.Search), models.Deref(f.Role), models.Deref(f.Status))
}

// apply narrows a query on workspace_members as m.
func (f ListedFilter) apply(q *gorm.DB, admin bool) (*gorm.DB, error) {
	search, err := models.ListSearch(f.Search)
	if err != nil {
		return nil, err
	}
	if search != "" {
		q = q.Joins(account.Join("m.user_id")).Where(models.Found("u.search"), search)
	}
	if f.Role != nil {
		q = q.Where("m.role = ?", *f.Role)
	}
	if f.Status != nil && !admin {
		return nil, models.Invalid("status", "is shown to admins of the workspace alone")
	}
	if f.Status != nil {
		q = q.Where("m.status = ?", *f.Status)
	}
	return q, nil
}
