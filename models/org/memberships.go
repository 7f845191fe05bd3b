package org

import (
	"context"
	"slices"

	"atelier/models"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Memberships is the caller's organizations and workspaces, newest first,
// suspended ones marked so.
type Memberships struct {
	Organizations []*Organization
	Workspaces    []*Workspace
	// More tells that there are further ones beyond those.
	More bool
}

// ListMemberships is all of them; archived workspaces on request.
func (s *Service) ListMemberships(ctx context.Context, includeArchived bool) (*Memberships, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.Unscoped); err != nil {
		return nil, err
	}
	m := &Memberships{}
	err := organizationsOf(s.DB.Read(ctx), actor.UserID).Where("m.user_id IS NOT NULL").Order("organizations.id DESC").Find(&m.Organizations).Error
	if err != nil {
		return nil, err
	}
	return m, ownWorkspaces(s.DB.Read(ctx), actor.UserID, includeArchived).Order("workspaces.id DESC").Find(&m.Workspaces).Error
}

// ListFirstMemberships is what a switcher shows, however many there are: the
// first organizations and the first workspaces that are not archived of each.
// What the caller has selected is among them, archived or not.
// validation_error unless first is 1 to 50.
func (s *Service) ListFirstMemberships(ctx context.Context, first int) (*Memberships, error) {
	actor := models.ActorFrom(ctx)
	if err := actor.RequireUser(models.Unscoped); err != nil {
		return nil, err
	}
	if first < 1 || first > 50 {
		return nil, models.Invalid("first", "must be between 1 and 50")
	}
	m := &Memberships{}
	if err := s.firstOrganizations(ctx, actor, first, m); err != nil {
		return nil, err
	}
	return m, s.firstWorkspaces(ctx, actor, first, m)
}

func (s *Service) firstOrganizations(ctx context.Context, actor models.Actor, first int, m *Memberships) error {
	selected := models.ID{}
	if actor.OrganizationID != nil {
		selected = *actor.OrganizationID
	}
	err := organizationsOf(s.DB.Read(ctx), actor.UserID).Where("m.user_id IS NOT NULL").
		Order(clause.OrderBy{Expression: gorm.Expr("organizations.id = ? DESC, organizations.id DESC", selected)}).
		Limit(first + 1).Find(&m.Organizations).Error
	if err != nil {
		return err
	}
	m.cut(len(m.Organizations) > first)
	m.Organizations = m.Organizations[:min(first, len(m.Organizations))]
	return nil
}

// firstWorkspaces looks into each organization by itself, so that one with
// thousands of workspaces costs as much as one with ten.
func (s *Service) firstWorkspaces(ctx context.Context, actor models.Actor, first int, m *Memberships) error {
	ids := make(models.IDs, len(m.Organizations))
	for i, o := range m.Organizations {
		ids[i] = o.ID
	}
	some := ownWorkspaces(s.DB.Read(ctx), actor.UserID, false).Where("workspaces.organization_id = shown.id").Order("workspaces.id DESC").Limit(first + 1)
	var found []*Workspace
	err := s.DB.Read(ctx).Table("unnest(?::uuid[]) AS shown(id), LATERAL (?) AS workspaces", ids, some).Select("workspaces.*").Find(&found).Error
	if err != nil {
		return err
	}
	count := map[models.ID]int{}
	for _, w := range found {
		count[w.OrganizationID]++
		if m.cut(count[w.OrganizationID] > first); count[w.OrganizationID] <= first {
			m.Workspaces = append(m.Workspaces, w)
		}
	}
	return s.addSelected(ctx, actor, m)
}

// addSelected adds the workspace that the caller selected where it is not
// among the first of its organization.
func (s *Service) addSelected(ctx context.Context, actor models.Actor, m *Memberships) error {
	if actor.WorkspaceID == nil || slices.ContainsFunc(m.Workspaces, func(w *Workspace) bool { return w.ID == *actor.WorkspaceID }) {
		return nil
	}
	w, err := s.Workspaces().FindFor(ctx, actor.UserID, *actor.WorkspaceID)
	if err == nil {
		m.Workspaces = append(m.Workspaces, w)
	}
	return err
}

func (m *Memberships) cut(more bool) { m.More = m.More || more }
