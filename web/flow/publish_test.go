package flow

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

var pictureFlow = query.WorkflowHead{Nodes: []query.FlowNode{
	{Id: "words", Type: "template-text", Data: map[string]any{"template": "{{who}}", "values": map[string]any{"who": "Ada"}}},
	{Id: "picture", Type: "generate-image", Data: map[string]any{"prompt": "sky", "seed": 7.0}},
	{Id: "out", Type: "webhook-output", Data: map[string]any{"url": "https://a.example"}},
}}

func TestPublishFormBecomesItems(t *testing.T) {
	values := url.Values{
		"intro":              {"# Hello"},
		"expose":             {"picture.seed", "words.values.who", "picture.prompt", "out.url"},
		"allow:picture.seed": {"1\n 2 \n\n"}, "allow:picture.prompt": {"sky\nsea"}, "allow:words.template": {"not exposed"},
	}
	items, err := typedChoices(values).items(pictureFlow, testKinds(), "picture")
	want := `[{"type":"richtext","id":"intro","content":"# Hello"},` +
		`{"type":"field","id":"words.values.who","nodeId":"words","field":"values.who"},` +
		`{"type":"field","id":"picture.prompt","nodeId":"picture","field":"prompt","allowedValues":["sky","sea"]},` +
		`{"type":"field","id":"picture.seed","nodeId":"picture","field":"seed","allowedValues":[1,2]},` +
		`{"type":"field","id":"out.url","nodeId":"out","field":"url"},` +
		`{"type":"output","id":"result","nodeId":"picture"}]`
	if err != nil || frame.JSONOf(items) != want {
		t.Fatalf("%s\nwant\n%s\n%v", frame.JSONOf(items), want, err)
	}
	var raw []json.RawMessage
	for _, item := range items {
		raw = append(raw, json.RawMessage(frame.JSONOf(item)))
	}
	back := savedChoices(readInputItems(raw), raw)
	if again, err := back.items(pictureFlow, testKinds(), "picture"); err != nil || back.IsCustom || !reflect.DeepEqual(again, items) {
		t.Errorf("published again: %s %v", frame.JSONOf(again), err)
	}
}

// A form with groups cannot be told by boxes: it stays as JSON, and is published as it is.
func TestGroupsSurvivePublishingAgain(t *testing.T) {
	raw := []json.RawMessage{json.RawMessage(`{"type":"group","id":"g","items":[{"type":"field","id":"a","nodeId":"picture","field":"prompt"}]}`)}
	choices := savedChoices(readInputItems(raw), raw)
	items, err := choices.items(pictureFlow, testKinds(), "")
	if err != nil || !choices.IsCustom || frame.JSONOf(items) != "["+string(raw[0])+"]" {
		t.Errorf("%s %v", frame.JSONOf(items), err)
	}
}

func TestPublishOffersNoDestinations(t *testing.T) {
	for _, n := range publishNodes(pictureFlow, testKinds(), publishChoices{}) {
		if n.Detail == "out" {
			t.Errorf("%+v", n)
		}
		for _, f := range n.Fields {
			if f.Key == "picture.keys" {
				t.Error("a credential is offered")
			}
		}
	}
}
