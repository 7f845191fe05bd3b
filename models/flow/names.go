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

// WorkflowName reads the name of a workflow, deleted ones too, and asks nothing about access.
func WorkflowName(tx *models.Tx, id models.ID) (name string, err error) {
	err = tx.Model(&Workflow{}).Where("id = ?", id).Pluck("name", &name).Error
	return name, err
}

// Names reads the names of apps as WorkflowNames does.
func (s Apps) Names(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.flow.DB.Read(ctx).Table("apps t"), ids)
}
