//go:build !race

// Users' programs run in a child of the same program under a limit on its memory. The
// race detector maps more than any limit before a program begins, so these
// tests run without it: see scripts/test.

package nodes

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"atelier/nodes/kit"
	"atelier/nodes/userprogram"
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
		"range(1e9)":                                  "too much",
		"[range(1e12)]":                               "",
		"reduce range(60) as $i (0; [., .])":          "",
		"reduce range(60) as $i (0; [., .]) | tojson": "",
		".a | error(\"no\")":                          "no",
	} {
		t.Run(query, func(t *testing.T) {
			if part == "" { // by time, or by memory
				hurry(t)
			}
			_, err := try(t, nil, "json-query", map[string]any{"data": "{}", "query": query})
			wantFailure(t, err, part)
		})
	}
	hurry(t)
	// Whichever bound such a query meets first, on time or on memory, ends it.
	for _, query := range []string{"until(false; .)", `reduce range(1e9) as $i ("x"; . + .) | length`} {
		_, err := try(t, nil, "json-query", map[string]any{"data": "{}", "query": query})
		var failure *kit.Failure
		if !errors.As(err, &failure) || failure.Message != "The query took longer than 1 seconds" && failure.Message != "The query needs too much memory" {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err := try(t, nil, "json-query", map[string]any{"data": 1.0, "query": ".a"})
	wantFailure(t, err, "The query failed")
	if out := must(t, nil, "json-query", map[string]any{"data": "{}", "query": "env | length"}); out["data"] != 0.0 {
		t.Fatalf("a query sees the environment: %v", out)
	}
}

// hurry gives programs a third of their time: how much it is changes nothing about their end.
func hurry(t *testing.T) {
	before := userprogram.ProcessorTime
	userprogram.ProcessorTime = time.Second
	t.Cleanup(func() { userprogram.ProcessorTime = before })
}

// What a user wrote ends, however it was meant, and soon.
func TestProgramsEnd(t *testing.T) {
	long := strings.Repeat("a", 900_000)
	for _, c := range []struct {
		kind  string
		input map[string]any
		part  string
	}{
		{"regex-text", map[string]any{"text": long, "pattern": "(?:a?){1000}b", "mode": "test"}, "longer than 3 seconds"},
		{"regex-text", map[string]any{"text": long, "pattern": "a*b|a", "mode": "extract"}, "longer than 1 seconds"},
		{"regex-text", map[string]any{"text": long, "pattern": "(?s).*", "replacement": strings.Repeat("$0", 1500)}, "too long"},
		{"regex-text", map[string]any{"text": long, "pattern": "a", "replacement": "bbb"}, "longer than 1 MiB"},
		{"regex-text", map[string]any{"text": long, "pattern": strings.Repeat("(", 900) + "a" + strings.Repeat(")", 900)}, "memory"},
		{"condition", map[string]any{"input": long, "expression": "input.matches('" + strings.Repeat("(a?){1000}", 30) + "b')"}, "longer than 1 seconds"},
		{"condition", map[string]any{"input": long, "values": map[string]any{"p": "(a?){900}b"}, "expression": "input.matches(values.p)"}, "longer than 1 seconds"},
		{"json-query", map[string]any{"data": "{}", "query": "def f: f; f"}, ""},
		{"json-query", map[string]any{"data": "{}", "query": "reduce range(100000) as $i (0; [.])"}, "nested"},
	} {
		t.Run(c.kind+" "+c.part, func(t *testing.T) {
			if c.part == "longer than 1 seconds" { // what ends by another bound has all of its time for that
				hurry(t)
			}
			started := time.Now()
			_, err := try(t, nil, c.kind, c.input)
			// On a machine that does much else the time may end what the memory would have ended.
			for again := 0; again < 4 && c.part == "memory" && err != nil && strings.Contains(err.Error(), "longer than 3 seconds"); again++ {
				started = time.Now()
				_, err = try(t, nil, c.kind, c.input)
			}
			wantFailure(t, err, c.part)
			if took := time.Since(started); took > time.Minute {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A child and the process itself come to the same.
func TestProgramsInChildren(t *testing.T) {
	pad := strings.Repeat("-", 20_000)
	for _, c := range []struct {
		kind  string
		input map[string]any
		key   string
		want  any
	}{
		{"regex-text", map[string]any{"text": "a1 <b2>" + pad, "pattern": `[a-z](\d)`, "mode": "extract"}, "items", []any{"1", "2"}},
		{"regex-text", map[string]any{"text": "HELLO" + pad, "pattern": strings.Repeat("x?", 200) + "hello", "mode": "test", "ignoreCase": true}, "matched", true},
		{"regex-text", map[string]any{"text": "a" + pad, "pattern": "-+", "replacement": "é\n"}, "text", "aé\n"},
		{"condition", map[string]any{"input": "x" + pad, "expression": "input.matches('^x-+$')", "then": "yes"}, "text", "yes"},
		{"condition", map[string]any{"values": map[string]any{"n": 12.0, "pad": pad}, "expression": "values.n < 13 && size(values.pad) == 20000", "then": "yes"}, "text", "yes"},
	} {
		if got := must(t, nil, c.kind, c.input)[c.key]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s of %s = %#v, want %#v", c.key, c.kind, got, c.want)
		}
	}
	_, err := try(t, nil, "condition", map[string]any{"input": pad, "expression": "input + input"})
	wantFailure(t, err, "not true or false")
	_, err = try(t, nil, "condition", map[string]any{"input": pad, "expression": "input < 3"})
	wantFailure(t, err, "could not be worked out")
}
