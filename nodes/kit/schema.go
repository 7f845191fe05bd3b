package kit

import (
	"bytes"
	"encoding/json"
)

// Schema is the JSON Schema of a value, as far as the catalogue uses it.
type Schema struct {
	// Type is string, number, integer, boolean, array or object; empty takes anything.
	Type        string   `json:"type,omitempty"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Default     any      `json:"default,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *float64 `json:"minimum,omitempty"`
	Maximum     *float64 `json:"maximum,omitempty"`
	MaxLength   int      `json:"maxLength,omitempty"`
	MinItems    int      `json:"minItems,omitempty"`
	MaxItems    int      `json:"maxItems,omitempty"`
	// Format is uri, textarea or uuid.
	Format     string     `json:"format,omitempty"`
	Items      *Schema    `json:"items,omitempty"`
	Properties Properties `json:"properties,omitempty"`
	Required   []string   `json:"required,omitempty"`
	// Additional describes the values of an object whose names are free.
	Additional *Schema `json:"additionalProperties,omitempty"`
	// Control overrides what a form would infer: image, video, audio (file
	// upload), slider, color, schedule, parameters, workflow, credential, json, and the kinds of the library.
	Control string `json:"x-control,omitempty"`
	// Order lists the properties as a form shows them; objects in JSON have none.
	Order []string `json:"x-order,omitempty"`
}

// Property is a named field of an object.
type Property struct {
	Name   string
	Schema Schema
	Needed bool
}

// Properties keeps the order in which a form shows the fields.
type Properties []Property

// Find is the property of that name.
func (p Properties) Find(name string) (Property, bool) {
	for _, property := range p {
		if property.Name == name {
			return property, true
		}
	}
	return Property{}, false
}

// MarshalJSON writes an object in the order of the list.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, property := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(property.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(property.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Object is a schema of fields in the order of a form.
func Object(properties ...Property) Schema {
	s := Schema{Type: "object", Properties: properties}
	for _, p := range properties {
		s.Order = append(s.Order, p.Name)
		if p.Needed {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func FieldOf(kind, name, title, description string) Property {
	return Property{Name: name, Schema: Schema{Type: kind, Title: title, Description: description}}
}

// Line is a short text.
func Line(name, title, description string) Property {
	p := FieldOf("string", name, title, description)
	p.Schema.MaxLength = 4_000
	return p
}

// Area is a long text.
func Area(name, title, description string) Property {
	p := FieldOf("string", name, title, description)
	p.Schema.Format, p.Schema.MaxLength = "textarea", MaxText
	return p
}

// Address is a web address; control names the kind of file it points at, or is empty.
func Address(name, title, description, control string) Property {
	p := FieldOf("string", name, title, description)
	p.Schema.Format, p.Schema.Control, p.Schema.MaxLength = "uri", control, 4_000
	return p
}

func Number(name, title, description string, least, most float64) Property {
	p := FieldOf("number", name, title, description)
	p.Schema.Minimum, p.Schema.Maximum = &least, &most
	return p
}

func Integer(name, title, description string, least, most float64) Property {
	p := Number(name, title, description, least, most)
	p.Schema.Type = "integer"
	return p
}

func Toggle(name, title, description string, standard bool) Property {
	return FieldOf("boolean", name, title, description).Or(standard)
}

// Choice is one of a few words; the first is the default.
func Choice(name, title, description string, options ...string) Property {
	p := FieldOf("string", name, title, description).Or(options[0])
	p.Schema.Enum = options
	return p
}

// Tint is a color in hex.
func Tint(name, title, description, standard string) Property {
	p := FieldOf("string", name, title, description).Or(standard)
	p.Schema.Control, p.Schema.MaxLength = "color", 40
	return p
}

// List is an array; every edge into it adds an element.
func List(name, title, description string, items Schema, most int) Property {
	p := FieldOf("array", name, title, description)
	p.Schema.Items, p.Schema.MaxItems = &items, most
	return p
}

// Anything takes whatever an edge brings.
func Anything(name, title, description string) Property {
	p := FieldOf("", name, title, description)
	p.Schema.Control = "json"
	return p
}

// NamedField is an object whose names the user chooses.
func NamedField(name, title, description string, values Schema) Property {
	p := FieldOf("object", name, title, description)
	p.Schema.Additional = &values
	return p
}

// AtLeast says how many entries a list needs.
func (p Property) AtLeast(least int) Property {
	p.Schema.MinItems = least
	return p
}

func (p Property) Required() Property       { p.Needed = true; return p }
func (p Property) Or(standard any) Property { p.Schema.Default = standard; return p }
func (p Property) As(control string) Property {
	p.Schema.Control = control
	return p
}

// MaxText bounds every text that goes in or comes out, in bytes.
const MaxText = 1 << 20

// ShortText is a text of at most so many characters.
func ShortText(name, title, description string, most int) Property {
	p := Line(name, title, description)
	p.Schema.MaxLength = most
	return p
}
