//go:build !race

package flow

import (
	"encoding/json"
	"net/url"
	"testing"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

// TestAFieldIsNeededWhereARunNeedsIt has a form ask for words that a node passes on to a field that is needed.
func TestAFieldIsNeededWhereARunNeedsIt(t *testing.T) {
	kinds := nodeform.KindsOf([]query.NodeKind{
		{Type: "text", MainInput: "text", InputSchema: json.RawMessage(`{"properties":{"text":{"type":"string","format":"textarea"}}}`)},
		{Type: "text-card", MainInput: "text", InputSchema: json.RawMessage(`{"required":["text"],"properties":{"text":{"type":"string"},"caption":{"type":"string"}}}`)},
		{Type: "combine-text", MainInput: "texts", InputSchema: json.RawMessage(`{"required":["texts"],"properties":{"texts":{"type":"array"}}}`)},
	})
	nodes := []query.FlowNode{
		{Id: "quote", Type: "text", Data: map[string]any{"text": "Less is more."}},
		{Id: "card", Type: "text-card", Data: map[string]any{}}, {Id: "both", Type: "combine-text", Data: map[string]any{}},
		{Id: "mapped", Type: "text-card", Data: map[string]any{"fieldMappings": map[string]any{"text": map[string]any{"nodeId": "quote"}}}},
	}
	items := []inputItem{{Type: "group", Items: []inputItem{{Type: "field", ID: "words", NodeID: "quote", Field: "text"}}}}
	to := func(target, field string) []query.FlowEdge {
		edge := query.FlowEdge{Source: "quote", Target: target}
		if field != "" {
			edge.TargetHandle = &field
		}
		return []query.FlowEdge{edge}
	}
	for name, c := range map[string]struct {
		nodes  []query.FlowNode
		edges  []query.FlowEdge
		needed bool
	}{
		"the main input":       {nodes[:3], to("card", ""), true},
		"an input by its name": {nodes[:3], to("card", "text"), true},
		"a mapped field":       {nodes, nil, true},
		"one that is not":      {nodes[:3], to("card", "caption"), false},
		"one of a list":        {nodes[:3], to("both", ""), false},
		"nothing":              {nodes[:3], nil, false},
	} {
		controls := controlsOf(formParts(items, c.nodes, c.edges, kinds))
		_, err := readInputs(t.Context(), controls, url.Values{"in-words": {" "}})
		if e, refused := frame.Refused(err); controls[0].Required != c.needed || refused != c.needed || refused && e.Field != "in-words" {
			t.Errorf("%s: required is %t, %v", name, controls[0].Required, err)
		}
	}
}
