package nodegraph

import (
	"atelier/models"
	"atelier/nodes"
)

// Price is what one run of the node costs at most on the settings that its author
// gave it; a type that is not there costs nothing.
func (n *Node) Price(kinds *nodes.Catalogue) models.Credits {
	kind, ok := kinds.Find(n.Type)
	if !ok {
		return 0
	}
	return kind.Price(n.Data)
}

// Cost is what one run of the nodes costs at most, without the workflows behind
// component nodes.
func (n Nodes) Cost(kinds *nodes.Catalogue) models.Credits {
	var total models.Credits
	for _, node := range n {
		total += node.Price(kinds)
	}
	return total
}
