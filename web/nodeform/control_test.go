package nodeform

import (
	"testing"

	"atelier/web/nodeform/nodeformtest"
	"atelier/web/query"
)

// The rules in the contract's order; each row would come out differently if a later rule were asked first.
func TestInferenceRulesInTheirOrder(t *testing.T) {
	for name, c := range map[string]struct {
		nodeType, field string
		value           any
		allowed         []any
		want            ControlKind
	}{
		"1 allowedValues before boolean":   {"no-schema", "loop", true, []any{true, false}, ControlSelect},
		"1 allowedValues before text area": {"no-schema", "prompt", "a", []any{"a", "b"}, ControlSelect},
		"1 empty allowedValues is no rule": {"no-schema", "prompt", "a", []any{}, ControlArea},
		"2 boolean":                        {"no-schema", "duration", false, nil, ControlToggle},
		"3 number":                         {"no-schema", "seed", 7.0, nil, ControlNumber},
		"3 number is not a text area":      {"no-schema", "prompt", 7.0, nil, ControlNumber},
		"3 slider by the end of the name":  {"no-schema", "clipDuration", 7.0, nil, ControlSlider},
		"3 slider scale":                   {"no-schema", "scale", 1.0, nil, ControlSlider},
		"3 slider strength":                {"no-schema", "blurStrength", 0.5, nil, ControlSlider},
		"3 slider intensity":               {"no-schema", "intensity", 0.5, nil, ControlSlider},
		"3 slider temperature":             {"no-schema", "temperature", 0.5, nil, ControlSlider},
		"3 scale at the beginning is none": {"no-schema", "scaleMode", 1.0, nil, ControlNumber},
		"4 text area before file":          {"upload-image", "content", "https://a.example/b.png", nil, ControlArea},
		"4 description":                    {"no-schema", "description", "", nil, ControlArea},
		"4 caption":                        {"no-schema", "caption", "", nil, ControlArea},
		"4 message":                        {"no-schema", "message", "", nil, ControlArea},
		"4 the whole name":                 {"no-schema", "promptPrefix", "x", nil, ControlLine},
		"5 file":                           {"upload-image", "imageUrl", "https://a.example/b.png", nil, ControlFile},
		"5 only upload nodes":              {"no-schema", "imageUrl", "https://a.example/b.png", nil, ControlLine},
		"5 only web addresses":             {"upload-image", "imageUrl", "a.png", nil, ControlLine},
		"6 anything else":                  {"no-schema", "voice", "Ada", nil, ControlLine},
		"6 nothing yet":                    {"no-schema", "prompt", nil, nil, ControlLine},
		"a dotted field by its last word":  {"template-text", "values.message", "x", nil, ControlArea},
		"inputSchema before the rules":     {"generate-image", "seed", "https://a.example", nil, ControlNumber},
		"inputSchema: enum":                {"generate-image", "aspectRatio", "1:1", nil, ControlSelect},
		"inputSchema: text area":           {"generate-image", "prompt", "x", nil, ControlArea},
		"inputSchema: slider":              {"generate-image", "strength", 0.5, nil, ControlSlider},
		"inputSchema: boolean":             {"generate-image", "glow", nil, nil, ControlToggle},
		"inputSchema: colour":              {"generate-image", "tint", "#ffffff", nil, ControlColor},
		"inputSchema: file":                {"generate-image", "imageUrl", nil, nil, ControlFile},
		"inputSchema: list":                {"generate-image", "tags", nil, nil, ControlJSON},
		"inputSchema says nothing of it":   {"generate-image", "data", true, nil, ControlToggle},
		"allowedValues before inputSchema": {"generate-image", "seed", 1.0, []any{1.0, 2.0}, ControlSelect},
		"a field that the schema has not":  {"generate-image", "loop", true, nil, ControlToggle},
		"an unknown type of node":          {"gone", "text", "x", nil, ControlArea},
	} {
		t.Run(name, func(t *testing.T) {
			n := query.FlowNode{Id: "n", Type: c.nodeType, Data: map[string]any{c.field: c.value}}
			got := NewControl(Input{ID: "x", NodeID: "n", Field: c.field, AllowedValues: c.allowed}, n, KindsOf(nodeformtest.NodeTypes()))
			if got.Kind != c.want {
				t.Errorf("%s.%s = %v: %s, want %s", c.nodeType, c.field, c.value, got.Kind, c.want)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	n := nodeformtest.Animation()
	for field, want := range map[string]struct {
		kind  ControlKind
		value string
	}{"slot:sky": {ControlColor, "#0080ff"}, "slot:headline": {ControlLine, "Welcome"}, "slot:speed": {ControlNumber, "2"}} {
		c := NewControl(Input{ID: "x", NodeID: "m", Field: field}, n, KindsOf(nodeformtest.NodeTypes()))
		if c.Kind != want.kind || c.Initial() != want.value {
			t.Errorf("%s: %s %q, want %s %q", field, c.Kind, c.Initial(), want.kind, want.value)
		}
	}
}
