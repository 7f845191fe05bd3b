//go:build !race

package flow

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"atelier/web/nodeform"
	"atelier/web/nodeform/nodeformtest"
	"atelier/web/query"
)

// updateVectors writes the vectors again: go test ./web/flow -run TestClientForms -args -update-vectors
var updateVectors = flag.Bool("update-vectors", false, "write clients/testdata/forms.json again")

// formVector is the form of an app, and what every client makes of it.
type formVector struct {
	Name  string           `json:"name"`
	Nodes []query.FlowNode `json:"snapshotNodes"`
	Items json.RawMessage  `json:"inputItems"`
	// Types are the descriptors of the nodes.
	Types []descriptor `json:"nodeTypes"`
	Parts []part       `json:"parts"`
}

type descriptor struct {
	Type        string          `json:"type"`
	Label       string          `json:"label"`
	OutputType  string          `json:"outputType"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// part is a piece of a form: a field, a text of the publisher, or a group of both.
type part struct {
	Type     string               `json:"type"` // field, text, group
	ID       string               `json:"id,omitempty"`
	NodeID   string               `json:"nodeId,omitempty"`
	Field    string               `json:"field,omitempty"`
	Kind     nodeform.ControlKind `json:"kind,omitempty"`
	Label    string               `json:"label,omitempty"`
	Hint     string               `json:"hint,omitempty"`
	Required bool                 `json:"required,omitempty"`
	Text     string               `json:"text,omitempty"`
	Title    string               `json:"title,omitempty"`
	Parts    []part               `json:"parts,omitempty"`
}

func partsFor(parts []formPart) (out []part) {
	for _, p := range parts {
		switch {
		case p.Control != nil:
			c := p.Control
			out = append(out, part{Type: "field", ID: c.ID, NodeID: c.NodeID, Field: c.Field, Kind: c.Kind, Label: c.Label, Hint: c.Hint, Required: c.Required})
		case p.Rich != "":
			out = append(out, part{Type: "text", Text: p.Rich})
		default:
			out = append(out, part{Type: "group", Title: p.Title, Parts: partsFor(p.Group)})
		}
	}
	return out
}

// TestClientForms holds the forms that the clients in other languages are tested by against what the console shows.
func TestClientForms(t *testing.T) {
	animation := nodeformtest.Animation()
	nodes := []query.FlowNode{
		{Id: "topic", Type: "no-schema", Data: map[string]any{"text": "a hen", "loop": true}},
		{Id: "paint", Type: "generate-image", Data: map[string]any{"prompt": "a fox", "seed": 4.0}},
		animation,
	}
	vectors := []formVector{
		{Name: "fields, texts and groups", Items: json.RawMessage(`[
			{"type": "richtext", "id": "hello", "content": "# Hello"},
			{"type": "field", "id": "topic", "nodeId": "topic", "field": "text", "allowedValues": null},
			{"type": "field", "id": "named", "nodeId": "paint", "field": "prompt", "allowedValues": null, "label": "What to paint", "help": "One sentence.", "required": true},
			{"type": "group", "id": "more", "title": "More", "items": [
				{"type": "field", "id": "shape", "nodeId": "paint", "field": "aspectRatio", "allowedValues": ["1:1", "16:9"]},
				{"type": "richtext", "content": "Colors"},
				{"type": "field", "id": "sky", "nodeId": "m", "field": "slot:sky", "allowedValues": null},
				{"type": "group", "items": [{"type": "field", "id": "lost", "nodeId": "topic", "field": "loop", "allowedValues": null}]}
			]},
			{"type": "output", "id": "picture", "nodeId": "paint"}
		]`)},
		{Name: "a whole node", Items: json.RawMessage(`[{"type": "node", "id": "all", "nodeId": "paint"}]`)},
		{Name: "what is not understood is left out", Items: json.RawMessage(`[
			{"type": "field", "id": "gone", "nodeId": "nowhere", "field": "text", "allowedValues": null},
			{"type": "node", "nodeId": "nowhere"},
			{"type": "richtext", "content": ""},
			{"type": "a type that is yet to come", "id": "new"},
			7,
			{"type": "field", "id": "topic", "nodeId": "topic", "field": "loop", "allowedValues": null}
		]`)},
		{Name: "nothing to fill in", Items: json.RawMessage(`[]`)},
	}
	types := nodeformtest.NodeTypes()
	for i := range vectors {
		v := &vectors[i]
		v.Nodes = nodes
		for _, one := range types {
			schema := one.InputSchema
			if len(schema) == 0 {
				schema = json.RawMessage("null")
			}
			v.Types = append(v.Types, descriptor{one.Type, one.Label, one.OutputType, schema})
		}
		var raw []json.RawMessage
		if err := json.Unmarshal(v.Items, &raw); err != nil {
			t.Fatal(err)
		}
		v.Parts = partsFor(formParts(readInputItems(raw), nodes, nil, nodeform.KindsOf(types)))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(vectors); err != nil {
		t.Fatal(err)
	}
	const path = "../../clients/testdata/forms.json"
	if *updateVectors {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, out.Bytes()) {
		t.Fatalf("%s is out of date (%v): go test ./web/flow -run TestClientForms -args -update-vectors", path, err)
	}
}
