//go:build !race

package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSizeIsThatOfTheWrittenValue(t *testing.T) {
	most := Size{1 << 20, 1 << 20}
	for _, value := range []any{
		nil, true, "", "abc", "<a href=\"x\">&</a>\n\t\\ \u2028 \x01 ü 😀", 1.5, 1e300, json.Number("12.50"),
		[]any{}, []any{"a", 1.0, nil}, map[string]any{"a": []any{map[string]any{"b": "c"}}, "<": "x"}, []string{"a", "b\n"}, 7,
	} {
		b, _ := json.Marshal(value)
		got := SizeOf(value, most).Bytes
		// Commas that end a list or an object, and false for true, are counted too.
		if got < len(b) || got > len(b)+strings.Count(string(b), "[")+strings.Count(string(b), "{")+strings.Count(string(b), "true")+1 {
			t.Errorf("%s measures %d, and is %d long", b, got, len(b))
		}
	}
	if got := SizeOf([]any{"a", map[string]any{"b": nil}}, most).Values; got != 4 {
		t.Errorf("%d values instead of 4", got)
	}
}

func TestSizeLooksNoFurtherThanItsBound(t *testing.T) {
	shared := any("x")
	for range 50 { // 2 to the 50 texts when written
		shared = []any{shared, shared}
	}
	if got := SizeOf(shared, Size{1_000, 1_000}); !got.Beyond(Size{1_000, 1_000}) || got.Values > 2_000 {
		t.Errorf("measured %+v", got)
	}
}
