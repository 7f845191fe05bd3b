package nodegraph

import (
	"maps"
	"reflect"
	"strings"
)

// FreeMotions are the nodes of an app's run that cost nothing: its motion nodes,
// when it changes slot values and nothing else, for they reuse the published
// animation (contract 1, "Slot fields" 2). One whose plan is fed by other nodes does not,
// nor does one that is filmed, for a film is drawn again: only the document is the
// published animation. Every other node keeps its price.
func FreeMotions(published, run Nodes, edges Edges) map[string]bool {
	if !onlySlotsChanged(published, run) {
		return nil
	}
	free := map[string]bool{}
	for _, n := range run {
		if n.Type == motionType && !isFilmed(n) {
			free[n.ID] = true
		}
	}
	for _, f := range Feeds(run, edges) {
		if head(f.Field) == planField && !touchesSlots(f.Field) || f.Field == formatField {
			delete(free, f.Target)
		}
	}
	return free
}

// formatField says what a motion node makes besides its document; documentFormat is nothing.
const (
	formatField    = "format"
	documentFormat = "json"
)

func isFilmed(n *Node) bool {
	format := n.Data[formatField]
	return format != nil && format != "" && format != documentFormat
}

// slotValuesField holds the values of the slots of a motion node.
const slotValuesField = planField + ".slotValues"

// touchesSlots tells whether a field is one slot's value, or all of them.
func touchesSlots(field string) bool {
	return field == slotValuesField || strings.HasPrefix(field, slotValuesField+".")
}

// onlySlotsChanged tells whether the motion nodes of a run have other slot
// values than the published ones, and nothing else differs.
func onlySlotsChanged(published, run Nodes) bool {
	if len(published) != len(run) {
		return false
	}
	changed := false
	for i, n := range run {
		before, after := normal(published[i].Data), normal(n.Data)
		if published[i].ID != n.ID || published[i].Type != n.Type {
			return false
		}
		if reflect.DeepEqual(before, after) {
			continue
		}
		if n.Type != motionType {
			return false
		}
		restBefore, valuesBefore := splitSlots(before)
		restAfter, valuesAfter := splitSlots(after)
		if !reflect.DeepEqual(restBefore, restAfter) {
			return false
		}
		changed = changed || !reflect.DeepEqual(valuesBefore, valuesAfter)
	}
	return changed
}

// splitSlots takes the slot values out of a node's data. The values are those
// that are rendered: of a slot without one its own, colors as RGBA.
func splitSlots(data any) (rest, values map[string]any) {
	rest, _ = data.(map[string]any)
	plan, ok := rest[planField].(map[string]any)
	slots, hasSlots := plan["slots"].(map[string]any)
	if !ok || !hasSlots {
		return rest, nil
	}
	given, _ := plan["slotValues"].(map[string]any)
	values = map[string]any{}
	for name, slot := range slots {
		fields, _ := slot.(map[string]any)
		kind, _ := fields["type"].(string)
		value, ok := given[name]
		if !ok {
			value = fields["value"]
		}
		if converted, err := slotValue(kind, value, name); err == nil {
			value = normal(converted)
		}
		values[name] = value
	}
	plan = maps.Clone(plan)
	delete(plan, "slotValues")
	rest = maps.Clone(rest)
	rest[planField] = plan
	return rest, values
}
