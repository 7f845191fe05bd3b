package flow

import (
	"net/url"

	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
)

// SavedControl edits a field of a saved node: nothing is required, for a connection may feed it later.
func SavedControl(f nodeform.SchemaField, n query.FlowNode, k nodeform.Kinds) nodeform.Control {
	c := nodeform.NewControl(nodeform.Input{ID: f.Name, NodeID: n.Id, Field: f.Name}, n, k)
	if c.Required = false; f.Type == "array" || f.Type == "object" {
		c.Kind = nodeform.ControlJSON
	}
	switch f.Control {
	case "workflow":
		c.Kind = nodeform.ControlPick
	case "credential":
		c.Kind = nodeform.ControlCredential
	case "schedule":
		c.Kind = nodeform.ControlRules
	}
	if c.Thing != "" {
		c.Kind = nodeform.ControlThing
		if f.Type == "array" {
			c.Kind = nodeform.ControlThings
		}
	}
	return c
}

// Exposable tells whether a person with a form could fill a field in, which is not so for keys, schedules, whole animations.
func Exposable(f nodeform.SchemaField) bool {
	switch f.Control {
	case "credential", "schedule", "parameters", "workflow", "motion":
		return false
	}
	return true
}

// SettingControls makes the fields of a node of the type, with the settings filled in. Nothing is needed, for the node has
// its own.
func SettingControls(nodeType string, settings map[string]any, k nodeform.Kinds) []nodeform.Control {
	node := query.FlowNode{Id: "preset", Type: nodeType, Data: settings}
	var out []nodeform.Control
	for _, f := range k.Fields(nodeType) {
		if !Exposable(f) || f.Name == "presetId" || f.Control == "face" {
			continue
		}
		out = append(out, SavedControl(f, node, k))
	}
	nodeform.Withhold(nodeform.Pointers(out))
	return out
}

// ReadSettings reads the settings of a form. What is emptied is unset.
func ReadSettings(controls []nodeform.Control, settings map[string]any, values url.Values) (map[string]any, error) {
	out := Cloned(settings)
	for _, c := range controls {
		value, changed, err := c.Read(values)
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
func TypeOptions(list []query.NodeKind, chosen string) []ui.Option {
	out := []ui.Option{{Value: "", Text: "Choose…"}}
	for _, k := range list {
		out = append(out, ui.Option{Value: k.Type, Text: nodeform.NameInWords(k.Category) + ": " + k.Label, Selected: k.Type == chosen})
	}
	return out
}
