package nodeform

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"testing"

	"atelier/web/frame"
	"atelier/web/nodeform/nodeformtest"
	"atelier/web/query"
)

// updateVectors writes the vectors again: go test ./web/nodeform -run TestClientVectors -args -update-vectors
var updateVectors = flag.Bool("update-vectors", false, "write clients/testdata/controls.json again")

// controlVector is a field of an app's form, and the control that it gets in every client.
type controlVector struct {
	Name          string         `json:"name"`
	NodeType      string         `json:"nodeType"`
	InputSchema   any            `json:"inputSchema"`
	Field         string         `json:"field"`
	Data          map[string]any `json:"data"`
	AllowedValues []any          `json:"allowedValues"`
	Control       shownControl   `json:"control"`
	// Typed is what people write into the control, and what a run is then given.
	Typed []typedVector `json:"typed,omitempty"`
}

type shownControl struct {
	Kind      ControlKind `json:"kind"`
	Label     string      `json:"label"`
	Hint      string      `json:"hint"`
	Value     any         `json:"value"`
	Text      string      `json:"text"` // the value as the control shows it
	Options   []any       `json:"options"`
	Min       string      `json:"min"`
	Max       string      `json:"max"`
	Whole     bool        `json:"whole"`
	Required  bool        `json:"required"`
	MaxLength int         `json:"maxLength"`
}

type typedVector struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
	Value   any    `json:"value"`
	Refused bool   `json:"refused"`
}

// TestClientVectors holds the vectors that the clients in other languages are tested by against what the console does.
func TestClientVectors(t *testing.T) {
	kinds := KindsOf(nodeformtest.NodeTypes())
	slots := nodeformtest.Animation().Data
	var vectors []controlVector
	for _, v := range []controlVector{
		{Name: "1 allowedValues before boolean", NodeType: "no-schema", Field: "loop", Data: map[string]any{"loop": true}, AllowedValues: []any{true, false}, Typed: typed("true", "false", "maybe")},
		{Name: "1 allowedValues before text area", NodeType: "no-schema", Field: "prompt", Data: map[string]any{"prompt": "a"}, AllowedValues: []any{"a", "b"}, Typed: typed(`"a"`, `"b"`, `"c"`, "b")},
		{Name: "1 numbers to choose from", NodeType: "no-schema", Field: "size", Data: map[string]any{"size": 1}, AllowedValues: []any{1, 2.5}, Typed: typed("1", "2.5", "3")},
		{Name: "1 a value that is none of them", NodeType: "no-schema", Field: "style", Data: map[string]any{}, AllowedValues: []any{"flat", "deep"}, Typed: typed("", `"flat"`)},
		{Name: "1 empty allowedValues is no rule", NodeType: "no-schema", Field: "prompt", Data: map[string]any{"prompt": "a"}, AllowedValues: []any{}},
		{Name: "2 boolean", NodeType: "no-schema", Field: "duration", Data: map[string]any{"duration": false}, Typed: typed("on", "")},
		{Name: "3 number", NodeType: "no-schema", Field: "seed", Data: map[string]any{"seed": 7}, Typed: typed("7", "8", "-1.5", "1,000", " 12 ", "−3", "1e3", "0x10", "seven", "NaN", "Infinity", "1_000", "")},
		{Name: "3 number is not a text area", NodeType: "no-schema", Field: "prompt", Data: map[string]any{"prompt": 7}},
		{Name: "3 slider by the end of the name", NodeType: "no-schema", Field: "clipDuration", Data: map[string]any{"clipDuration": 7}},
		{Name: "3 slider by the whole name", NodeType: "no-schema", Field: "scale", Data: map[string]any{"scale": 1}},
		{Name: "3 slider strength", NodeType: "no-schema", Field: "blurStrength", Data: map[string]any{"blurStrength": 0.5}},
		{Name: "3 slider intensity", NodeType: "no-schema", Field: "intensity", Data: map[string]any{"intensity": -20}},
		{Name: "3 slider temperature", NodeType: "no-schema", Field: "temperature", Data: map[string]any{"temperature": 5000}},
		{Name: "3 scale at the beginning is none", NodeType: "no-schema", Field: "scaleMode", Data: map[string]any{"scaleMode": 1}},
		{Name: "4 text area before file", NodeType: "upload-image", Field: "content", Data: map[string]any{"content": "https://a.example/b.png"}},
		{Name: "4 prompt", NodeType: "no-schema", Field: "prompt", Data: map[string]any{"prompt": "A fox"}, Typed: typed("A fox", "A hen", "", "two\r\nlines")},
		{Name: "4 description", NodeType: "no-schema", Field: "description", Data: map[string]any{"description": ""}},
		{Name: "4 text", NodeType: "no-schema", Field: "text", Data: map[string]any{"text": ""}},
		{Name: "4 caption", NodeType: "no-schema", Field: "caption", Data: map[string]any{"caption": ""}},
		{Name: "4 message", NodeType: "no-schema", Field: "message", Data: map[string]any{"message": ""}},
		{Name: "4 the whole name", NodeType: "no-schema", Field: "promptPrefix", Data: map[string]any{"promptPrefix": "x"}},
		{Name: "5 file", NodeType: "upload-image", Field: "imageUrl", Data: map[string]any{"imageUrl": "https://a.example/b.png"}, Typed: typed("https://a.example/b.png", "https://a.example/c.png", "")},
		{Name: "5 only upload nodes", NodeType: "no-schema", Field: "imageUrl", Data: map[string]any{"imageUrl": "https://a.example/b.png"}},
		{Name: "5 only web addresses", NodeType: "upload-image", Field: "imageUrl", Data: map[string]any{"imageUrl": "a.png"}},
		{Name: "6 anything else", NodeType: "no-schema", Field: "voice", Data: map[string]any{"voice": "Ada"}, Typed: typed("Ada", "Bo", "")},
		{Name: "6 nothing yet", NodeType: "no-schema", Field: "prompt", Data: map[string]any{}, Typed: typed("", "x")},
		{Name: "6 null", NodeType: "no-schema", Field: "prompt", Data: map[string]any{"prompt": nil}},
		{Name: "a list is JSON", NodeType: "no-schema", Field: "tags", Data: map[string]any{"tags": []any{"a", 1}}, Typed: typed(`["b"]`, `["b"`, "")},
		{Name: "an object is JSON", NodeType: "no-schema", Field: "camera", Data: map[string]any{"camera": map[string]any{"zoom": 2}}, Typed: typed(`{"zoom": 3}`)},
		{Name: "a dotted field by its last word", NodeType: "template-text", Field: "values.message", Data: map[string]any{"values": map[string]any{"message": "x"}}},
		{Name: "inputSchema before the rules", NodeType: "generate-image", Field: "seed", Data: map[string]any{"seed": "https://a.example"}, Typed: typed("4", "4.5")},
		{Name: "inputSchema: enum", NodeType: "generate-image", Field: "aspectRatio", Data: map[string]any{}, Typed: typed(`"1:1"`, `"16:9"`, "16:9")},
		{Name: "inputSchema: text area", NodeType: "generate-image", Field: "prompt", Data: map[string]any{"prompt": "x"}, Typed: typed("", "y")},
		{Name: "inputSchema: slider", NodeType: "generate-image", Field: "strength", Data: map[string]any{"strength": 0.5}, Typed: typed("0.5", "0.75")},
		{Name: "inputSchema: boolean", NodeType: "generate-image", Field: "glow", Data: map[string]any{}, Typed: typed("on", "")},
		{Name: "inputSchema: color", NodeType: "generate-image", Field: "tint", Data: map[string]any{"tint": "#ffffff"}, Typed: typed("#ff0000", "")},
		{Name: "inputSchema: file", NodeType: "generate-image", Field: "imageUrl", Data: map[string]any{}, Typed: typed("https://a.example/c.png", "")},
		{Name: "inputSchema: list", NodeType: "generate-image", Field: "tags", Data: map[string]any{}},
		{Name: "inputSchema says nothing of it", NodeType: "generate-image", Field: "data", Data: map[string]any{"data": true}},
		{Name: "allowedValues before inputSchema", NodeType: "generate-image", Field: "seed", Data: map[string]any{"seed": 1}, AllowedValues: []any{1, 2}},
		{Name: "a field that the schema has not", NodeType: "generate-image", Field: "loop", Data: map[string]any{"loop": true}},
		{Name: "an unknown type of node", NodeType: "gone", Field: "text", Data: map[string]any{"text": "x"}},
		{Name: "a name in words", NodeType: "no-schema", Field: "values.first_name-ofPerson", Data: map[string]any{"values": map[string]any{"first_name-ofPerson": "x"}}},
		{Name: "slot: color", NodeType: "motion", Field: "slot:sky", Data: slots, Typed: typed("#0080ff", "#ff0000")},
		{Name: "slot: text", NodeType: "motion", Field: "slot:headline", Data: slots, Typed: typed("Welcome", "Bye", "")},
		{Name: "slot: number", NodeType: "motion", Field: "slot:speed", Data: slots, Typed: typed("2", "3")},
	} {
		v.InputSchema = nil
		if raw := kinds[v.NodeType].InputSchema; len(raw) > 0 {
			v.InputSchema = json.RawMessage(raw)
		}
		v.Data = asRead(t, v.Data)
		var allowed []any
		for _, one := range v.AllowedValues {
			allowed = append(allowed, asRead(t, map[string]any{"v": one})["v"])
		}
		c := NewControl(Input{ID: "x", NodeID: "n", Field: v.Field, AllowedValues: allowed}, query.FlowNode{Id: "n", Type: v.NodeType, Data: v.Data}, kinds)
		v.Control = shownControl{
			Kind: c.Kind, Label: c.Label, Hint: c.Hint, Value: c.Value, Text: c.Initial(), Options: c.Options,
			Min: c.Min, Max: c.Max, Whole: c.Whole, Required: c.Required, MaxLength: c.MaxLength,
		}
		if c.Kind == ControlSlider {
			slider := c.sliderField(context.Background(), frame.Form{}, nil)
			v.Control.Min, v.Control.Max = slider.Min, slider.Max
		}
		for i, text := range v.Typed {
			value, changed, err := c.Read(context.Background(), url.Values{c.Name: {text.Text}})
			v.Typed[i] = typedVector{Text: text.Text, Changed: changed, Value: value, Refused: err != nil}
		}
		vectors = append(vectors, v)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(vectors); err != nil {
		t.Fatal(err)
	}
	const path = "../../clients/testdata/controls.json"
	if *updateVectors {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, out.Bytes()) {
		t.Fatalf("%s is out of date (%v): go test ./web/nodeform -run TestClientVectors -args -update-vectors", path, err)
	}
}

func typed(texts ...string) (out []typedVector) {
	for _, text := range texts {
		out = append(out, typedVector{Text: text})
	}
	return out
}

// asRead is data as it comes out of JSON.
func asRead(t *testing.T, data map[string]any) map[string]any {
	raw, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
