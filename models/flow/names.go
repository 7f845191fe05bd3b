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

// WorkflowsByID are those of some workflows that the caller can reach, in the order of the ids and without their graphs, in a
// constant number of statements for each space.
func (s *Service) WorkflowsByID(ctx context.Context, ids []models.ID) ([]*Workflow, error) {
	found := make([]*Workflow, 0, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	byID, err := s.reachAll(ctx, s.DB.Read(ctx), ids)
	for _, id := range ids {
		if w := byID[id]; w != nil {
			found = append(found, w)
		}
	}
	return found, err
}

// Names reads the names of apps as WorkflowNames does.
func (s Apps) Names(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.flow.DB.Read(ctx).Table("apps t"), ids)
}
