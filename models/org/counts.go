package org

import (
	"context"

	"atelier/models"
)

// Facts are figures about an organization that lists show.
type Facts struct {
	OrganizationID models.ID
	OwnerID        models.ID
	Members        int
	// Workspaces are those that are not archived.
	Workspaces int
}

// FactsByOrganization reads the facts of many organizations in one statement.
// The organizations were authorized when they were read.
func (s *Service) FactsByOrganization(ctx context.Context, ids []models.ID) (map[models.ID]*Facts, error) {
	var rows []*Facts
	err := s.DB.Read(ctx).Raw(`
		SELECT o.id AS organization_id,
			(SELECT user_id FROM organization_members m WHERE m.organization_id = o.id AND m.role = 'owner') AS owner_id,
			(SELECT count(*) FROM organization_members m WHERE m.organization_id = o.id) AS members,
			(SELECT count(*) FROM workspaces w WHERE w.organization_id = o.id AND w.archived_at IS NULL) AS workspaces
		FROM organizations o WHERE o.id IN ?`, ids).Scan(&rows).Error
	facts := map[models.ID]*Facts{}
	for _, row := range rows {
		facts[row.OrganizationID] = row
	}
	return facts, err
}

// MemberCounts reads how many people are listed in each workspace.
func (s *Service) MemberCounts(ctx context.Context, workspaceIDs []models.ID) (map[models.ID]int, error) {
	var rows []struct {
		WorkspaceID models.ID
		N           int
	}
	err := s.DB.Read(ctx).Table("workspace_members").Select("workspace_id, count(*) AS n").
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

// WorkspaceNames reads the names of workspaces that an authorized row names;
// nil for those that are gone.
func (s *Service) WorkspaceNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := s.DB.Read(ctx).Table("workspaces").Select("id, name, organization_id").Where("id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}
