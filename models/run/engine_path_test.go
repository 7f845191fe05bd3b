package run

import (
	"context"
	"strings"
	"testing"

	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// Graphs were saved before their paths had bounds: their nodes fail, and
// nothing else does.
func TestARunOfAGraphWithALongPathFailsItsNode(t *testing.T) {
	e := newEngine(t)
	for name, path := range longPaths {
		t.Run(name, func(t *testing.T) {
			for kind, start := range map[string]*nodegraph.Node{"inline": node("a", "combine-text", map[string]any{"texts": []any{"x"}}), "waits": node("a", "delay", map[string]any{"seconds": 0, "input": "x"})} {
				exec := e.start(nodegraph.Nodes{start, node("b", "template-text", map[string]any{"template": "x"})}, nodegraph.Edges{handle(edge("a", "b"), "", path)})
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
		slow(t, "delay", func(context.Context, *kit.Call) (kit.Output, error) {
			return kit.Output{"data": nested(depth)}, nil
		})
		exec := e.start(nodegraph.Nodes{node("a", "delay", nil)}, nil)
		e.work()
		job := e.jobs(exec.ID)["a"]
		if job.Status != want || want == JobFailed && (*job.ErrorMessage != "The node's result nests deeper than 64 levels" || job.ErrorHint == nil) {
			t.Errorf("a result of %d levels: %s, %v", depth, job.Status, job.ErrorMessage)
		}
	}
}
