//go:build !race

package nodegraph

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"atelier/models"
)

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
			_, err := ApplyInputs(nil, all, nil, nil, nil, override("t", path, 1))
			wantError(t, err, models.CodeValidation, "must have at most")
			if refusal, _ := models.AsError(err); len(refusal.Message) > 3_000 || !strings.HasPrefix(refusal.Field, "inputOverrides.t.") {
				t.Errorf("field %.100q, message of %d bytes", refusal.Field, len(refusal.Message))
			}
			exposed := []Input{{ID: "i", NodeID: "t", Field: path}}
			_, err = ApplyInputs(nil, all, nil, exposed, map[string]any{"i": 1}, nil)
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
	_, err := ApplyInputs(nil, all, nil, nil, nil, map[string]any{"t": many})
	wantError(t, err, models.CodeValidation, "inputOverrides must set at most 2000 fields")
	_, err = ApplyInputs(nil, all, nil, nil, many, nil)
	wantError(t, err, models.CodeValidation, "inputs must be at most 2000")
	delete(many, "values.v0")
	run, err := ApplyInputs(nil, all, nil, nil, nil, map[string]any{"t": many})
	if err != nil || len(run[0].Data["values"].(map[string]any)) != maxRunValues {
		t.Fatal(err)
	}
}

func TestAValueThatWouldNestTooDeepIsRefused(t *testing.T) {
	all := Nodes{node("t", "template-text", nil)}
	for depth, fits := range map[int]bool{62: true, 63: false} {
		_, err := ApplyInputs(nil, all, nil, nil, nil, override("t", "values.a", nested(depth)))
		if (err == nil) != fits {
			t.Errorf("a value of %d levels within values.a: %v", depth, err)
		}
	}
	for depth, fits := range map[int]bool{60: true, 61: false} {
		err := Validate(nil, Nodes{node("t", "template-text", map[string]any{"values": nested(depth)})}, nil)
		if (err == nil) != fits {
			t.Errorf("data with a value of %d levels: %v", depth, err)
		}
	}
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
			err := Validate(nil, g.all, g.edges)
			refusal, _ := models.AsError(err)
			if err == nil || refusal.Code != models.CodeValidation || !strings.HasPrefix(refusal.Field, strings.TrimSuffix(field, "…")) || len(refusal.Message) > 3_000 {
				t.Errorf("%s, %s: %.300v", name, field, err)
			}
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
