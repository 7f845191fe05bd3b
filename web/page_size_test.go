//go:build !race

package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"atelier/web/frame"
)

// full is a world in which everything that has no bound of its own is as large
// as the service keeps it: graphs of 500 nodes and 5 MiB, results of 1 MiB.
func full(t *testing.T) *fake {
	deep := any("x")
	for range 60 {
		deep = []any{deep, `"`}
	}
	long := strings.Repeat(`"<&'`, 1<<18)
	data := map[string]any{"label": long[:4_000], "prompt": long[:2_000], "text": "**" + long[:2_000], "deep": deep, "slot": 1}
	f := newFake(t).school()
	nodes := make([]any, 500)
	for i := range nodes {
		nodes[i] = map[string]any{"id": strconv.Itoa(i), "type": "generate-image", "data": data}
	}
	f.set["CommunityPost.kind"], f.set["CommunityPost.description"], f.set["PostReport.details"] = "workflow", long[:2_000], long[:2_000]
	f.set["CommunityPost.content"] = map[string]any{"nodes": nodes, "edges": []any{}, "removed": make([]string, 5_000), "settings": data, "prompt": long[:4_000]}
	for key, v := range map[string]any{
		"WorkflowNode.data": data, "WorkflowNode.type": "generate-image", "Workflow.nodes": 500, "Workflow.edges": 1_000, "WorkflowVersion.nodes": 500,
		"App.snapshotNodes": 500, "App.inputItems": 500, "Execution.nodes": 500, "Execution.edges": 1_000, "Execution.nodeStates": 500,
		"Execution.errorMessage": long, "NodeState.output": map[string]any{"text": long[:20_000], "data": deep},
		"Job.inputData": map[string]any{"data": deep, "text": long}, "Job.outputData": map[string]any{"text": long, "data": deep},
		"Job.errorMessage": long[:20_000], "Job.errorHint": long[:20_000], "Delivery.requestBody": long, "Delivery.responseBody": long[:2_048],
		"AuditEntry.details": map[string]any{"name": map[string]any{"from": long[:100_000], "to": deep}},
	} {
		f.set[key] = v
	}
	return f
}

// whole are the pages that hold a graph to edit, whose bound is the graph's.
var whole = []string{"/workflows/" + someID, "/workflows/" + someID + "/editor", "/workflows/" + someID + "/publish"}

func TestNoPageIsLargerThanItsBound(t *testing.T) {
	f := full(t)
	all := pages(t)
	for _, path := range all {
		if page, in := strings.CutPrefix(path, "/workspaces/"+someID); in && slices.Contains(all, page) {
			continue // the same page with the workspace around it (frame.Spaces)
		}
		w := get(f, path)
		most := 2 << 20
		for _, name := range whole {
			if path == name {
				most = frame.MaxPageBytes
			}
		}
		if w.Code >= 500 || w.Body.Len() > most {
			t.Errorf("GET %s: %d, %d bytes", path, w.Code, w.Body.Len())
		}
	}
}

func TestAPageBeyondAllBoundsIsAnErrorPage(t *testing.T) {
	f := newFake(t).with("User.displayName", strings.Repeat("x", frame.MaxPageBytes))
	if w := get(f, "/account"); w.Code != http.StatusRequestEntityTooLarge && w.Code != http.StatusOK || w.Body.Len() > frame.MaxPageBytes {
		t.Errorf("%d, %d bytes", w.Code, w.Body.Len())
	}
}
