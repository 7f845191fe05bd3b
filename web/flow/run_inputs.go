package flow

import (
	"context"
	"net/url"

	"atelier/web/nodeform"
)

// inputs is what a form says about a run: values by the name of an input, and by node and field.
type inputs struct {
	Named map[string]any
	Nodes map[string]any
}

func (in *inputs) set(node, field string, value any) {
	if in.Nodes == nil {
		in.Nodes = map[string]any{}
	}
	fields, ok := in.Nodes[node].(map[string]any)
	if !ok {
		fields = map[string]any{}
		in.Nodes[node] = fields
	}
	fields[field] = value
}

// readInputs reads the fields of a form. Only what differs from the published values is given to the run, so that
// a run that changes slots alone has its animations for nothing (contract 1, "Slot fields"). A refusal names the form
// field.
func readInputs(ctx context.Context, controls []nodeform.Control, values url.Values) (inputs, error) {
	var in inputs
	for _, c := range controls {
		value, changed, err := c.Read(ctx, values)
		if err != nil {
			return in, err
		}
		switch {
		case !changed:
		case c.ID == "":
			in.set(c.NodeID, c.Field, value)
		default:
			if in.Named == nil {
				in.Named = map[string]any{}
			}
			in.Named[c.ID] = value
		}
	}
	return in, nil
}

// named and overrides are nil when empty, so that they are not sent at all.
func (in inputs) named() *map[string]any     { return filled(in.Named) }
func (in inputs) overrides() *map[string]any { return filled(in.Nodes) }

func filled(m map[string]any) *map[string]any {
	if len(m) == 0 {
		return nil
	}
	return &m
}
