package mcp

import (
	"testing"

	"atelier/models/nodegraph"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// Edits are made in their order: what feeds a field takes the place of what did, and a connection gets an id that none has.
func TestEdits(t *testing.T) {
	g := &workflowGraph{
		Nodes: nodegraph.Nodes{{ID: "a", Type: "text", Position: &nodegraph.Position{X: 40, Y: 7}}, {ID: "b", Type: "text"}, {ID: "picture", Type: "generate-image"}},
		Edges: nodegraph.Edges{{ID: "e2", Source: "a", Target: "picture"}},
	}
	kinds := nodes.NewCatalogue(kit.Providers{})
	err := g.apply(kinds, []Edit{
		{Op: "add_node", Node: "c", Type: "text", Settings: map[string]any{"text": "x"}},
		{Op: "set", Node: "c", Settings: map[string]any{"text": nil, "label": "C"}},
		{Op: "connect", From: "b", To: "picture"},
		{Op: "connect", From: "c", To: "picture", Input: "negativePrompt"},
		{Op: "remove_node", Node: "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := g.Nodes.Find("c")
	if len(g.Nodes) != 3 || c == nil || c.Data["label"] != "C" || len(c.Data) != 1 || *c.Position != (nodegraph.Position{X: 300, Y: 7}) {
		t.Errorf("%+v", c)
	}
	if len(g.Edges) != 2 || g.Edges[0].Source != "b" || g.Edges[1].Source != "c" || g.Edges[0].ID == g.Edges[1].ID {
		t.Errorf("%+v %+v", g.Edges[0], g.Edges[1])
	}
	if err := g.apply(kinds, make([]Edit, maxEdits+1)); err == nil {
		t.Error("any number of edits is made")
	}
}
