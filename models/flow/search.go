package flow

import (
	"context"
	"time"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/org"
	"atelier/models/space"
)

// searchPatience is how long a search may take in all.
const searchPatience = 3 * time.Second

// searches bounds how often one person searches: it is asked while they type.
var searches = models.Limit{Name: "search", Max: 240, Per: time.Minute}

// Found is what a search found: of each kind the first ones, with how many
// there are.
type Found struct {
	People, Workspaces, Workflows, Apps []org.Hit
}

// Search finds people, workspaces, workflows and apps by their names among what
// the caller may see, in one organization or everywhere: a statement of each
// kind. What is too short finds nothing; an organization that the caller may not
// see is not_found. Tokens that are restricted to some workflows stay out.
func (s *Service) Search(ctx context.Context, typed string, organizationID *models.ID) (*Found, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.ScopeExecute, models.ScopeWorkspacesRead); err != nil {
		return nil, err
	}
	typed, err := models.CleanSearch("query", typed)
	if err != nil {
		return nil, err
	}
	if organizationID != nil {
		if _, err := s.Orgs.FindOrganization(ctx, *organizationID); err != nil {
			return nil, err
		}
	}
	found := &Found{}
	if !models.Searchable(typed) {
		return found, nil
	}
	if err := s.DB.CountCall(ctx, searches, actor.UserID.String()); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, searchPatience)
	defer cancel()
	err = s.searchAll(limited, typed, organizationID, found)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return nil, models.Err(models.CodeServiceUnavailable, "The search took too long. Type more of the name.")
	}
	return found, err
}

func (s *Service) searchAll(ctx context.Context, typed string, organizationID *models.ID, found *Found) (err error) {
	if found.People, err = s.Orgs.Members().Search(ctx, typed, organizationID); err != nil {
		return err
	}
	if found.Workspaces, err = s.Orgs.Workspaces().Search(ctx, typed, organizationID); err != nil {
		return err
	}
	if found.Workflows, err = s.searchWorkflows(ctx, typed, organizationID); err != nil {
		return err
	}
	found.Apps, err = s.searchApps(ctx, typed, organizationID)
	return err
}

// searchWorkflows finds those that the caller can reach in any space, and those
// that are shared with the caller.
func (s *Service) searchWorkflows(ctx context.Context, typed string, organizationID *models.ID) ([]org.Hit, error) {
	db, user := s.DB.Read(ctx), models.ActorFrom(ctx).UserID
	q := joinGrant(db.Table("workflows"), user).
		Select(placed("workflows.id, workflows.name, NULL AS slug")).
		Where("workflows.deleted_at IS NULL").Where(models.Found("workflows.search"), typed)
	mine := reachableAnywhere(db, user)
	if organizationID == nil {
		mine = mine.Or("workflows.id IN (?)", sharedWith(db, user).Select("w.id"))
	}
	return s.hits(db, inOrganization(q.Where(mine), organizationID), typed, org.HitWorkflow)
}

// searchApps finds the apps that the caller can run in any space, and the
// caller's own that are off.
func (s *Service) searchApps(ctx context.Context, typed string, organizationID *models.ID) ([]org.Hit, error) {
	db, user := s.DB.Read(ctx), models.ActorFrom(ctx).UserID
	q := db.Table("apps").Joins("JOIN workflows ON workflows.id = apps.workflow_id AND workflows.deleted_at IS NULL").
		Select(placed("apps.id, apps.name, apps.slug")).
		Where("apps.deleted_at IS NULL").Where(models.Found("apps.search"), typed).
		Where("(workflows.workspace_id IS NULL AND workflows.owner_id = ? OR workflows.workspace_id IN (?) AND (apps.is_active OR workflows.owner_id = ?))",
			user, org.Reached(db, user, org.WorkspaceRoleMember), user)
	return s.hits(db, inOrganization(q, organizationID), typed, org.HitApp)
}

// placed are the columns of what was found, with the space of its workflow.
func placed(columns string) string {
	return columns + ", workflows.organization_id, o.name AS organization_name, workflows.workspace_id, w.name AS workspace_name"
}

// hits reads the first of what a query of workflows found, and where they are.
func (s *Service) hits(db, q *gorm.DB, typed string, kind org.HitKind) ([]org.Hit, error) {
	q = q.Joins("LEFT " + org.Join("workflows.organization_id")).Joins("LEFT " + org.JoinWorkspaces("workflows.workspace_id"))
	return org.Hits(db.Raw("SELECT *, count(*) OVER () AS total FROM (?) found ORDER BY "+org.FoundFirst+" LIMIT ?", q, typed, org.HitsShown), kind)
}

func inOrganization(q *gorm.DB, id *models.ID) *gorm.DB {
	if id == nil {
		return q
	}
	return q.Where("workflows.organization_id = ?", *id)
}

// reachableAnywhere is reachable for all spaces of a person at once, as a
// condition: the rule of Reach.access in SQL.
func reachableAnywhere(db *gorm.DB, userID models.ID) *gorm.DB {
	return db.Where("workflows.workspace_id IS NULL AND (workflows.owner_id = ? OR grants.role IS NOT NULL)", userID).
		Or("workflows.workspace_id IN (?)", org.Reached(db, userID, org.WorkspaceRoleAdmin)).
		Or("workflows.workspace_id IN (?) AND (workflows.owner_id = ? OR workflows.visibility = ? OR grants.role IS NOT NULL)",
			org.Reached(db, userID, org.WorkspaceRoleMember), userID, space.WorkspaceShared)
}
