package org

import (
	"context"

	"atelier/models"

	"gorm.io/gorm"
)

// reader is the signed-in caller of a use case that reads organizations.
func reader(ctx context.Context) (models.Actor, error) {
	return caller(ctx, models.ScopeWorkspacesRead)
}

// writer is the signed-in caller of a use case that changes something in them.
func writer(ctx context.Context) (models.Actor, error) {
	return caller(ctx, models.ScopeWorkspacesWrite)
}

func caller(ctx context.Context, scope models.Scope) (models.Actor, error) {
	actor := models.ActorFrom(ctx)
	return actor, actor.RequireUser(scope)
}

// FindOrganization reads an organization with the caller's standing: not_found
// for outsiders, member_suspended for a suspended membership. A platform
// operator reads any.
func (s *Service) FindOrganization(ctx context.Context, id models.ID) (*Organization, error) {
	o, err := s.unauthorized(ctx, id)
	if err != nil || o.Role == nil && models.ActorFrom(ctx).RequireOperator() == nil {
		return o, err
	}
	return o, o.Authorize(ReadOrganization)
}

// readable is the organization when the caller has the permission in it.
func (s *Service) readable(ctx context.Context, id models.ID, p Permission) (*Organization, error) {
	o, err := s.unauthorized(ctx, id)
	if err != nil {
		return nil, err
	}
	return o, o.Authorize(p)
}

// unauthorized is an organization with the caller's standing, before it is
// asked whether the caller may know of it.
func (s *Service) unauthorized(ctx context.Context, id models.ID) (*Organization, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	return findOrganization(s.DB.Read(ctx), id, actor.UserID)
}

// ListOrganizations is the caller's organizations, newest first; suspended
// memberships are among them, marked so.
func (s *Service) ListOrganizations(ctx context.Context, page models.Page) (*models.Connection[*Organization], error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	query := organizationsOf(s.DB.Read(ctx), actor.UserID).Where("m.user_id IS NOT NULL")
	return models.ListPage(s.DB, organizationList("organizations:"+actor.UserID.String()), page, query, models.NewestFirst("organizations.id"))
}

func organizationList(name string) models.List[*Organization] {
	return models.List[*Organization]{Name: name, Position: func(o *Organization) string { return o.ID.String() }}
}

// OrganizationsByID are the organizations with the caller's standing; those
// that the caller may not read are left out.
func (s *Service) OrganizationsByID(ctx context.Context, ids []models.ID) (map[models.ID]*Organization, error) {
	actor, err := reader(ctx)
	if err != nil {
		return nil, err
	}
	var rows []*Organization
	if err := organizationsOf(s.DB.Read(ctx), actor.UserID).Where("organizations.id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	found := map[models.ID]*Organization{}
	for _, o := range rows {
		if o.Authorize(ReadOrganization) == nil || actor.RequireOperator() == nil {
			found[o.ID] = o
		}
	}
	return found, nil
}

// organizationsOf reads organizations that exist with a user's membership beside them.
func organizationsOf(db *gorm.DB, userID models.ID) *gorm.DB {
	return db.Model(&Organization{}).
		Select(`organizations.*, m.role, CASE WHEN k.user_id IS NULL THEN m.status ELSE 'suspended' END AS member_status, EXISTS (SELECT FROM workspace_members a
			WHERE a.organization_id = m.organization_id AND a.user_id = m.user_id AND a.role = 'admin') AS administers, `+unguarded("organizations", "m.user_id")+` AS unguarded`).
		Joins("LEFT JOIN organization_members m ON m.organization_id = organizations.id AND m.user_id = ?", userID).
		Joins("LEFT JOIN kept_suspensions k ON k.organization_id = organizations.id AND k.workspace_id IS NULL AND k.user_id = ?", userID).
		Where("organizations.deleted_at IS NULL")
}

func findOrganization(db *gorm.DB, id, userID models.ID) (*Organization, error) {
	o, err := models.First[Organization](organizationsOf(db, userID).Where("organizations.id = ?", id), models.NotFound("Organization"))
	noteOrganization(db, userID, o)
	return o, err
}

// lockOrganization reads an organization for a change by the actor and
// authorizes it. FOR UPDATE holds others back from the row itself; FOR SHARE
// holds off a suspension or a deletion while something is made inside.
func lockOrganization(tx *models.Tx, id models.ID, strength string, p Permission) (*Organization, error) {
	o, err := holdFor(tx, id, strength)
	if err != nil {
		return nil, err
	}
	return o, o.Authorize(p)
}

// holdFor locks before it reads: a read that waits for a lock would show the
// caller's role as it was before the wait.
func holdFor(tx *models.Tx, id models.ID, strength string) (*Organization, error) {
	if err := tx.Exec(`SELECT FROM organizations WHERE id = ? FOR `+strength, id).Error; err != nil {
		return nil, err
	}
	return findOrganization(tx.DB, id, tx.Actor.UserID)
}

// The strengths of a lock.
const (
	forUpdate = "UPDATE"
	forShare  = "SHARE"
)

// HoldOrganization reads an organization with the actor's standing and keeps
// it from being suspended or deleted until the transaction ends; the caller
// asks Authorize.
func (s *Service) HoldOrganization(tx *models.Tx, id models.ID) (*Organization, error) {
	return holdFor(tx, id, forShare)
}

// AnyNamed tells whether there is an organization of exactly this name.
func (s *Service) AnyNamed(ctx context.Context, name string) (any bool, err error) {
	err = s.DB.Read(ctx).Raw(`SELECT EXISTS (SELECT FROM organizations WHERE name = ?)`, name).Scan(&any).Error
	return any, err
}
