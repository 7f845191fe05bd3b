package flow

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

// testKinds is a catalogue of one type with a schema and some without.
func testKinds() kinds {
	return kindsOf([]query.NodeKind{
		{Type: "generate-image", Label: "Generate image", OutputType: "image", InputSchema: json.RawMessage(`{
			"type": "object", "required": ["prompt"], "x-order": ["prompt", "aspectRatio", "seed", "strength", "glow", "tint", "imageUrl", "tags", "data", "keys"],
			"properties": {
				"prompt": {"type": "string", "title": "Prompt", "format": "textarea", "maxLength": 100, "description": "What to paint"},
				"aspectRatio": {"type": "string", "enum": ["1:1", "16:9"], "default": "1:1"},
				"seed": {"type": "integer", "minimum": 0, "maximum": 2147483647},
				"strength": {"type": "number", "minimum": 0, "maximum": 1, "x-control": "slider"},
				"glow": {"type": "boolean"},
				"tint": {"type": "string", "x-control": "color"},
				"imageUrl": {"type": "string", "format": "uri", "x-control": "image"},
				"tags": {"type": "array", "items": {"type": "string"}},
				"data": {},
				"keys": {"type": "string", "x-control": "credential"}
			}}`)},
		{Type: "webhook-output", Label: "Webhook output", Capabilities: []string{"outbound"}, InputSchema: json.RawMessage(`{"properties": {"url": {"type": "string"}}}`)},
		{Type: "template-text", Label: "Template", OutputType: "text", InputSchema: json.RawMessage(`{"properties": {"template": {"type": "string", "format": "textarea"}, "values": {"type": "object"}}, "x-order": ["template", "values"]}`)},
		{Type: "motion", Label: "Motion", OutputType: "data", InputSchema: json.RawMessage(`{"properties": {"motionPlan": {"type": "object", "x-control": "motion"}}}`)},
		{Type: "no-schema", Label: "No schema", OutputType: "text"},
	})
}

// The rules in the contract's order; each row would come out differently if a later rule were asked first.
func TestInferenceRulesInTheirOrder(t *testing.T) {
	for name, c := range map[string]struct {
		nodeType, field string
		value           any
		allowed         []any
		want            controlKind
	}{
		"1 allowedValues before boolean":   {"no-schema", "loop", true, []any{true, false}, controlSelect},
		"1 allowedValues before text area": {"no-schema", "prompt", "a", []any{"a", "b"}, controlSelect},
		"1 empty allowedValues is no rule": {"no-schema", "prompt", "a", []any{}, controlArea},
		"2 boolean":                        {"no-schema", "duration", false, nil, controlToggle},
		"3 number":                         {"no-schema", "seed", 7.0, nil, controlNumber},
		"3 number is not a text area":      {"no-schema", "prompt", 7.0, nil, controlNumber},
		"3 slider by the end of the name":  {"no-schema", "clipDuration", 7.0, nil, controlSlider},
		"3 slider scale":                   {"no-schema", "scale", 1.0, nil, controlSlider},
		"3 slider strength":                {"no-schema", "blurStrength", 0.5, nil, controlSlider},
		"3 slider intensity":               {"no-schema", "intensity", 0.5, nil, controlSlider},
		"3 slider temperature":             {"no-schema", "temperature", 0.5, nil, controlSlider},
		"3 scale at the beginning is none": {"no-schema", "scaleMode", 1.0, nil, controlNumber},
		"4 text area before file":          {"upload-image", "content", "https://a.example/b.png", nil, controlArea},
		"4 description":                    {"no-schema", "description", "", nil, controlArea},
		"4 caption":                        {"no-schema", "caption", "", nil, controlArea},
		"4 message":                        {"no-schema", "message", "", nil, controlArea},
		"4 the whole name":                 {"no-schema", "promptPrefix", "x", nil, controlLine},
		"5 file":                           {"upload-image", "imageUrl", "https://a.example/b.png", nil, controlFile},
		"5 only upload nodes":              {"no-schema", "imageUrl", "https://a.example/b.png", nil, controlLine},
		"5 only web addresses":             {"upload-image", "imageUrl", "a.png", nil, controlLine},
		"6 anything else":                  {"no-schema", "voice", "Ada", nil, controlLine},
		"6 nothing yet":                    {"no-schema", "prompt", nil, nil, controlLine},
		"a dotted field by its last word":  {"template-text", "values.message", "x", nil, controlArea},
		"inputSchema before the rules":     {"generate-image", "seed", "https://a.example", nil, controlNumber},
		"inputSchema: enum":                {"generate-image", "aspectRatio", "1:1", nil, controlSelect},
		"inputSchema: text area":           {"generate-image", "prompt", "x", nil, controlArea},
		"inputSchema: slider":              {"generate-image", "strength", 0.5, nil, controlSlider},
		"inputSchema: boolean":             {"generate-image", "glow", nil, nil, controlToggle},
		"inputSchema: colour":              {"generate-image", "tint", "#ffffff", nil, controlColor},
		"inputSchema: file":                {"generate-image", "imageUrl", nil, nil, controlFile},
		"inputSchema: list":                {"generate-image", "tags", nil, nil, controlJSON},
		"inputSchema says nothing of it":   {"generate-image", "data", true, nil, controlToggle},
		"allowedValues before inputSchema": {"generate-image", "seed", 1.0, []any{1.0, 2.0}, controlSelect},
		"a field that the schema has not":  {"generate-image", "loop", true, nil, controlToggle},
		"an unknown type of node":          {"gone", "text", "x", nil, controlArea},
	} {
		t.Run(name, func(t *testing.T) {
			n := query.FlowNode{Id: "n", Type: c.nodeType, Data: map[string]any{c.field: c.value}}
			got := newControl(inputItem{ID: "x", NodeID: "n", Field: c.field, AllowedValues: c.allowed}, n, testKinds())
			if got.Kind != c.want {
				t.Errorf("%s.%s = %v: %s, want %s", c.nodeType, c.field, c.value, got.Kind, c.want)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	n := query.FlowNode{Id: "m", Type: "motion", Data: map[string]any{"motionPlan": map[string]any{
		"slots": map[string]any{
			"sky": map[string]any{"type": "color", "value": []any{0.0, 0.5, 1.0, 1.0}}, "headline": map[string]any{"type": "text", "value": "Hello"}, "speed": map[string]any{"type": "number", "value": 2.0},
		},
		"slotValues": map[string]any{"headline": "Welcome"},
	}}}
	for field, want := range map[string]struct {
		kind  controlKind
		value string
	}{"slot:sky": {controlColor, "#0080ff"}, "slot:headline": {controlLine, "Welcome"}, "slot:speed": {controlNumber, "2"}} {
		c := newControl(inputItem{ID: "x", NodeID: "m", Field: field}, n, testKinds())
		if c.Kind != want.kind || c.initial() != want.value {
			t.Errorf("%s: %s %q, want %s %q", field, c.Kind, c.initial(), want.kind, want.value)
		}
	}
	if got, want := exposedFields(n, testKinds()), []string{"slot:headline", "slot:sky", "slot:speed"}; !reflect.DeepEqual(got, want) {
		t.Errorf("exposed: %v", got)
	}
}

func TestOnlyChangedValuesAreSent(t *testing.T) {
	node := query.FlowNode{Id: "n", Type: "generate-image", Data: map[string]any{"prompt": "a\nb", "seed": 7.0, "glow": true, "tags": []any{"x"}}}
	of := func(field string, allowed ...any) control {
		return newControl(inputItem{ID: "in." + field, NodeID: "n", Field: field, AllowedValues: allowed}, node, testKinds())
	}
	controls := []control{of("prompt"), of("seed"), of("glow"), of("aspectRatio"), of("tags")}
	same := url.Values{"in-in.prompt": {"a\r\nb"}, "in-in.seed": {"7"}, "in-in.glow": {"on"}, "in-in.aspectRatio": {`"1:1"`}, "in-in.tags": {controls[4].initial()}}
	in, err := readInputs(controls, same)
	if err != nil || in.named() != nil || in.overrides() != nil {
		t.Fatalf("unchanged: %+v %v", in, err)
	}
	if in, err := readInputs(controls[:2], url.Values{}); err != nil || in.named() != nil {
		t.Fatalf("fields that were not sent: %+v %v", in, err)
	}
	changed := url.Values{"in-in.prompt": {"c"}, "in-in.seed": {"1,000"}, "in-in.aspectRatio": {`"16:9"`}, "in-in.tags": {`["y", 2]`}}
	in, err = readInputs(controls, changed)
	want := `{"in.aspectRatio":"16:9","in.glow":false,"in.prompt":"c","in.seed":1000,"in.tags":["y",2]}`
	if err != nil || frame.JSONOf(in.Named) != want {
		t.Fatalf("changed: %s %v", frame.JSONOf(in.Named), err)
	}
	for name, bad := range map[string]url.Values{
		"in-in.seed": {"in-in.seed": {"7.5"}}, "in-in.aspectRatio": {"in-in.aspectRatio": {`"2:1"`}}, "in-in.tags": {"in-in.tags": {"["}},
	} {
		values := url.Values{}
		for k, v := range same {
			values[k] = v
		}
		for k, v := range bad {
			values[k] = v
		}
		if _, err := readInputs(controls, values); err == nil || err.(*frame.Error).Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGraphText(t *testing.T) {
	for text, want := range map[string]string{
		`{"nodes": [{"id": "a", "type": "text", "data": {"seed": 12345678901234567890}}]}`: "",
		"{\n\"nodes\": [}": "The graph cannot be read: line 2: invalid character '}' looking for beginning of value.",
		`{"nodes": {}}`:    "The graph cannot be read: line 1: nodes must not be a object.",
		"{} {}":            "The graph cannot be read: there is something behind the end of it.",
		"":                 "The graph cannot be read: it is empty.",
		`{"nodes": [`:      "The graph cannot be read: it ends too early; a bracket is missing.",
	} {
		g, err := readGraph(text)
		if want == "" {
			if err != nil || frame.JSONOf(g.Nodes[0].Data) != `{"seed":12345678901234567890}` || g.Edges == nil {
				t.Errorf("%s: %s %v", text, frame.JSONOf(g.Nodes), err)
			}
			continue
		}
		if err == nil || err.(*frame.Error).Message != want || err.(*frame.Error).Field != "graph" {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, s := range starters {
		if _, err := readGraph(s.Graph); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
