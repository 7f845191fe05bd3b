//go:build !race

package nodegraph

import (
	"encoding/json"
	"errors"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
)

// outbound is a graph whose nodes send what their author wrote, or leave open.
func outbound() (Nodes, Edges) {
	named := []any{map[string]any{"name": "kept", "type": "text"}, map[string]any{"name": "open", "type": "text"}, map[string]any{"name": "plain", "type": "text"}}
	return Nodes{
			text("words", "x"),
			node("written", "http-request", map[string]any{"url": "https://example.org/x", "body": map[string]any{"action": "greet"}}),
			node("open", "http-request", map[string]any{"url": "https://example.org/x", "body": ""}),
			node("wired", "http-request", map[string]any{"url": "https://example.org/x"}),
			node("hook", "webhook-output", map[string]any{"url": "https://example.org/x", "result": "done",
				"parameters": named, "values": map[string]any{"kept": "mine"}, "plain": "mine"}),
			node("hook2", "webhook-output", map[string]any{"url": "https://example.org/x"}),
		}, Edges{
			handle(edge("words", "wired"), "", "body"), handle(edge("words", "hook2"), "", "result"),
		}
}

// TestWhatTheAuthorWroteIsSent locks what would be sent instead of, or beside,
// what the author of an outbound node wrote.
func TestWhatTheAuthorWroteIsSent(t *testing.T) {
	for _, c := range []struct {
		node, field string
		value       any
		locked      bool
	}{
		{"written", "input", map[string]any{"action": "delete"}, true},
		{"written", "input.action", "delete", true},
		{"open", "input", "x", false},
		{"wired", "input", "x", true},
		{"words", "text", "y", true}, // it feeds a body
		{"hook", "result", "y", true},
		{"hook", "parameters", []any{}, true},
		{"hook", "values", map[string]any{}, true},
		{"hook", "values.kept", "y", true},
		{"hook", "values.open", "y", false},
		{"hook", "plain", "y", true},
		{"hook", "values.plain", "y", true},
		{"hook2", "result", "y", false},
		{"hook2", "parameters", []any{map[string]any{"name": "more", "type": "text"}}, true},
	} {
		all, edges := outbound()
		t.Run(c.node+" "+c.field, func(t *testing.T) {
			_, err := ApplyInputs(nil, all, edges, nil, nil, override(c.node, c.field, c.value))
			if models.HasCode(err, models.CodeLockedField) != c.locked || err != nil && !c.locked {
				t.Errorf("override: %v", err)
			}
			raw, _ := json.Marshal([]map[string]any{{"type": "field", "id": "a", "nodeId": c.node, "field": c.field}})
			items, _ := ReadItems(raw)
			if err := CheckItems(nil, items, all, edges); models.HasCode(err, models.CodeLockedField) != c.locked {
				t.Errorf("publish: %v", err)
			}
			for _, input := range WorkflowInputs(nil, all, edges) {
				if c.locked && input.NodeID == c.node && input.Field == c.field {
					t.Error("a run is offered to set it")
				}
			}
		})
	}
}

// TestComponentsKeepWhatTheirAuthorWrote feeds a component whose workflow sends
// what its author wrote.
func TestComponentsKeepWhatTheirAuthorWrote(t *testing.T) {
	inner := func(body any) Nodes {
		return Nodes{node("send", "http-request", map[string]any{"url": "https://example.org/x", "body": body})}
	}
	for name, input := range map[string]map[string]any{
		"by the first input": {"input": "delete"}, "by name": {"inputs": map[string]any{"send.input": "delete"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ComponentInputs(inner("greet"), nil, input)
			var failure *kit.Failure
			if !errors.As(err, &failure) {
				t.Errorf("got %v", err)
			}
			all, err := ComponentInputs(inner(nil), nil, input)
			if err != nil || field(all, "send", "input") != "delete" {
				t.Errorf("where nothing is written: %v, %v", all, err)
			}
		})
	}
}
