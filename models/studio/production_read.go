package studio

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"atelier/models"
	"atelier/models/space"
)

// ListProductions lists the productions of the selected space that the caller can reach, newest
// first, each with its latest render and without its shots. An unknown status in the filter is a
// validation_error, a project of another space not_found.
func (s *Service) ListProductions(ctx context.Context, filter *ProductionFilter, page models.Page) (*models.Connection[*Production], error) {
	if err := admit(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	viewer, err := s.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	q, name := space.OwnedIn(s.DB.Read(ctx).Model(&Production{}), "productions", viewer), "productions:"+viewer.Key()
	if filter != nil {
		if q, err = s.narrow(ctx, q, viewer, filter, &name); err != nil {
			return nil, err
		}
	}
	list := models.List[*Production]{Name: name, Position: func(p *Production) string { return p.ID.String() }}
	found, err := models.ListPage(s.DB, list, page, q, models.NewestFirst("productions.id"))
	if err != nil {
		return nil, err
	}
	for _, p := range found.Nodes {
		if err := p.fill(viewer); err != nil {
			return nil, err
		}
		p.Shots = []*Shot{}
	}
	return found, s.showLatest(s.DB.Read(ctx), found.Nodes...)
}

// narrow adds a filter to a list and to its name.
func (s *Service) narrow(ctx context.Context, q *gorm.DB, viewer *space.Viewer, f *ProductionFilter, name *string) (*gorm.DB, error) {
	var parts []string
	if f.Query != nil {
		sought, err := models.CleanSearch("q", *f.Query)
		if err != nil {
			return nil, err
		}
		if sought != "" {
			q = q.Where(models.Found("productions.search"), sought)
			parts = append(parts, "q="+strconv.Quote(sought))
		}
	}
	if f.Status != nil {
		if !slices.Contains(productionStatuses, *f.Status) {
			return nil, models.Invalid("status", "must be draft, rendering, ready, stale or failed")
		}
		q = q.Where("productions.status = ?", *f.Status)
		parts = append(parts, "status="+string(*f.Status))
	}
	if f.ProjectID != nil {
		if err := space.CheckFolder(s.DB.Read(ctx), viewer, f.ProjectID); err != nil {
			return nil, err
		}
		q = q.Where("productions.project_id = ?", *f.ProjectID)
		parts = append(parts, "project="+f.ProjectID.String())
	}
	if f.Mine != nil && *f.Mine {
		q = q.Where("productions.owner_id = ?", viewer.UserID)
		parts = append(parts, "mine")
	}
	*name += fmt.Sprint(":", parts)
	return q, nil
}

var productionStatuses = []ProductionStatus{Draft, Rendering, Ready, Stale, Failed}

// FindProduction reads a production with its shots and what renders made of them.
func (s *Service) FindProduction(ctx context.Context, id models.ID) (*Production, error) {
	p, _, err := s.reachProduction(ctx, s.DB.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	return p, s.showResults(s.DB.Read(ctx), p)
}
