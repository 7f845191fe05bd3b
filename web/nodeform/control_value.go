package nodeform

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"atelier/humantext"
	"atelier/web/frame"
)

// shown is the value of a control as its input shows it: what was typed, else what came with the address of the
// page, else the published value.
func (c Control) shown(f frame.Form, prefill url.Values) string {
	if f.Err != nil {
		return f.Value(c.Name, "")
	}
	if v, ok := prefill[c.Name]; ok && len(v) > 0 {
		return v[0]
	}
	if c.Kind == ControlToggle && prefill.Get(WholeForm) != "" {
		return "" // browsers leave out boxes that are not ticked
	}
	return c.Initial()
}

// WholeForm marks an address that carries every field of a form, and not only those that were changed.
const WholeForm = "form"

// Initial returns the published value as its input shows it.
func (c Control) Initial() string {
	switch {
	case c.Withheld:
		return ""
	case c.Kind == ControlSelect && c.Value != nil:
		return frame.JSONOf(c.Value)
	case c.Value == nil:
		return ""
	case c.Kind == ControlToggle:
		if c.Value == true {
			return "on"
		}
		return ""
	case c.Kind == ControlJSON:
		return frame.WriteJSON(c.Value)
	}
	if f, ok := c.Value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return frame.ValueText(c.Value)
}

// Read turns what was typed into the value that a run is given. changed is false when it is the published value,
// which a run then leaves alone. A refusal names the form field.
func (c Control) Read(ctx context.Context, values url.Values) (value any, changed bool, err error) {
	text := values.Get(c.Name)
	if other := strings.TrimSpace(values.Get(c.Name + "-other")); c.Kind == ControlPick && other != "" {
		return other, other != c.Initial(), nil
	}
	if c.Kind == ControlThings {
		if !values.Has(c.Name + "-listed") {
			return nil, false, nil
		}
		chosen := []any{}
		for _, id := range values[c.Name] {
			chosen = append(chosen, id)
		}
		before, _ := c.Value.([]any)
		if len(chosen) == 0 {
			return nil, len(before) > 0, nil
		}
		return chosen, frame.JSONOf(chosen) != frame.JSONOf(before), nil
	}
	if c.Kind == ControlRules {
		if !values.Has(c.Name + ".0.kind") {
			return nil, false, nil
		}
		rules := RulesIn(c.Name, values)
		return rules, frame.JSONOf(rules) != frame.JSONOf(c.Value), nil
	}
	if c.Kind == ControlToggle {
		on := text != ""
		return on, on != (c.Value == true), nil
	}
	if !values.Has(c.Name) {
		return nil, false, nil
	}
	text = humantext.LineEnds(text)
	if c.Required && strings.TrimSpace(text) == "" && (c.Initial() == "" || c.Kind == ControlLine || c.Kind == ControlArea || c.Kind == ControlFile) {
		return nil, false, frame.Invalid(c.Name, t(ctx, "%s is needed.", c.Label))
	}
	if text == humantext.LineEnds(c.Initial()) {
		return nil, false, nil
	}
	if c.Kind == ControlFile {
		text = humantext.Link(text)
	}
	if text == "" && c.Kind != ControlLine && c.Kind != ControlArea {
		return nil, c.Value != nil, nil // emptied: the node's own default counts
	}
	switch c.Kind {
	case ControlSelect:
		return c.readOption(ctx, text)
	case ControlNumber, ControlSlider:
		return c.readNumber(ctx, text)
	case ControlJSON:
		var v any
		if err := frame.ReadJSON(text, &v); err != nil {
			return nil, false, frame.Invalid(c.Name, t(ctx, "%s is not JSON: %s.", c.Label, frame.WhyNotJSON(ctx, err)))
		}
		return v, true, nil
	}
	return text, true, nil
}

func (c Control) readOption(ctx context.Context, text string) (any, bool, error) {
	for _, v := range c.Options {
		if frame.JSONOf(v) == text {
			return v, true, nil
		}
	}
	return nil, false, frame.Invalid(c.Name, t(ctx, "Choose one of the values for %s.", c.Label))
}

func (c Control) readNumber(ctx context.Context, text string) (any, bool, error) {
	text = strings.NewReplacer(",", "", " ", "", "−", "-").Replace(text)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(text, "xXpP_") {
		return nil, false, frame.Invalid(c.Name, t(ctx, "%s must be a number.", c.Label))
	}
	if c.Whole && f != math.Trunc(f) {
		return nil, false, frame.Invalid(c.Name, t(ctx, "%s must be a whole number.", c.Label))
	}
	return json.Number(strconv.FormatFloat(f, 'f', -1, 64)), true, nil
}

// hexColor writes four numbers from 0 to 1 as #rrggbb; a text stays as it is.
func hexColor(v any) any {
	parts, ok := v.([]any)
	if !ok || len(parts) < 3 {
		return v
	}
	out := "#"
	for _, p := range parts[:3] {
		f, _ := p.(float64)
		out += fmt.Sprintf("%02x", int(math.Round(min(1, max(0, f))*255)))
	}
	return out
}
