//go:build !race

package run

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// What flows between nodes is bounded: a text that doubles with every node, an
// output that is nested too deeply, and more than a node may work on.
func TestWhatFlowsIsBounded(t *testing.T) {
	e := newEngine(t)
	deep := any("x")
	for range models.MaxJSONDepth {
		deep = []any{deep}
	}
	slow(t, "combine-text", func(_ context.Context, in *kit.Call) (kit.Output, error) {
		switch in.Input["separator"] {
		case "deep":
			return kit.Output{"data": deep}, nil
		case "large":
			return kit.Output{"data": strings.Repeat("x", maxOutput)}, nil
		}
		return kit.Output{"text": strings.Repeat("x", maxOutput/2)}, nil
	})
	named := func(id, what string) *nodegraph.Node {
		return &nodegraph.Node{ID: id, Type: "combine-text", Data: map[string]any{"separator": what}}
	}
	all, edges := nodegraph.Nodes{named("deep", "deep"), named("large", "large")}, nodegraph.Edges{}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		all, edges = append(all, named(id, "")), append(edges, edge(id, "sum"))
	}
	all = append(all, named("sum", ""))
	exec := e.start(all, edges)
	e.work()
	for id, part := range map[string]string{"deep": "nests deeper", "large": "larger than 8 MiB", "sum": "What feeds the node"} {
		if job := e.jobs(exec.ID)[id]; job.Status != JobFailed || job.ErrorMessage == nil || !strings.Contains(*job.ErrorMessage, part) {
			t.Errorf("%s is %s: %v", id, job.Status, models.Deref(job.ErrorMessage))
		}
	}
}

// One text that feeds many nodes, and one node many times, is added up as often as it does.
func TestWhatFeedsARunIsAddedUp(t *testing.T) {
	e := newEngine(t)
	slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) { return kit.Output{"text": "x"}, nil })
	whole := maxFed
	maxFed = 5 << 20
	t.Cleanup(func() { maxFed = whole })
	all := nodegraph.Nodes{{ID: "t", Type: "text", Data: map[string]any{"text": strings.Repeat("x", 900_000)}}}
	var edges nodegraph.Edges
	for i := range 3 {
		id := fmt.Sprint("c", i)
		all = append(all, &nodegraph.Node{ID: id, Type: "combine-text", Data: map[string]any{}})
		for n := range 2 {
			edges = append(edges, &nodegraph.Edge{ID: fmt.Sprint(id, "-", n), Source: "t", Target: id})
		}
	}
	all = append(all, &nodegraph.Node{ID: "often", Type: "combine-text", Data: map[string]any{}})
	for n := range 700 {
		edges = append(edges, &nodegraph.Edge{ID: fmt.Sprint("often-", n), Source: "t", Target: "often"})
	}
	exec := e.start(all, edges)
	e.work()
	together, alone := 0, 0
	for id, job := range e.jobs(exec.ID) {
		switch message := models.Deref(job.ErrorMessage); {
		case job.Status == JobCompleted:
		case strings.Contains(message, "5 MiB together"):
			together++
		case strings.Contains(message, "larger than 16 MiB"):
			alone++
		default:
			t.Errorf("%s is %s: %s", id, job.Status, message)
		}
	}
	if together == 0 || alone+together != len(all)-1-2 {
		t.Errorf("%d were refused for the run, %d by themselves", together, alone)
	}
}

func TestResultsLoseNULAndNothingElse(t *testing.T) {
	for sent, want := range map[string]string{"a\x00b": "ab", `a\u0000b`: `a\u0000b`, "\\\x00": `\`, `\\u0000` + "\x00": `\\u0000`} {
		got, _, err := storable(kit.Output{"text": sent})
		if err != nil || got["text"] != want {
			t.Errorf("%q: %q, %v", sent, got["text"], err)
		}
	}
}

// What much feeds is left to a worker, which does it outside of transactions, a few at
// once in a process; what shared its item goes on beside it.
func TestLargeWorkIsDoneOutsideOfTransactions(t *testing.T) {
	e := newEngine(t)
	placed := map[string]bool{} // whether a place was taken when a node ran
	var mu sync.Mutex
	change(t, "combine-text", func(n *kit.Node) {
		n.Run = func(_ context.Context, in *kit.Call) (kit.Output, error) {
			mu.Lock()
			if id := fmt.Sprint(in.Input["separator"]); id != "end" { // it follows in the transaction that ends the large one
				placed[id] = len(largeWork) > 0
			}
			mu.Unlock()
			return kit.Output{"text": "x"}, nil
		}
	})
	all := nodegraph.Nodes{{ID: "t", Type: "text", Data: map[string]any{"text": strings.Repeat("x", 100_000)}}}
	var edges nodegraph.Edges
	for id, n := range map[string]int{"large": 20, "larger": 40, "small": 2, "smaller": 1} {
		all = append(all, &nodegraph.Node{ID: id, Type: "combine-text", Data: map[string]any{"separator": id}})
		for i := range n {
			edges = append(edges, &nodegraph.Edge{ID: fmt.Sprint(id, "-", i), Source: "t", Target: id})
		}
	}
	all, edges = append(all, &nodegraph.Node{ID: "end", Type: "combine-text", Data: map[string]any{"separator": "end"}}), append(edges, edge("large", "end"), edge("small", "end"))
	exec := e.start(all, edges)
	e.work()
	for id, job := range e.jobs(exec.ID) {
		if job.Status != JobCompleted {
			t.Errorf("%s is %s: %s", id, job.Status, models.Deref(job.ErrorMessage))
		}
	}
	if want := map[string]bool{"small": false, "smaller": false, "large": true, "larger": true}; !maps.Equal(placed, want) {
		t.Errorf("nodes that had a place: %v, want %v", placed, want)
	}
}

// What components bring into a run is bounded together.
func TestComponentsTogetherAreBounded(t *testing.T) {
	e := newEngine(t)
	many, heavy := nodegraph.Nodes{}, nodegraph.Nodes{text("a", strings.Repeat("x", 3<<20))}
	for i := range maxInComponent - 10 {
		many = append(many, text(fmt.Sprint("t", i), "x"))
	}
	for part, graph := range map[string]nodegraph.Nodes{"at most 2000 nodes together": many, "at most 16 MiB together": heavy} {
		id := e.addWorkflow(e.user, graph, nil)
		all := nodegraph.Nodes{}
		for i := range 10 {
			all = append(all, componentNode(fmt.Sprint("c", i), id, nil))
		}
		wantError(t, e.tryNodes(all), models.CodeValidation, part)
		if err := e.tryNodes(all[:4]); err != nil {
			t.Errorf("four of them: %v", err)
		}
	}
}
