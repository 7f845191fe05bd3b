package nodegraph

import (
	"fmt"

	"atelier/models"
	"atelier/nodes"
)

// Input is what a node works on: its data, over it what edges bring, over that
// what field mappings bring. Several edges into a list add an element each, in
// their order, behind what the author wrote. An output that is not there
// leaves the field as it is. A value that the field cannot hold is a failure of
// the node; the rest of its input is there all the same.
func (p *Plan) Input(node *Node, outputs map[string]Data) (in map[string]any, err error) {
	data := overlayOf(node.Data)
	delete(data.data, "fieldMappings")
	kind, known := nodes.Find(node.Type)
	for _, feed := range p.Feeds[node.ID] {
		value, ok := p.output(feed, outputs)
		if !ok {
			continue
		}
		if known && kind.IsList(feed.Field) {
			value = appendTo(data.data[feed.Field], value)
		}
		if fault := data.set(feed.Field, value); fault != nil && err == nil {
			err = errUnfed(feed.Field, fault)
		}
	}
	return data.data, err
}

func errUnfed(field string, fault error) error {
	return &nodes.Failure{
		Message: fmt.Sprintf("Field %q cannot be fed: it %s", models.Shortened(field, 100), fault),
		Hint:    "Connect the field anew, with a shorter name or a flatter value.",
	}
}

// output is the value that flows: the named output (a name, or a dotted path
// into one), else the source's main output.
func (p *Plan) output(feed Feed, outputs map[string]Data) (any, bool) {
	out, ok := outputs[feed.Source]
	if !ok {
		return nil, false
	}
	name := feed.Output
	if name == "" {
		kind, known := nodes.Find(p.Nodes[feed.Source].Type)
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

// PublicInput is a node's input as its job shows it: of an app run without
// what an outbound node sends with, for the viewer is not its author.
func PublicInput(node *Node, input map[string]any, app bool) Data {
	shown := Data{}
	for name, value := range input {
		if name == "fieldMappings" || app && isLocked(node, name) {
			continue
		}
		shown[name] = value
	}
	return shown
}
