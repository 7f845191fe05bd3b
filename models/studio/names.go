package studio

import (
	"context"

	"atelier/models"
	"atelier/models/org"
)

// ProductionNames reads the names of productions of workspaces that an authorized row names; nil for those that are
// not there.
func (s *Service) ProductionNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("productions t"), ids)
}

// PipelineNames reads the names of pipelines in the same way.
func (s *Service) PipelineNames(ctx context.Context, ids []models.ID) (map[models.ID]*models.Named, error) {
	return org.NamesIn(s.DB.Read(ctx).Table("pipelines t"), ids)
}
