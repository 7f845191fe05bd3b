//go:build !race

package flow

import (
	"context"
	"testing"

	"atelier/web/frame"
)

func TestGraphText(t *testing.T) {
	for text, want := range map[string]string{
		`{"nodes": [{"id": "a", "type": "text", "data": {"seed": 12345678901234567890}}]}`: "",
		"{\n\"nodes\": [}": "The graph cannot be read: line 2: invalid character '}' looking for beginning of value.",
		`{"nodes": {}}`:    "The graph cannot be read: line 1: nodes must not be a object.",
		"{} {}":            "The graph cannot be read: there is something behind the end of it.",
		"":                 "The graph cannot be read: it is empty.",
		`{"nodes": [`:      "The graph cannot be read: it ends too early; a bracket is missing.",
	} {
		g, err := readGraph(context.Background(), text)
		if want == "" {
			if err != nil || frame.JSONOf(g.Nodes[0].Data) != `{"seed":12345678901234567890}` || g.Edges == nil {
				t.Errorf("%s: %s %v", text, frame.JSONOf(g.Nodes), err)
			}
			continue
		}
		if err == nil || err.(*frame.Error).Message != want || err.(*frame.Error).Field != "graph" {
			t.Errorf("%s: %v", text, err)
		}
	}
}
