package org

import (
	"context"

	"atelier/models"
	"atelier/models/account"

	"gorm.io/gorm"
)

// HitKind is a kind of things that the search finds.
type HitKind string

const (
	HitPerson    HitKind = "person"
	HitWorkspace HitKind = "workspace"
	HitWorkflow  HitKind = "workflow"
	HitApp       HitKind = "app"
)

// HitsShown is how many of each kind the search shows.
const HitsShown = 8

// Hit is one thing that was found, with where it is.
type Hit struct {
	Kind HitKind
	ID   models.ID
	Name string
	// Email is a person's address, for those who may see it.
	Email *string
	// Slug is that of an app.
	Slug                            *string
	OrganizationID, WorkspaceID     *models.ID
	OrganizationName, WorkspaceName *string
	// Total is how many of the kind there are in all.
	Total int
}

// FoundFirst orders what was found: names that begin with what was typed, then
// by name. Its one value is what was typed.
const FoundFirst = "starts_with(lower(name), lower(?)) DESC, lower(name), id"

// Search finds people by name, as a person may: owner and admins those of
// their organizations, by address too; admins of workspaces those listed there.
// An organization narrows that to its own.
func (s Members) Search(ctx context.Context, typed string, organizationID *models.ID) ([]Hit, error) {
	db, user := s.org.DB.Read(ctx), models.ActorFrom(ctx).UserID
	all := Permitted(db, user, ReadMembers)
	managed := db.Table("organization_members om").
		Select("om.user_id AS id, u.display_name AS name, u.address AS email, om.organization_id, o.name AS organization_name, NULL::uuid AS workspace_id, NULL AS workspace_name").
		Joins(Join("om.organization_id")).Joins(account.JoinUndeleted("om.user_id")).
		Where("om.organization_id IN (?)", all).Where(models.FoundWithAddress("u.search"), typed)
	taught := db.Table("workspace_members wm").
		Select("DISTINCT ON (wm.organization_id, wm.user_id) wm.user_id AS id, u.display_name AS name, NULL AS email, wm.organization_id, o.name AS organization_name, wm.workspace_id, w.name AS workspace_name").
		Joins(Join("wm.organization_id")).Joins(JoinWorkspaces("wm.workspace_id")).Joins(account.JoinUndeleted("wm.user_id")).
		Where("wm.workspace_id IN (?) AND wm.organization_id NOT IN (?)", Reached(db, user, WorkspaceRoleAdmin), all).
		Where(models.Found("u.search"), typed)
	if organizationID != nil {
		managed, taught = managed.Where("om.organization_id = ?", *organizationID), taught.Where("wm.organization_id = ?", *organizationID)
	}
	return Hits(db.Raw("SELECT *, count(*) OVER () AS total FROM (? UNION ALL ?) found ORDER BY "+FoundFirst+" LIMIT ?", managed, taught, typed, HitsShown), HitPerson)
}

// Search finds workspaces that a person belongs to and that are not archived.
func (s Workspaces) Search(ctx context.Context, typed string, organizationID *models.ID) ([]Hit, error) {
	db, user := s.org.DB.Read(ctx), models.ActorFrom(ctx).UserID
	q := db.Table("workspaces w").
		Select("w.id, w.name, w.organization_id, o.name AS organization_name, w.id AS workspace_id, w.name AS workspace_name").
		Joins(Join("w.organization_id")).
		Where("w.archived_at IS NULL AND w.id IN (?)", Reached(db, user, WorkspaceRoleMember)).
		Where(models.Found("w.search"), typed)
	if organizationID != nil {
		q = q.Where("w.organization_id = ?", *organizationID)
	}
	return Hits(db.Raw("SELECT *, count(*) OVER () AS total FROM (?) found ORDER BY "+FoundFirst+" LIMIT ?", q, typed, HitsShown), HitWorkspace)
}

// Hits reads what a query found.
func Hits(q *gorm.DB, kind HitKind) ([]Hit, error) {
	found := []Hit{}
	err := q.Scan(&found).Error
	for i := range found {
		found[i].Kind = kind
	}
	return found, err
}
