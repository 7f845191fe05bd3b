// Package nodeformtest has nodes for the tests of forms.
package nodeformtest

import (
	"encoding/json"

	"atelier/web/query"
)

// NodeTypes are a catalogue: a type with a schema that has a field of each kind, and some without.
func NodeTypes() []query.NodeKind {
	return []query.NodeKind{
		{Type: "generate-image", Label: "Generate image", OutputType: "image", InputSchema: json.RawMessage(`{
			"type": "object", "required": ["prompt"], "x-order": ["prompt", "aspectRatio", "seed", "strength", "glow", "tint", "imageUrl", "tags", "data", "keys"],
			"properties": {
				"prompt": {"type": "string", "title": "Prompt", "format": "textarea", "maxLength": 100, "description": "What to paint"},
				"aspectRatio": {"type": "string", "enum": ["1:1", "16:9"], "default": "1:1"},
				"seed": {"type": "integer", "minimum": 0, "maximum": 2147483647},
				"strength": {"type": "number", "minimum": 0, "maximum": 1, "x-control": "slider"},
				"glow": {"type": "boolean"},
				"tint": {"type": "string", "x-control": "color"},
				"imageUrl": {"type": "string", "format": "uri", "x-control": "image"},
				"tags": {"type": "array", "items": {"type": "string"}},
				"data": {},
				"keys": {"type": "string", "x-control": "credential"}
			}}`)},
		{Type: "webhook-output", Label: "Webhook output", Capabilities: []string{"outbound"}, InputSchema: json.RawMessage(`{"properties": {"url": {"type": "string"}}}`)},
		{Type: "template-text", Label: "Template", OutputType: "text", InputSchema: json.RawMessage(`{"properties": {"template": {"type": "string", "format": "textarea"}, "values": {"type": "object"}}, "x-order": ["template", "values"]}`)},
		{Type: "motion", Label: "Motion", OutputType: "data", InputSchema: json.RawMessage(`{"properties": {"motionPlan": {"type": "object", "x-control": "motion"}}}`)},
		{Type: "no-schema", Label: "No schema", OutputType: "text"},
	}
}

// Animation is a node with a slot of each kind.
func Animation() query.FlowNode {
	return query.FlowNode{Id: "m", Type: "motion", Data: map[string]any{"motionPlan": map[string]any{
		"slots": map[string]any{
			"sky": map[string]any{"type": "color", "value": []any{0.0, 0.5, 1.0, 1.0}}, "headline": map[string]any{"type": "text", "value": "Hello"}, "speed": map[string]any{"type": "number", "value": 2.0},
		},
		"slotValues": map[string]any{"headline": "Welcome"},
	}}}
}
