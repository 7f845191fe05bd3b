package flow

import (
	"atelier/models"
	"atelier/nodes"
)

// Cost is what one run of the nodes costs at most, without the workflows behind
// component nodes; see EstimateCost.
func (n Nodes) Cost() models.Credits {
	var total models.Credits
	for _, node := range n {
		if kind, ok := nodes.Find(node.Type); ok {
			total += kind.Price(node.Data)
		}
	}
	return total
}
