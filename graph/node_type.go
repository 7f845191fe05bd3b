package graph

import (
	"encoding/json"
	"slices"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/run"
	"atelier/nodes/kit"
)

// nodeModels are what does the work of a node type: this server under the
// type's own name, then the models of providers outside.
func nodeModels(n *kit.Node) []*generated.NodeModel {
	var views []*generated.NodeModel
	add := func(id, label, provider string, cost models.Credits) {
		views = append(views, &generated.NodeModel{
			ID: id, Label: label, NodeType: n.Type, Provider: provider, OutputType: n.OutputType,
			Capabilities: append([]string{}, n.Capabilities...), EstimatedCredits: cost,
		})
	}
	remote := n.Models()
	for _, name := range n.Providers {
		if !slices.ContainsFunc(remote, func(m kit.Model) bool { return m.Provider == name }) {
			add(n.Type, n.Label, name, n.Cost)
		}
	}
	for _, m := range remote {
		add(m.ID, m.ID, m.Provider, n.Price(map[string]any{"provider": m.Provider, "model": m.ID}))
	}
	return views
}

// nodeType is an entry of the catalogue as the schema shows it.
func nodeType(n *kit.Node) (*generated.NodeType, error) {
	schema, err := json.Marshal(n.InputSchema)
	return &generated.NodeType{
		Type: n.Type, Label: n.Label, Category: n.Category, Description: n.Description, OutputType: n.OutputType,
		Providers: append([]string{}, n.Providers...), Capabilities: append([]string{}, n.Capabilities...),
		InputSchema: schema, MainInput: n.MainInput, EstimatedCredits: n.Cost,
		RunsAlone: run.IsStandalone(n.Type), PricedBy: n.DecidesPrice(),
	}, err
}
