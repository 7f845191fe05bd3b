package rest

import (
	"context"
	"encoding/json"

	"atelier/graph/generated"
	"atelier/models"
)

// nodeRoutes are the public catalogue (contract 1, "Node descriptor").
func (a *API) nodeRoutes() {
	const tag = "Nodes"
	handle(a, route{Method: "GET", Path: "/v1/nodes", Tag: tag, Summary: "Every node type", Public: true}, a.listNodes)
	handle(a, route{Method: "GET", Path: "/v1/nodes/{type}", Tag: tag, Summary: "One node type", Public: true}, a.getNode)
	handle(a, route{Method: "GET", Path: "/v1/models", Tag: tag, Summary: "Every model that a run may use", Public: true}, a.listModels)
}

type nodeTypeView struct {
	Type             string          `json:"type"`
	Label            string          `json:"label"`
	Category         string          `json:"category"`
	Description      string          `json:"description"`
	OutputType       string          `json:"outputType" enum:"image,video,audio,text,data"`
	Providers        []string        `json:"providers"`
	Capabilities     []string        `json:"capabilities"`
	InputSchema      json.RawMessage `json:"inputSchema" doc:"JSON Schema of the settings."`
	EstimatedCredits models.Credits  `json:"estimatedCredits"`
}

func viewNodeType(n *generated.NodeType) nodeTypeView {
	return nodeTypeView{
		Type: n.Type, Label: n.Label, Category: n.Category, Description: n.Description, OutputType: n.OutputType,
		Providers: n.Providers, Capabilities: n.Capabilities, InputSchema: n.InputSchema, EstimatedCredits: n.EstimatedCredits,
	}
}

func (a *API) listNodes(ctx context.Context, _ *struct{}) (*many[nodeTypeView], error) {
	types, err := a.query().NodeTypes(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(types), viewNodeType), nil
}

type nodeTypePath struct {
	Type string `path:"type"`
}

func (a *API) getNode(ctx context.Context, in *nodeTypePath) (*single[nodeTypeView], error) {
	n, err := a.query().NodeType(ctx, in.Type)
	if err != nil {
		return nil, err
	}
	return one(viewNodeType(n)), nil
}

// modelView is what generates: this server, or a model of a provider outside.
// Its id is the model of jobs and of usage reports.
type modelView struct {
	ID               string         `json:"id"`
	Label            string         `json:"label"`
	NodeType         string         `json:"nodeType"`
	Providers        []string       `json:"providers"`
	OutputType       string         `json:"outputType"`
	Capabilities     []string       `json:"capabilities"`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
}

func (a *API) listModels(ctx context.Context, _ *struct{}) (*many[modelView], error) {
	list, err := a.query().Models(ctx)
	if err != nil {
		return nil, err
	}
	return page(models.Whole(list), func(m *generated.NodeModel) modelView {
		return modelView{
			ID: m.ID, Label: m.Label, NodeType: m.NodeType, Providers: []string{m.Provider}, OutputType: m.OutputType,
			Capabilities: m.Capabilities, EstimatedCredits: m.EstimatedCredits,
		}
	}), nil
}
