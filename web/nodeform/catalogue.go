package nodeform

import (
	"bytes"
	"context"
	"encoding/json"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

// Kinds is the node catalogue by type.
type Kinds map[string]query.NodeKind

// KindsOf arranges the catalogue by type.
func KindsOf(list []query.NodeKind) Kinds {
	out := make(Kinds, len(list))
	for _, k := range list {
		out[k.Type] = k
	}
	return out
}

// Label returns what a type is called; an unknown one is called by its own word.
func (k Kinds) Label(nodeType string) string {
	if found, ok := k[nodeType]; ok {
		return found.Label
	}
	return nodeType
}

// Fields returns the fields of a node type in the order of its form; nil for types without an inputSchema.
func (k Kinds) Fields(nodeType string) []SchemaField {
	var s schema
	if json.Unmarshal(k[nodeType].InputSchema, &s) != nil {
		return nil
	}
	return s.list()
}

// Field describes one field of a node type. Dotted fields and slots are described by no schema.
func (k Kinds) Field(nodeType, name string) (SchemaField, bool) {
	for _, f := range k.Fields(nodeType) {
		if f.Name == name && f.describes() {
			return f, true
		}
	}
	return SchemaField{}, false
}

// FieldLabel returns what a field is called: its title in the schema, else its name in words.
func (k Kinds) FieldLabel(nodeType, name string) string {
	for _, f := range k.Fields(nodeType) {
		if f.Name == name && f.Title != "" {
			return f.Title
		}
	}
	return NameInWords(name)
}

// FieldInSentence is FieldLabel within a sentence: English writes it small, other languages as it stands.
func (k Kinds) FieldInSentence(ctx context.Context, nodeType, name string) string {
	label := k.FieldLabel(nodeType, name)
	if locale.Of(ctx) == locale.English {
		return frame.Lower(label)
	}
	return label
}

// schema is the part of JSON Schema that forms are made of.
type schema struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Default     any    `json:"default"`
	Enum        []any  `json:"enum"`
	// Words are what its choices are called in the reader's language; see frame/catalogue.go.
	Words      map[string]string          `json:"x-words"`
	Minimum    *json.Number               `json:"minimum"`
	Maximum    *json.Number               `json:"maximum"`
	MaxLength  int                        `json:"maxLength"`
	Format     string                     `json:"format"`
	Control    string                     `json:"x-control"`
	Order      []string                   `json:"x-order"`
	Required   []string                   `json:"required"`
	Properties map[string]json.RawMessage `json:"properties"`
}

// SchemaField is one property of a schema.
type SchemaField struct {
	schema
	Name   string
	Needed bool
}

// describes tells whether the schema says more than that there is such a field.
func (f SchemaField) describes() bool {
	return f.Type != "" || len(f.Enum) > 0 || f.Format != "" || f.Control != ""
}

// list are the properties, first those that x-order names, then the rest as they stand in the document.
func (s schema) list() []SchemaField {
	names := append([]string{}, s.Order...)
	if len(names) == 0 {
		names = frame.SortedKeys(s.Properties)
	}
	var out []SchemaField
	for _, name := range names {
		raw, ok := s.Properties[name]
		if !ok {
			continue
		}
		f := SchemaField{Name: name}
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		if decoder.Decode(&f.schema) != nil {
			continue
		}
		for _, r := range s.Required {
			f.Needed = f.Needed || r == name
		}
		out = append(out, f)
	}
	return out
}
