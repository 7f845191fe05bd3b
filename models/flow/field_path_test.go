package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes"
)

// longPaths are names beyond the bounds: parts, characters, and as many parts
// as once filled the stack of whoever encoded the data.
var longPaths = map[string]string{
	"eleven parts":         "values" + strings.Repeat(".a", 10),
	"201 characters":       "values." + strings.Repeat("ü", 194),
	"a million parts":      "values" + strings.Repeat(".a", 1_200_000),
	"two million in a key": strings.Repeat("a", 2_000_000),
	"a long slot":          "slot:" + strings.Repeat("a", 200),
}

func TestAPathHasTenPartsAndTwoHundredCharacters(t *testing.T) {
	for name, path := range longPaths {
		t.Run(name, func(t *testing.T) {
			wantError(t, checkPath("field", path), models.CodeValidation, "must have at most")
		})
	}
	for _, path := range []string{"a", "values" + strings.Repeat(".a", 9), "values." + strings.Repeat("ü", 193), "slot:a.b.c.d.e.f.g.h.i.j.k", "a..b", ""} {
		if err := checkPath("field", path); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestNoRunSetsALongPath(t *testing.T) {
	all := Nodes{node("t", "template-text", nil), node("m", "motion", map[string]any{planField: plan3()})}
	for name, path := range longPaths {
		t.Run(name, func(t *testing.T) {
			_, err := ApplyInputs(all, nil, nil, nil, override("t", path, 1))
			wantError(t, err, models.CodeValidation, "must have at most")
			if refusal, _ := models.AsError(err); len(refusal.Message) > 3_000 || !strings.HasPrefix(refusal.Field, "inputOverrides.t.") {
				t.Errorf("field %.100q, message of %d bytes", refusal.Field, len(refusal.Message))
			}
			exposed := []Input{{ID: "i", NodeID: "t", Field: path}}
			_, err = ApplyInputs(all, nil, exposed, map[string]any{"i": 1}, nil)
			wantError(t, err, models.CodeValidation, "inputs.i must have at most")
		})
	}
}

func TestNoRunSetsTooMuch(t *testing.T) {
	many := map[string]any{}
	for i := range maxRunValues + 1 {
		many[fmt.Sprintf("values.v%d", i)] = "x"
	}
	all := Nodes{node("t", "template-text", nil)}
	_, err := ApplyInputs(all, nil, nil, nil, map[string]any{"t": many})
	wantError(t, err, models.CodeValidation, "inputOverrides must set at most 2000 fields")
	_, err = ApplyInputs(all, nil, nil, many, nil)
	wantError(t, err, models.CodeValidation, "inputs must be at most 2000")
	delete(many, "values.v0")
	run, err := ApplyInputs(all, nil, nil, nil, map[string]any{"t": many})
	if err != nil || len(run[0].Data["values"].(map[string]any)) != maxRunValues {
		t.Fatal(err)
	}
}

func TestAValueThatWouldNestTooDeepIsRefused(t *testing.T) {
	all := Nodes{node("t", "template-text", nil)}
	for depth, fits := range map[int]bool{62: true, 63: false} {
		_, err := ApplyInputs(all, nil, nil, nil, override("t", "values.a", nested(depth)))
		if (err == nil) != fits {
			t.Errorf("a value of %d levels within values.a: %v", depth, err)
		}
	}
	for depth, fits := range map[int]bool{60: true, 61: false} {
		err := ValidateGraph(Nodes{node("t", "template-text", map[string]any{"values": nested(depth)})}, nil)
		if (err == nil) != fits {
			t.Errorf("data with a value of %d levels: %v", depth, err)
		}
	}
}

// nested are lists within each other, an object at their heart.
func nested(depth int) any {
	value := any(map[string]any{})
	for range depth - 1 {
		value = map[string]any{"a": value}
	}
	return value
}

func TestNoGraphIsSavedWithALongPath(t *testing.T) {
	source, target := text("a", "x"), node("b", "template-text", nil)
	for name, path := range longPaths {
		graphs := map[string]struct {
			all   Nodes
			edges Edges
		}{
			"edges.a>b.targetHandle": {Nodes{source, target}, Edges{handle(edge("a", "b"), "", path)}},
			"edges.a>b.sourceHandle": {Nodes{source, target}, Edges{handle(edge("a", "b"), path, "values.x")}},
			"edges.a>g.targetHandle": {Nodes{source, target, group("g")}, Edges{handle(edge("a", "g"), "", path)}},
			"nodes.b.data.parameters[0].name": {Nodes{node("b", "webhook-output", map[string]any{
				"parameters": []any{map[string]any{"name": path, "type": "text"}}})}, nil},
			"nodes.b.data.fieldMappings.values.x.output": {Nodes{source, node("b", "template-text", map[string]any{
				"fieldMappings": map[string]any{"values.x": map[string]any{"nodeId": "a", "output": path}}})}, nil},
			"nodes.b.data.fieldMappings." + models.Shortened(path, 100): {Nodes{source, node("b", "template-text", map[string]any{
				"fieldMappings": map[string]any{path: map[string]any{"nodeId": "a"}}})}, nil},
		}
		for field, g := range graphs {
			err := ValidateGraph(g.all, g.edges)
			refusal, _ := models.AsError(err)
			if err == nil || refusal.Code != models.CodeValidation || !strings.HasPrefix(refusal.Field, strings.TrimSuffix(field, "…")) || len(refusal.Message) > 3_000 {
				t.Errorf("%s, %s: %.300v", name, field, err)
			}
		}
	}
}

// Graphs were saved before their paths had bounds: their nodes fail, and
// nothing else does.
func TestARunOfAGraphWithALongPathFailsItsNode(t *testing.T) {
	e := newEngine(t)
	for name, path := range longPaths {
		t.Run(name, func(t *testing.T) {
			for kind, start := range map[string]*Node{"inline": node("a", "combine-text", map[string]any{"texts": []any{"x"}}), "waits": node("a", "delay", map[string]any{"seconds": 0, "input": "x"})} {
				exec := e.start(Nodes{start, node("b", "template-text", map[string]any{"template": "x"})}, Edges{handle(edge("a", "b"), "", path)})
				e.work()
				job := e.jobs(exec.ID)["b"]
				if job == nil || job.Status != JobFailed || !strings.Contains(*job.ErrorMessage, "cannot be fed: it must have at most") || len(*job.ErrorMessage) > 1_000 || job.ErrorHint == nil {
					t.Errorf("%s: %+v", kind, job)
				}
			}
		})
	}
}

func TestAResultThatNestsTooDeepFailsItsNode(t *testing.T) {
	e := newEngine(t)
	for depth, want := range map[int]JobStatus{63: JobCompleted, 64: JobFailed, 9_000: JobFailed} {
		slow(t, "delay", func(context.Context, *nodes.Call) (nodes.Output, error) {
			return nodes.Output{"data": nested(depth)}, nil
		})
		exec := e.start(Nodes{node("a", "delay", nil)}, nil)
		e.work()
		job := e.jobs(exec.ID)["a"]
		if job.Status != want || want == JobFailed && (*job.ErrorMessage != "The node's result nests deeper than 64 levels" || job.ErrorHint == nil) {
			t.Errorf("a result of %d levels: %s, %v", depth, job.Status, job.ErrorMessage)
		}
	}
}

func TestResultsLoseNULAndNothingElse(t *testing.T) {
	for sent, want := range map[string]string{"a\x00b": "ab", `a\u0000b`: `a\u0000b`, "\\\x00": `\`, `\\u0000` + "\x00": `\\u0000`} {
		got, _, err := storable(nodes.Output{"text": sent})
		if err != nil || got["text"] != want {
			t.Errorf("%q: %q, %v", sent, got["text"], err)
		}
	}
}

// What many fields cost is what the data costs, not the data for each field.
func TestManyFieldsShareOneCopyOfTheData(t *testing.T) {
	values := map[string]any{}
	for i := range 100_000 {
		values[fmt.Sprint("k", i)] = i
	}
	o := overlayOf(map[string]any{"values": values})
	allocated := testing.AllocsPerRun(1, func() {
		for i := range maxRunValues {
			if err := o.set(fmt.Sprintf("values.v%d", i), i); err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocated > 20*maxRunValues {
		t.Errorf("%.0f allocations for %d fields", allocated, maxRunValues)
	}
	if _, changed := values["v0"]; changed {
		t.Error("the data that others share has changed")
	}
}

func FuzzSetPath(f *testing.F) {
	f.Add(`{"values":{"a":1}}`, "values.a", `2`)
	f.Add(`{"values":[1]}`, "values.a.b", `{"x":[[]]}`)
	f.Add(`{}`, "a"+strings.Repeat(".a", 11), `null`)
	f.Add(`{"slot:a.b":1}`, "slot:a.b", `"x"`)
	f.Add(`{"":{"":0}}`, ".", strings.Repeat("[", 62)+strings.Repeat("]", 62))
	f.Fuzz(func(t *testing.T, data, path, value string) {
		var before map[string]any
		var set any
		if models.ReadJSON([]byte(data), &before) != nil || models.ReadJSON([]byte(value), &set) != nil {
			return
		}
		was, _ := json.Marshal(before)
		after, err := setPath(before, path, set)
		if now, _ := json.Marshal(before); string(now) != string(was) {
			t.Fatalf("the given data has changed: %s", now)
		}
		if err != nil {
			if checkPath("field", path) == nil && models.JSONDepth(set) < 54 {
				t.Fatalf("%q: %v", path, err)
			}
			return
		}
		if got, ok := lookupPath(after, path); !ok || !reflect.DeepEqual(got, set) {
			t.Fatalf("%q was set to %v and is %v", path, set, got)
		}
		if models.JSONDepth(before) <= models.MaxJSONDepth && models.JSONDepth(after) > models.MaxJSONDepth {
			t.Fatal("the data nests too deep")
		}
		rest := maps.Clone(after)
		delete(rest, head(path))
		for key, kept := range rest {
			if !reflect.DeepEqual(kept, before[key]) {
				t.Fatalf("%q has changed", key)
			}
		}
	})
}
