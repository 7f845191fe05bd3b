package flow

import (
	"encoding/json"
	"slices"
	"strings"

	"atelier/mediatype"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// controlKind is how a field of an app's form is edited.
type controlKind string

const (
	controlSelect controlKind = "select"
	controlToggle controlKind = "toggle"
	controlNumber controlKind = "number"
	controlSlider controlKind = "slider"
	controlArea   controlKind = "area"
	controlFile   controlKind = "file"
	controlColor  controlKind = "color"
	controlJSON   controlKind = "json"
	controlPick   controlKind = "pick" // a workflow, of those that there are
	controlLine   controlKind = "line"
	// controlCredential is a key of the person's own, of those that there are.
	controlCredential controlKind = "credential"
	controlRules      controlKind = "rules" // of a schedule
	// controlThing is something of the library, of those that there are; controlThings are several.
	controlThing  controlKind = "thing"
	controlThings controlKind = "things"
)

// control is one field of a form, ready to be drawn.
type control struct {
	// Name is the name of the form field; ID is what a run calls the input.
	Name, ID      string
	NodeID, Field string
	Kind          controlKind
	Label, Hint   string
	// Value is the published value, nil when there is none.
	Value       any
	Options     []any
	Picks       []query.WorkflowChoice
	Min, Max    string
	Whole       bool // a whole number
	Required    bool
	MaxLength   int
	Accept      string // kinds of files
	JSONObjects bool
	// Thing is what of the library the field names, and NodeType the type of its node.
	Thing    thing
	NodeType string
	// Withheld: the value is too long for the page. An empty field keeps it.
	Withheld bool
}

// slotPrefix begins the names of fields that stand for a slot of an animation (contract 1, "Slot fields").
const slotPrefix = "slot:"

// newControl decides how a field is edited: allowedValues are a select; then the inputSchema of the node type
// decides where it describes the field; else the client rules of contract 1, "Field-control inference".
func newControl(item inputItem, n query.FlowNode, k kinds) control {
	c := control{Name: "in-" + item.ID, ID: item.ID, NodeID: item.NodeID, Field: item.Field, Label: frame.Brief(k.fieldLabel(n.Type, item.Field)), NodeType: n.Type}
	if slot, ok := strings.CutPrefix(item.Field, slotPrefix); ok {
		return c.ofSlot(slot, n)
	}
	c.Value = valueAt(n.Data, item.Field)
	described, ok := k.field(n.Type, item.Field)
	if ok {
		c.describe(described)
	}
	switch {
	case len(item.AllowedValues) > 0:
		c.Kind, c.Options = controlSelect, item.AllowedValues
	case ok:
		c.Kind = schemaControl(described, n.Type)
	default:
		c.Kind = inferControl(n.Type, item.Field, c.Value)
	}
	return c
}

// describe takes over what a schema says beside the kind of control.
func (c *control) describe(f schemaField) {
	c.Hint, c.Required, c.MaxLength, c.Whole = f.Description, f.Needed, f.MaxLength, f.Type == "integer"
	if c.Value == nil {
		c.Value = f.Default
	}
	if f.Minimum != nil {
		c.Min = f.Minimum.String()
	}
	if f.Maximum != nil {
		c.Max = f.Maximum.String()
	}
	c.Options = f.Enum
	switch f.Control {
	case "image", "video", "audio":
		c.Accept = mediatype.Accept(f.Control)
	}
	if t := thing(f.Control); slices.Contains(things, t) {
		c.Thing = t
	}
}

// schemaControl is the control for a field that an inputSchema describes.
func schemaControl(f schemaField, nodeType string) controlKind {
	switch {
	case len(f.Enum) > 0:
		return controlSelect
	case slices.Contains(things, thing(f.Control)) && f.Type == "array":
		return controlThings
	case slices.Contains(things, thing(f.Control)):
		return controlThing
	case f.Type == "boolean":
		return controlToggle
	case f.Type == "number" || f.Type == "integer":
		if f.Control == "slider" && f.Minimum != nil && f.Maximum != nil {
			return controlSlider
		}
		return controlNumber
	case f.Control == "color":
		return controlColor
	case f.Control == "image" || f.Control == "video" || f.Control == "audio":
		return controlFile
	case f.Format == "uri" && strings.HasPrefix(nodeType, "upload-"):
		return controlFile
	case f.Type == "array" || f.Type == "object" || f.Control == "json":
		return controlJSON
	case f.Format == "textarea":
		return controlArea
	}
	return controlLine
}

// Names that rules 3 and 4 of the inference go by.
var (
	sliderNames = []string{"duration", "intensity", "strength", "scale", "temperature"}
	areaNames   = []string{"prompt", "description", "text", "content", "caption", "message"}
)

// inferControl is rules 2 to 6 of contract 1, "Field-control inference", in their order; rule 1 (allowedValues)
// has been asked before. Lists and objects, which the rules do not know, are edited as JSON.
func inferControl(nodeType, field string, value any) controlKind {
	name := field[strings.LastIndex(field, ".")+1:]
	switch v := value.(type) {
	case bool:
		return controlToggle
	case float64, json.Number:
		if slices.ContainsFunc(sliderNames, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }) {
			return controlSlider
		}
		return controlNumber
	case string:
		if slices.Contains(areaNames, name) {
			return controlArea
		}
		if isWebAddress(v) && strings.HasPrefix(nodeType, "upload-") {
			return controlFile
		}
	case []any, map[string]any:
		return controlJSON
	}
	return controlLine
}

func isWebAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// ofSlot is the control of a slot: a colour, a number or a text, with the value that the published plan holds.
func (c control) ofSlot(slot string, n query.FlowNode) control {
	plan, _ := n.Data["motionPlan"].(map[string]any)
	slots, _ := plan["slots"].(map[string]any)
	declared, _ := slots[slot].(map[string]any)
	values, _ := plan["slotValues"].(map[string]any)
	c.Label, c.Value, c.Kind = frame.Brief(spaced(slot)), declared["value"], controlLine
	if v, ok := values[slot]; ok {
		c.Value = v
	}
	switch declared["type"] {
	case "color":
		c.Kind, c.Value = controlColor, hexColor(c.Value)
	case "number":
		c.Kind = controlNumber
	}
	return c
}

// options of a select: the values as text, each sent as its JSON.
func (c control) options(chosen string) []ui.Option {
	var out []ui.Option
	found := false
	for _, v := range c.Options {
		o := ui.Option{Value: frame.JSONOf(v), Text: frame.Brief(valueText(v))}
		o.Selected = o.Value == chosen
		found = found || o.Selected
		out = append(out, o)
	}
	if !found { // nothing is preselected that is not one of the values
		out = append([]ui.Option{{Value: "", Text: "Choose…", Selected: true}}, out...)
	}
	return out
}

// acceptAttrs narrows a file chooser to one kind of files.
func acceptAttrs(accept string) templ.Attributes {
	if accept == "" {
		return nil
	}
	return templ.Attributes{"accept": accept}
}
