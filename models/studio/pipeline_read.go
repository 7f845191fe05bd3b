package studio

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

const pipelineNoun = "pipeline"

var errNoPipeline = models.NotFound("Pipeline")

// ListPipelines are the personal and shared pipelines of the selected space, newest first, then
// those of the program.
func (s *Service) ListPipelines(ctx context.Context, page models.Page) (*models.Connection[*Pipeline], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	listed := []*Pipeline{}
	q := space.OwnedIn(s.DB.Read(ctx).Model(&Pipeline{}), "pipelines", viewer)
	if err := q.Order("id DESC").Limit(MaxPipelines).Find(&listed).Error; err != nil {
		return nil, err
	}
	for _, p := range factoryPipelines {
		listed = append(listed, factoryPipeline(p.ID))
	}
	list := models.List[*Pipeline]{Name: "pipelines:" + viewer.Key(), Position: (*Pipeline).place}
	found, err := models.PageOfAll(s.DB, list, page, listed)
	if err != nil {
		return nil, err
	}
	for _, p := range found.Nodes {
		if err := p.fill(viewer); err != nil {
			return nil, err
		}
	}
	return found, s.judgePipelines(ctx, found.Nodes...)
}

// place is where a pipeline stands in lists: own and shared ones newest first, then those of
// the program.
func (p *Pipeline) place() string {
	if !p.IsFactory {
		newestFirst := p.ID
		for i := range newestFirst {
			newestFirst[i] = ^newestFirst[i]
		}
		return "0 " + newestFirst.String()
	}
	for i, one := range factoryPipelines {
		if one.ID == p.ID {
			return fmt.Sprintf("1 %03d", i)
		}
	}
	return "2"
}

// FindPipeline reads a pipeline: of the program, or one that the caller can reach.
func (s *Service) FindPipeline(ctx context.Context, id models.ID) (*Pipeline, error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	p, _, err := s.ReachPipeline(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	return p, s.judgePipelines(ctx, p)
}

// ReachPipeline reads a pipeline with the caller's reach in its space; one beyond reach is
// not_found. Of one of the program there is no reach.
func (s *Service) ReachPipeline(ctx context.Context, q *gorm.DB, id models.ID) (*Pipeline, *space.Viewer, error) {
	if p := factoryPipeline(id); p != nil {
		return p, nil, nil
	}
	p, err := models.First[Pipeline](q.Where("id = ?", id), errNoPipeline)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.Spaces.Of(ctx, p.Owned())
	if models.HasCode(err, models.CodeNotFound) {
		return nil, nil, errNoPipeline
	}
	if err != nil {
		return nil, nil, err
	}
	return p, r, p.fill(r)
}

// fill adds what the caller may do with a pipeline; one beyond reach is not_found.
func (p *Pipeline) fill(r *space.Viewer) error {
	if p.IsFactory {
		return nil
	}
	if p.Access = r.AccessTo(p.Owned()); p.Access == "" {
		return errNoPipeline
	}
	manage := r.MayManageAs(p.Access, pipelineNoun) == nil
	p.Can = library.ThingCan{Edit: r.MayEditAs(p.Access, pipelineNoun) == nil, Delete: manage, Share: manage && p.WorkspaceID != nil, Post: manage}
	return nil
}

// pipelineFor is a pipeline that something in a space names; a validation_error when there is
// none that it may.
func (s *Service) pipelineFor(q *gorm.DB, viewer *space.Viewer, id models.ID) (*Pipeline, error) {
	p := factoryPipeline(id)
	if p != nil {
		return p, nil
	}
	unknown := models.Invalid("pipelineId", "names no pipeline that this production may use")
	p, err := models.First[Pipeline](q.Where("id = ?", id), unknown)
	if err != nil {
		return nil, err
	}
	own := p.WorkspaceID == nil && p.OwnerID == viewer.UserID
	here := p.WorkspaceID != nil && viewer.Workspace != nil && *p.WorkspaceID == viewer.Workspace.ID && viewer.AccessTo(p.Owned()) != ""
	if !own && !here {
		return nil, unknown
	}
	return p, nil
}
