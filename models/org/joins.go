package org

import (
	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// Fragments for the statements of higher areas.

// Join joins the organizations, as o, whose ids a column holds and that exist.
func Join(column string) string {
	return "JOIN organizations o ON o.id = " + column + " AND o.deleted_at IS NULL"
}

// JoinNamed joins the organizations whose ids a column holds, as o, deleted ones
// too; o.name alone may be named.
func JoinNamed(column string) string { return "JOIN organizations o ON o.id = " + column }

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

// ListedWithRoles is ListedIn with their roles in the workspace and in its organization.
const ListedWithRoles = "SELECT wm.user_id, wm.role, om.role AS organization_role FROM workspace_members wm" +
	" JOIN organization_members om ON om.organization_id = wm.organization_id AND om.user_id = wm.user_id WHERE wm.workspace_id = ?"

// PlainMembersOf is the ids of those who are listed as plain members in the workspace that is its one value.
const PlainMembersOf = ListedIn + " AND role = 'member'"

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

// FromActive begins a statement on the active organizations, as o, with the accounts of their owners, as u.
var FromActive = "FROM organizations o JOIN organization_members oo ON oo.organization_id = o.id AND oo.role = 'owner' AND o.status = 'active'" +
	" AND o.deleted_at IS NULL " + account.Join("oo.user_id")

// Permitted are the ids of the organizations in which a user has a permission
// that only reads, as a query.
func Permitted(db *gorm.DB, userID models.ID, p Permission) *gorm.DB {
	return db.Model(&OrganizationMember{}).Select("organization_id").
		Joins("JOIN organizations po ON po.id = organization_members.organization_id AND NOT "+unguarded("po", "organization_members.user_id")).
		Where("user_id = ? AND organization_members.status = ? AND role IN ?", userID, MemberActive, organizationRoles[p])
}

// Reached are the ids of the workspaces in which a user is active, as an admin
// or, with WorkspaceRoleMember, in any role, as a query: the rule of
// Workspace.Authorize in SQL, whether archived or not.
func Reached(db *gorm.DB, userID models.ID, as WorkspaceRole) *gorm.DB {
	q := db.Table("workspaces reached").Select("reached.id").
		Joins("JOIN organizations ro ON ro.id = reached.organization_id AND ro.deleted_at IS NULL").
		Joins("JOIN organization_members rom ON rom.organization_id = ro.id AND rom.user_id = ? AND rom.status = 'active' AND NOT "+unguarded("ro", "rom.user_id"), userID).
		Joins("LEFT JOIN workspace_members rwm ON rwm.workspace_id = reached.id AND rwm.user_id = ?", userID).
		Where("(rwm.status = 'active' OR rwm.user_id IS NULL AND rom.role IN ('owner', 'admin'))").
		Where(`NOT EXISTS (SELECT FROM kept_suspensions rk WHERE rk.user_id = ? AND rk.organization_id = ro.id
			AND (rk.workspace_id IS NULL OR rk.workspace_id = reached.id))`, userID)
	if as == WorkspaceRoleAdmin {
		q = q.Where("coalesce(rwm.role, 'admin') = 'admin'")
	}
	return q
}

// SeesNotice is the condition that the recipient of a notification, as n, is still
// what it takes to see it.
var SeesNotice = `n.organization_id IS NULL OR EXISTS (
	SELECT FROM organizations no
		JOIN organization_members nm ON nm.organization_id = no.id AND nm.user_id = n.recipient_id AND nm.status = 'active'
		LEFT JOIN workspace_members nw ON nw.workspace_id = n.workspace_id AND nw.user_id = n.recipient_id
	WHERE no.id = n.organization_id AND no.deleted_at IS NULL AND (n.needs = 'nothing' OR NOT ` + unguarded("no", "n.recipient_id") + `) AND CASE n.needs
		WHEN 'nothing' THEN true
		WHEN 'owner' THEN nm.role = 'owner'
		WHEN 'admin' THEN nm.role IN ('owner', 'admin')
		WHEN 'teacher' THEN nw.role = 'admin' AND nw.status = 'active' OR nw.user_id IS NULL AND nm.role IN ('owner', 'admin')
		ELSE n.workspace_id IS NULL OR nw.status = 'active' OR nw.user_id IS NULL AND nm.role IN ('owner', 'admin')
	END)`

// HoldWorkspaceOf is HoldWorkspace for the workspace whose id a query finds.
func HoldWorkspaceOf(tx *models.Tx, query string, args ...any) error {
	_, err := tx.Run(`SELECT FROM workspaces WHERE id = (`+query+`) FOR SHARE`, args...)
	return err
}

// SchoolsWithout are the workspaces of the schools in which a user is not active, with id and
// name of the school, as a query: workspace_id, organization_id and name.
func SchoolsWithout(db *gorm.DB, userID models.ID) *gorm.DB {
	return db.Model(&Organization{}).Select("sw.id AS workspace_id, organizations.id AS organization_id, organizations.name").
		Joins("JOIN workspaces sw ON sw.organization_id = organizations.id").
		Where("organizations.kind = ?", School).
		Where("NOT EXISTS (SELECT FROM organization_members sm WHERE sm.organization_id = organizations.id AND sm.user_id = ? AND sm.status = ?)", userID, MemberActive)
}

// NamesIn reads the ids and names of a table t that has workspace_id, deleted rows too, with
// the organization that each belongs to; nil for those that are not there.
func NamesIn(db *gorm.DB, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := db.Select("t.id, t.name, w.organization_id").
		Joins(JoinWorkspaces("t.workspace_id")).Where("t.id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}
