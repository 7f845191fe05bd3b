package run

import (
	"context"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// componentsCost is what the components of a workflow cost, with all that they run; one that cannot run costs nothing.
func (s *Service) componentsCost(ctx context.Context, w *flow.Workflow) (total models.Credits) {
	p := &packer{kinds: s.Flows.Catalogue, db: s.DB.Read(ctx), author: w.OwnerID, workspaceID: w.WorkspaceID, path: []models.ID{w.ID}}
	for _, node := range w.Nodes {
		if node.Type != nodegraph.ComponentType {
			continue
		}
		if _, parts, err := p.component(node); err == nil {
			total += sumOf(parts)
		}
	}
	return total
}

// jobParts are what is held for a job: the price of its node, of a component those of
// the nodes inside, each with the model that it is for. What is free costs nothing.
func (s *Service) jobParts(request *Request, node *nodegraph.Node, inside []credit.Part) []credit.Part {
	switch {
	case s.Free || request.Free[node.ID]:
		return nil
	case node.Type == nodegraph.ComponentType:
		return inside
	}
	return partsOf(s.Flows.Catalogue, node, nil)
}

// partsOf adds a node's price to parts, unless it is free.
func partsOf(kinds *nodes.Catalogue, node *nodegraph.Node, parts []credit.Part) []credit.Part {
	if price := node.Price(kinds); price > 0 {
		parts = append(parts, credit.Part{Model: node.ModelAt(kinds), Amount: price})
	}
	return parts
}

func sumOf(parts []credit.Part) (sum models.Credits) {
	for _, p := range parts {
		sum += p.Amount
	}
	return sum
}

// cost is what the call of a node cost: its price, or what the node said. That is more
// than the price where the node is metered, within bounds.
func (w *work) cost() models.Credits {
	if w.spent == nil {
		return w.price
	}
	most := w.price
	if w.metered {
		most *= maxOverrun
	}
	return min(max(0, *w.spent), most)
}

// takeRealCost makes the job's cost what the work really cost: what the node said, or of
// a component what its nodes were charged. More than was held for it is due. What is
// free stays free.
func (w *work) takeRealCost() {
	switch {
	case w.job.JobType == nodegraph.ComponentType:
		w.job.Cost = min(w.job.Cost, models.Deref(w.job.CreditsCharged))
	case w.spent == nil || w.job.Cost == 0:
	case w.cost() > w.job.Cost:
		w.exec.owe(w.job.NodeID, w.job.JobType, nodegraph.ModelOf(w.job.JobType, w.job.InputData), w.cost())
	default:
		w.job.Cost = w.cost()
	}
}

// owe notes a charge that waits for the settlement.
func (e *Execution) owe(path, nodeType, model string, amount models.Credits) {
	e.Due = append(e.Due, dueCharge{Job: jobOfPath(path), Node: path, Type: nodeType, Model: model, Amount: int64(amount)})
}

// remainingParts are what the unfinished nodes of a component cost.
func (c *component) remainingParts(kinds *nodes.Catalogue) (parts []credit.Part) {
	for _, node := range c.Nodes {
		if _, done := c.Outputs[node.ID]; done {
			continue
		}
		if part := c.Parts[node.ID]; part != nil {
			parts = append(parts, part.remainingParts(kinds)...)
		} else {
			parts = partsOf(kinds, node, parts)
		}
	}
	return parts
}

// chargeJob charges a job whose work is done with what is not charged yet. One that
// cost more than was held for it is charged with the settlement.
func (e *Execution) chargeJob(job *Job) {
	if e.Due.of(job.NodeID) {
		job.CreditStatus = &creditReserved
		return
	}
	e.chargeNode(job.NodeID, job.JobType, nodegraph.ModelOf(job.JobType, job.InputData), job.Cost-models.Deref(job.CreditsCharged))
	job.CreditStatus, job.CreditsCharged = &creditCommitted, &job.Cost
}

// chargeInner charges a component's job with a node inside it, whose path and model
// are given, and never with more than is left of what is held for the component. What a
// metered one cost beyond its price is due, all of it.
func (e *Execution) chargeInner(job *Job, path string, node *nodegraph.Node, model string, price, spent models.Credits) {
	if node.Type == nodegraph.ComponentType || nodegraph.IsTrigger(node.Type) || job.Cost == 0 {
		return
	}
	if spent > price {
		e.owe(path, node.Type, model, spent)
		return
	}
	charged := models.Deref(job.CreditsCharged)
	if spent = min(spent, job.Cost-charged); spent <= 0 {
		return
	}
	e.chargeNode(path, node.Type, model, spent)
	charged += spent
	job.CreditsCharged = &charged
}

// chargeNode has a node charged, in credits that are not zero.
func (e *Execution) chargeNode(nodeID, nodeType, model string, amount models.Credits) {
	if amount > 0 {
		e.charges = append(e.charges, nodeCharge(nodeID, nodeType, model, amount))
		e.Charged += amount
	}
}
