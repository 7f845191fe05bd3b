package org

import (
	"atelier/models"

	"gorm.io/gorm"
)

// Fragments for the statements of higher areas.

// Join joins the organizations, as o, whose ids a column holds and that exist.
func Join(column string) string {
	return "JOIN organizations o ON o.id = " + column + " AND o.deleted_at IS NULL"
}

// JoinWorkspaces joins the workspaces whose ids a column holds, as w, of which
// w.id, w.organization_id, w.name and w.archived_at may be named.
func JoinWorkspaces(column string) string { return "JOIN workspaces w ON w.id = " + column }

// JoinRoles joins a user's row in a workspace, as wm, and in its organization,
// as om, of which role and status may be named; who has none is kept.
func JoinRoles(workspace, organization, user string) string {
	return "LEFT JOIN workspace_members wm ON wm.workspace_id = " + workspace + " AND wm.user_id = " + user +
		" LEFT JOIN organization_members om ON om.organization_id = " + organization + " AND om.user_id = " + user
}

// ListedIn is the ids of those who are listed in the workspace that is its one value.
const ListedIn = "SELECT user_id FROM workspace_members WHERE workspace_id = ?"

// Outsiders narrows a query to rows whose user belongs neither to their
// workspace nor to its organization's admins, suspended ones included; rows
// without a workspace stay. The columns hold the ids of the three.
func Outsiders(q *gorm.DB, workspace, organization, user string) *gorm.DB {
	return q.Joins("LEFT JOIN organizations o ON o.id = " + organization).
		Joins(JoinRoles(workspace, organization, user)).
		Where("o.deleted_at IS NULL AND wm.user_id IS NULL").
		Where("(om.user_id IS NULL OR (om.role = 'member' AND om.status = 'active'))").
		Where("NOT EXISTS (SELECT FROM kept_suspensions k WHERE k.user_id = " + user + " AND k.organization_id = " + organization +
			" AND (k.workspace_id IS NULL OR k.workspace_id = " + workspace + "))")
}

// Permitted are the ids of the organizations in which a user has a permission
// that only reads, as a query.
func Permitted(db *gorm.DB, userID models.ID, p Permission) *gorm.DB {
	return db.Model(&OrganizationMember{}).Select("organization_id").
		Where("user_id = ? AND status = ? AND role IN ?", userID, MemberActive, organizationRoles[p])
}

// HoldWorkspaceOf is HoldWorkspace for the workspace whose id a query finds.
func HoldWorkspaceOf(tx *models.Tx, query string, args ...any) error {
	_, err := tx.Run(`SELECT FROM workspaces WHERE id = (`+query+`) FOR SHARE`, args...)
	return err
}
