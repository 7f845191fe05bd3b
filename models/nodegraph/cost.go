package nodegraph

import (
	"strings"

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

// maxInModel bounds a model's name, in characters: types without models of their own
// take any text for it.
const maxInModel = 100

// ModelOf is what does a node's work, for reports: the model that its settings name, else
// its type (open points, "Usage").
func ModelOf(nodeType string, data map[string]any) string {
	if model, _ := data["model"].(string); strings.TrimSpace(model) != "" {
		return models.Shortened(strings.TrimSpace(model), maxInModel)
	}
	return nodeType
}

// ModelAt is ModelOf for a node on the settings that its author gave it.
func (n *Node) ModelAt(kinds *nodes.Catalogue) string {
	if kind, ok := kinds.Find(n.Type); ok {
		return ModelOf(n.Type, kind.Pin(n.Data))
	}
	return ModelOf(n.Type, n.Data)
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
