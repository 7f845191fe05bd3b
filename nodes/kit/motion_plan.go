package kit

import (
	"encoding/json"
	"maps"
	"slices"

	"atelier/models"
)

// MotionPlan is the motionPlan of a motion node: a Lottie document and its
// named slots (contract 1, "Slot fields").
type MotionPlan struct {
	Animation map[string]any `json:"animation"`
	Slots     map[string]struct {
		Type  string `json:"type"` // color, text or number
		Value any    `json:"value"`
	} `json:"slots"`
	SlotValues map[string]any `json:"slotValues"`
}

// ReadMotionPlan reads and checks a plan; field stands before names in messages.
func ReadMotionPlan(field string, plan any) (*MotionPlan, error) {
	raw, err := json.Marshal(plan)
	if err != nil {
		return nil, models.Invalid(field, "must be an object")
	}
	var p MotionPlan
	if err := models.ReadJSON(raw, &p); err != nil {
		return nil, models.Invalid(field, "must be { animation, slots, slotValues }")
	}
	if err := checkLottie(field+".animation", p.Animation); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(p.Slots)) {
		slot := p.Slots[name]
		if slot.Value, err = slotValue(field+".slots."+name, slot.Type, slot.Value); err != nil {
			return nil, err
		}
		p.Slots[name] = slot
	}
	for _, name := range slices.Sorted(maps.Keys(p.SlotValues)) {
		slot, known := p.Slots[name]
		if !known {
			return nil, models.Invalid(field+".slotValues."+name, "is no slot of the animation")
		}
		if p.SlotValues[name], err = slotValue(field+".slotValues."+name, slot.Type, p.SlotValues[name]); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// checkLottie checks what every Lottie document has: size, rate, times, layers.
func checkLottie(field string, animation map[string]any) error {
	if animation == nil {
		return models.Invalid(field, "is required")
	}
	for _, name := range []string{"w", "h", "fr"} {
		if v, ok := ToNumber(animation[name]); !ok || v <= 0 || v > 16_384 {
			return models.Invalid(field+"."+name, "must be a number above 0")
		}
	}
	from, ok := ToNumber(animation["ip"])
	to, ok2 := ToNumber(animation["op"])
	if !ok || !ok2 || to <= from {
		return models.Invalid(field+".op", "must be a frame after ip")
	}
	if _, ok := animation["layers"].([]any); !ok {
		return models.Invalid(field+".layers", "must be a list")
	}
	return nil
}

// slotValue checks a value by the slot's type and puts it into Lottie's form:
// a color becomes four numbers from 0 to 1, whether it came so, as three, or in hex.
func slotValue(field, kind string, value any) (any, error) {
	switch kind {
	case "text":
		if s, ok := value.(string); ok && len(s) <= 10_000 {
			return s, nil
		}
		return nil, models.Invalid(field, "must be a text")
	case "number":
		if v, ok := ToNumber(value); ok {
			return v, nil
		}
		return nil, models.Invalid(field, "must be a number")
	case "color":
		return slotColor(field, value)
	}
	return nil, models.Invalid(field+".type", "must be color, text or number")
}

func slotColor(field string, value any) (any, error) {
	if s, ok := value.(string); ok {
		if c, ok := ParseColor(s); ok {
			return []any{share(c.R), share(c.G), share(c.B), share(c.A)}, nil
		}
	}
	parts, _ := value.([]any)
	if len(parts) == 3 {
		parts = append(slices.Clone(parts), 1.0)
	}
	rgba := make([]any, 0, 4)
	for _, part := range parts {
		if v, ok := ToNumber(part); ok && v >= 0 && v <= 1 {
			rgba = append(rgba, v)
		}
	}
	if len(parts) != 4 || len(rgba) != 4 {
		return nil, models.Invalid(field, "must be a colour: four numbers from 0 to 1, or hex")
	}
	return rgba, nil
}

// share is a byte as a number from 0 to 1 with four decimals.
func share(b uint8) float64 { return float64(int(float64(b)/255*10_000+0.5)) / 10_000 }

// SetSlot is a copy of a motionPlan whose slot has the value, for the input
// slot:<name>. A color may be hex. Refusals are validation_error.
func SetSlot(motionPlan any, name string, value any) (map[string]any, error) {
	plan, err := ReadMotionPlan("motionPlan", motionPlan)
	if err != nil {
		return nil, err
	}
	slot, known := plan.Slots[name]
	if !known {
		return nil, models.Invalid("slot:"+name, "is no slot of the animation")
	}
	if value, err = slotValue("slot:"+name, slot.Type, value); err != nil {
		return nil, err
	}
	original, _ := motionPlan.(map[string]any)
	changed := maps.Clone(original)
	values := maps.Clone(plan.SlotValues)
	if values == nil {
		values = map[string]any{}
	}
	values[name] = value
	changed["slotValues"] = values
	return changed, nil
}
