package nodeform

import (
	"context"
	"net/url"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// SavedControl edits a field of a saved node: nothing is required, for a connection may feed it later.
func SavedControl(f SchemaField, n query.FlowNode, k Kinds) Control {
	c := NewControl(Input{ID: f.Name, NodeID: n.Id, Field: f.Name}, n, k)
	if c.Required = false; f.Type == "array" || f.Type == "object" {
		c.Kind = ControlJSON
	}
	switch f.Control {
	case "workflow":
		c.Kind = ControlPick
	case "credential":
		c.Kind = ControlCredential
	case "schedule":
		c.Kind = ControlRules
	}
	if c.Thing != "" {
		c.Kind = ControlThing
		if f.Type == "array" {
			c.Kind = ControlThings
		}
	}
	return c
}

// Exposable tells whether a person with a form could fill a field in, which is not so for keys, schedules, whole animations.
func Exposable(f SchemaField) bool {
	switch f.Control {
	case "credential", "schedule", "parameters", "workflow", "motion":
		return false
	}
	return true
}

// SettingControls makes the fields of a node of the type, with the settings filled in. Nothing is needed, for the node has
// its own.
func SettingControls(nodeType string, settings map[string]any, k Kinds) []Control {
	node := query.FlowNode{Id: "preset", Type: nodeType, Data: settings}
	var out []Control
	for _, f := range k.Fields(nodeType) {
		if !Exposable(f) || f.Name == "presetId" || f.Control == "face" {
			continue
		}
		out = append(out, SavedControl(f, node, k))
	}
	Withhold(Pointers(out))
	return out
}

// ReadSettings reads the settings of a form. What is emptied is unset.
func ReadSettings(ctx context.Context, controls []Control, settings map[string]any, values url.Values) (map[string]any, error) {
	out := Cloned(settings)
	for _, c := range controls {
		value, changed, err := c.Read(ctx, values)
		if err != nil {
			return nil, err
		}
		if changed {
			SetAt(out, c.Field, value)
		}
	}
	return out, nil
}

// TypeOptions lists the types of nodes to choose from.
func TypeOptions(ctx context.Context, list []query.NodeKind, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Text: t(ctx, "Choose…")}}
	for _, k := range list {
		out = append(out, ui.Option{Value: k.Type, Text: locale.Labelled(ctx, categoryWord(ctx, k.Category), k.Label), Selected: k.Type == chosen})
	}
	return out
}

// categoryWords are the categories of the catalogue.
var categoryWords = map[string]string{
	"text": markc("category", "Text"), "image": markc("category", "Image"), "video": markc("category", "Video"), "audio": markc("category", "Audio"),
	"input": markc("category", "Input"), "data": markc("category", "Data"), "flow": markc("category", "Flow"), "trigger": markc("category", "Trigger"),
	"output": markc("category", "Output"),
}

func categoryWord(ctx context.Context, name string) string {
	if word, known := categoryWords[name]; known {
		return tc(ctx, "category", word)
	}
	return NameInWords(name)
}
