package flow

import (
	"context"

	"atelier/models"
	"atelier/models/nodegraph"
)

// EstimateCost is what one run of a workflow costs, with all that its
// components run; one that cannot run costs nothing.
func (s *Service) EstimateCost(ctx context.Context, w *Workflow) models.Credits {
	total := w.Nodes.Cost()
	p := &packer{db: s.DB.Read(ctx), author: w.OwnerID, workspaceID: w.WorkspaceID, path: []models.ID{w.ID}}
	for _, node := range w.Nodes {
		if node.Type != nodegraph.ComponentType {
			continue
		}
		if _, cost, err := p.component(node); err == nil {
			total += cost
		}
	}
	return total
}

// lowerCostToSpent lowers the job's cost to what the work really cost: what the node
// said, or of a component what its nodes were charged.
func (w *work) lowerCostToSpent() {
	if w.job.JobType == nodegraph.ComponentType {
		w.spent = new(orZero(w.job.CreditsCharged))
	}
	if w.spent != nil {
		w.job.Cost = min(w.job.Cost, *w.spent)
	}
}

// remainingCost is what the unfinished nodes of a component cost.
func (c *component) remainingCost() (cost models.Credits) {
	for _, node := range c.Nodes {
		if _, done := c.Outputs[node.ID]; done {
			continue
		}
		if part := c.Parts[node.ID]; part != nil {
			cost += part.remainingCost()
		} else {
			cost += node.Price()
		}
	}
	return cost
}
