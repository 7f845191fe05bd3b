package nodegraph

import (
	"fmt"
	"maps"
	"slices"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// Input is what a node works on: its data, over it what edges bring, over that
// what field mappings bring. Several edges into a list add an element each, in
// their order, behind what the author wrote. An output that is not there
// leaves the field as it is. A value that the field cannot hold is a failure of
// the node; the rest of its input is there all the same. What feeds the node is added
// up before any of it is laid: beyond the bounds nothing is, and the node fails. size is
// how many bytes feed it, each value counted as often as it does.
func (p *Plan) Input(node *Node, outputs map[string]Data) (in map[string]any, size int, err error) {
	data := overlayOf(node.Data)
	delete(data.data, "fieldMappings")
	values := p.flows(node.ID, outputs)
	fed := sizeOfFlows(values)
	if fed.Beyond(maxFed) {
		return data.data, fed.Bytes, errFedTooMuch(fed)
	}
	kind, known := nodes.Find(node.Type)
	lists := map[string][]any{}
	for i, feed := range p.Feeds[node.ID] {
		value := values[i].value
		if value == nil {
			continue
		}
		if known && kind.IsList(feed.Field) {
			list, begun := lists[feed.Field]
			if !begun {
				list = listOf(data.data[feed.Field])
			}
			lists[feed.Field] = appendTo(list, value)
			continue
		}
		if fault := data.set(feed.Field, value); fault != nil && err == nil {
			err = errUnfed(feed.Field, fault)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(lists)) {
		if fault := data.set(field, lists[field]); fault != nil && err == nil {
			err = errUnfed(field, fault)
		}
	}
	return data.data, fed.Bytes, err
}

// MaxFed and maxFedValues bound what feeds one node: bytes as JSON and values, each
// counted as often as it is fed. MaxFedInRun bounds what feeds all nodes of a run together.
const (
	MaxFed       = 16 << 20
	MaxFedInRun  = 256 << 20
	maxFedValues = 1_000_000
)

var maxFed = models.JSONSize{Bytes: MaxFed, Values: maxFedValues}

// flow is a value that flows into a node, and the output that it is.
type flow struct {
	value any
	from  [2]string // the source's id, and the name of its output
}

// flows are the values that feed a node, one for each feed; nil where none is there.
func (p *Plan) flows(id string, outputs map[string]Data) []flow {
	all := make([]flow, len(p.Feeds[id]))
	for i, feed := range p.Feeds[id] {
		if value, ok := p.output(feed, outputs); ok {
			all[i] = flow{value, [2]string{feed.Source, feed.Output}}
		}
	}
	return all
}

// sizeOfFlows adds values up, and measures each output once; it ends where they are too large together.
func sizeOfFlows(all []flow) (sum models.JSONSize) {
	sizes := map[[2]string]models.JSONSize{}
	for _, f := range all {
		if f.value == nil {
			continue
		}
		size, known := sizes[f.from]
		if !known {
			size = models.SizeOfJSON(f.value, maxFed)
			sizes[f.from] = size
		}
		if sum = sum.Add(size); sum.Beyond(maxFed) {
			break
		}
	}
	return sum
}

func errFedTooMuch(fed models.JSONSize) error {
	failure := &kit.Failure{
		Message: fmt.Sprintf("What feeds the node is larger than %d MiB", MaxFed>>20),
		Hint:    "Work on less at once, or cut it into parts before.",
	}
	if fed.Bytes <= MaxFed {
		failure.Message = fmt.Sprintf("What feeds the node has more than %d values", maxFedValues)
	}
	return failure
}

func errUnfed(field string, fault error) error {
	return &kit.Failure{
		Message: fmt.Sprintf("Field %q cannot be fed: it %s", models.Shortened(field, 100), fault),
		Hint:    "Connect the field again, with a shorter name or a flatter value.",
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

// listOf is a copy of a list that may not be there yet, for more to be added.
func listOf(list any) []any {
	switch have := list.(type) {
	case []any:
		return append([]any(nil), have...)
	case nil:
		return nil
	default:
		return []any{have}
	}
}

// appendTo adds a value, or each element of a list, to a list.
func appendTo(list []any, value any) []any {
	if more, ok := value.([]any); ok {
		return append(list, more...)
	}
	return append(list, value)
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
