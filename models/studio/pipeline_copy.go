package studio

import (
	"context"

	"atelier/models"
	"atelier/models/space"
)

// InsertPipelineCopy keeps a private pipeline of the selected space, made of one that was posted. A
// component has no workflow there; the copy says so until it is given one.
func (s *Service) InsertPipelineCopy(tx *models.Tx, p *Pipeline) error {
	private := space.Private
	return s.keepPipeline(tx, p, &private, func(*space.Viewer) error { return nil })
}

// EstimateStages is what stages cost for one shot, of which every account has the presets.
func (s *Service) EstimateStages(ctx context.Context, stages Stages) models.Credits {
	p := &Pipeline{Stages: stages}
	s.judge(ctx, p, s.Library.Presets().Factory(), nil)
	return p.EstimatedCredits
}
