package mcp

import (
	"fmt"
	"maps"
	"slices"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// maxEdits bounds the edits of one call.
const maxEdits = 200

// Edit is one small change of a graph.
type Edit struct {
	Op       string         `json:"op" jsonschema:"add_node (node, type, settings), remove_node (node), set (node, settings: these fields alone; null removes one), connect (from, to, input, output), disconnect (to, from, input)."`
	Node     string         `json:"node,omitempty" jsonschema:"Id of the node."`
	Type     string         `json:"type,omitempty"`
	Settings map[string]any `json:"settings,omitempty"`
	From     string         `json:"from,omitempty"`
	To       string         `json:"to,omitempty"`
	Input    string         `json:"input,omitempty" jsonschema:"The field that is fed; the main input when absent."`
	Output   string         `json:"output,omitempty"`
}

// workflowGraph is a workflow's graph as the schema has it.
type workflowGraph struct {
	Nodes nodegraph.Nodes `json:"nodes"`
	Edges nodegraph.Edges `json:"edges"`
}

// apply makes edits in their order. Whether the graph is sound then is judged where it
// is saved.
func (g *workflowGraph) apply(kinds *nodes.Catalogue, edits []Edit) error {
	if len(edits) > maxEdits {
		return models.Invalid("edits", "must be at most %d", maxEdits)
	}
	for i, edit := range edits {
		if err := g.edit(kinds, edit, fmt.Sprintf("edits[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (g *workflowGraph) edit(kinds *nodes.Catalogue, e Edit, at string) error {
	switch e.Op {
	case "add_node":
		if e.Node == "" || g.Nodes.Find(e.Node) != nil {
			return models.Invalid(at+".node", "must be an id that no other node has")
		}
		g.Nodes = append(g.Nodes, &nodegraph.Node{ID: e.Node, Type: e.Type, Position: g.beside(), Data: orEmpty(e.Settings)})
		return nil
	case "connect":
		return g.feed(kinds, e, at)
	case "disconnect":
		return g.unfeed(kinds, e, at)
	case "remove_node", "set":
		n := g.Nodes.Find(e.Node)
		if n == nil {
			return models.Invalid(at+".node", "names no node of the workflow: %q", e.Node)
		}
		if e.Op == "set" {
			set(n, e.Settings)
		} else {
			g.remove(e.Node)
		}
		return nil
	}
	return models.Invalid(at+".op", "must be add_node, remove_node, set, connect or disconnect")
}

// set lays settings over those of a node; null takes one away.
func set(n *nodegraph.Node, settings map[string]any) {
	n.Data = orEmpty(maps.Clone(n.Data))
	for field, value := range settings {
		if value == nil {
			delete(n.Data, field)
		} else {
			n.Data[field] = value
		}
	}
}

// remove takes a node away with its connections. Nodes of a group that goes stay.
func (g *workflowGraph) remove(id string) {
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n *nodegraph.Node) bool { return n.ID == id })
	g.Edges = slices.DeleteFunc(g.Edges, func(e *nodegraph.Edge) bool { return e.Source == id || e.Target == id })
	for _, n := range g.Nodes {
		if n.ParentID != nil && *n.ParentID == id {
			n.ParentID = nil
		}
	}
}

// beside is a place to the right of everything; nil while nothing has a place.
func (g *workflowGraph) beside() *nodegraph.Position {
	var right *nodegraph.Position
	for _, n := range g.Nodes {
		if n.Position != nil && (right == nil || n.Position.X > right.X) {
			right = n.Position
		}
	}
	if right == nil {
		return nil
	}
	return &nodegraph.Position{X: right.X + 260, Y: right.Y}
}

// feed connects two nodes; what fed the field before does no more, unless it takes a list.
func (g *workflowGraph) feed(kinds *nodes.Catalogue, e Edit, at string) error {
	if g.Nodes.Find(e.From) == nil {
		return models.Invalid(at+".from", "names no node of the workflow: %q", e.From)
	}
	target := g.Nodes.Find(e.To)
	if target == nil {
		return models.Invalid(at+".to", "names no node of the workflow: %q", e.To)
	}
	field, list := fedField(kinds, target.Type, e.Input)
	if !list {
		g.Edges = slices.DeleteFunc(g.Edges, func(edge *nodegraph.Edge) bool {
			return edge.Target == e.To && fedBy(kinds, target.Type, edge) == field
		})
	}
	g.connect(Connection{From: e.From, To: e.To, Input: e.Input, Output: e.Output})
	return nil
}

func (g *workflowGraph) unfeed(kinds *nodes.Catalogue, e Edit, at string) error {
	target := g.Nodes.Find(e.To)
	if target == nil {
		return models.Invalid(at+".to", "names no node of the workflow: %q", e.To)
	}
	field, _ := fedField(kinds, target.Type, e.Input)
	before := len(g.Edges)
	g.Edges = slices.DeleteFunc(g.Edges, func(edge *nodegraph.Edge) bool {
		return edge.Target == e.To && (e.From == "" || edge.Source == e.From) && (e.Input == "" && e.From != "" || fedBy(kinds, target.Type, edge) == field)
	})
	if len(g.Edges) == before {
		return models.Invalid(at, "names no connection of the workflow")
	}
	return nil
}

// fedField is the field that a connection feeds, the main one without a name, and
// whether it takes several.
func fedField(kinds *nodes.Catalogue, nodeType, input string) (field string, list bool) {
	kind, known := kinds.Find(nodeType)
	if !known {
		return input, false
	}
	if field = input; field == "" {
		field = kind.MainInput
	}
	property, _ := kind.InputSchema.Properties.Find(field)
	return field, property.Schema.Type == "array"
}

func fedBy(kinds *nodes.Catalogue, nodeType string, edge *nodegraph.Edge) string {
	field, _ := fedField(kinds, nodeType, text(edge.TargetHandle))
	return field
}

// connect adds a connection under an id of its own.
func (g *workflowGraph) connect(c Connection) {
	taken := map[string]bool{}
	for _, e := range g.Edges {
		taken[e.ID] = true
	}
	number := len(g.Edges) + 1
	for taken[fmt.Sprintf("e%d", number)] {
		number++
	}
	g.Edges = append(g.Edges, c.edge(number))
}

// edge is the connection as an edge of a graph, with a number for its id.
func (c Connection) edge(number int) *nodegraph.Edge {
	return &nodegraph.Edge{ID: fmt.Sprintf("e%d", number), Source: c.From, Target: c.To, SourceHandle: orNil(c.Output), TargetHandle: orNil(c.Input)}
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
