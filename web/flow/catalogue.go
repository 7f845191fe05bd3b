package flow

import (
	"bytes"
	"encoding/json"

	"atelier/web/frame"
	"atelier/web/query"
)

// kinds is the node catalogue by type.
type kinds map[string]query.NodeKind

func kindsOf(list []query.NodeKind) kinds {
	out := make(kinds, len(list))
	for _, k := range list {
		out[k.Type] = k
	}
	return out
}

// label is what a type is called; an unknown one is called by its own word.
func (k kinds) label(nodeType string) string {
	if found, ok := k[nodeType]; ok {
		return found.Label
	}
	return nodeType
}

// fields are the fields of a node type in the order of its form; nil for types without an inputSchema.
func (k kinds) fields(nodeType string) []schemaField {
	var s schema
	if json.Unmarshal(k[nodeType].InputSchema, &s) != nil {
		return nil
	}
	return s.list()
}

// field describes one field of a node type. Dotted fields and slots are described by no schema.
func (k kinds) field(nodeType, name string) (schemaField, bool) {
	for _, f := range k.fields(nodeType) {
		if f.Name == name && f.describes() {
			return f, true
		}
	}
	return schemaField{}, false
}

// schema is the part of JSON Schema that forms are made of.
type schema struct {
	Type        string                     `json:"type"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Default     any                        `json:"default"`
	Enum        []any                      `json:"enum"`
	Minimum     *json.Number               `json:"minimum"`
	Maximum     *json.Number               `json:"maximum"`
	MaxLength   int                        `json:"maxLength"`
	Format      string                     `json:"format"`
	Control     string                     `json:"x-control"`
	Order       []string                   `json:"x-order"`
	Required    []string                   `json:"required"`
	Properties  map[string]json.RawMessage `json:"properties"`
}

// schemaField is one property of a schema.
type schemaField struct {
	schema
	Name   string
	Needed bool
}

// describes tells whether the schema says more than that there is such a field.
func (f schemaField) describes() bool {
	return f.Type != "" || len(f.Enum) > 0 || f.Format != "" || f.Control != ""
}

// list are the properties, first those that x-order names, then the rest as they stand in the document.
func (s schema) list() []schemaField {
	names := append([]string{}, s.Order...)
	if len(names) == 0 {
		names = frame.SortedKeys(s.Properties)
	}
	var out []schemaField
	for _, name := range names {
		raw, ok := s.Properties[name]
		if !ok {
			continue
		}
		f := schemaField{Name: name}
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
