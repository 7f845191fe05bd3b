//go:build !race

package nodes

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
)

func TestValidate(t *testing.T) {
	cases := []struct {
		name, kind, body string
		field            string // at fault in POST /v1/<type>, empty when fine
		data             string // at fault in a saved workflow
	}{
		{"fine", "generate-image", `{"prompt":"a"}`, "", ""},
		{"missing", "generate-image", `{}`, "prompt", ""},
		{"empty", "generate-image", `{"prompt":""}`, "prompt", ""},
		{"null", "generate-image", `{"prompt":null}`, "prompt", ""},
		{"wrong type", "generate-image", `{"prompt":5}`, "prompt", "prompt"},
		{"fraction", "generate-image", `{"prompt":"a","seed":1.5}`, "seed", "seed"},
		{"number as text", "generate-image", `{"prompt":"a","seed":"1"}`, "seed", "seed"},
		{"option", "generate-image", `{"prompt":"a","aspectRatio":"2:1"}`, "aspectRatio", "aspectRatio"},
		{"no option yet", "generate-image", `{"prompt":"a","aspectRatio":""}`, "aspectRatio", ""},
		{"unknown field", "generate-image", `{"prompt":"a","foo":1}`, "", ""},
		{"out of range", "delay", `{"seconds":9999}`, "", ""},
		{"address", "resize-image", `{"imageUrl":"ftp://x/y"}`, "imageUrl", ""},
		{"user in address", "resize-image", `{"imageUrl":"https://a:b@x/y"}`, "imageUrl", ""},
		{"list entry", "combine-text", `{"texts":["a",{}]}`, "texts[1]", "texts[1]"},
		{"no list", "combine-text", `{"texts":"a"}`, "texts", "texts"},
		{"object", "template-text", `{"template":"a","values":[]}`, "values", "values"},
		{"toggle", "csv-parse", `{"text":"a","header":"yes"}`, "header", "header"},
		{"pattern", "regex-text", `{"text":"a","pattern":"("}`, "pattern", ""},
		{"query", "json-query", `{"data":{},"query":"|||"}`, "query", ""},
		{"expression", "condition", `{"expression":"1 +"}`, "expression", ""},
		{"plan", "motion", `{"motionPlan":{"slots":{}}}`, "motionPlan.animation", ""},
		{"parameter kind", "webhook-trigger", `{"parameters":[{"name":"a","type":"blob"}]}`, "parameters[0].type", "parameters[0].type"},
		{"parameter without name", "webhook-trigger", `{"parameters":[{"type":"text"}]}`, "parameters[0].name", ""},
		{"parameter twice", "webhook-output", `{"url":"https://x.example/","parameters":[{"name":"a"},{"name":"a"}]}`, "parameters", ""},
		{"odd schedule", "schedule-trigger", `{"rules":"nonsense","timezone":5}`, "rules", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var input map[string]any
			if err := json.Unmarshal([]byte(c.body), &input); err != nil {
				t.Fatal(err)
			}
			n, _ := Find(c.kind)
			wantField(t, n.Validate("", input), c.field)
			prefixed := c.data
			if prefixed != "" {
				prefixed = "nodes[2].data." + prefixed
			}
			wantField(t, n.ValidateData("nodes[2].data.", input), prefixed)
		})
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	if field == "" {
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		return
	}
	e, ok := err.(*models.Error)
	if !ok || e.Code != models.CodeValidation || e.Field != field || !strings.Contains(e.Message, field) {
		t.Fatalf("got %v, want validation_error of %s", err, field)
	}
}

func TestClamp(t *testing.T) {
	n, _ := Find("delay")
	in := map[string]any{"seconds": 700.0, "speed": 1, "label": "Wait"}
	adjusted, adjustments, warnings := n.Clamp(in)
	if adjusted["seconds"] != 600.0 || in["seconds"] != 700.0 {
		t.Fatalf("adjusted %v, input %v", adjusted, in)
	}
	if len(adjustments) != 1 || adjustments[0].Field != "seconds" || adjustments[0].From != 700.0 || adjustments[0].To != 600.0 {
		t.Fatalf("adjustments %v", adjustments)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], `"speed"`) {
		t.Fatalf("warnings %v", warnings)
	}
}

// TestCatalogue checks every entry for what the engine and the forms rely on.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range Known() {
		t.Run(n.Type, func(t *testing.T) {
			if seen[n.Type] {
				t.Fatal("twice in the catalogue")
			}
			seen[n.Type] = true
			if !slices.Contains([]string{"image", "video", "audio", "text", "data"}, n.OutputType) {
				t.Fatalf("output type %q", n.OutputType)
			}
			if n.Control != (n.Run == nil) || n.Pool == "" || n.Label == "" || n.Description == "" || n.Category == "" {
				t.Fatal("incomplete")
			}
			for _, name := range append([]string{n.MainInput}, n.Destinations...) {
				if _, ok := n.InputSchema.Properties.Find(name); name != "" && !ok {
					t.Fatalf("no field %s", name)
				}
			}
			if n.Inline && n.OutputType != "text" && n.OutputType != "data" {
				t.Fatal("only text and data answer inline")
			}
			checkDefaults(t, n)
			checkDescriptor(t, n)
		})
	}
}

// checkDefaults wants every default to pass its own form.
func checkDefaults(t *testing.T, n *kit.Node) {
	t.Helper()
	checkSentences(t, n.InputSchema)
	for _, p := range n.InputSchema.Properties {
		if p.Schema.Default == nil {
			continue
		}
		if err := kit.CheckValue(p.Name, p.Schema, p.Schema.Default, true); err != nil {
			t.Error(err)
		}
		if v, ok := kit.ToNumber(p.Schema.Default); ok && (v < *p.Schema.Minimum || v > *p.Schema.Maximum) {
			t.Errorf("default of %s is out of range", p.Name)
		}
	}
}

// checkSentences wants a title and a sentence for every setting, and bounds for
// every number, also within lists and objects.
func checkSentences(t *testing.T, s kit.Schema) {
	t.Helper()
	for _, p := range s.Properties {
		if p.Schema.Title == "" || p.Schema.Description == "" || !strings.HasSuffix(strings.TrimSuffix(p.Schema.Description, " }"), ".") && !strings.HasSuffix(p.Schema.Description, "}") {
			t.Errorf("%s needs a title and a sentence: %q, %q", p.Name, p.Schema.Title, p.Schema.Description)
		}
		if numeric := p.Schema.Type == "number" || p.Schema.Type == "integer"; numeric != (p.Schema.Minimum != nil && p.Schema.Maximum != nil) {
			t.Errorf("%s has no bounds", p.Name)
		}
		checkSentences(t, p.Schema)
		if p.Schema.Items != nil {
			checkSentences(t, *p.Schema.Items)
		}
	}
}

func checkDescriptor(t *testing.T, n *kit.Node) {
	t.Helper()
	raw, err := json.Marshal(n.Descriptor())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"type", "label", "category", "description", "outputType", "providers", "capabilities", "inputSchema", "estimatedCredits"} {
		if fields[key] == nil {
			t.Errorf("descriptor lacks %s", key)
		}
	}
	if len(fields) != 9 {
		t.Errorf("descriptor has %d fields", len(fields))
	}
}

func TestCosts(t *testing.T) {
	for kind, want := range map[string]string{
		"text": "0", "combine-text": "0", "template-text": "0", "delay": "0", "webhook-trigger": "0", "schedule-trigger": "0",
		"webhook-output": "0", "upload-image": "0", "generate-image": "2", "resize-image": "0.5",
	} {
		if n, _ := Find(kind); n.Cost.String() != want {
			t.Errorf("%s costs %s, want %s", kind, n.Cost, want)
		}
	}
}
