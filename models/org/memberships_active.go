package org

import (
	"context"

	"atelier/models"
)

// Membership is a person in a workspace.
type Membership struct{ WorkspaceID, UserID models.ID }

// ActiveMembers tells which of some memberships are active: in the workspace, or as an
// admin of its organization. Archived workspaces and organizations that are not active count.
func (s *Service) ActiveMembers(ctx context.Context, some []Membership) (map[Membership]bool, error) {
	active := map[Membership]bool{}
	if len(some) == 0 {
		return active, nil
	}
	workspaces, users := make([]models.ID, len(some)), make([]models.ID, len(some))
	for i, m := range some {
		workspaces[i], users[i] = m.WorkspaceID, m.UserID
	}
	found, err := models.Rows(ctx, s.DB, func(m *Membership) []any { return []any{&m.WorkspaceID, &m.UserID} }, `
		SELECT asked.workspace_id, asked.user_id FROM unnest($1::uuid[], $2::uuid[]) AS asked (workspace_id, user_id)
			JOIN workspaces w ON w.id = asked.workspace_id
			JOIN organizations o ON o.id = w.organization_id AND o.deleted_at IS NULL
			JOIN organization_members m ON m.organization_id = o.id AND m.user_id = asked.user_id AND m.status = 'active'
			LEFT JOIN workspace_members l ON l.workspace_id = w.id AND l.user_id = asked.user_id
		WHERE l.status = 'active' OR l.user_id IS NULL AND m.role IN ('owner', 'admin')`, workspaces, users)
	for _, m := range found {
		active[m] = true
	}
	return active, err
}

// PlainInActiveSchool tells whether a person is an active member of an active school
// who neither runs it nor is an admin of any workspace in it.
func (s *Service) PlainInActiveSchool(ctx context.Context, userID models.ID) (plain bool, err error) {
	err = s.DB.Row(ctx, `
		SELECT EXISTS (
			SELECT FROM organization_members m JOIN organizations o ON o.id = m.organization_id
			WHERE m.user_id = $1 AND m.status = 'active' AND m.role = 'member'
				AND o.kind = 'school' AND o.status = 'active' AND o.deleted_at IS NULL
				AND NOT EXISTS (
					SELECT FROM workspace_members l
					WHERE l.organization_id = o.id AND l.user_id = m.user_id AND l.role = 'admin' AND l.status = 'active'))`,
		userID).Scan(&plain)
	return plain, err
}
