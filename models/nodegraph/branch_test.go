//go:build !race

package nodegraph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func idsOf(all Nodes) []string {
	ids := []string{}
	for _, n := range all {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestBranch(t *testing.T) {
	hook := func(id string) *Node { return node(id, WebhookTriggerType, map[string]any{}) }
	for name, c := range map[string]struct {
		nodes Nodes
		edges Edges
		want  []string
	}{
		"wired to nothing runs the whole":   {Nodes{hook("t"), text("a", "A"), combine("b")}, Edges{edge("a", "b")}, []string{"t", "a", "b"}},
		"is fed itself, and feeds nothing":  {Nodes{hook("t"), text("a", "A"), text("b", "B")}, Edges{edge("a", "t")}, []string{"t", "a", "b"}},
		"a drawn connection":                {Nodes{hook("t"), combine("a"), text("b", "B")}, Edges{edge("t", "a")}, []string{"t", "a"}},
		"all behind it, at several steps":   {Nodes{hook("t"), combine("a"), combine("b"), combine("c"), text("x", "X")}, Edges{edge("t", "a"), edge("a", "b"), edge("b", "c")}, []string{"t", "a", "b", "c"}},
		"and what those need":               {Nodes{text("x", "X"), combine("y"), hook("t"), combine("a"), text("z", "Z")}, Edges{edge("t", "a"), edge("x", "y"), edge("y", "a")}, []string{"x", "y", "t", "a"}},
		"but not what else those feed":      {Nodes{hook("t"), combine("a"), text("x", "X"), combine("other")}, Edges{edge("t", "a"), edge("x", "a"), edge("x", "other")}, []string{"t", "a", "x"}},
		"another trigger that is needed":    {Nodes{hook("t"), hook("u"), combine("a"), combine("b")}, Edges{edge("t", "a"), edge("u", "a"), edge("u", "b")}, []string{"t", "u", "a"}},
		"a field mapping":                   {Nodes{hook("t"), mapped(text("a", ""), "text", "t"), text("b", "B")}, nil, []string{"t", "a"}},
		"a mapping that is needed":          {Nodes{hook("t"), text("m", "M"), mapped(combine("a"), "separator", "m"), text("b", "B")}, Edges{edge("t", "a")}, []string{"t", "m", "a"}},
		"a group that it feeds":             {Nodes{hook("t"), group("g"), within(text("a", "A"), "g"), within(text("b", "B"), "g"), text("c", "C")}, Edges{edge("t", "g")}, []string{"t", "g", "a", "b"}},
		"a node in a group":                 {Nodes{hook("t"), group("g"), within(combine("a"), "g"), within(text("b", "B"), "g"), text("c", "C")}, Edges{edge("t", "a")}, []string{"t", "g", "a"}},
		"in a group that feeds a node":      {Nodes{group("g"), within(hook("t"), "g"), within(text("a", "A"), "g"), combine("c"), text("x", "X")}, Edges{edge("g", "c")}, []string{"g", "t", "a", "c"}},
		"in a group that feeds nothing":     {Nodes{group("g"), within(hook("t"), "g"), within(text("a", "A"), "g"), text("x", "X")}, nil, []string{"g", "t", "a", "x"}},
		"a group that is needed":            {Nodes{hook("t"), group("g"), within(text("a", "A"), "g"), combine("c"), text("x", "X")}, Edges{edge("t", "c"), edge("g", "c")}, []string{"t", "g", "a", "c"}},
		"a group within a group":            {Nodes{hook("t"), group("o"), within(group("i"), "o"), within(combine("a"), "i"), text("x", "X")}, Edges{edge("t", "a")}, []string{"t", "o", "i", "a"}},
		"a trigger that is not there":       {Nodes{text("a", "A"), text("b", "B")}, nil, []string{"a", "b"}},
		"a graph that goes round in itself": {Nodes{hook("t"), combine("a"), combine("b"), text("x", "X")}, Edges{edge("t", "a"), edge("a", "b"), edge("b", "a")}, []string{"t", "a", "b"}},
	} {
		t.Run(name, func(t *testing.T) {
			some, between := Branch(c.nodes, c.edges, "t")
			if got := idsOf(some); !slices.Equal(got, c.want) {
				t.Errorf("runs %v, want %v", got, c.want)
			}
			for _, e := range between {
				if some.Find(e.Source) == nil || some.Find(e.Target) == nil {
					t.Errorf("the edge %s leads out", e.ID)
				}
			}
		})
	}
}

// In a branch each node waits for what it waits for in the whole; nothing that waits
// for the trigger is missing, and nothing is there without need.
func TestBranchOfAnyGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 12).Draw(t, "nodes")
		names := "tabcdefghijkl"[:count+1]
		var all Nodes
		for i := range names {
			n := node(names[i:i+1], "combine-text", map[string]any{})
			switch {
			case i == 0:
				n.Type = WebhookTriggerType
			case rapid.IntRange(0, 4).Draw(t, "group") == 0:
				n.Type = groupType
			}
			all = append(all, n)
		}
		for i, n := range all {
			if j := rapid.IntRange(0, len(all)-1).Draw(t, "parent"); j < i && all[j].Type == groupType {
				n.ParentID = &all[j].ID
			}
		}
		var edges Edges
		for range rapid.IntRange(0, 15).Draw(t, "edges") {
			i, j := rapid.IntRange(0, len(all)-1).Draw(t, "from"), rapid.IntRange(0, len(all)-1).Draw(t, "to")
			if i < j {
				edges = append(edges, edge(all[i].ID, all[j].ID))
			}
		}
		whole := NewPlan(all, edges)
		some, between := Branch(all, edges, "t")
		part := NewPlan(some, between)
		behind := whole.Downstream("t")
		if len(behind) == 0 {
			if len(some) != len(all) || len(between) != len(edges) {
				t.Fatal("a trigger that feeds nothing did not run all")
			}
			return
		}
		for _, id := range part.Order {
			if !slices.Equal(part.Before(id), whole.Before(id)) {
				t.Fatalf("%s waits for %v, in the whole for %v", id, part.Before(id), whole.Before(id))
			}
			needed := id == "t" || slices.Contains(behind, id)
			for _, later := range append([]string{"t"}, behind...) {
				needed = needed || slices.Contains(whole.Downstream(id), later)
			}
			if !needed {
				t.Fatalf("%s runs without need", id)
			}
		}
		for _, id := range behind {
			if part.Nodes[id] == nil {
				t.Fatalf("%s waits for the trigger and does not run", id)
			}
		}
	})
}

func TestPayload(t *testing.T) {
	parameters := ReadParameters([]any{
		map[string]any{"name": "say"}, map[string]any{"name": "picture", "type": "imageUrl"}, map[string]any{"type": "text"}, 7,
	})
	if len(parameters) != 2 || parameters[0] != (Parameter{"say", "text"}) || parameters[1] != (Parameter{"picture", "imageUrl"}) {
		t.Fatalf("parameters %v", parameters)
	}
	values, err := ReadPayload(parameters, map[string]any{"say": "hello\nyou", "picture": "https://example.com/a.png", "more": 7.0})
	if err != nil || len(values) != 2 || values["say"] != "hello\nyou" {
		t.Errorf("values %v, %v", values, err)
	}
	if got := PayloadSubject(parameters, values); got != "hello you" {
		t.Errorf("subject %q", got)
	}
	if out := TriggerOutput(values); out["say"] != "hello\nyou" || len(out["data"].(map[string]any)) != 2 {
		t.Errorf("output %v", out)
	}
	for name, payload := range map[string]map[string]any{"nothing": {}, "null": {"say": nil, "picture": nil}, "an empty address": {"picture": ""}} {
		if values, err := ReadPayload(parameters, payload); err != nil || len(values) != 0 {
			t.Errorf("%s: %v, %v", name, values, err)
		}
	}
	for name, payload := range map[string]map[string]any{
		"say": {"say": 7.0}, "picture": {"picture": "a.png"},
	} {
		_, err := ReadPayload(parameters, payload)
		wantError(t, err, "validation_error", name)
	}
	for _, address := range []any{"ftp://example.com/a", "javascript:alert(1)", "//example.com/a", "https://", true, map[string]any{}, []any{"https://example.com"}} {
		_, err := ReadPayload(parameters, map[string]any{"picture": address})
		wantError(t, err, "validation_error", "picture")
	}
}
