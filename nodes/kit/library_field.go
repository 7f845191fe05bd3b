package kit

import (
	"slices"
	"strconv"

	"atelier/models"
	"atelier/nodes/phrase"
)

// Fields that name things of the library hold their ids. They are set on the node, by an
// input or by an override, and fed by nothing: what they name is looked up when a run is
// accepted (docs/architecture.md).

// The kinds of what such a field names, its x-control.
const (
	NamesCharacter = "character"
	namesCreature  = "creature"
	namesObject    = "object"
	namesLocation  = "location"
	NamesFace      = "face"
	namesPreset    = "preset"
	NamesVoice     = "voice"
)

var libraryKinds = []string{NamesCharacter, namesCreature, namesObject, namesLocation, NamesFace, namesPreset, NamesVoice}

// LibraryField is a field that names one thing, libraryList one that names several.
func LibraryField(name, title, description, kind string) Property {
	p := FieldOf("string", name, title, description).As(kind)
	p.Schema.Format = uuidFormat
	return p
}

func libraryList(name, title, description, kind string) Property {
	return List(name, title, description, Schema{Type: "string", Format: uuidFormat}, maxOfKind).As(kind)
}

const (
	uuidFormat = "uuid"
	// maxOfKind elements of a kind stand in a list, maxTogether in the lists of a node.
	maxOfKind   = 4
	maxTogether = 6
)

// ElementFields are those of nodes that show elements in what they make.
func ElementFields() Properties {
	return Properties{
		libraryList("characterIds", "Characters", "Who appears, from the library.", NamesCharacter),
		libraryList("creatureIds", "Creatures", "Animals and beings that appear, from the library.", namesCreature),
		libraryList("objectIds", "Objects", "Things that appear, from the library.", namesObject),
		LibraryField("locationId", "Location", "Where it happens, from the library.", namesLocation),
	}
}

// WithElements is a schema with the fields of elements and of a reference picture.
func WithElements(s Schema) Schema {
	more := append(ElementFields(), Address("referenceImage", "Reference picture", "A picture that a provider's model follows, where it takes one.", "image"))
	return Object(append(slices.Clone(s.Properties), more...)...)
}

// presetField is on every type that runs alone.
var presetField = LibraryField("presetId", "Preset", "Start from a saved preset; fields here override it.", namesPreset)

func (n *Node) AddPresetField() {
	if !n.Control && !n.Internal {
		n.InputSchema = Object(append(slices.Clone(n.InputSchema.Properties), presetField)...)
	}
}

// LibraryKind is what a field names, such as voice; empty for any other field.
func (n *Node) LibraryKind(field string) string {
	p, _ := n.InputSchema.Properties.Find(field)
	if slices.Contains(libraryKinds, p.Schema.Control) {
		return p.Schema.Control
	}
	return ""
}

// Named is one id in a field that names things of the library.
type Named struct {
	Kind string
	ID   models.ID
	// Name is the field, Field the place in it, such as characterIds[0].
	Name, Field string
}

// NamedIn are the things of the library that settings name, in the order of the fields. What
// is no id is left out; Validate and ValidateData refuse it.
func (n *Node) NamedIn(input map[string]any) (all []Named) {
	add := func(p Property, place string, value any) {
		text, _ := value.(string)
		if id, err := models.ParseID(place, text); err == nil {
			all = append(all, Named{p.Schema.Control, id, p.Name, place})
		}
	}
	for _, p := range n.InputSchema.Properties {
		if !slices.Contains(libraryKinds, p.Schema.Control) {
			continue
		}
		if ids, ok := input[p.Name].([]any); ok {
			for i, id := range ids {
				add(p, p.Name+"["+strconv.Itoa(i)+"]", id)
			}
			continue
		}
		add(p, p.Name, input[p.Name])
	}
	return all
}

// handleFields are the texts in which @handle names an element.
var handleFields = []string{"prompt", "idea"}

// ShowsElements tells whether the type does something with the elements that a run names.
func (n *Node) ShowsElements() bool {
	if n.LibraryKind("characterIds") != "" {
		return true
	}
	_, has := n.InputSchema.Properties.Find("idea")
	return has
}

// TextsWithHandles are the texts of settings in which @handle names an element.
func (n *Node) TextsWithHandles(input map[string]any) (texts []string) {
	if !n.ShowsElements() {
		return nil
	}
	for _, name := range handleFields {
		if text, _ := input[name].(string); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// HandleField tells whether @handle names an element in a field.
func (n *Node) HandleField(field string) bool {
	return n.ShowsElements() && slices.Contains(handleFields, field)
}

// checkTogether bounds how many elements the lists of a node name together.
func (n *Node) checkTogether(prefix string, input map[string]any) error {
	count := 0
	for _, named := range n.NamedIn(input) {
		switch named.Kind {
		case NamesCharacter, namesCreature, namesObject:
			if count++; count > maxTogether {
				return models.Invalid(prefix+named.Name, "is too much: at most %d characters, creatures and objects together", maxTogether)
			}
		}
	}
	return nil
}

// NamedBy are the refs without the elements that were found for a @handle which the input's
// texts do not hold after all.
func (r *Refs) NamedBy(n *Node, input map[string]any) *Refs {
	if r == nil {
		return nil
	}
	named := *r
	var handles []string
	for _, text := range n.TextsWithHandles(n.LayPreset(input, r.Preset)) {
		handles = append(handles, phrase.Handles(text)...)
	}
	named.Elements = slices.DeleteFunc(slices.Clone(r.Elements), func(e ElementRef) bool {
		return !e.Named && !slices.Contains(handles, e.Handle)
	})
	return &named
}

// Handles are the words behind an @ in a text that may be handles of elements, in small letters.
func Handles(text string) []string { return phrase.Handles(text) }
