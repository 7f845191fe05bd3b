package flow

import (
	"context"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/nodegraph"
	"atelier/nodes"
)

// What flows between nodes is bounded: a text that doubles with every node, an
// output that is nested too deeply, and more than a node may work on.
func TestWhatFlowsIsBounded(t *testing.T) {
	e := newEngine(t)
	deep := any("x")
	for range models.MaxJSONDepth {
		deep = []any{deep}
	}
	slow(t, "combine-text", func(_ context.Context, in *nodes.Call) (nodes.Output, error) {
		switch in.Input["separator"] {
		case "deep":
			return nodes.Output{"data": deep}, nil
		case "large":
			return nodes.Output{"data": strings.Repeat("x", mostOutput)}, nil
		}
		return nodes.Output{"text": strings.Repeat("x", mostOutput/2)}, nil
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
			t.Errorf("%s is %s: %v", id, job.Status, orZero(job.ErrorMessage))
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
