package nodegraph

import (
	"maps"
	"slices"

	"atelier/nodes"
	"atelier/nodes/kit"
)

// WorkflowInputs are the inputs of a workflow that is run without an app:
// every field that nothing feeds and that a run may change. An input's id is
// <nodeId>.<field>.
func WorkflowInputs(kinds *nodes.Catalogue, all Nodes, edges Edges) []Input {
	fed := map[string]bool{}
	for _, f := range Feeds(all, edges) {
		fed[f.Target+"\x00"+head(f.Field)] = true
	}
	locks := locksOf(all, edges)
	inputs := []Input{}
	for _, n := range all {
		if n.Type == groupType {
			continue
		}
		for _, field := range settableFields(kinds, n) {
			if !fed[n.ID+"\x00"+field] && !locks.field(n, field) {
				inputs = append(inputs, workflowInput(kinds, n, field))
			}
		}
	}
	return inputs
}

// settableFields are the fields of a node, in the order of its form; of a motion
// node the slots.
func settableFields(kinds *nodes.Catalogue, n *Node) []string {
	kind, ok := kinds.Find(n.Type)
	if !ok {
		return nil
	}
	var fields []string
	for _, p := range kind.InputSchema.Properties {
		fields = append(fields, p.Name)
	}
	plan, _ := n.Data[planField].(map[string]any)
	slots, _ := plan["slots"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(slots)) {
		fields = append(fields, slotPrefix+name)
	}
	return fields
}

func workflowInput(kinds *nodes.Catalogue, n *Node, field string) Input {
	value, _ := valueOf(n, field)
	return Input{
		ID: n.ID + "." + field, NodeID: n.ID, NodeType: n.Type, Field: field,
		Value: value, Schema: fieldSchema(kinds, n, field),
	}
}

// fieldSchema describes a field as its node type does; a slot by its kind.
func fieldSchema(kinds *nodes.Catalogue, n *Node, field string) kit.Schema {
	if name, ok := slotName(field); ok {
		slot, _ := slotOf(n, name)
		switch slot["type"] {
		case "color":
			return kit.Schema{Type: "string", Title: name, Control: "color"}
		case "number":
			return kit.Schema{Type: "number", Title: name}
		}
		return kit.Schema{Type: "string", Title: name}
	}
	kind, _ := kinds.Find(n.Type)
	p, _ := kind.InputSchema.Properties.Find(head(field))
	return p.Schema
}

// Described are the inputs of a form with the values that they have in a graph, and
// with what the types of their nodes say of them; those without a node are left out.
func Described(kinds *nodes.Catalogue, all Nodes, inputs []Input) []Input {
	described := []Input{}
	for _, input := range inputs {
		n := all.Find(input.NodeID)
		if n == nil {
			continue
		}
		full := workflowInput(kinds, n, input.Field)
		full.ID, full.AllowedValues = input.ID, input.AllowedValues
		if full.ID == "" {
			full.ID = n.ID + "." + input.Field
		}
		described = append(described, full)
	}
	return described
}
