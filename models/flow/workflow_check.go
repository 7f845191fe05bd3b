package flow

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// Check is what saving a graph would say, and what one run of it would cost.
type Check struct {
	Problems []*nodegraph.Problem
	// Warnings are what saving allows and a run would fail at.
	Warnings         []*nodegraph.Problem
	EstimatedCredits models.Credits
}

// CheckWorkflow checks a graph as UpdateWorkflow does and saves nothing. It
// needs the access that looking at the workflow needs.
func (s *Service) CheckWorkflow(ctx context.Context, id models.ID, all nodegraph.Nodes, edges nodegraph.Edges) (*Check, error) {
	if err := space.RequireWorkflows(models.ActorFrom(ctx)); err != nil {
		return nil, err
	}
	w, err := s.FindWorkflow(ctx, id)
	if err != nil {
		return nil, err
	}
	check := &Check{Problems: nodegraph.Problems(s.Catalogue, all, edges), Warnings: []*nodegraph.Problem{}}
	if len(check.Problems) == 0 {
		w.Nodes, w.Edges = all, edges
		check.Problems = s.headerProblems(w)
	}
	if len(check.Problems) == 0 {
		check.EstimatedCredits = s.EstimateCost(ctx, w)
		check.Warnings = nodegraph.Warnings(s.Catalogue, all, edges)
	}
	return check, nil
}
