package flow

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// EstimateCost is what one run of a workflow costs, with all that its
// components run; one that cannot run costs nothing.
func (s *Service) EstimateCost(ctx context.Context, w *Workflow) models.Credits {
	total := w.Nodes.Cost(s.Catalogue)
	p := &packer{kinds: s.Catalogue, db: s.DB.Read(ctx), author: w.OwnerID, workspaceID: w.WorkspaceID, path: []models.ID{w.ID}}
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

// jobCost is what is held for a job: the price of its node, of a component that of
// the nodes inside. What is free costs nothing.
func (s *Service) jobCost(start Start, node *nodegraph.Node, inside models.Credits) models.Credits {
	switch {
	case s.Free || start.Free[node.ID]:
		return 0
	case node.Type == nodegraph.ComponentType:
		return inside
	}
	return node.Price(s.Catalogue)
}

// cost is what the call of a node cost: its price, or what the node said when that
// is less.
func (w *work) cost() models.Credits {
	if w.spent != nil {
		return min(w.price, *w.spent)
	}
	return w.price
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
func (c *component) remainingCost(kinds *nodes.Catalogue) (cost models.Credits) {
	for _, node := range c.Nodes {
		if _, done := c.Outputs[node.ID]; done {
			continue
		}
		if part := c.Parts[node.ID]; part != nil {
			cost += part.remainingCost(kinds)
		} else {
			cost += node.Price(kinds)
		}
	}
	return cost
}

// chargeJob charges a job whose work is done with what is not charged yet.
func (e *Execution) chargeJob(job *Job) {
	e.chargeNode(job.NodeID, job.JobType, job.Cost-orZero(job.CreditsCharged))
	job.CreditStatus, job.CreditsCharged = &creditCommitted, &job.Cost
}

// chargeInner charges a component's job with a node inside it, whose path is
// given, and never with more than is left of what is held for the component.
func (e *Execution) chargeInner(job *Job, path string, node *nodegraph.Node, spent models.Credits) {
	charged := orZero(job.CreditsCharged)
	spent = min(spent, job.Cost-charged)
	if node.Type == nodegraph.ComponentType || nodegraph.IsTrigger(node.Type) || spent <= 0 {
		return
	}
	e.chargeNode(path, node.Type, spent)
	charged += spent
	job.CreditsCharged = &charged
}

// chargeNode has a node charged, in credits that are not zero.
func (e *Execution) chargeNode(nodeID, nodeType string, amount models.Credits) {
	if amount > 0 {
		what := nodeType
		if kind, ok := nodes.Find(nodeType); ok {
			what = kind.Label
		}
		e.charges = append(e.charges, credit.NodeCharge{NodeID: nodeID, What: what, Amount: amount})
		e.Charged += amount
	}
}
