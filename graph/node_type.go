package graph

import (
	"encoding/json"

	"atelier/graph/generated"
	"atelier/nodes"
)

// nodeType is an entry of the catalogue as the schema shows it.
func nodeType(n *nodes.Node) (*generated.NodeType, error) {
	schema, err := json.Marshal(n.InputSchema)
	return &generated.NodeType{
		Type: n.Type, Label: n.Label, Category: n.Category, Description: n.Description, OutputType: n.OutputType,
		Providers: append([]string{}, n.Providers...), Capabilities: append([]string{}, n.Capabilities...),
		InputSchema: schema, EstimatedCredits: n.Cost,
	}, err
}
