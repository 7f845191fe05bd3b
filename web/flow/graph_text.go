package flow

import (
	"context"
	"slices"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
)

// graphText is the graph of a workflow as people edit it: {"nodes": [...], "edges": [...]}.
type graphText struct {
	Nodes []query.WorkflowNodeInput `json:"nodes"`
	Edges []query.WorkflowEdgeInput `json:"edges"`
}

// textNode is a node without what is not set.
type textNode struct {
	ID       string              `json:"id"`
	Type     string              `json:"type"`
	ParentID *string             `json:"parentId,omitempty"`
	Position *query.NodePosition `json:"position,omitempty"`
	Data     map[string]any      `json:"data"`
}

// textEdge is an edge without what is not set.
type textEdge struct {
	Id           string  `json:"id"`
	Source       string  `json:"source"`
	Target       string  `json:"target"`
	SourceHandle *string `json:"sourceHandle,omitempty"`
	TargetHandle *string `json:"targetHandle,omitempty"`
}

// writtenGraph is a graph without what is not set.
type writtenGraph struct {
	Nodes []textNode `json:"nodes"`
	Edges []textEdge `json:"edges"`
}

// textOf leaves out of a graph what is not set.
func textOf(nodes []query.FlowNode, edges []query.FlowEdge) writtenGraph {
	out := writtenGraph{[]textNode{}, []textEdge{}}
	for _, n := range nodes {
		out.Nodes = append(out.Nodes, textNode{n.Id, n.Type, n.ParentId, n.Position, n.Data})
	}
	for _, e := range edges {
		out.Edges = append(out.Edges, textEdge(e))
	}
	return out
}

// maxIndented is how large a graph is written with a line for each value, in bytes: in a larger one the blanks before
// the values could be most of it.
const maxIndented = 256 << 10

// writeGraph writes the graph as text, a line for each value; of a large graph a line for each node and edge.
func writeGraph(nodes []query.FlowNode, edges []query.FlowEdge) string {
	return textOf(nodes, edges).text()
}

// text is the graph as text, a line for each value; of a large graph a line for each node and edge.
func (g writtenGraph) text() string {
	if compact := frame.JSONOf(g); len(compact) <= maxIndented {
		return frame.WriteJSON(g)
	}
	return `{"nodes": ` + linesOf(g.Nodes) + `, "edges": ` + linesOf(g.Edges) + "}"
}

// linesOf writes a list with a line for each entry.
func linesOf[T any](list []T) string {
	var b strings.Builder
	b.WriteString("[")
	for i, one := range list {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + frame.PlainJSON(one))
	}
	return b.String() + "\n]"
}

// readGraph reads what a person typed. Numbers keep their digits. A refusal names the field "graph" and the line.
func readGraph(ctx context.Context, text string) (graphText, error) {
	var g graphText
	if err := frame.ReadJSON(text, &g); err != nil {
		return g, frame.Invalid("graph", t(ctx, "The graph cannot be read: %s.", frame.WhyNotJSON(ctx, err)))
	}
	return g.whole(), nil
}

// whole is the graph with empty lists in place of absent ones.
func (g graphText) whole() graphText {
	if g.Nodes == nil {
		g.Nodes = []query.WorkflowNodeInput{}
	}
	if g.Edges == nil {
		g.Edges = []query.WorkflowEdgeInput{}
	}
	return g
}

// written is the graph without what is not set, as text shows it.
func (g graphText) written() writtenGraph {
	out := writtenGraph{[]textNode{}, []textEdge{}}
	for _, n := range g.Nodes {
		one := textNode{ID: n.Id, Type: n.Type, ParentID: n.ParentId, Data: map[string]any{}}
		if n.Position != nil {
			one.Position = &query.NodePosition{X: n.Position.X, Y: n.Position.Y}
		}
		if n.Data != nil {
			one.Data = *n.Data
		}
		out.Nodes = append(out.Nodes, one)
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, textEdge(e))
	}
	return out
}

// flowNodes are the nodes of a graph that is not saved yet.
func (g graphText) flowNodes() []query.FlowNode {
	out := make([]query.FlowNode, 0, len(g.Nodes))
	for _, n := range g.Nodes {
		node := query.FlowNode{Id: n.Id, Type: n.Type}
		if n.Data != nil {
			node.Data = *n.Data
		}
		out = append(out, node)
	}
	return out
}

// at finds a node by its id.
func (g graphText) at(id string) (int, error) {
	i := slices.IndexFunc(g.Nodes, func(n query.WorkflowNodeInput) bool { return n.Id == id })
	if i < 0 {
		return 0, frame.ErrNotFound
	}
	return i, nil
}
