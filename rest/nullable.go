package rest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"atelier/models"

	"github.com/danielgtaylor/huma/v2"
)

// markNullable says what may be null, by two rules for all: a pointer that is
// never left out is null when there is nothing, and what a body may leave out
// it may also send as null. Maps
// in answers and fields of changes that may be null say so themselves.
func (a *API) markNullable() {
	schemas := a.OpenAPI().Components.Schemas
	for name, schema := range schemas.Map() {
		eachMember(schemas.TypeFromRef(schemaRef+name), func(field reflect.StructField, name, options string) {
			if field.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
				nullable(schema.Properties[name])
			}
		})
	}
	seen := map[string]bool{}
	for _, item := range a.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch} {
			if op != nil && op.RequestBody != nil {
				if media := op.RequestBody.Content[applicationJSON]; media != nil {
					optionalAreNullable(schemas, media.Schema, seen)
				}
			}
		}
	}
}

const schemaRef = "#/components/schemas/"

// optionalAreNullable applies the rule of bodies to a schema and what lies in it.
func optionalAreNullable(schemas huma.Registry, schema *huma.Schema, seen map[string]bool) {
	if schema == nil {
		return
	}
	optionalAreNullable(schemas, schema.Items, seen)
	if schema.Ref == "" || seen[schema.Ref] {
		return
	}
	seen[schema.Ref] = true
	within := schemas.SchemaFromRef(schema.Ref)
	eachMember(schemas.TypeFromRef(schema.Ref), func(_ reflect.StructField, name, options string) {
		member := within.Properties[name]
		optionalAreNullable(schemas, member, seen)
		if !strings.Contains(options, "omitempty") {
			return
		}
		if member.Ref != "" { // oneOf would be refused without the name of the field
			member = schemas.SchemaFromRef(member.Ref)
		}
		nullable(member)
	})
}

// nullable lets a schema be null.
func nullable(schema *huma.Schema) {
	switch {
	case schema.Ref != "":
		*schema = huma.Schema{OneOf: []*huma.Schema{{Ref: schema.Ref}, {Type: "null"}}, Description: schema.Description}
	case schema.Type != "": // else it may be anything
		schema.Nullable = true
	}
	if len(schema.Enum) > 0 && !slices.Contains(schema.Enum, nil) {
		schema.Enum = append(slices.Clone(schema.Enum), nil)
	}
}

// eachMember calls visit with the members of a type's JSON object: their names
// and what the tag says beside.
func eachMember(t reflect.Type, visit func(field reflect.StructField, name, options string)) {
	if t == nil || t.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" && field.IsExported() {
			visit(field, name, options)
		}
	}
}

// nullableText is a text that may be null, in a field that may also be left out.
type nullableText struct{ text *string }

// MarshalJSON writes the text, or null.
func (t nullableText) MarshalJSON() ([]byte, error) { return json.Marshal(t.text) }

// Schema is that of a text that may be null.
func (nullableText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true}
}

// mapped is what a part of a body means, where it was sent.
func mapped[T, R any](sent *T, input func(T) R) *R {
	if sent == nil {
		return nil
	}
	value := input(*sent)
	return &value
}

// mapOpt is mapped for a field of a change, which null may have been sent for.
func mapOpt[T, R any](sent models.Opt[T], input func(T) R) models.Opt[R] {
	value, ok := sent.ValueOK()
	switch {
	case !ok:
		return models.Opt[R]{}
	case value == nil:
		return models.Null[R]()
	}
	return models.Some(input(*value))
}
