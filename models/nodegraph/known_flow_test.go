//go:build !race

package nodegraph

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/nodes/kit"
)

// many are n edges from one node to another.
func many(n int, source, target string) (edges Edges) {
	for i := range n {
		edges = append(edges, &Edge{ID: fmt.Sprintf("%s>%s#%d", source, target, i), Source: source, Target: target})
	}
	return edges
}

func TestNoGraphIsSavedWhoseTextsAreFedTooOften(t *testing.T) {
	big := strings.Repeat("x", 900_000)
	often := map[string]any{}
	for i := range 700 {
		often[fmt.Sprintf("values.v%d", i)] = map[string]any{"nodeId": "t"}
	}
	passed := Edges{edge("t", "u")}
	wide, wideEdges := Nodes{text("t", big)}, Edges{}
	for i := range 20 {
		id := fmt.Sprint("c", i)
		wide, wideEdges = append(wide, combine(id)), append(wideEdges, many(17, "t", id)...)
	}
	for name, c := range map[string]struct {
		nodes Nodes
		edges Edges
		part  string
	}{
		"700 edges":             {Nodes{text("t", big), combine("c")}, many(700, "t", "c"), "nodes.c would be fed more than 16 MiB"},
		"700 mappings":          {Nodes{text("t", big), node("c", "template-text", map[string]any{"fieldMappings": often})}, nil, "nodes.c would be fed more than 16 MiB"},
		"by way of a text":      {Nodes{text("t", big), text("u", ""), combine("c")}, append(passed, many(19, "u", "c")...), "nodes.c would be fed"},
		"by way of a list":      {Nodes{text("t", big[:200_000]), combine("u"), combine("c")}, append(many(5, "t", "u"), many(18, "u", "c")...), "nodes.c would be fed"},
		"many nodes, each less": {wide, wideEdges, "texts that feed the nodes of a run have at most 256 MiB together"},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, Validate(nil, c.nodes, c.edges), models.CodeValidation, c.part)
			if found := Problems(nil, c.nodes, c.edges); len(found) != 1 || found[0].NodeID == nil {
				t.Errorf("problems: %+v", found)
			}
		})
	}
	if err := Validate(nil, Nodes{text("t", big), combine("c")}, many(18, "t", "c")); err != nil {
		t.Error(err)
	}
}

func TestWhatFeedsANodeIsAddedUpBeforeItIsBuilt(t *testing.T) {
	big := strings.Repeat("x", 900_000)
	numbers := make([]any, 100_000)
	for i := range numbers {
		numbers[i] = 1.0
	}
	for name, c := range map[string]struct {
		value any
		times int
		part  string
	}{
		"bytes":  {big, 700, "larger than 16 MiB"},
		"values": {numbers, 11, "more than 1000000 values"},
		"fits":   {big, 18, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := NewPlan(Nodes{text("t", ""), combine("c")}, many(c.times, "t", "c"))
			in, _, err := plan.Input(plan.Nodes["c"], map[string]Data{"t": {"text": c.value}})
			list, _ := in["texts"].([]any)
			var failure *kit.Failure
			if c.part == "" {
				if err != nil || len(list) != c.times {
					t.Fatalf("%d, %v", len(list), err)
				}
			} else if !errors.As(err, &failure) || !strings.Contains(failure.Message, c.part) || len(list) != 0 {
				t.Fatalf("%d, %v", len(list), err)
			}
		})
	}
}

// A graph of as many edges as there may be, to a node with as many parameters as fit into
// it, is judged in a moment.
func TestEdgesAndParametersAreJudgedOnceEach(t *testing.T) {
	var parameters []any
	for i := range 46_000 {
		parameters = append(parameters, map[string]any{"name": fmt.Sprint("p", i)})
	}
	all := Nodes{text("t", ""), node("w", "schedule-trigger", map[string]any{"parameters": parameters})}
	edges := many(5_000, "t", "w")
	for i, e := range edges {
		handle(e, "", fmt.Sprint("p", 45_999-i))
	}
	began := processorTime(t)
	if err := Validate(nil, all, edges); err != nil {
		t.Fatal(err)
	}
	if took := processorTime(t) - began; took > 8*time.Second { // 0.2 s; it was more than 20
		t.Errorf("took %s", took)
	}
}

func TestAGraphHasAtMost5000Mappings(t *testing.T) {
	mappings := map[string]any{}
	for i := range maxMappings + 1 {
		mappings[fmt.Sprint("values.v", i)] = map[string]any{"nodeId": "t"}
	}
	wantError(t, Validate(nil, Nodes{text("t", ""), node("c", "template-text", map[string]any{"fieldMappings": mappings})}, nil),
		models.CodeValidation, "nodes.c.data.fieldMappings must be at most 5000")
}

func TestInputsOfComponentsAndSlotsHaveNamesThatARunCanSet(t *testing.T) {
	const id = "01890a5d-ac96-774b-bcce-b302099a8057"
	for name, path := range longPaths {
		if strings.HasPrefix(path, slotPrefix) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, inputs := range []map[string]any{{"t." + path: "x"}, {"t": map[string]any{path: "x"}}} {
				component := node("c", ComponentType, map[string]any{"workflowId": id, "inputs": inputs})
				wantError(t, Validate(nil, Nodes{component}, nil), models.CodeValidation, "must have at most")
			}
		})
	}
	for _, field := range []string{"text", "values" + strings.Repeat(".a", 9)} {
		component := node("c", ComponentType, map[string]any{"workflowId": id, "inputs": map[string]any{"t." + field: "x", "u": map[string]any{field: "x"}}})
		if err := Validate(nil, Nodes{component}, nil); err != nil {
			t.Error(err)
		}
	}
	plan := plan3()
	plan["slots"].(map[string]any)[strings.Repeat("a", 200)] = map[string]any{"type": "text", "value": "x"}
	wantError(t, Validate(nil, Nodes{node("m", "motion", map[string]any{planField: plan})}, nil), models.CodeValidation, "must have at most 200")
}
