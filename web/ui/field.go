package ui

import (
	"context"
	"slices"
	"strings"

	"atelier/web/locale"

	"github.com/a-h/templ"
)

// Field is one labelled input of a form. Name is the only thing that must be set beside Label.
type Field struct {
	Name         string
	ID           string // "f-" and the name when empty
	Label        string
	Hint         string
	Error        string // what is wrong and how to put it right
	Value        string
	Placeholder  string // an example, never the label
	Autocomplete string
	InputMode    string // "numeric", "decimal"
	Suffix       string // unit behind the input: "credits"
	Min, Max     string
	Step         string
	MaxLength    string
	Rows         string // of a textarea
	Required     bool
	Unmarked     bool   // not called "optional": another field may be filled instead, or nothing is a value
	Locked       string // why the value cannot be changed; the field is read-only then
	Checked      bool   // checkbox
	Mono         bool   // codes and bytes
	Autofocus    bool
	Options      []Option // select, radio cards
	Attrs        templ.Attributes
}

func (f Field) id() string { return or(f.ID, "f-"+f.Name) }

// describedBy names the hint, the reason and the error that belong to the input.
func (f Field) describedBy() string {
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.id()+"-hint")
	}
	if f.Locked != "" {
		ids = append(ids, f.id()+"-locked")
	}
	if f.Error != "" {
		ids = append(ids, f.id()+"-error")
	}
	return strings.Join(ids, " ")
}

// attrs are what all kinds of input share.
func (f Field) attrs() templ.Attributes {
	a := templ.Attributes{"id": f.id(), "name": f.Name}
	set := func(name, value string) {
		if value != "" {
			a[name] = value
		}
	}
	set("aria-describedby", f.describedBy())
	set("placeholder", f.Placeholder)
	set("autocomplete", f.Autocomplete)
	set("inputmode", f.InputMode)
	set("min", f.Min)
	set("max", f.Max)
	set("step", f.Step)
	set("maxlength", f.MaxLength)
	set("rows", f.Rows)
	if f.Error != "" {
		a["aria-invalid"] = "true"
	}
	if f.Required {
		a["required"] = true
	}
	if f.Autofocus {
		a["autofocus"] = true
	}
	for k, v := range f.Attrs {
		a[k] = v
	}
	return a
}

// Translated are choices in the reader's language, of a table whose texts and hints are messages.
func Translated(ctx context.Context, options []Option) []Option {
	out := slices.Clone(options)
	for i, o := range out {
		out[i].Text = locale.T(ctx, o.Text)
		if o.Hint != "" {
			out[i].Hint = locale.T(ctx, o.Hint)
		}
	}
	return out
}

// OptionText returns the text of a choice; a value that no choice has stands for itself.
func OptionText(options []Option, value string) string {
	if i := slices.IndexFunc(options, func(o Option) bool { return o.Value == value }); i >= 0 {
		return options[i].Text
	}
	return value
}
