package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"atelier/models"
)

// nodeTools show the catalogue and run single nodes.
func (f *face) nodeTools() {
	add(f, tool{
		Name: "list_nodes", Title: "List kinds of nodes", Reads: true, Anywhere: true, Operations: []string{"NodeTypes"},
		Description: "What workflows are made of, and what can be run by itself: types of nodes with what they do and cost.",
	}, listNodes)
	add(f, tool{
		Name: "describe_node", Title: "Describe a kind of node", Reads: true, Anywhere: true, Operations: []string{"NodeType"},
		Description: "One type of node with the JSON Schema of its settings.",
	}, describeNode)
	add(f, tool{
		Name: "run_node", Title: "Run one node", Outside: true, Operations: []string{"RunNode", "Run"},
		Description: "Runs one node by itself, such as generate-image, which costs credits, and waits for the result up to waitSeconds.",
	}, runNode)
}

// NodeType is a kind of node in a list.
type NodeType struct {
	Type             string         `json:"type"`
	Label            string         `json:"label"`
	Category         string         `json:"category"`
	Description      string         `json:"description"`
	OutputType       string         `json:"outputType" jsonschema:"image, video, audio, text or data."`
	EstimatedCredits models.Credits `json:"estimatedCredits"`
	RunsAlone        bool           `json:"runsAlone" jsonschema:"Whether run_node runs it."`
}

type listNodesInput struct {
	Search     string `json:"search,omitempty" jsonschema:"A word of the type, the label or the description."`
	OutputType string `json:"outputType,omitempty" jsonschema:"image, video, audio, text or data."`
}

type nodeTypes struct {
	Nodes []NodeType `json:"nodes"`
}

func listNodes(ctx context.Context, c *call, in listNodesInput) (*nodeTypes, error) {
	var found struct{ NodeTypes []NodeType }
	if err := c.ask(ctx, "NodeTypes", nil, &found); err != nil {
		return nil, err
	}
	list := &nodeTypes{Nodes: []NodeType{}}
	for _, n := range found.NodeTypes {
		words := strings.ToLower(n.Type + " " + n.Label + " " + n.Category + " " + n.Description)
		if strings.Contains(words, strings.ToLower(in.Search)) && (in.OutputType == "" || n.OutputType == in.OutputType) {
			list.Nodes = append(list.Nodes, n)
		}
	}
	return list, nil
}

type describeNodeInput struct {
	Type string `json:"type"`
}

// NodeDescription is a kind of node with its settings.
type NodeDescription struct {
	NodeType
	Providers    []string        `json:"providers"`
	Capabilities []string        `json:"capabilities"`
	InputSchema  json.RawMessage `json:"inputSchema" jsonschema:"JSON Schema of the settings."`
	MainInput    string          `json:"mainInput" jsonschema:"The field that a connection feeds which names none; empty when it takes no input."`
	PricedBy     []string        `json:"pricedBy" jsonschema:"The fields that decide what a run costs."`
}

func describeNode(ctx context.Context, c *call, in describeNodeInput) (*NodeDescription, error) {
	var found struct{ NodeType NodeDescription }
	err := c.ask(ctx, "NodeType", map[string]any{"type": in.Type}, &found)
	return &found.NodeType, err
}

type runNodeInput struct {
	Space
	Once
	Wait
	Type     string         `json:"type"`
	Settings map[string]any `json:"settings" jsonschema:"As describe_node says for the type."`
}

func runNode(ctx context.Context, c *call, in runNodeInput) (*Run, error) {
	return c.run(ctx, in.Once, in.Wait, "RunNode", map[string]any{"type": in.Type, "settings": orEmpty(in.Settings)})
}
