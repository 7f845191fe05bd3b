package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"

	"gorm.io/gorm"
)

// WorkflowNames reads the names of workflows of workspaces that an authorized
// row names, deleted ones too; nil for those that are not there.
func (s *Service) WorkflowNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return namesIn(s.DB.Read(ctx).Table("workflows t"), ids)
}

// AppNames reads the names of apps in the same way.
func (s *Service) AppNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return namesIn(s.DB.Read(ctx).Table("apps t"), ids)
}

// ProjectNames reads the names of projects in the same way.
func (s *Service) ProjectNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return namesIn(s.DB.Read(ctx).Table("projects t"), ids)
}

func namesIn(db *gorm.DB, ids []models.ID) (map[models.ID]*models.Named, error) {
	var rows []*models.Named
	err := db.Select("t.id, t.name, w.organization_id").
		Joins(org.JoinWorkspaces("t.workspace_id")).Where("t.id IN ?", ids).Scan(&rows).Error
	return models.NamedByID(ids, rows), err
}
