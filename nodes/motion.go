package nodes

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"atelier/models"
)

var motionNode = &Node{
	Type: "motion", Label: "Motion", Category: "video", OutputType: "data",
	Description:  "Renders a vector animation (Lottie) with its colours, texts and numbers filled in.",
	Capabilities: []string{"vector-animation", "slots"},
	InputSchema: object(
		Property{Name: "motionPlan", Needed: true, Schema: Schema{
			Type: "object", Title: "Motion plan", Control: "motion",
			Description: "{ animation, slots: { name: { type, value } }, slotValues }",
		}},
	),
	Cost: 5 * models.Credit, MainInput: "motionPlan", MainOutput: "url", Pool: Media,
	Check: func(prefix string, input map[string]any) error {
		_, err := ReadMotionPlan(prefix+"motionPlan", input["motionPlan"])
		return err
	},
	Run: renderMotion,
}

// renderMotion saves the plan's document with every slot's value in place,
// both in Lottie's own slots and, for players that know none, at the
// properties that name the slot.
func renderMotion(ctx context.Context, in *Call) (Output, error) {
	plan, err := ReadMotionPlan("motionPlan", in.Input["motionPlan"])
	if err != nil {
		return nil, failureOf(err)
	}
	values := map[string]any{}
	for name, slot := range plan.Slots {
		values[name] = slot.Value
		if value, ok := plan.SlotValues[name]; ok {
			values[name] = value
		}
	}
	fillSlots(plan.Animation, values)
	own, _ := plan.Animation["slots"].(map[string]any)
	if own == nil {
		own = map[string]any{}
	}
	for name, value := range values {
		p := lottieProperty(value)
		if text, isText := value.(string); isText {
			p = styledText(own[name], plan.Animation["layers"], name, text)
		}
		own[name] = map[string]any{"p": p}
	}
	if len(own) > 0 {
		plan.Animation["slots"] = own
	}
	document, err := json.Marshal(plan.Animation)
	if err != nil {
		return nil, err
	}
	info, err := in.Media.Save(ctx, "motion.json", "application/json", bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	width, _ := toNumber(plan.Animation["w"])
	height, _ := toNumber(plan.Animation["h"])
	return Output{
		"url": info.URL, "resultUrl": info.URL, "contentType": "application/json",
		"width": width, "height": height, "duration": lottieSeconds(plan.Animation), "slotValues": values,
	}, nil
}

// lottieProperty is a colour or a number as Lottie writes a property that does
// not move.
func lottieProperty(value any) map[string]any {
	return map[string]any{"a": 0, "k": value}
}

// styledText is the text of a slot with the font, size and colour that it has in
// the document: those of the slot itself, else of the first text that names it.
// A player puts all of it in the place of that text.
func styledText(slot, layers any, name, text string) map[string]any {
	fields, _ := slot.(map[string]any)
	p, _ := fields["p"].(map[string]any)
	if p == nil {
		p = map[string]any{}
		if found := findSlot(layers, name); found != nil {
			p["k"] = found["k"]
		}
	}
	setLottieText(p, text)
	return p
}

// findSlot is the first property that names the slot; nil when there is none.
func findSlot(at any, name string) map[string]any {
	switch v := at.(type) {
	case []any:
		for _, item := range v {
			if found := findSlot(item, name); found != nil {
				return found
			}
		}
	case map[string]any:
		if v["sid"] == name {
			return v
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if found := findSlot(v[key], name); found != nil {
				return found
			}
		}
	}
	return nil
}

// fillSlots walks the document and sets each property whose sid names a slot.
func fillSlots(at any, values map[string]any) {
	switch v := at.(type) {
	case []any:
		for _, item := range v {
			fillSlots(item, values)
		}
	case map[string]any:
		for _, item := range v {
			fillSlots(item, values)
		}
		name, _ := v["sid"].(string)
		value, ok := values[name]
		if !ok {
			return
		}
		if text, isText := value.(string); isText {
			setLottieText(v, text)
			return
		}
		v["a"], v["k"] = 0, value
	}
}

// setLottieText puts a text into every keyframe of a text document, whose
// font and size stay.
func setLottieText(document map[string]any, text string) {
	frames, _ := document["k"].([]any)
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

func lottieSeconds(animation map[string]any) float64 {
	from, _ := toNumber(animation["ip"])
	to, _ := toNumber(animation["op"])
	rate, _ := toNumber(animation["fr"])
	return (to - from) / rate
}
