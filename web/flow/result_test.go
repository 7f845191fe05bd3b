package flow

import (
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

func TestMainResults(t *testing.T) {
	c := Pages{frame.New(frame.Config{PublicURL: "https://atelier.example"})}
	out := func(m map[string]any) *map[string]any { return &m }
	run := query.RunDetail{
		Nodes: []query.FlowNode{{Id: "a", Type: "no-schema"}, {Id: "b", Type: "generate-image"}, {Id: "c", Type: "no-schema"}},
		NodeStates: []query.RunNodeState{
			{NodeId: "a", Status: query.NodeStatusCompleted, Output: out(map[string]any{"text": "words"})},
			{NodeId: "b", Status: query.NodeStatusCompleted, Output: out(map[string]any{"text": "last", "imageUrl": "https://b.example/i.png", "url": c.Config.PublicURL + "/media/x.png"})},
			{NodeId: "c", Status: query.NodeStatusFailed},
		},
	}
	b := "b"
	got := c.mainResults(&b, run, testKinds())
	if len(got) != 1 || got[0].Address != "/media/x.png" || !got[0].Embedded || got[0].Kind != "image" {
		t.Errorf("by the thumbnail node: %+v", got)
	}
	if got := c.mainResults(nil, run, testKinds()); len(got) != 2 {
		t.Errorf("the last node is empty, so all outputs: %+v", got)
	}
	run.Nodes = run.Nodes[:1]
	if got := c.mainResults(nil, run, testKinds()); len(got) != 1 || got[0].Text != "words" {
		t.Errorf("the last node: %+v", got)
	}
	bad := c.resultOf("x", "image", map[string]any{"url": "javascript:alert(1)"})
	if bad.Address != "" || bad.Kind != "data" {
		t.Errorf("an address that is none: %+v", bad)
	}
}
