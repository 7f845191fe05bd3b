//go:build !race

package flow

import (
	"context"
	"net/url"
	"testing"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/query"
)

func TestOnlyChangedValuesAreSent(t *testing.T) {
	node := query.FlowNode{Id: "n", Type: "generate-image", Data: map[string]any{"prompt": "a\nb", "seed": 7.0, "glow": true, "tags": []any{"x"}}}
	of := func(field string, allowed ...any) nodeform.Control {
		return nodeform.NewControl(nodeform.Input{ID: "in." + field, NodeID: "n", Field: field, AllowedValues: allowed}, node, testKinds())
	}
	controls := []nodeform.Control{of("prompt"), of("seed"), of("glow"), of("aspectRatio"), of("tags")}
	same := url.Values{"in-in.prompt": {"a\r\nb"}, "in-in.seed": {"7"}, "in-in.glow": {"on"}, "in-in.aspectRatio": {`"1:1"`}, "in-in.tags": {controls[4].Initial()}}
	in, err := readInputs(context.Background(), controls, same)
	if err != nil || in.named() != nil || in.overrides() != nil {
		t.Fatalf("unchanged: %+v %v", in, err)
	}
	if in, err := readInputs(context.Background(), controls[:2], url.Values{}); err != nil || in.named() != nil {
		t.Fatalf("fields that were not sent: %+v %v", in, err)
	}
	changed := url.Values{"in-in.prompt": {"c"}, "in-in.seed": {"1,000"}, "in-in.aspectRatio": {`"16:9"`}, "in-in.tags": {`["y", 2]`}}
	in, err = readInputs(context.Background(), controls, changed)
	want := `{"in.aspectRatio":"16:9","in.glow":false,"in.prompt":"c","in.seed":1000,"in.tags":["y",2]}`
	if err != nil || frame.JSONOf(in.Named) != want {
		t.Fatalf("changed: %s %v", frame.JSONOf(in.Named), err)
	}
	for name, bad := range map[string]url.Values{
		"in-in.seed": {"in-in.seed": {"7.5"}}, "in-in.aspectRatio": {"in-in.aspectRatio": {`"2:1"`}}, "in-in.tags": {"in-in.tags": {"["}},
	} {
		values := url.Values{}
		for k, v := range same {
			values[k] = v
		}
		for k, v := range bad {
			values[k] = v
		}
		if _, err := readInputs(context.Background(), controls, values); err == nil || err.(*frame.Error).Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
