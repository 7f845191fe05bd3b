package org

import (
	"context"

	"atelier/models"
)

// OrganizationFacts are figures about an organization that lists show.
type OrganizationFacts struct {
	OrganizationID models.ID
	OwnerID        models.ID
	Members        int
	// Workspaces are those that are not archived.
	Workspaces int
}

// FactsByOrganization reads the facts of many organizations in one statement.
// The organizations were authorized when they were read.
func (s *Service) FactsByOrganization(ctx context.Context, ids []models.ID) (map[models.ID]*OrganizationFacts, error) {
	var rows []*OrganizationFacts
	err := s.DB.Read(ctx).Raw(`
		SELECT o.id AS organization_id,
			(SELECT user_id FROM organization_members m WHERE m.organization_id = o.id AND m.role = 'owner') AS owner_id,
			(SELECT count(*) FROM organization_members m WHERE m.organization_id = o.id) AS members,
			(SELECT count(*) FROM workspaces w WHERE w.organization_id = o.id AND w.archived_at IS NULL) AS workspaces
		FROM organizations o WHERE o.id IN ?`, ids).Scan(&rows).Error
	facts := map[models.ID]*OrganizationFacts{}
	for _, row := range rows {
		facts[row.OrganizationID] = row
	}
	return facts, err
}

// Count reads how many people are listed in each workspace.
func (s WorkspaceMembers) Count(ctx context.Context, workspaceIDs []models.ID) (map[models.ID]int, error) {
	var rows []struct {
		WorkspaceID models.ID
		N           int
	}
	err := s.org.DB.Read(ctx).Table("workspace_members").Select("workspace_id, count(*) AS n").
		Where("workspace_id IN ?", workspaceIDs).Group("workspace_id").Scan(&rows).Error
	counts := map[models.ID]int{}
	for _, id := range workspaceIDs {
		counts[id] = 0
	}
	for _, row := range rows {
		counts[row.WorkspaceID] = row.N
	}
	return counts, err
}

// Names reads the names of workspaces that an authorized row names;
// nil for those that are gone.
func (s Workspaces) Names(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := s.org.DB.Read(ctx).Table("workspaces").Select("id, name, organization_id").Where("id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}

// Addresses reads the addresses of invitations that an authorized
// entry of the audit log names; nil for those that are gone.
func (s Invitations) Addresses(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := s.org.DB.Read(ctx).Table("invitations").Select("id, email AS name, organization_id").Where("id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}

// OwnNames reads the names of those workspaces that the caller
// belongs to, archived ones too.
func (s Workspaces) OwnNames(ctx context.Context, ids []models.ID) (map[models.ID]string, error) {
	var rows []*Workspace
	err := ownWorkspaces(s.org.DB.Read(ctx), models.ActorFrom(ctx).UserID, true).Where("workspaces.id IN ?", ids).Find(&rows).Error
	names := make(map[models.ID]string, len(rows))
	for _, w := range rows {
		names[w.ID] = w.Name
	}
	return names, err
}

// CountOrganizations is how many organizations the caller belongs to.
func (s *Service) CountOrganizations(ctx context.Context) (int, error) {
	var n int64
	err := s.DB.Read(ctx).Table("organization_members m").
		Joins("JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL").
		Where("m.user_id = ?", models.ActorFrom(ctx).UserID).Count(&n).Error
	return int(n), err
}

// Count is how many workspaces that are not archived the caller
// belongs to.
func (s Workspaces) Count(ctx context.Context) (int, error) {
	var n int64
	err := s.org.DB.Read(ctx).Table("(?) AS own", ownWorkspaces(s.org.DB.Read(ctx), models.ActorFrom(ctx).UserID, false)).Count(&n).Error
	return int(n), err
}
