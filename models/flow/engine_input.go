package flow

import (
	"maps"

	"atelier/nodes"
)

// input is what a node works on: its data, over it what edges bring, over that
// what field mappings bring. Several edges into a list add an element each, in
// their order, behind what the author wrote. An output that is not there
// leaves the field as it is.
func (p *plan) input(node *Node, outputs map[string]Data) map[string]any {
	in := maps.Clone(node.Data)
	if in == nil {
		in = map[string]any{}
	}
	delete(in, "fieldMappings")
	kind, known := nodes.Find(node.Type)
	for _, feed := range p.feeds[node.ID] {
		value, ok := p.output(feed, outputs)
		if !ok {
			continue
		}
		if known && kind.IsList(feed.Field) {
			value = appendTo(in[feed.Field], value)
		}
		in = setPath(in, feed.Field, value)
	}
	return in
}

// output is the value that flows: the named output (a name, or a dotted path
// into one), else the source's main output.
func (p *plan) output(feed Feed, outputs map[string]Data) (any, bool) {
	out, ok := outputs[feed.Source]
	if !ok {
		return nil, false
	}
	name := feed.Output
	if name == "" {
		kind, known := nodes.Find(p.nodes[feed.Source].Type)
		if !known || kind.MainOutput == "" {
			return nil, false
		}
		name = kind.MainOutput
	}
	if value, ok := out[name]; ok {
		return value, value != nil
	}
	value, ok := lookupPath(out, name)
	return value, ok && value != nil
}

// appendTo adds a value, or each element of a list, to a list that may not be
// there yet; the list itself stays as it is.
func appendTo(list, value any) []any {
	var all []any
	switch have := list.(type) {
	case []any:
		all = append(all, have...)
	case nil:
	default:
		all = append(all, have)
	}
	if more, ok := value.([]any); ok {
		return append(all, more...)
	}
	return append(all, value)
}

// publicInput is a node's input as its job shows it: of an app run without
// what an outbound node sends with, for the viewer is not its author.
func publicInput(node *Node, input map[string]any, app bool) Data {
	shown := Data{}
	for name, value := range input {
		if name == "fieldMappings" || app && isLocked(node, name) {
			continue
		}
		shown[name] = value
	}
	return shown
}
