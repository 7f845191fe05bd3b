//go:build !race

package nodegraph

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"atelier/models"
)

func TestValidateGraphRefuses(t *testing.T) {
	long := strings.Repeat("x", 101)
	many := Nodes{}
	for i := range 501 {
		many = append(many, text(fmt.Sprint(i), ""))
	}
	for name, c := range map[string]struct {
		nodes Nodes
		edges Edges
		part  string
	}{
		"a null node":                   {Nodes{nil}, nil, "nodes[0] must be an object"},
		"no id":                         {Nodes{text("", "")}, nil, "nodes[0].id is required"},
		"a long id":                     {Nodes{text(long, "")}, nil, "nodes[0].id must be at most 100"},
		"a control character":           {Nodes{text("a\nb", "")}, nil, "nodes[0].id must not hold control"},
		"a duplicate id":                {Nodes{text("a", ""), text("a", "")}, nil, `nodes[1].id "a" is used twice`},
		"an unknown type":               {Nodes{node("a", "magic", nil)}, nil, `nodes.a.type "magic" is no node type`},
		"too many nodes":                {many, nil, "nodes must be at most 500"},
		"a value of another type":       {Nodes{node("a", "resize-image", map[string]any{"width": "wide"})}, nil, "nodes.a.data.width must be a number"},
		"a review that is no boolean":   {Nodes{node("a", "text", map[string]any{"holdForReview": "yes"})}, nil, "nodes.a.data.holdForReview must be true or false"},
		"an unknown parent":             {Nodes{within(text("a", ""), "g")}, nil, `nodes.a.parentId names no node: "g"`},
		"a parent that is no group":     {Nodes{text("g", ""), within(text("a", ""), "g")}, nil, "nodes.a.parentId must name a group"},
		"an edge without id":            {Nodes{text("a", "")}, Edges{{Source: "a", Target: "a"}}, "edges[0].id is required"},
		"a duplicate edge":              {Nodes{text("a", ""), text("b", "")}, Edges{edge("a", "b"), edge("a", "b")}, "is used twice"},
		"an edge from nowhere":          {Nodes{text("a", "")}, Edges{edge("b", "a")}, `source names no node: "b"`},
		"an edge to nowhere":            {Nodes{text("a", "")}, Edges{edge("a", "b")}, `target names no node: "b"`},
		"an edge to no field":           {Nodes{text("a", ""), text("b", "")}, Edges{handle(edge("a", "b"), "", "nope")}, `"nope" is no input of text "b"`},
		"an edge into a trigger":        {Nodes{text("a", ""), node("b", "webhook-trigger", nil)}, Edges{edge("a", "b")}, "takes no input"},
		"mappings of another form":      {Nodes{node("a", "text", map[string]any{"fieldMappings": 3.0})}, nil, "nodes.a.data.fieldMappings must be an object"},
		"a mapping from nowhere":        {Nodes{mapped(text("a", ""), "text", "b")}, nil, `fieldMappings.text.nodeId names no node: "b"`},
		"a mapping into no field":       {Nodes{text("b", ""), mapped(text("a", ""), "nope", "b")}, nil, "fieldMappings.nope is no input of text"},
		"a node that feeds itself":      {Nodes{text("a", "")}, Edges{edge("a", "a")}, "circle"},
		"a circle of edges":             {Nodes{text("a", ""), text("b", ""), text("c", "")}, Edges{edge("a", "b"), edge("b", "c"), edge("c", "a")}, "circle"},
		"a circle of a mapping":         {Nodes{text("a", ""), mapped(text("b", ""), "text", "a")}, Edges{edge("b", "a")}, "circle"},
		"groups in a circle":            {Nodes{within(group("g"), "h"), within(group("h"), "g")}, nil, "circle"},
		"a member that feeds its group": {Nodes{group("g"), within(text("a", ""), "g")}, Edges{edge("a", "g")}, "circle"},
		"a group that feeds its member": {Nodes{group("g"), within(text("a", ""), "g")}, Edges{edge("g", "a")}, "circle"},
		"a circle through a group": {
			Nodes{group("g"), within(text("a", ""), "g"), within(text("b", ""), "g"), text("c", "")},
			Edges{edge("a", "c"), edge("c", "g")}, "circle",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, Validate(nil, c.nodes, c.edges), models.CodeValidation, c.part)
		})
	}
}

func TestValidateGraphRefusesTooMuch(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	all := Nodes{}
	for i := range 6 {
		all = append(all, text(fmt.Sprint(i), big))
	}
	wantError(t, Validate(nil, all, nil), models.CodePayloadTooLarge, "5 MiB")
}

func TestValidateGraphAccepts(t *testing.T) {
	for name, c := range map[string]struct {
		nodes Nodes
		edges Edges
	}{
		"nothing":               {nil, nil},
		"a node without data":   {Nodes{node("a", "text", nil)}, nil},
		"a dotted path":         {Nodes{text("a", ""), node("b", "template-text", map[string]any{"template": "{{name}}"})}, Edges{handle(edge("a", "b"), "", "values.name")}},
		"a mapping":             {Nodes{text("a", ""), mapped(text("b", ""), "text", "a")}, nil},
		"a parameter as input":  {Nodes{text("a", ""), node("b", "webhook-output", map[string]any{"parameters": []any{map[string]any{"name": "caption", "type": "text"}}})}, Edges{handle(edge("a", "b"), "", "caption")}},
		"a group that is fed":   {Nodes{group("g"), within(text("a", ""), "g"), text("b", ""), text("c", "")}, Edges{edge("b", "g"), edge("g", "c")}},
		"edges inside a group":  {Nodes{group("g"), within(text("a", ""), "g"), within(text("b", ""), "g")}, Edges{edge("a", "b")}},
		"a broken schedule":     {Nodes{node("s", "schedule-trigger", map[string]any{"rules": "never"})}, nil},
		"two edges to one list": {Nodes{text("a", ""), text("b", ""), combine("c")}, Edges{edge("a", "c"), edge("b", "c")}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Validate(nil, c.nodes, c.edges); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestGraphsAndBackEdges draws graphs whose edges and mappings only lead
// forward, which pass; any edge back along a path makes a circle.
func TestGraphsAndBackEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "nodes")
		all, edges := Nodes{}, Edges{}
		reaches := make([][]bool, n)
		for i := range n {
			all = append(all, text(fmt.Sprint("n", i), ""))
			reaches[i] = make([]bool, n)
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				switch rapid.IntRange(0, 5).Draw(t, "link") {
				case 0:
					edges = append(edges, edge(all[i].ID, all[j].ID))
				case 1:
					mapped(all[j], "text", all[i].ID)
				}
			}
		}
		if err := Validate(nil, all, edges); err != nil {
			t.Fatalf("a graph without circles was refused: %v", err)
		}
		for _, f := range Feeds(all, edges) {
			reaches[position(f.Source)][position(f.Target)] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
				}
			}
		}
		i, j := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		back := &Edge{ID: "back", Source: all[j].ID, Target: all[i].ID}
		circle := i == j || reaches[i][j]
		if err := Validate(nil, all, append(edges, back)); (err != nil) != circle {
			t.Fatalf("an edge from %d to %d: circle %t, got %v", j, i, circle, err)
		}
	})
}

func position(id string) (i int) {
	_, _ = fmt.Sscanf(id, "n%d", &i)
	return i
}

func TestLockedSourcesFollowEveryWayIntoADestination(t *testing.T) {
	out := mapped(node("out", "webhook-output", map[string]any{}), "credentialId", "key")
	all := Nodes{text("base", ""), text("path", ""), text("key", ""), text("result", ""), combine("join"), group("g"), within(text("part", ""), "g"), out}
	edges := Edges{edge("base", "path"), edge("g", "join"), handle(edge("join", "out"), "", "url"), handle(edge("result", "out"), "", "result"), edge("path", "join")}
	locked := lockedSources(all, edges)
	for _, id := range []string{"base", "path", "key", "join", "part"} {
		if !locked[id] {
			t.Errorf("%s feeds a destination and is not locked", id)
		}
	}
	if locked["result"] || locked["out"] {
		t.Errorf("locked too much: %v", locked)
	}
}
