//go:build !race

package frame

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"atelier/jsontext"
	"atelier/web/ui"
)

func TestShownJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":[1,2.5,null],"a":{"x":"<&>","y":{}},"c":[]}`: "{\n  \"a\": {\n    \"x\": \"<&>\",\n    \"y\": {}\n  },\n  \"b\": [\n    1,\n    2.5,\n    null\n  ],\n  \"c\": []\n}",
		`9007199254740993`: "9007199254740993", `null`: "null", `"a"`: `"a"`, `no`: "no",
	} {
		if got := ShownRaw([]byte(text)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := ShownJSON(map[string]any(nil)); got != "null" {
		t.Error(got)
	}
}

// A value of any size and depth is shown as its beginning.
func TestShownJSONStops(t *testing.T) {
	deep := any("x")
	for range 9_000 {
		deep = []any{deep}
	}
	wide, far := []any{}, any([]any{1, 1, 1, 1})
	for range 1_000_000 {
		wide = append(wide, 1)
	}
	for range 60 {
		far = []any{far, far}
	}
	for name, v := range map[string]any{"deep": deep, "wide": wide, "doubled": far, "long": strings.Repeat("ü\"", 1<<20), "long key": map[string]any{strings.Repeat("ü", 1<<20): deep}} {
		if got := ShownJSON(v); len(got) > ui.MaxShown+1 || name != "deep" && len(got) < ui.MaxShown-3 || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

// FuzzShownJSON: what fits is written as encoding/json writes it.
func FuzzShownJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":null}],"":""}`, `[[],{},[[]]]`, `"\u2028<\u0000\ud800"`, `[1e300,-0.0,12345678901234567890]`, "\"" + strings.Repeat("é", 40_000) + "\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if jsontext.ReadExact([]byte(text), &v) != nil {
			return
		}
		got, want := ShownJSON(v), WriteJSON(v)
		if len(want) <= ui.MaxShown && got != want {
			t.Fatalf("%s\nwant\n%s", got, want)
		}
		if len(got) > ui.MaxShown+1 || len(want) > ui.MaxShown && !strings.HasPrefix(want, got[:len(got)-1]) {
			t.Fatalf("%d bytes of %d", len(got), len(want))
		}
		if len(want) <= ui.MaxShown && !json.Valid([]byte(got)) {
			t.Fatal("no JSON")
		}
	})
}
