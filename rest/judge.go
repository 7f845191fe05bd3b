package rest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// maxFaults is how many faults of a body are found before judging it stops.
const maxFaults = 100

// judge holds a decoded body against its schema, as huma.Validate does, and stops
// at maxFaults: lists and objects one by one, each first by itself.
type judge struct {
	registry huma.Registry
	flat     *sync.Map // of schemas without what lies within
	path     *huma.PathBuffer
	found    huma.ValidateResult
}

func (a *API) judge(schema *huma.Schema, value any) []error {
	j := &judge{registry: a.OpenAPI().Components.Schemas, flat: &a.flat, path: huma.NewPathBuffer(make([]byte, 0, 128), 0)}
	j.path.Push("body")
	j.value(schema, value)
	return j.found.Errors
}

// anything is a schema that every value fits.
var anything = &huma.Schema{}

func (j *judge) value(s *huma.Schema, value any) {
	for s.Ref != "" {
		s = j.registry.SchemaFromRef(s.Ref)
	}
	list, isList := value.([]any)
	object, isObject := value.(map[string]any)
	if s.OneOf != nil || s.AnyOf != nil || s.AllOf != nil || s.Not != nil || !isList && !isObject {
		huma.Validate(j.registry, s, j.path, huma.ModeWriteToServer, value, &j.found)
		return
	}
	huma.Validate(j.registry, j.flattened(s), j.path, huma.ModeWriteToServer, value, &j.found)
	switch {
	case isList && s.Type == huma.TypeArray && s.Items != nil:
		j.items(s.Items, list)
	case isObject && s.Type == huma.TypeObject:
		j.members(s, object)
	}
}

func (j *judge) enough() bool { return len(j.found.Errors) >= maxFaults }

func (j *judge) items(s *huma.Schema, list []any) {
	for i, item := range list {
		if j.enough() {
			return
		}
		j.path.PushIndex(i)
		j.value(s, item)
		j.path.Pop()
	}
}

func (j *judge) members(s *huma.Schema, object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !composite(j.registry, s.Properties[name]) {
			continue
		}
		if value, sent := member(object, name); sent && value != nil && !j.enough() {
			j.path.Push(name)
			j.value(s.Properties[name], value)
			j.path.Pop()
		}
	}
	further, ok := s.AdditionalProperties.(*huma.Schema)
	if !ok {
		return
	}
	for name, value := range object {
		if _, named := s.Properties[name]; !named && !j.enough() {
			j.path.Push(name)
			j.value(further, value)
			j.path.Pop()
		}
	}
}

// member finds a member of an object by its name, as encoding/json does.
func member(object map[string]any, name string) (any, bool) {
	if value, ok := object[name]; ok {
		return value, true
	}
	for key, value := range object {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return nil, false
}

// composite tells whether values of a schema hold others.
func composite(registry huma.Registry, s *huma.Schema) bool {
	for s.Ref != "" {
		s = registry.SchemaFromRef(s.Ref)
	}
	return s.Type == huma.TypeArray || s.Type == huma.TypeObject
}

// flattened is a schema of which what lies within fits anything.
func (j *judge) flattened(s *huma.Schema) *huma.Schema {
	if made, ok := j.flat.Load(s); ok {
		return made.(*huma.Schema)
	}
	flat := *s
	if s.Items != nil {
		flat.Items = anything
	}
	if s.Properties != nil {
		flat.Properties = make(map[string]*huma.Schema, len(s.Properties))
		for name, property := range s.Properties {
			if flat.Properties[name] = property; composite(j.registry, property) {
				flat.Properties[name] = &huma.Schema{Nullable: property.Nullable, ReadOnly: property.ReadOnly, WriteOnly: property.WriteOnly}
			}
		}
	}
	if _, ok := s.AdditionalProperties.(*huma.Schema); ok {
		flat.AdditionalProperties = true
	}
	made, _ := j.flat.LoadOrStore(s, &flat)
	return made.(*huma.Schema)
}
