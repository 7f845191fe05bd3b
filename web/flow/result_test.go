//go:build !race

package flow

import (
	"encoding/json"
	"strings"
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

func TestMainResults(t *testing.T) {
	c := Pages{frame.New(frame.Config{PublicURL: "https://atelier.example"})}
	out := func(m map[string]any) *map[string]any { return &m }
	run := query.RunDetail{
		Title: "Poster", Status: query.ExecutionStatusCompleted, Result: &query.RunResult{NodeId: "b"},
		Nodes: []query.FlowNode{{Id: "a", Type: "no-schema"}, {Id: "b", Type: "generate-image"}, {Id: "c", Type: "no-schema"}},
		NodeStates: []query.RunNodeState{
			{NodeId: "a", Status: query.NodeStatusCompleted, Output: out(map[string]any{"text": "words"})},
			{NodeId: "b", Status: query.NodeStatusCompleted, Output: out(map[string]any{"text": "last", "imageUrl": "https://b.example/i.png", "url": c.Config.PublicURL + "/media/x.png"})},
			{NodeId: "c", Status: query.NodeStatusFailed},
		},
	}
	about := "A red fox / in the snow"
	run.Subject = &about
	got := c.mainResults(t.Context(), run, testKinds())
	if len(got) != 1 || got[0].Address != "/media/x.png" || !got[0].Embedded || got[0].Kind != "image" || got[0].File != "poster-a-red-fox-in-the-snow.png" {
		t.Errorf("the result of the run: %+v", got)
	}
	run.App = &query.AppOfRun{InputItems: []json.RawMessage{[]byte(`{"type":"output","nodeId":"b"}`), []byte(`{"type":"output","nodeId":"a"}`)}}
	if got := c.mainResults(t.Context(), run, testKinds()); len(got) != 2 || got[1].Text != "words" {
		t.Errorf("with the outputs that the form shows: %+v", got)
	}
	run.Status = query.ExecutionStatusFailed
	if got := c.mainResults(t.Context(), run, testKinds()); got != nil {
		t.Errorf("of a run that failed: %+v", got)
	}
	bad := c.resultOf(t.Context(), "x", query.NodeKind{OutputType: "image"}, map[string]any{"url": "javascript:alert(1)"}, nil)
	if bad.Address != "" || bad.Kind != "data" {
		t.Errorf("an address that is none: %+v", bad)
	}
}

// TestFilmsOfData shows what data was made visible as, and nothing that only stands beside it.
func TestFilmsOfData(t *testing.T) {
	c := Pages{frame.New(frame.Config{PublicURL: "https://atelier.example"})}
	media := func(name string) string { return c.Config.PublicURL + "/media/" + name }
	for name, want := range map[string]struct {
		output map[string]any
		kind   string
	}{
		"a film":                {map[string]any{"url": media("a.webm"), "videoUrl": media("a.webm"), "motionUrl": media("a.json")}, "video"},
		"a GIF":                 {map[string]any{"url": media("a.gif"), "imageUrl": media("a.gif"), "motionUrl": media("a.json")}, "image"},
		"a document":            {map[string]any{"url": media("a.json")}, "data"},
		"a picture of its own":  {map[string]any{"url": media("a.json"), "imageUrl": media("a.png")}, "data"},
		"a picture looked at":   {map[string]any{"faces": 2, "imageUrl": media("a.png")}, "data"},
		"an address that is no": {map[string]any{"url": "javascript:alert(1)", "imageUrl": "javascript:alert(1)"}, "data"},
	} {
		if got := c.resultOf(t.Context(), "x", query.NodeKind{OutputType: "data"}, want.output, nil); got.Kind != want.kind {
			t.Errorf("%s: %+v", name, got)
		}
	}
	film := c.resultOf(t.Context(), "x", query.NodeKind{OutputType: "data"}, map[string]any{"url": media("a.webm"), "videoUrl": media("a.webm"), "motionUrl": media("a.json"), "warnings": []any{"Letters were left out.", 7}}, nil)
	var page strings.Builder
	if err := resultContent(film).Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`<video class="result-media" src="/media/a.webm"`, `<a href="/media/a.json" download>`, "Letters were left out."} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("%s is missing in %s", part, page.String())
		}
	}
	alone := c.resultOf(t.Context(), "x", query.NodeKind{OutputType: "data"}, map[string]any{"url": media("a.json"), "motionUrl": media("a.json"), "warnings": []any{"Install it."}}, nil)
	if alone.Motion != "" || len(alone.Words.Warnings) != 1 {
		t.Errorf("a document alone: %+v", alone)
	}
}

func TestRunAgain(t *testing.T) {
	c, k := Pages{frame.New(frame.Config{})}, testKinds()
	workflow, workspace := "0198", "0199"
	run := query.RunDetail{Id: "0197", WorkflowId: &workflow, WorkspaceId: &workspace, Nodes: []query.FlowNode{{Id: "a", Type: "generate-image", Data: map[string]any{"prompt": "a fox & a hare"}}}}
	if got := c.runAgain(t.Context(), run, k); !strings.HasPrefix(got, "/workflows/0198?") || !strings.Contains(got, "a+fox+%26+a+hare") {
		t.Errorf("of a workflow: %s", got)
	}
	run.Nodes[0].Data["prompt"] = strings.Repeat("x", maxPrefill)
	if got := c.runAgain(t.Context(), run, k); got != "" {
		t.Errorf("with values that do not fit into an address: %d bytes", len(got))
	}
	run.App = &query.AppOfRun{Slug: "poster"}
	if got := c.runAgain(t.Context(), run, k); got != "/app/poster?again=0197&in=0199" {
		t.Errorf("of an app: %s", got)
	}
}
