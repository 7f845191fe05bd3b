package nodegraph

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// maxRunValues bounds the values that one run sets: its inputs, and the fields
// of its overrides.
const maxRunValues = 2_000

// Input is a field of a node that a run may set by name.
type Input struct {
	ID       string
	NodeID   string
	NodeType string
	Field    string
	// Value is the published value, Schema what the node's type says of the field.
	Value  any
	Schema kit.Schema
	// AllowedValues are the only values that the field takes; nil takes any.
	AllowedValues []any
}

// ApplyInputs is the graph of a run: inputs (by the id of an input, else by
// its field where only one input has it) are laid over the nodes first, then
// overrides (by node id and field) over them, field by field; a field may be a
// dotted path. The given nodes stay as they are. Refusals: validation_error
// for an unknown input or node, a value of the wrong type or outside the
// allowed ones; locked_field for what names a destination, directly or by way
// of the nodes that feed it (contract 1, "Published app endpoints").
func ApplyInputs(kinds *nodes.Catalogue, all Nodes, edges Edges, exposed []Input, inputs, overrides map[string]any) (Nodes, error) {
	if len(inputs) == 0 && len(overrides) == 0 {
		return all, nil
	}
	a := &application{kinds: kinds, byID: make(map[string]*Node, len(all)), locks: locksOf(all, edges), patches: map[string]map[string]any{}}
	for _, n := range all {
		a.byID[n.ID] = n
	}
	if err := a.takeInputs(exposed, inputs); err != nil {
		return nil, err
	}
	if err := a.takeOverrides(overrides); err != nil {
		return nil, err
	}
	applied := make(Nodes, len(all))
	for i, n := range all {
		changed, err := a.apply(n)
		if err != nil {
			return nil, err
		}
		applied[i] = changed
	}
	return applied, a.checkAllowed(exposed, applied)
}

// application collects what a run changes before any of it is applied.
type application struct {
	kinds   *nodes.Catalogue
	byID    map[string]*Node
	locks   *locks
	patches map[string]map[string]any // by node id, then field
}

func (a *application) takeInputs(exposed []Input, inputs map[string]any) error {
	if len(inputs) > maxRunValues {
		return models.Invalid("inputs", "must be at most %d", maxRunValues)
	}
	named := indexInputs(exposed)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		input, err := named.find(name)
		if err != nil {
			return err
		}
		if err := a.set(input.NodeID, input.Field, inputs[name], "inputs."+name); err != nil {
			return err
		}
		if input.AllowedValues != nil && !isAllowed(input, a.byID[input.NodeID], inputs[name]) {
			return errNotAllowed("inputs."+name, input)
		}
	}
	return nil
}

// inputIndex finds inputs by their id and by their field.
type inputIndex struct {
	byID    map[string]Input
	byField map[string][]Input
}

func indexInputs(exposed []Input) inputIndex {
	index := inputIndex{make(map[string]Input, len(exposed)), make(map[string][]Input, len(exposed))}
	for _, input := range exposed {
		if _, taken := index.byID[input.ID]; !taken {
			index.byID[input.ID] = input
		}
		index.byField[input.Field] = append(index.byField[input.Field], input)
	}
	return index
}

// find names an input by its id, else by its field when only one has it.
func (index inputIndex) find(name string) (Input, error) {
	if input, ok := index.byID[name]; ok {
		return input, nil
	}
	switch byField := index.byField[name]; len(byField) {
	case 0:
		return Input{}, models.Invalid("inputs."+name, "names no input")
	case 1:
		return byField[0], nil
	default:
		return Input{}, models.Invalid("inputs."+name, "names %d inputs: use the input's id, such as %q", len(byField), byField[0].ID)
	}
}

func (a *application) takeOverrides(overrides map[string]any) error {
	count := 0
	for _, id := range slices.Sorted(maps.Keys(overrides)) {
		at := "inputOverrides." + id
		if a.byID[id] == nil {
			return models.Invalid(at, "names no node")
		}
		fields, ok := overrides[id].(map[string]any)
		if !ok {
			return models.Invalid(at, "must be an object of field values")
		}
		if count += len(fields); count > maxRunValues {
			return models.Invalid("inputOverrides", "must set at most %d fields", maxRunValues)
		}
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if err := a.set(id, field, fields[field], at+"."+field); err != nil {
				return err
			}
		}
	}
	return nil
}

// set notes one value; a later one for the same field wins, and one for the
// object around it replaces what was noted inside.
func (a *application) set(nodeID, field string, value any, at string) error {
	n := a.byID[nodeID]
	if n == nil {
		return models.Invalid(at, "names a node that is not in the workflow")
	}
	if field == "" {
		return models.Invalid(at, "must name a field")
	}
	if err := checkPath(at, field); err != nil {
		return err
	}
	if a.locks.field(n, field) {
		return errLocked(nodeID, field)
	}
	patch := a.patches[nodeID]
	if patch == nil {
		patch = map[string]any{}
		a.patches[nodeID] = patch
	}
	maps.DeleteFunc(patch, func(noted string, _ any) bool {
		_, slot := slotName(noted)
		return isBelow(noted, field) || field == planField && slot
	})
	patch[field] = value
	return nil
}

// apply is the node with its patch; parents are set before what lies in them,
// and a plan before its slots.
func (a *application) apply(n *Node) (*Node, error) {
	patch := a.patches[n.ID]
	if len(patch) == 0 {
		return n, nil
	}
	data := overlayOf(n.Data)
	for _, field := range slices.Sorted(maps.Keys(patch)) {
		if _, slot := slotName(field); slot {
			continue
		}
		if err := data.set(field, patch[field]); err != nil {
			return nil, models.Invalid("inputOverrides."+n.ID+"."+field, "%s", err)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(patch)) {
		name, ok := slotName(field)
		if !ok {
			continue
		}
		if err := setSlot(data, n, name, patch[field], fmt.Sprintf("%s of node %s", field, n.ID)); err != nil {
			return nil, err
		}
	}
	changed := *n
	changed.Data = data.data
	return &changed, a.validateChanged(&changed, patch)
}

// validateChanged checks the types of what a patch changed.
func (a *application) validateChanged(n *Node, patch map[string]any) error {
	kind, ok := a.kinds.Find(n.Type)
	if !ok {
		return models.Invalid("nodes."+n.ID+".type", "%q is no node type any more", n.Type)
	}
	touched := map[string]any{}
	for field := range patch {
		name := head(field)
		if _, slot := slotName(field); slot {
			name = planField
		}
		touched[name] = n.Data[name]
	}
	prefix := "inputOverrides." + n.ID + "."
	if err := kind.ValidateData(prefix, touched); err != nil {
		return err
	}
	if plan, ok := touched[planField]; ok && n.Type == motionType {
		_, err := kit.ReadMotionPlan(prefix+planField, plan)
		return err
	}
	return nil
}

// checkAllowed refuses values outside an input's allowed ones, by whichever
// way they came; the published value may stay.
func (a *application) checkAllowed(exposed []Input, applied Nodes) error {
	after := make(map[string]*Node, len(applied))
	for _, n := range applied {
		after[n.ID] = n
	}
	for _, input := range exposed {
		patch, n := a.patches[input.NodeID], after[input.NodeID]
		if input.AllowedValues == nil || n == nil || len(patch) == 0 {
			continue
		}
		value, named := patch[input.Field]
		if !named {
			before, had := valueOf(a.byID[input.NodeID], input.Field)
			now, has := valueOf(n, input.Field)
			if had == has && SameJSON(before, now) {
				continue
			}
			value = now
		}
		if !isAllowed(input, n, value) {
			return errNotAllowed(input.ID, input)
		}
	}
	return nil
}

func errNotAllowed(at string, input Input) error {
	return models.Invalid(at, "must be one of the allowed values of %s", input.Field)
}

// isAllowed compares a value with the allowed ones; colors of slots in either notation.
func isAllowed(input Input, n *Node, value any) bool {
	form := func(v any) any { return v }
	if name, ok := slotName(input.Field); ok {
		form = func(v any) any {
			if converted, err := valueForSlot(n, name, v, input.Field); err == nil {
				return converted
			}
			return v
		}
	}
	value = normal(form(value))
	return slices.ContainsFunc(input.AllowedValues, func(allowed any) bool { return reflect.DeepEqual(normal(form(allowed)), value) })
}

// valueOf reads a field of a node: a dotted path, or a slot.
func valueOf(n *Node, field string) (any, bool) {
	if name, ok := slotName(field); ok {
		plan, _ := n.Data[planField].(map[string]any)
		values := plan["slotValues"]
		byName, _ := values.(map[string]any)
		value, ok := byName[name]
		return value, ok
	}
	return lookupPath(n.Data, field)
}
