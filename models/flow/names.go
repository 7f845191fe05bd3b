package flow

import (
	"context"

	"atelier/models"
)

// WorkflowNames reads the names of workflows that an authorized row names,
// deleted ones too; nil for those that are not there.
func (s *Service) WorkflowNames(ctx context.Context, ids []models.ID) (map[models.ID]*string, error) {
	return s.names(ctx, "workflows", ids)
}

// AppNames reads the names of apps in the same way.
func (s *Service) AppNames(ctx context.Context, ids []models.ID) (map[models.ID]*string, error) {
	return s.names(ctx, "apps", ids)
}

// ProjectNames reads the names of projects in the same way.
func (s *Service) ProjectNames(ctx context.Context, ids []models.ID) (map[models.ID]*string, error) {
	return s.names(ctx, "projects", ids)
}

func (s *Service) names(ctx context.Context, table string, ids []models.ID) (map[models.ID]*string, error) {
	var rows []struct {
		ID   models.ID
		Name string
	}
	err := s.DB.Read(ctx).Table(table).Select("id, name").Where("id IN ?", ids).Scan(&rows).Error
	names := map[models.ID]*string{}
	for _, id := range ids {
		names[id] = nil
	}
	for _, row := range rows {
		names[row.ID] = &row.Name
	}
	return names, err
}
