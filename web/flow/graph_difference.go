package flow

import (
	"context"
	"reflect"
	"slices"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// graphChanges are what two states of a workflow do not share.
type graphChanges struct {
	// Texts are name and description.
	Texts []ui.Change
	Nodes []nodeChange
	// Made and Cut are connections that only the later and only the earlier state has, as sentences.
	Made, Cut []string
	// JSON is both graphs as text, where they differ.
	JSON []ui.Change
}

// What became of a node.
var (
	nodeAdded   = markc("node", "Added")
	nodeChanged = markc("node", "Changed")
	nodeRemoved = markc("node", "Removed")
)

// nodeChange is a node that was added, removed or changed.
type nodeChange struct {
	Name, Kind string
	What       string // see above
	Tone       ui.Tone
	Fields     []ui.Change
}

func (g graphChanges) empty() bool {
	return len(g.Texts) == 0 && len(g.Nodes) == 0 && len(g.Made) == 0 && len(g.Cut) == 0
}

// workflowState is what is compared of a workflow.
type workflowState struct {
	Name, Description string
	Nodes             []query.FlowNode
	Edges             []query.FlowEdge
}

func stateOf(w query.WorkflowHead) workflowState {
	return workflowState{w.Name, w.Description, w.Nodes, w.Edges}
}

// typedState is what a form held; what it did not hold is as it is now.
func typedState(in query.UpdateWorkflowInput, now workflowState) workflowState {
	out := now
	if in.Name != nil {
		out.Name, out.Description = *in.Name, frame.Value(in.Description)
	}
	if in.Nodes == nil {
		return out
	}
	out.Nodes, out.Edges = nil, nil
	for _, n := range in.Nodes {
		node := query.FlowNode{Id: n.Id, Type: n.Type, ParentId: n.ParentId}
		if n.Data != nil {
			node.Data = *n.Data
		}
		out.Nodes = append(out.Nodes, node)
	}
	for _, e := range in.Edges {
		out.Edges = append(out.Edges, query.FlowEdge(e))
	}
	return out
}

// maxChanged is how many nodes and connections a comparison names one by one.
const maxChanged = 200

// differences compares two states: texts, node by node and field by field, connections in words.
func differences(ctx context.Context, before, after workflowState, k nodeform.Kinds) graphChanges {
	var out graphChanges
	addChange(&out.Texts, t(ctx, "Name"), before.Name, after.Name)
	addChange(&out.Texts, t(ctx, "What it is for"), before.Description, after.Description)
	d := differ{k: k, left: nodeform.MaxLineBytes}
	out.Nodes = d.nodes(ctx, before, after)
	out.Cut, out.Made = connectionSentences(ctx, before, after, k), connectionSentences(ctx, after, before, k)
	if len(out.Nodes) > 0 || len(out.Cut) > 0 || len(out.Made) > 0 {
		for _, part := range []struct{ name, before, after string }{
			{t(ctx, "Nodes"), linesOf(textOf(before.Nodes, nil).Nodes), linesOf(textOf(after.Nodes, nil).Nodes)},
			{t(ctx, "Connections"), linesOf(textOf(nil, before.Edges).Edges), linesOf(textOf(nil, after.Edges).Edges)},
		} {
			addChange(&out.JSON, part.name, part.before, part.after)
		}
	}
	return out
}

func addChange(list *[]ui.Change, name, before, after string) {
	if before != after {
		*list = append(*list, ui.Change{Name: name, Before: before, After: after})
	}
}

// differ compares nodes within a share of text.
type differ struct {
	k    nodeform.Kinds
	left int // bytes
}

func (d *differ) nodes(ctx context.Context, before, after workflowState) []nodeChange {
	was, is := nodesByID(before.Nodes), nodesByID(after.Nodes)
	wasNames, isNames := nodeform.NodeNames(before.Nodes, d.k), nodeform.NodeNames(after.Nodes, d.k)
	var out []nodeChange
	for _, n := range after.Nodes {
		old, known := was[n.Id]
		change := nodeChange{Name: isNames[n.Id], Kind: d.k.Label(n.Type), What: nodeAdded, Tone: ui.OK}
		if known {
			change.What, change.Tone = nodeChanged, ui.Info
		}
		if change.Fields = d.fields(ctx, old, n); len(change.Fields) > 0 || !known {
			out = append(out, change)
		}
	}
	for _, n := range before.Nodes {
		if _, known := is[n.Id]; !known {
			gone := d.fields(ctx, n, query.FlowNode{})
			out = append(out, nodeChange{Name: wasNames[n.Id], Kind: d.k.Label(n.Type), What: nodeRemoved, Tone: ui.Bad, Fields: gone})
		}
	}
	if more := len(out) - maxChanged; more > 0 {
		out = append(out[:maxChanged], nodeChange{Name: tn(ctx, "%d more node", "%d more nodes", more), What: nodeChanged, Tone: ui.Info})
	}
	return out
}

func nodesByID(nodes []query.FlowNode) map[string]query.FlowNode {
	out := make(map[string]query.FlowNode, len(nodes))
	for _, n := range nodes {
		out[n.Id] = n
	}
	return out
}

// fields are those that two states of a node do not share. What feeds a field is said by the connections.
func (d *differ) fields(ctx context.Context, before, after query.FlowNode) []ui.Change {
	var out []ui.Change
	nodeType := after.Type
	if before.Type != "" && after.Type != "" {
		addChange(&out, tc(ctx, "node", "What it does"), d.k.Label(before.Type), d.k.Label(after.Type))
	} else if nodeType == "" {
		nodeType = before.Type
	}
	was, is := flatData(before.Data), flatData(after.Data)
	for _, name := range frame.SortedKeys(union(was, is)) {
		if reflect.DeepEqual(was[name], is[name]) {
			continue
		}
		if d.left <= 0 || len(out) == nodeform.MaxFields {
			return append(out, ui.Change{Name: t(ctx, "More fields"), Before: "…", After: "…"})
		}
		change := ui.Change{Name: frame.Brief(d.k.FieldLabel(nodeType, name)), Before: d.shown(ctx, nodeType, was, name), After: d.shown(ctx, nodeType, is, name)}
		d.left -= len(templ.EscapeString(change.Before)) + len(templ.EscapeString(change.After))
		out = append(out, change)
	}
	return out
}

// flatData are the fields of a node, those within objects by their path.
func flatData(data map[string]any) map[string]any {
	out := make(map[string]any, len(data))
	for name, v := range data {
		inner, isObject := v.(map[string]any)
		switch {
		case name == "fieldMappings":
		case isObject && len(inner) <= nodeform.MaxFields:
			for key, value := range inner {
				out[name+"."+key] = value
			}
		default:
			out[name] = v
		}
	}
	return out
}

func union(a, b map[string]any) map[string]any {
	out := make(map[string]any, len(a)+len(b))
	for name := range a {
		out[name] = nil
	}
	for name := range b {
		out[name] = nil
	}
	return out
}

func (d *differ) shown(ctx context.Context, nodeType string, data map[string]any, name string) string {
	v, ok := data[name]
	if !ok || v == nil {
		return ""
	}
	_, text := d.k.Setting(ctx, nodeType, name, v)
	return ui.Short(text, frame.MaxOfValue)
}

// connectionSentences are the connections that only the first state has: "Prompt → Image: text feeds prompt".
func connectionSentences(ctx context.Context, of, other workflowState, k nodeform.Kinds) []string {
	names, byID := nodeform.NodeNames(of.Nodes, k), nodesByID(of.Nodes)
	known := map[[4]string]bool{}
	for _, e := range nodeform.Feeds(other.Nodes, other.Edges) {
		known[connectionKey(e)] = true
	}
	var out []string
	for _, e := range nodeform.Feeds(of.Nodes, of.Edges) {
		if !known[connectionKey(e)] {
			out = append(out, connectionSentence(ctx, e, names, byID, k))
		}
	}
	slices.Sort(out)
	return frame.FirstFew(ctx, out, maxChanged)
}

func connectionKey(e query.FlowEdge) [4]string {
	return [4]string{e.Source, frame.Value(e.SourceHandle), e.Target, frame.Value(e.TargetHandle)}
}

func connectionSentence(ctx context.Context, e query.FlowEdge, names map[string]string, byID map[string]query.FlowNode, k nodeform.Kinds) string {
	source, target := byID[e.Source], byID[e.Target]
	output, field := frame.Value(e.SourceHandle), frame.Value(e.TargetHandle)
	if output = frame.Lower(nodeform.NameInWords(output)); output == "" {
		output = k[source.Type].OutputType
	}
	if field == "" {
		field = k[target.Type].MainInput
	}
	from, to, output := nameOr(names, e.Source), nameOr(names, e.Target), frame.Brief(outputWord(ctx, output))
	if field != "" {
		field = frame.Brief(k.FieldInSentence(ctx, target.Type, field))
	}
	switch {
	case output != "" && field != "":
		return t(ctx, "%s → %s: %s feeds %s", from, to, output, field)
	case output != "":
		return t(ctx, "%s → %s: %s feeds it", from, to, output)
	case field != "":
		return t(ctx, "%s → %s: feeds %s", from, to, field)
	}
	return t(ctx, "%s → %s: feeds it", from, to)
}

// madeWords are the kinds of what nodes make.
var madeWords = map[string]string{
	"text": mark("text"), "image": mark("image"), "video": mark("video"), "audio": mark("audio"), "data": mark("data"),
}

// outputWord is a kind of output in the reader's language; a named output stays as it is called.
func outputWord(ctx context.Context, output string) string {
	if word := madeWords[output]; word != "" {
		return t(ctx, word)
	}
	return output
}

func nameOr(names map[string]string, id string) string {
	if name := names[id]; name != "" {
		return name
	}
	return frame.Brief(id)
}

// flat are the changes one below the other, for the dialog of the editor.
func (g graphChanges) flat(ctx context.Context) []ui.Change {
	out := append([]ui.Change{}, g.Texts...)
	for _, n := range g.Nodes {
		if n.What == nodeRemoved {
			out = append(out, ui.Change{Name: n.Name, Before: t(ctx, "is there")})
			continue
		}
		if n.What == nodeAdded {
			out = append(out, ui.Change{Name: n.Name, After: t(ctx, "is there")})
			continue
		}
		for _, f := range n.Fields {
			out = append(out, ui.Change{Name: n.Name + ", " + f.Name, Before: f.Before, After: f.After})
		}
	}
	for _, c := range g.Cut {
		out = append(out, ui.Change{Name: t(ctx, "Connection"), Before: c})
	}
	for _, c := range g.Made {
		out = append(out, ui.Change{Name: t(ctx, "Connection"), After: c})
	}
	return out
}
