package flow

import (
	"context"

	"atelier/models"
)

// EstimateCost is what one run of a workflow costs, with all that its
// components run; one that cannot run costs nothing.
func (s *Service) EstimateCost(ctx context.Context, w *Workflow) models.Credits {
	total := w.Nodes.Cost(s.Catalogue)
	if s.ComponentsCost != nil {
		total += s.ComponentsCost(ctx, w)
	}
	return total
}
