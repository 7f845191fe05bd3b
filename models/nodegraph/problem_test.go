//go:build !race

package nodegraph

import (
	"testing"

	"pgregory.net/rapid"
)

func TestProblemsNameEveryNodeAtFault(t *testing.T) {
	all := Nodes{
		text("fine", "x"), node("wide", "resize-image", map[string]any{"width": "wide"}), node("odd", "magic", nil),
	}
	found := Problems(nil, all, Edges{handle(edge("fine", "wide"), "", "nope")})
	var got []string
	for _, p := range found {
		got = append(got, *p.NodeID+" "+p.Field)
	}
	want := []string{"wide nodes.wide.data.width", "odd nodes.odd.type", "wide edges.fine>wide.targetHandle"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	circle := Problems(nil, Nodes{text("a", ""), text("b", "")}, Edges{edge("a", "b"), edge("b", "a")})
	if len(circle) != 1 || circle[0].NodeID == nil {
		t.Errorf("%+v", circle)
	}
	if twice := Problems(nil, Nodes{text("a", ""), text("a", "")}, nil); len(twice) != 1 || twice[0].NodeID != nil {
		t.Errorf("%+v", twice)
	}
}

// A check finds something exactly where saving would be refused.
func TestProblemsAgreeWithSaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := []string{"a", "b", "c", "d"}
		var all Nodes
		for _, id := range ids[:rapid.IntRange(0, 4).Draw(t, "nodes")] {
			kind := rapid.SampledFrom([]string{"text", "group", "resize-image", "magic"}).Draw(t, "kind")
			all = append(all, node(id, kind, map[string]any{"width": rapid.SampledFrom([]any{nil, 7.0, "wide"}).Draw(t, "width")}))
		}
		var edges Edges
		for range rapid.IntRange(0, 4).Draw(t, "edges") {
			edges = append(edges, edge(rapid.SampledFrom(ids).Draw(t, "from"), rapid.SampledFrom(ids).Draw(t, "to")))
		}
		if refused, found := Validate(nil, all, edges) != nil, len(Problems(nil, all, edges)) > 0; refused != found {
			t.Fatalf("saving is refused: %t, the check finds something: %t", refused, found)
		}
	})
}
