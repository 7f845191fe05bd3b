package atelier

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"atelier/clients/go/api"
)

// Control is how a field of a form is filled in.
type Control string

// The controls.
const (
	ControlSelect Control = "select"
	ControlToggle Control = "toggle"
	ControlNumber Control = "number"
	ControlSlider Control = "slider"
	ControlArea   Control = "area"
	ControlFile   Control = "file"
	ControlColor  Control = "color"
	ControlJSON   Control = "json"
	ControlLine   Control = "line"
	// ControlThing is the id of something of the library, ControlThings are several.
	ControlThing  Control = "thing"
	ControlThings Control = "things"
)

// Field is one field of an app's form.
type Field struct {
	// ID is what a run calls the input.
	ID string
	// NodeID and Name are the field of the node that it sets.
	NodeID, Name string
	Label, Hint  string
	Control      Control
	// Value is what the app was published with, nil when there is none.
	Value any
	// Options are the values to choose from.
	Options []any
	// Minimum and Maximum are nil where there are none; Whole: the number is a whole one.
	Minimum, Maximum *float64
	Whole            bool
	Required         bool
	MaxLength        int
	// Accept is the kind of file: image, video or audio. Thing is the kind of thing of the library.
	Accept, Thing string
}

// Form reads what an app asks for, in the order of its form. It asks the service for the types of the nodes that the
// fields belong to.
func (c *Client) Form(ctx context.Context, app *App) ([]Field, error) {
	types := map[string]*NodeType{}
	for _, item := range fieldItems(app) {
		node := nodeOf(app, item.NodeID)
		if node == nil {
			continue
		}
		if _, asked := types[node.Type]; asked {
			continue
		}
		found, err := c.API.GetNodesType(ctx, node.Type)
		if IsCode(err, CodeNotFound) {
			types[node.Type] = nil // a type that this install does not have any more
			continue
		}
		if err != nil {
			return nil, err
		}
		types[node.Type] = &found.Data
	}
	return FormOf(app, types), nil
}

// NodeType describes a type of node.
type NodeType = api.NodeTypeView

// FormOf is Form with the types of nodes by their names. A type that is missing is inferred from the published values.
func FormOf(app *App, types map[string]*NodeType) []Field {
	var form []Field
	for _, item := range fieldItems(app) {
		node := nodeOf(app, item.NodeID)
		if node == nil {
			continue
		}
		f := Field{ID: item.ID, NodeID: item.NodeID, Name: item.Field, Label: inWords(item.Field), Control: ControlLine}
		if f.ID == "" {
			f.ID = f.Name
		}
		if slot, ok := strings.CutPrefix(item.Field, "slot:"); ok {
			f.ofSlot(slot, node.Data)
			form = append(form, f.asPublished(item))
			continue
		}
		f.Value = valueAt(node.Data, item.Field)
		described := false
		if kind := types[node.Type]; kind != nil {
			described = f.describe(kind)
		}
		switch {
		case len(item.AllowedValues) > 0:
			f.Control, f.Options = ControlSelect, item.AllowedValues
		case !described:
			f.Control = inferControl(node.Type, item.Field, f.Value)
		}
		form = append(form, f.asPublished(item))
	}
	return form
}

// asPublished is the field with what the publisher calls it.
func (f Field) asPublished(item fieldItem) Field {
	if item.Label != "" {
		f.Label = item.Label
	}
	if item.Help != "" {
		f.Hint = item.Help
	}
	f.Required = f.Required || item.Required
	return f
}

type fieldItem struct {
	Type, ID, NodeID, Field string
	// Label, Help and Required are the publisher's, and win.
	Label, Help   string
	Required      bool
	AllowedValues []any
	Items         []any
}

// fieldItems are the field items of an app's form, those in groups too.
func fieldItems(app *App) []fieldItem {
	var fields []fieldItem
	for _, item := range readItems(app.SnapshotSettings.PresentationSettings.InputItems) {
		if item.Type == "field" {
			fields = append(fields, item)
		}
		if item.Type != "group" {
			continue
		}
		for _, inner := range readItems(item.Items) { // groups do not nest
			if inner.Type == "field" {
				fields = append(fields, inner)
			}
		}
	}
	return fields
}

// readItems passes over what it does not understand.
func readItems(items []any) (read []fieldItem) {
	for _, item := range items {
		var in fieldItem
		if content, err := json.Marshal(item); err == nil && json.Unmarshal(content, &in) == nil {
			read = append(read, in)
		}
	}
	return read
}

func nodeOf(app *App, id string) *api.ShownNode {
	for i := range app.SnapshotNodes {
		if app.SnapshotNodes[i].ID == id {
			return &app.SnapshotNodes[i]
		}
	}
	return nil
}

// fieldSchema is the part of an inputSchema that forms are made of.
type fieldSchema struct {
	Type, Title, Description, Format string
	Default                          any
	Enum                             []any
	Minimum, Maximum                 *float64
	MaxLength                        int
	Control                          string `json:"x-control"`
}

var things = []string{"character", "creature", "object", "location", "face", "preset", "voice"}

// describe takes over what the type's inputSchema says of the field. Dotted fields are described by none.
func (f *Field) describe(kind *NodeType) bool {
	content, err := json.Marshal(kind.InputSchema)
	if err != nil {
		return false
	}
	var schema struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	var s fieldSchema
	if json.Unmarshal(content, &schema) != nil || schema.Properties[f.Name] == nil || json.Unmarshal(schema.Properties[f.Name], &s) != nil {
		return false
	}
	if s.Title != "" {
		f.Label = s.Title
	}
	f.Hint, f.MaxLength, f.Minimum, f.Maximum, f.Options = s.Description, s.MaxLength, s.Minimum, s.Maximum, s.Enum
	f.Whole = s.Type == "integer"
	f.Required = slices.Contains(schema.Required, f.Name)
	if f.Value == nil {
		f.Value = s.Default
	}
	switch s.Control {
	case "image", "video", "audio":
		f.Accept = s.Control
	}
	if slices.Contains(things, s.Control) {
		f.Thing = s.Control
	}
	if s.Type == "" && s.Control == "" && s.Format == "" && len(s.Enum) == 0 {
		return false // it says nothing of how to fill it in
	}
	f.Control = schemaControl(s, kind.Type)
	return true
}

func schemaControl(s fieldSchema, nodeType string) Control {
	switch {
	case len(s.Enum) > 0:
		return ControlSelect
	case slices.Contains(things, s.Control) && s.Type == "array":
		return ControlThings
	case slices.Contains(things, s.Control):
		return ControlThing
	case s.Type == "boolean":
		return ControlToggle
	case s.Type == "number" || s.Type == "integer":
		if s.Control == "slider" && s.Minimum != nil && s.Maximum != nil {
			return ControlSlider
		}
		return ControlNumber
	case s.Control == "color":
		return ControlColor
	case s.Control == "image" || s.Control == "video" || s.Control == "audio":
		return ControlFile
	case s.Format == "uri" && strings.HasPrefix(nodeType, "upload-"):
		return ControlFile
	case s.Type == "array" || s.Type == "object" || s.Control == "json":
		return ControlJSON
	case s.Format == "textarea":
		return ControlArea
	}
	return ControlLine
}

// inferControl goes by the published value and the field's name, as the API has clients do where no inputSchema describes
// a field.
func inferControl(nodeType, field string, value any) Control {
	name := field[strings.LastIndex(field, ".")+1:]
	switch v := value.(type) {
	case bool:
		return ControlToggle
	case float64, json.Number:
		for _, end := range []string{"duration", "intensity", "strength", "scale", "temperature"} {
			if strings.HasSuffix(strings.ToLower(name), end) {
				return ControlSlider
			}
		}
		return ControlNumber
	case string:
		if slices.Contains([]string{"prompt", "description", "text", "content", "caption", "message"}, name) {
			return ControlArea
		}
		if (strings.HasPrefix(v, "https://") || strings.HasPrefix(v, "http://")) && strings.HasPrefix(nodeType, "upload-") {
			return ControlFile
		}
	case []any, map[string]any:
		return ControlJSON
	}
	return ControlLine
}

// ofSlot makes the field one of a slot of an animation: a color, a number or a text, with the value of the published plan.
func (f *Field) ofSlot(slot string, data map[string]any) {
	plan, _ := data["motionPlan"].(map[string]any)
	slots, _ := plan["slots"].(map[string]any)
	declared, _ := slots[slot].(map[string]any)
	values, _ := plan["slotValues"].(map[string]any)
	f.Label, f.Value = inWords(slot), declared["value"]
	if value, ok := values[slot]; ok {
		f.Value = value
	}
	switch declared["type"] {
	case "color":
		f.Control, f.Value = ControlColor, hexColor(f.Value)
	case "number":
		f.Control = ControlNumber
	}
}

// hexColor writes a color of numbers from 0 to 1 as runs take it, and leaves anything else as it is.
func hexColor(value any) any {
	parts, ok := value.([]any)
	if !ok || len(parts) < 3 {
		return value
	}
	hex := "#"
	for _, part := range parts[:3] {
		n, ok := part.(float64)
		if !ok {
			return value
		}
		hex += fmt.Sprintf("%02x", int(min(max(n, 0), 1)*255+0.5))
	}
	return hex
}

// valueAt reads a field; a dot leads into an object.
func valueAt(data map[string]any, field string) any {
	if value, ok := data[field]; ok {
		return value
	}
	head, rest, dotted := strings.Cut(field, ".")
	inner, ok := data[head].(map[string]any)
	if !dotted || !ok {
		return nil
	}
	return valueAt(inner, rest)
}

// inWords turns a field's name into words: aspectRatio becomes "Aspect ratio", values.name becomes "Name".
func inWords(name string) string {
	name = name[strings.LastIndex(name, ".")+1:]
	var b strings.Builder
	for i, c := range name {
		switch {
		case c == '_' || c == '-':
			b.WriteByte(' ')
		case i > 0 && c >= 'A' && c <= 'Z':
			b.WriteString(" " + strings.ToLower(string(c)))
		case i == 0:
			b.WriteString(strings.ToUpper(string(c)))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
