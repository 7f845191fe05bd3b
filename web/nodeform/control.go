package nodeform

import (
	"context"
	"slices"
	"strings"

	"atelier/mediatype"
	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"

	"github.com/a-h/templ"
)

// ControlKind is how a field of an app's form is edited.
type ControlKind string

const (
	ControlSelect ControlKind = "select"
	ControlToggle ControlKind = "toggle"
	ControlNumber ControlKind = "number"
	ControlSlider ControlKind = "slider"
	ControlArea   ControlKind = "area"
	ControlFile   ControlKind = "file"
	ControlColor  ControlKind = "color"
	ControlJSON   ControlKind = "json"
	ControlPick   ControlKind = "pick" // a workflow, of those that there are
	ControlLine   ControlKind = "line"
	// ControlCredential is a key of the person's own, of those that there are.
	ControlCredential ControlKind = "credential"
	ControlRules      ControlKind = "rules" // of a schedule
	// ControlThing is something of the library, of those that there are; ControlThings are several.
	ControlThing  ControlKind = "thing"
	ControlThings ControlKind = "things"
)

// Control is one field of a form, ready to be drawn.
type Control struct {
	// Name is the name of the form field; ID is what a run calls the input.
	Name, ID      string
	NodeID, Field string
	Kind          ControlKind
	Label, Hint   string
	// Value is the published value, nil when there is none.
	Value any
	// Default is what the node takes where nothing is set, nil when that is not known.
	Default any
	// Published: the value is what an app was published with, and counts where nothing is chosen.
	Published bool
	Options   []any
	// words are what the options are called, where that differs.
	words       map[string]string
	Picks       []query.WorkflowChoice
	Min, Max    string
	Whole       bool // a whole number
	Required    bool
	MaxLength   int
	Accept      string // kinds of files
	JSONObjects bool
	// Thing is what of the library the field names, and NodeType the type of its node.
	Thing    Thing
	NodeType string
	// Withheld: the value is too long for the page. An empty field keeps it.
	Withheld bool
}

// Input is a field of a node as a form asks for it.
type Input struct {
	// ID is what a run calls the input.
	ID            string
	NodeID, Field string
	// AllowedValues are the values to choose from; without them the field is filled in freely.
	AllowedValues []any
}

// SlotPrefix begins the names of fields that stand for a slot of an animation (contract 1, "Slot fields").
const SlotPrefix = "slot:"

// NewControl decides how a field is edited: allowedValues are a select; then the inputSchema of the node type
// decides where it describes the field; else the client rules of contract 1, "Field-control inference".
func NewControl(in Input, n query.FlowNode, k Kinds) Control {
	c := Control{Name: "in-" + in.ID, ID: in.ID, NodeID: in.NodeID, Field: in.Field, Label: frame.Brief(k.FieldLabel(n.Type, in.Field)), NodeType: n.Type}
	if slot, ok := strings.CutPrefix(in.Field, SlotPrefix); ok {
		return c.ofSlot(slot, n)
	}
	c.Value = ValueAt(n.Data, in.Field)
	described, ok := k.Field(n.Type, in.Field)
	if ok {
		c.describe(described)
	}
	switch {
	case len(in.AllowedValues) > 0:
		c.Kind, c.Options = ControlSelect, in.AllowedValues
	case ok:
		c.Kind = schemaControl(described, n.Type)
	default:
		c.Kind = inferControl(n.Type, in.Field, c.Value)
	}
	return c
}

// motionHint is what people are told of a field for a whole animation, whose description names the parts as programs do.
var motionHint = mark("An animation (Lottie) as JSON, with the colours, texts and numbers that can be filled in, and what fills them.")

// describe takes over what a schema says beside the kind of control.
func (c *Control) describe(f SchemaField) {
	c.Hint, c.Required, c.MaxLength, c.Whole = f.Description, f.Needed, f.MaxLength, f.Type == "integer"
	if c.Default = f.Default; c.Value == nil {
		c.Value = f.Default
	}
	if f.Minimum != nil {
		c.Min = f.Minimum.String()
	}
	if f.Maximum != nil {
		c.Max = f.Maximum.String()
	}
	c.Options, c.words = f.Enum, f.Words
	switch f.Control {
	case "motion":
		c.Hint = motionHint
	case "image", "video", "audio":
		c.Accept = mediatype.Accept(f.Control)
	}
	if t := Thing(f.Control); slices.Contains(Things, t) {
		c.Thing = t
	}
}

// ofSlot is the control of a slot: a color, a number or a text, with the value that the published plan holds.
func (c Control) ofSlot(slot string, n query.FlowNode) Control {
	plan, _ := n.Data["motionPlan"].(map[string]any)
	slots, _ := plan["slots"].(map[string]any)
	declared, _ := slots[slot].(map[string]any)
	values, _ := plan["slotValues"].(map[string]any)
	c.Label, c.Value, c.Kind = frame.Brief(NameInWords(slot)), declared["value"], ControlLine
	if v, ok := values[slot]; ok {
		c.Value = v
	}
	switch declared["type"] {
	case "color":
		c.Kind, c.Value = ControlColor, hexColor(c.Value)
	case "number":
		c.Kind = ControlNumber
	}
	return c
}

// options of a select: the values as text, each sent as its JSON.
func (c Control) options(ctx context.Context, chosen string) []ui.Option {
	var out []ui.Option
	found := false
	for _, v := range c.Options {
		o := ui.Option{Value: frame.JSONOf(v), Text: frame.Brief(valueInWords(ctx, v, c.words))}
		o.Selected = o.Value == chosen
		found = found || o.Selected
		out = append(out, o)
	}
	if !found { // nothing is preselected that is not one of the values
		out = append([]ui.Option{{Value: "", Text: t(ctx, "Choose…"), Selected: true}}, out...)
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
