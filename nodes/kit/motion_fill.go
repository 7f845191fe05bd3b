package kit

import (
	"maps"
	"slices"
)

// maxFilled is how many bytes of text the slots of a document may put into it, all
// places together.
const maxFilled = 8 << 20

// FillPlan puts the values of a plan into its document, and is the values.
func FillPlan(plan *MotionPlan) (map[string]any, error) {
	values := map[string]any{}
	for name, slot := range plan.Slots {
		values[name] = slot.Value
		if value, ok := plan.SlotValues[name]; ok {
			values[name] = value
		}
	}
	f := filling{values: values, places: map[string]map[string]any{}}
	f.fill(plan.Animation["layers"]) // whose texts come before those of compositions
	for _, key := range slices.Sorted(maps.Keys(plan.Animation)) {
		if key != "layers" {
			f.fill(plan.Animation[key])
		}
	}
	own, _ := plan.Animation["slots"].(map[string]any)
	if own == nil {
		own = map[string]any{}
	}
	for name, value := range values {
		p := lottieProperty(value)
		if text, isText := value.(string); isText {
			p = f.styledText(own[name], name, text)
		}
		own[name] = map[string]any{"p": p}
	}
	if len(own) > 0 {
		plan.Animation["slots"] = own
	}
	if f.filled > maxFilled {
		return nil, Failf("The animation is too large with its texts filled in").WithHint("Use shorter texts, or show them in fewer places.")
	}
	return values, nil
}

// filling fills the slots of a document.
type filling struct {
	values map[string]any
	places map[string]map[string]any // the first property that names each slot
	filled int
}

// lottieProperty is a color or a number as Lottie writes a property that does
// not move.
func lottieProperty(value any) map[string]any {
	return map[string]any{"a": 0, "k": value}
}

// styledText is the text of a slot with the font, size and color that it has in
// the document: those of the slot itself, else of the first text that names it.
// A player puts all of it in the place of that text.
func (f *filling) styledText(slot any, name, text string) map[string]any {
	fields, _ := slot.(map[string]any)
	p, _ := fields["p"].(map[string]any)
	if p == nil {
		p = map[string]any{}
		if found := f.places[name]; found != nil {
			p["k"] = found["k"]
		}
	}
	f.setText(p, text)
	return p
}

// fill walks the document and sets each property whose sid names a slot.
func (f *filling) fill(at any) {
	switch v := at.(type) {
	case []any:
		for _, item := range v {
			f.fill(item)
		}
	case map[string]any:
		name, _ := v["sid"].(string)
		value, known := f.values[name]
		if known && f.places[name] == nil {
			f.places[name] = v
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			f.fill(v[key])
		}
		if text, isText := value.(string); isText {
			f.setText(v, text)
		} else if known {
			v["a"], v["k"] = 0, value
		}
	}
}

// setText puts a text into every keyframe of a text document, whose
// font and size stay.
func (f *filling) setText(document map[string]any, text string) {
	frames, _ := document["k"].([]any)
	if f.filled += len(text) * max(1, len(frames)); f.filled > maxFilled {
		return
	}
	for _, frame := range frames {
		fields, _ := frame.(map[string]any)
		if style, ok := fields["s"].(map[string]any); ok {
			style["t"] = text
		}
	}
	if len(frames) == 0 {
		document["k"] = []any{map[string]any{"t": 0, "s": map[string]any{"t": text}}}
	}
}

func LottieSeconds(animation map[string]any) float64 {
	from, _ := ToNumber(animation["ip"])
	to, _ := ToNumber(animation["op"])
	rate, _ := ToNumber(animation["fr"])
	return (to - from) / rate
}
