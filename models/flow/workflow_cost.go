package flow

import (
	"context"

	"atelier/models"
)

// EstimateCost is what one run of a workflow costs, with all that its
// components run; one that cannot run costs nothing.
func (s *Service) EstimateCost(ctx context.Context, w *Workflow) models.Credits {
	total := w.Nodes.Cost(s.Catalogue)
	if s.hooks.componentsCost != nil {
		total += s.hooks.componentsCost(ctx, w)
	}
	return total
}

// SetComponentsCost registers what the components of a graph cost, with all that they run: the area above packs them for a run and
// prices what it packed.
func (s *Service) SetComponentsCost(cost func(context.Context, *Workflow) models.Credits) {
	s.hooks.componentsCost = cost
}
