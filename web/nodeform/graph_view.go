package nodeform

import (
	"context"
	"strings"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// NodeName says what a node is called: its own label, or its type's, with its id where that is not clear alone.
func NodeName(n query.FlowNode, k Kinds) string {
	for _, key := range []string{"label", "title", "name"} {
		if s, ok := n.Data[key].(string); ok && s != "" {
			return frame.Brief(s)
		}
	}
	return k.Label(n.Type)
}

// NodeNames lists the names by node id; nodes that share a name also carry their id.
func NodeNames(nodes []query.FlowNode, k Kinds) map[string]string {
	times := map[string]int{}
	for _, n := range nodes {
		times[NodeName(n, k)]++
	}
	out := make(map[string]string, len(nodes))
	for _, n := range nodes {
		name := NodeName(n, k)
		if times[name] > 1 {
			name += " (" + frame.Brief(n.Id) + ")"
		}
		out[n.Id] = name
	}
	return out
}

// Drawing makes the picture of a graph. States are by node id, nil outside a run. Groups are left out: they hold
// nodes together and do nothing.
func Drawing(id, title string, nodes []query.FlowNode, edges []query.FlowEdge, k Kinds, states map[string]string) ui.GraphProps {
	p := ui.GraphProps{ID: id, Title: title}
	names := NodeNames(nodes, k)
	for _, n := range nodes {
		if n.Type == "group" {
			continue
		}
		g := ui.GraphNode{ID: n.Id, Label: names[n.Id], Type: nodeSummary(n, names[n.Id], k), State: states[n.Id]}
		if n.Position != nil {
			g.X, g.Y = n.Position.X, n.Position.Y
		}
		p.Nodes = append(p.Nodes, g)
	}
	for _, e := range Feeds(nodes, edges) {
		p.Edges = append(p.Edges, ui.GraphEdge{From: e.Source, To: e.Target})
	}
	return p
}

// MaxPreview is how much of a text its node shows on the canvas, in characters.
const MaxPreview = 120

// summaryFields tell nodes of one kind apart.
var summaryFields = []string{"text", "prompt", "template", "url"}

// nodeSummary is the second line of a drawn node: its kind, or what it was told where it is called by its kind.
func nodeSummary(n query.FlowNode, name string, k Kinds) string {
	if kind := k.Label(n.Type); kind != name {
		return kind
	}
	for _, field := range summaryFields {
		if s, ok := n.Data[field].(string); ok && strings.TrimSpace(s) != "" {
			return strings.Join(strings.Fields(ui.Short(s, MaxPreview)), " ")
		}
	}
	return frame.Brief(n.Id)
}

// Feeds lists the drawn connections and those that field mappings make.
func Feeds(nodes []query.FlowNode, edges []query.FlowEdge) []query.FlowEdge {
	out := append([]query.FlowEdge{}, edges...)
	for _, n := range nodes {
		mappings, _ := n.Data["fieldMappings"].(map[string]any)
		for _, field := range frame.SortedKeys(mappings) {
			m, _ := mappings[field].(map[string]any)
			if source, ok := m["nodeId"].(string); ok {
				out = append(out, query.FlowEdge{Id: n.Id + "." + field, Source: source, Target: n.Id, TargetHandle: &field})
			}
		}
	}
	return out
}

// NodeDetail writes the second line of a node: its kind, or its id where it is called by its kind.
func NodeDetail(name, kind, id string) string {
	if name == kind {
		return id
	}
	return kind
}

// NodeLine is a node in a plain list: its fields, and what feeds them.
type NodeLine struct {
	ID, Name, Type, Kind string
	Fields               []ui.Fact
	From                 []string
}

// What the lines of a graph say at most: of one node its fields and what feeds it. All of their
// fields together have so many bytes; the nodes behind are named alone.
const (
	MaxFields    = 30
	maxFeeds     = 20
	MaxLineBytes = 256 << 10
)

// NodeLines describes a graph without a picture.
func NodeLines(ctx context.Context, nodes []query.FlowNode, edges []query.FlowEdge, k Kinds) []NodeLine {
	names, from, types := NodeNames(nodes, k), map[string][]string{}, map[string]string{}
	for _, n := range nodes {
		types[n.Id] = n.Type
	}
	for _, e := range Feeds(nodes, edges) {
		word := names[e.Source]
		if e.TargetHandle != nil && *e.TargetHandle != "" {
			word = t(ctx, "%s feeds %s", word, frame.Brief(k.FieldLabel(types[e.Target], *e.TargetHandle)))
		} else {
			word = t(ctx, "%s feeds it", word)
		}
		from[e.Target] = append(from[e.Target], word)
	}
	var out []NodeLine
	left := MaxLineBytes
	for _, n := range nodes {
		line := NodeLine{ID: n.Id, Name: names[n.Id], Type: n.Type, Kind: k.Label(n.Type)}
		if line.From = frame.FirstFew(ctx, from[n.Id], maxFeeds); left <= 0 {
			line.From = frame.FirstFew(ctx, from[n.Id], 0)
		}
		for _, source := range line.From {
			left -= len(templ.EscapeString(source))
		}
		described := k.Fields(n.Type)
		for i, name := range frame.SortedKeys(n.Data) {
			if left <= 0 || i == MaxFields {
				line.Fields = append(line.Fields, ui.Fact{Name: t(ctx, "More"), Value: tn(ctx, "one field", "%d fields", len(n.Data)-i)})
				break
			}
			label, value := inWords(ctx, described, name, n.Data[name])
			fact := ui.Fact{Name: frame.Brief(label), Value: ui.Short(value, frame.MaxOfValue)}
			line.Fields, left = append(line.Fields, fact), left-len(templ.EscapeString(fact.Name))-len(templ.EscapeString(fact.Value))
		}
		out = append(out, line)
	}
	return out
}
