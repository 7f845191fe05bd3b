package flow

import (
	"context"

	"atelier/models"
)

// WorkflowNames reads the names of workflows of workspaces that an authorized
// row names, deleted ones too; nil for those that are not there.
func (s *Service) WorkflowNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return s.names(ctx, "workflows", ids)
}

// AppNames reads the names of apps in the same way.
func (s *Service) AppNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return s.names(ctx, "apps", ids)
}

// ProjectNames reads the names of projects in the same way.
func (s *Service) ProjectNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return s.names(ctx, "projects", ids)
}

func (s *Service) names(ctx context.Context, table string, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := s.DB.Read(ctx).Table(table+" t").Select("t.id, t.name, w.organization_id").
		Joins("JOIN workspaces w ON w.id = t.workspace_id").Where("t.id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}
