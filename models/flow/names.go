package flow

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// WorkflowNames reads the names of workflows of workspaces that an authorized
// row names, deleted ones too; nil for those that are not there.
func (s *Service) WorkflowNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("workflows t"), ids)
}

// AppNames reads the names of apps in the same way.
func (s *Service) AppNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("apps t"), ids)
}
