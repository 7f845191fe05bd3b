package nodegraph

import (
	"strings"

	"atelier/models"
	"atelier/nodes/kit"
)

// slotPrefix begins the field names that stand for a slot of an animation
// (contract 1, "Slot fields").
const slotPrefix = "slot:"

// planField is the field of a motion node that holds the animation and its slots.
const planField = "motionPlan"

func slotName(field string) (string, bool) { return strings.CutPrefix(field, slotPrefix) }

// slotOf is the slot of that name of a motion node: { type, value }.
func slotOf(n *Node, name string) (map[string]any, bool) {
	plan, _ := n.Data[planField].(map[string]any)
	slots, _ := plan["slots"].(map[string]any)
	slot, ok := slots[name].(map[string]any)
	return slot, ok
}

// setSlot puts a value into the plan's slotValues.
func setSlot(o *overlay, n *Node, name string, value any, field string) error {
	converted, err := valueForSlot(&Node{ID: n.ID, Type: n.Type, Data: o.data}, name, value, field)
	if err != nil {
		return err
	}
	if err := o.setIn(fieldPath{planField, "slotValues", name}, converted); err != nil {
		return models.Invalid(field, "%s", err)
	}
	return nil
}

// valueForSlot is a value as the node's plan keeps it for the slot: a color
// may come in hex and is kept as RGBA from 0 to 1.
func valueForSlot(n *Node, name string, value any, field string) (any, error) {
	slot, ok := slotOf(n, name)
	if !ok {
		return nil, models.Invalid(field, "is no slot of node %q", n.ID)
	}
	kind, _ := slot["type"].(string)
	return slotValue(kind, value, field)
}

// slotValue is a value in the form that the plan holds for its kind.
func slotValue(kind string, value any, field string) (any, error) {
	switch kind {
	case "color":
		if s, ok := value.(string); ok {
			if c, ok := kit.ParseColor(s); ok {
				return []any{share(c.R), share(c.G), share(c.B), share(c.A)}, nil
			}
			return nil, models.Invalid(field, "must be a colour such as #ff8800")
		}
		return rgba(value, field)
	case "number":
		if !isNumber(value) {
			return nil, models.Invalid(field, "must be a number")
		}
	default:
		if _, ok := value.(string); !ok {
			return nil, models.Invalid(field, "must be a text")
		}
	}
	return value, nil
}

func share(v uint8) any { return float64(v) / 255 }

func rgba(value any, field string) (any, error) {
	parts, _ := value.([]any)
	if len(parts) != 4 {
		return nil, models.Invalid(field, "must be a colour such as #ff8800, or four numbers from 0 to 1")
	}
	for _, part := range parts {
		v, ok := plainNumber(part)
		if !ok || v < 0 || v > 1 {
			return nil, models.Invalid(field, "must be a colour such as #ff8800, or four numbers from 0 to 1")
		}
	}
	return value, nil
}
