//go:build !race

package nodes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"atelier/nodes/kit"
)

func TestTextNodes(t *testing.T) {
	cases := []struct {
		name, kind string
		input      map[string]any
		key        string
		want       any
	}{
		{"text", "text", map[string]any{"text": "Hello"}, "text", "Hello"},
		{"combine in order", "combine-text", map[string]any{"texts": []any{"a", "b", "c"}, "separator": " - "}, "text", "a - b - c"},
		{"combine one", "combine-text", map[string]any{"texts": "alone"}, "text", "alone"},
		{"combine numbers", "combine-text", map[string]any{"texts": []any{1.0, "b"}, "separator": ""}, "text", "1b"},
		{"template", "template-text", map[string]any{"template": "Dear {{name}}, {{ n }}!", "values": map[string]any{"name": "Ada", "n": 3.0}}, "text", "Dear Ada, 3!"},
		{"template path", "template-text", map[string]any{"template": "{{a.b}}", "values": map[string]any{"a": map[string]any{"b": "deep"}}}, "text", "deep"},
		{"template once", "template-text", map[string]any{"template": "{{a}}", "values": map[string]any{"a": "{{a}}"}}, "text", "{{a}}"},
		{"template missing", "template-text", map[string]any{"template": "x{{gone}}y"}, "text", "xy"},
		{"template missing is said", "template-text", map[string]any{"template": "x{{gone}}y"}, "missing", []string{"gone"}},
		{"split lines", "split-text", map[string]any{"text": "a\r\n b \n\nc"}, "items", []any{"a", "b", "c"}},
		{"split sentences", "split-text", map[string]any{"text": "Dr. Who came. Did he? Yes.", "by": "sentences"}, "items", []any{"Dr. Who came.", "Did he?", "Yes."}},
		{"split one", "split-text", map[string]any{"text": "a;b;c", "by": "separator", "separator": ";", "index": 2.0}, "text", "b"},
		{"replace", "regex-text", map[string]any{"text": "2026-03-01", "pattern": `(\d+)-(\d+)-(\d+)`, "replacement": "$3.$2.$1"}, "text", "01.03.2026"},
		{"extract", "regex-text", map[string]any{"text": "a1 b2", "pattern": `[a-z](\d)`, "mode": "extract"}, "items", []any{"1", "2"}},
		{"test", "regex-text", map[string]any{"text": "HELLO", "pattern": "hello", "mode": "test", "ignoreCase": true}, "matched", true},
		{"condition", "condition", map[string]any{"input": "long enough", "expression": "size(input) > 5", "then": "yes", "otherwise": "no"}, "text", "yes"},
		{"condition values", "condition", map[string]any{"values": map[string]any{"price": 12.0}, "expression": "values.price < 10", "then": "buy", "otherwise": "wait"}, "text", "wait"},
		{"csv of CR", "csv-parse", map[string]any{"text": "Name,Score\rA,1\rB,2\r"}, "count", 2},
		{"csv that names its separator", "csv-parse", map[string]any{"text": "sep=;\r\nName;Score\r\nA;1\r\n"}, "data", []any{map[string]any{"Name": "A", "Score": 1.0}}},
		{"csv with a quoted head", "csv-parse", map[string]any{"text": "\"a;b;c\",d\r\n1,2"}, "data", []any{map[string]any{"a;b;c": 1.0, "d": 2.0}}},
		{"lines of CR", "split-text", map[string]any{"text": "a\rb\r\nc\nd"}, "count", 4},
		{"paragraphs of CRLF", "split-text", map[string]any{"text": "a\r\n\r\nb\r\rc", "by": "paragraphs"}, "count", 3},
		{"csv", "csv-parse", map[string]any{"text": "name;age\nAda;36\nBob;007\n"}, "data",
			[]any{map[string]any{"name": "Ada", "age": 36.0}, map[string]any{"name": "Bob", "age": "007"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := must(t, nil, c.kind, c.input)[c.key]; !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%s = %#v, want %#v", c.key, got, c.want)
			}
		})
	}
}

func TestSummaryPicksSentences(t *testing.T) {
	text := "Bees visit flowers for nectar. The weather was dull. Flowers need bees to spread pollen. Somebody sneezed. Bees carry pollen between flowers all day."
	out := must(t, nil, "summarize-text", map[string]any{"text": text, "sentences": 2.0})
	want := "Flowers need bees to spread pollen. Bees carry pollen between flowers all day."
	if out["text"] != want || out["method"] != "extractive" {
		t.Fatalf("got %v", out)
	}
}

func TestBoundsOfWork(t *testing.T) {
	nested := "[1,2,3,4,5,6,7,8,9,10].all(x, "
	_, err := try(t, nil, "condition", map[string]any{"expression": strings.Repeat(nested, 9) + "true" + strings.Repeat(")", 9)})
	wantFailure(t, err, "could not be worked out")
	_, err = try(t, nil, "template-text", map[string]any{
		"template": strings.Repeat("{{a}}", 1000), "values": map[string]any{"a": strings.Repeat("x", 10_000)}})
	wantFailure(t, err, "1 MiB")
	for _, c := range []struct {
		kind  string
		input map[string]any
		part  string
	}{
		{"template-text", map[string]any{"template": strings.Repeat("{{a}}", 10_000), "values": map[string]any{"a": strings.Repeat("x", 100_000)}}, "1 MiB"},
		{"combine-text", map[string]any{"texts": slices.Repeat([]any{strings.Repeat("x", 1<<20)}, 200)}, "1 MiB"},
		{"split-text", map[string]any{"text": strings.Repeat("a,", 500_000), "by": "separator"}, "pieces"},
		{"csv-parse", map[string]any{"text": strings.Repeat("h", 500_000) + strings.Repeat("\n1", 40_000)}, "6 MiB"},
		{"csv-parse", map[string]any{"text": strings.Repeat(",", 1_000_000)}, "columns"},
		{"regex-text", map[string]any{"text": "a", "pattern": strings.Repeat("(?:a?){1000}", 10)}, "too large"},
		{"regex-text", map[string]any{"text": "a", "pattern": strings.Repeat(`\pL|`, 900)}, "classes"},
		{"regex-text", map[string]any{"text": "a", "pattern": "(?i)[" + strings.Repeat(`\x{100}-\x{10ffff}`, 100) + "]"}, "ranges"},
		{"condition", map[string]any{"expression": strings.Repeat("(", 40) + "true" + strings.Repeat(")", 40)}, "recursion"},
		{"condition", map[string]any{"expression": "true || " + strings.Repeat(" ", 5000) + "true"}, "size"},
	} {
		_, err := try(t, nil, c.kind, c.input)
		wantFailure(t, err, c.part)
	}
}

// Work within a transaction is linear in its input: the largest and oddest
// inputs take some milliseconds, far below the bound of this test.
func TestNodesDoneAtOnceAreLinear(t *testing.T) {
	var names strings.Builder
	for i := range 90_000 {
		fmt.Fprintf(&names, "{{a%d}}", i)
	}
	inputs := map[string][]map[string]any{
		"text": {{"text": strings.Repeat("x", kit.MaxText)}},
		"combine-text": {
			{"texts": []any{strings.Repeat("x", kit.MaxText/2), strings.Repeat("x", kit.MaxText/2-1)}},
			{"texts": slices.Repeat([]any{map[string]any{"a": strings.Repeat("<", 5_000)}}, 200)},
		},
		"split-text": {
			{"text": strings.Repeat(".", kit.MaxText), "by": "sentences"}, {"text": strings.Repeat("。", kit.MaxText), "by": "sentences"},
			{"text": strings.Repeat("a. ", kit.MaxText/3), "by": "sentences"}, {"text": strings.Repeat("? a", kit.MaxText/3), "by": "sentences"},
			{"text": strings.Repeat("\n", kit.MaxText)}, {"text": strings.Repeat("ab", kit.MaxText/2), "by": "separator", "separator": "b"},
		},
		"template-text": {
			{"template": names.String()}, {"template": strings.Repeat("{", kit.MaxText)}, {"template": strings.Repeat("{{ ", kit.MaxText/3)},
			{"template": "{{" + strings.Repeat("a.", kit.MaxText/2-10) + "a}}"}, {"template": strings.Repeat("{{a}}", kit.MaxText/5), "values": map[string]any{"a": ""}},
			{"template": strings.Repeat("{{a", kit.MaxText/3)}, {"template": "{{" + strings.Repeat(" ", kit.MaxText-10)},
		},
		"prompt-helper": {
			{"idea": strings.Repeat("x", MaxIdea)}, {"idea": strings.Repeat("@a ", MaxIdea/3)}, {"idea": strings.Repeat("a ", MaxIdea/2), "target": "generate-character"},
			{"idea": "a red cat", "answers": map[string]any{"style": slices.Repeat([]any{strings.Repeat("a ", MaxAnswer/2)}, MaxAnswers)}},
			{"idea": strings.Repeat("red cat, ", MaxIdea/9), "known": map[string]any{"style": strings.Repeat("ink ", MaxIdea/4)}},
		},
		"script-breakdown": {
			{"script": strings.Repeat("x", 50_000)}, {"script": strings.Repeat("Mira: a.\n", 5_000)}, {"script": strings.Repeat("\"a\" said Mira. ", 3_100)},
			{"script": strings.Repeat("INT. A - DAY\n", 3_800)}, {"script": strings.Repeat("MIRA\n\n", 8_000)}, {"script": strings.Repeat("“Aa ", 12_000)},
		},
	}
	for _, n := range Known() {
		if n.RunsInline() != (len(inputs[n.Type]) > 0) {
			t.Errorf("%s is done at once: %v; say so here, and try it", n.Type, n.RunsInline())
		}
		for i, input := range inputs[n.Type] {
			started := time.Now()
			_, _ = try(t, nil, n.Type, input)
			if took := time.Since(started); took > 30*time.Second {
				t.Errorf("%s took %v for input %d", n.Type, took, i)
			}
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("Dear {{name}}", "Ada")
	f.Add("{{{{name}}}}", "{{name}}")
	f.Add("{{ name }}{{name", "}}")
	f.Add("{{näme.x}} {{name}}\x00", "\xff")
	f.Fuzz(func(t *testing.T, template, value string) {
		got, _ := fillTemplate(template, map[string]any{"name": value})
		if !strings.Contains(template, "{{") && got != template {
			t.Fatalf("%q became %q", template, got)
		}
		if strings.Count(template, "{{name}}") == 1 && !strings.Contains(got, value) {
			t.Fatalf("%q lost %q: %q", template, value, got)
		}
	})
}
