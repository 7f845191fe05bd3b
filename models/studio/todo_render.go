package studio

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"atelier/models"
)

var errNotWritten = errors.New("not written")

func (s *Service) registerRenders() {}

// showResults fills in what renders made of a production whose shots were loaded: of each shot
// the results and whether it is stale, and the latest render.
func (s *Service) showResults(q *gorm.DB, p *Production) error { return nil }

// showLatest fills in the latest render of each production of a list, in a constant number of statements.
func (s *Service) showLatest(q *gorm.DB, all ...*Production) error { return nil }

// noteChange works out anew what follows from a production and its shots after a change of
// them: how many shots there are, how long they last, and whether the film is stale. The production is locked, its
// shots are loaded.
func (s *Service) noteChange(tx *models.Tx, p *Production) error { return nil }

func (s *Service) RunPipeline(ctx context.Context, id models.ID, in RunPipelineInput) (*Begun, error) {
	return nil, errNotWritten
}
func (s *Service) EstimateRender(ctx context.Context, id models.ID, in RenderInput) (*Estimate, error) {
	return nil, errNotWritten
}
func (s *Service) RenderProduction(ctx context.Context, id models.ID, in RenderInput) (*Begun, error) {
	return nil, errNotWritten
}
func (s *Service) ListRenders(ctx context.Context, id models.ID, page models.Page) (*models.Connection[*Render], error) {
	return nil, errNotWritten
}
