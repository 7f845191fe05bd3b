//go:build !race

package flow

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"atelier/web/frame"
	"atelier/web/nodeform"
	"atelier/web/nodeform/nodeformtest"
	"atelier/web/query"
)

func testKinds() nodeform.Kinds { return nodeform.KindsOf(nodeformtest.NodeTypes()) }

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
	items, err := typedChoices(values).items(context.Background(), pictureFlow, testKinds(), "picture")
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
	if again, err := back.items(context.Background(), pictureFlow, testKinds(), "picture"); err != nil || back.IsCustom || !reflect.DeepEqual(again, items) {
		t.Errorf("published again: %s %v", frame.JSONOf(again), err)
	}
}

// A form with groups cannot be told by boxes: it stays as JSON, and is published as it is.
func TestGroupsSurvivePublishingAgain(t *testing.T) {
	raw := []json.RawMessage{json.RawMessage(`{"type":"group","id":"g","items":[{"type":"field","id":"a","nodeId":"picture","field":"prompt"}]}`)}
	choices := savedChoices(readInputItems(raw), raw)
	items, err := choices.items(context.Background(), pictureFlow, testKinds(), "")
	if err != nil || !choices.IsCustom || frame.JSONOf(items) != "["+string(raw[0])+"]" {
		t.Errorf("%s %v", frame.JSONOf(items), err)
	}
}

func TestPublishOffersNoDestinations(t *testing.T) {
	for _, row := range publishRows(t.Context(), pictureFlow, testKinds(), noChoices()) {
		if strings.HasPrefix(row.Key, "out.") || row.Key == "picture.keys" {
			t.Errorf("%+v", row)
		}
	}
}

// What the graph feeds is not offered, and said in a sentence.
func TestPublishOffersWhatNothingFeeds(t *testing.T) {
	fed := pictureFlow
	fed.Edges = []query.FlowEdge{{Id: "e", Source: "words", Target: "picture", TargetHandle: new("prompt")}}
	var keys []string
	for _, row := range publishRows(t.Context(), fed, testKinds(), noChoices()) {
		keys = append(keys, row.Key)
	}
	if slices.Contains(keys, "picture.prompt") || !slices.Contains(keys, "picture.seed") {
		t.Errorf("offered %v", keys)
	}
	if said := fedSentence(context.Background(), fed, testKinds()); !strings.HasPrefix(said, "Prompt of ") || !strings.HasSuffix(said, " is left out: another node feeds it.") {
		t.Error(said)
	}
	if main := mainNode(fed, testKinds()); main != "picture" {
		t.Errorf("the main result is of %q", main)
	}
}

// Order, words and the input's own name survive publishing again; the buttons move a field without script.
func TestPublishKeepsOrderAndWords(t *testing.T) {
	sent := []inputItem{
		{Type: "field", ID: "number", NodeID: "picture", Field: "seed", Label: "Lucky number", Help: "Any will do", Required: true},
		{Type: "field", ID: "words.values.who", NodeID: "words", Field: "values.who"},
		{Type: "output", ID: "result", NodeID: "picture"},
	}
	var raw []json.RawMessage
	for _, item := range sent {
		raw = append(raw, json.RawMessage(frame.JSONOf(item)))
	}
	choices := savedChoices(readInputItems(raw), raw)
	if items, err := choices.items(context.Background(), pictureFlow, testKinds(), "picture"); err != nil || choices.IsCustom || !reflect.DeepEqual(items, sent) {
		t.Fatalf("%s %v", frame.JSONOf(items), err)
	}
	if !choices.move(publishRows(t.Context(), pictureFlow, testKinds(), choices), "down:picture.seed") {
		t.Fatal("it was not moved")
	}
	items, _ := choices.items(context.Background(), pictureFlow, testKinds(), "picture")
	if items[0].Field != "values.who" || items[1].ID != "number" {
		t.Errorf("moved: %s", frame.JSONOf(items))
	}
	if choices.move(publishRows(t.Context(), pictureFlow, testKinds(), choices), "down:picture.seed") {
		t.Error("the last was moved down")
	}
}

func TestSlotsAreExposed(t *testing.T) {
	if got, want := exposedFields(nodeformtest.Animation(), testKinds()), []string{"slot:headline", "slot:sky", "slot:speed"}; !reflect.DeepEqual(got, want) {
		t.Errorf("exposed: %v", got)
	}
}
