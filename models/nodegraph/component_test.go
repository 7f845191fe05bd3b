//go:build !race

package nodegraph

import (
	"errors"
	"strings"
	"testing"

	"atelier/nodes/kit"
)

// TestComponentsKeepInnerDestinations feeds a component in every way that
// would change where its workflow sends.
func TestComponentsKeepInnerDestinations(t *testing.T) {
	inner := Nodes{
		text("where", "https://example.org/x"), text("what", "x"),
		node("send", "webhook-output", map[string]any{"url": "https://example.org/x"}),
	}
	edges := Edges{handle(edge("where", "send"), "", "url"), handle(edge("what", "send"), "", "result")}
	for name, input := range map[string]map[string]any{
		"nested":             {"inputs": map[string]any{"send": map[string]any{"url": "https://evil.example"}}},
		"dotted":             {"inputs": map[string]any{"send.credentialId": "c2"}},
		"rewired":            {"inputs": map[string]any{"send": map[string]any{"fieldMappings": map[string]any{}}}},
		"by what feeds it":   {"inputs": map[string]any{"where.text": "https://evil.example"}},
		"by the first input": {"input": "https://evil.example"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ComponentInputs(inner, edges, input)
			var failure *kit.Failure
			if !errors.As(err, &failure) || !strings.Contains(failure.Message, "would change where") {
				t.Fatalf("got %v", err)
			}
		})
	}
	all, err := ComponentInputs(inner, edges, map[string]any{"inputs": map[string]any{"what": map[string]any{"text": "y"}}})
	if err != nil || field(all, "what", "text") != "y" {
		t.Fatalf("%v, %v", all, err)
	}
}
