//go:build !race

// A query runs in a child of the same program under a limit on its memory. The
// race detector maps more than any limit before a program begins, so these
// tests run without it: see scripts/test.

package nodes

import (
	"reflect"
	"testing"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		input      map[string]any
		key        string
		want       any
	}{
		{"query", "json-query", map[string]any{"data": `{"a":[{"n":"x"},{"n":"y"}]}`, "query": ".a[1].n"}, "text", "y"},
		{"query many", "json-query", map[string]any{"data": map[string]any{"a": []any{1.0, 2.0}}, "query": ".a[]"}, "data", []any{1.0, 2.0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := must(t, nil, c.kind, c.input)[c.key]; !reflect.DeepEqual(got, c.want) {
				t.Fatalf("%s = %#v, want %#v", c.key, got, c.want)
			}
		})
	}
}

func TestBoundsOfQueries(t *testing.T) {
	for query, part := range map[string]string{
		"range(1e9)":      "too much",
		"until(false; .)": "longer than",
		"[range(1e12)]":   "",
		`reduce range(1e9) as $i ("x"; . + .) | length`: "too much memory",
		"reduce range(60) as $i (0; [., .])":            "",
		"reduce range(60) as $i (0; [., .]) | tojson":   "",
		".a | error(\"no\")":                            "no",
	} {
		_, err := try(t, nil, "json-query", map[string]any{"data": "{}", "query": query})
		wantFailure(t, err, part)
	}
	_, err := try(t, nil, "json-query", map[string]any{"data": 1.0, "query": ".a"})
	wantFailure(t, err, "The query failed")
	if out := must(t, nil, "json-query", map[string]any{"data": "{}", "query": "env | length"}); out["data"] != 0.0 {
		t.Fatalf("a query sees the environment: %v", out)
	}
}
