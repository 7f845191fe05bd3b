package library

import (
	"atelier/web/nodeform"
	"atelier/web/query"
	"atelier/web/ui"
	"context"
)

// Kind is one of the five kinds of elements, in the words of its pages.
type Kind struct {
	Path string // of its addresses
	Kind query.ElementKind
	// Messages: "Character", "Characters", "New character", "Make a character", "Make a character of it".
	One, Many, New, Make, MakeOf string
	About                        string // what it is, for an empty list; a message
	// Idea is an example of a description, in English as all that is drawn.
	Idea string
	// NodeType draws it; empty for what cannot be drawn.
	NodeType string
	Trains   bool
	Views    []ui.Option
	fields   []attribute
}

// attribute is one of those that the painter and the composer understand.
type attribute struct {
	Key    string
	Values []string
	Color  bool
}

// colors are names of colors to choose from; another one can be typed among the other attributes.
var colors = []string{
	"black", "white", "grey", "brown", "blonde", "red", "orange", "yellow", "gold", "green", "turquoise", "blue", "dark blue", "purple", "pink",
}

var people = []ui.Option{
	{Value: "portrait", Text: mark("Portrait"), Selected: true}, {Value: "front", Text: mark("From the front"), Selected: true},
	{Value: "side", Text: mark("From the side"), Selected: true}, {Value: "back", Text: mark("From behind")}, {Value: "happy", Text: mark("Happy")},
	{Value: "sad", Text: mark("Sad")}, {Value: "surprised", Text: mark("Surprised")}, {Value: "angry", Text: mark("Angry")},
}

// Kinds are all of them, in the order of their tabs.
var Kinds = []Kind{
	{
		Path: "characters", Kind: query.ElementKindCharacter, One: mark("Character"), Many: mark("Characters"), New: mark("New character"),
		Make: mark("Make a character"), MakeOf: mark("Make a character of it"), NodeType: "generate-character", Trains: true,
		About: mark("A character looks the same in every picture of a story. Describe one once, then name it by its handle in any prompt."),
		Idea:  "An old man with glasses, white hair and a red coat", Views: people,
		fields: []attribute{
			{Key: "age", Values: []string{"child", "teen", "adult", "old"}},
			{Key: "gender", Values: []string{"female", "male", "neutral"}},
			{Key: "skin", Values: []string{"pale", "light", "olive", "tan", "brown", "dark"}},
			{Key: "hairStyle", Values: []string{"bald", "short", "long", "curly", "braids", "bun", "ponytail", "headscarf"}},
			{Key: "hairColor", Color: true}, {Key: "eyeColor", Color: true},
			{Key: "outfit", Values: []string{
				"t-shirt", "shirt", "dress", "hoodie", "coat", "uniform", "armour", "lab-coat", "robe",
			}},
			{Key: "outfitColor", Color: true},
			{Key: "accessory", Values: []string{"glasses", "hat", "crown", "scarf", "backpack", "headphones", "wheelchair"}},
			{Key: "expression", Values: []string{"happy", "sad", "surprised", "angry", "neutral"}},
			{Key: "personality"}, {Key: "movement"},
		},
	},
	{
		Path: "creatures", Kind: query.ElementKindCreature, One: mark("Creature"), Many: mark("Creatures"), New: mark("New creature"),
		Make: mark("Make a creature"), MakeOf: mark("Make a creature of it"), NodeType: "generate-creature", Trains: true,
		About: mark("A creature is an animal, a monster or a robot that stays the same in every picture."),
		Idea:  "A small green dragon with golden wings and a striped tail", Views: people,
		fields: []attribute{
			{Key: "species", Values: []string{
				"cat", "dog", "horse", "fox", "bear", "rabbit", "bird", "owl", "fish", "snake", "frog", "insect", "dragon", "unicorn", "robot",
			}},
			{Key: "bodyColor", Color: true}, {Key: "secondColor", Color: true},
			{Key: "size", Values: []string{"small", "medium", "large"}},
			{Key: "wings", Values: []string{"feathered", "leathery", "butterfly", "yes", "none"}},
			{Key: "horns", Values: []string{"yes", "one", "none"}},
			{Key: "tail", Values: []string{"yes", "long", "short", "bushy", "curly", "none"}},
			{Key: "pattern", Values: []string{"plain", "striped", "spotted"}},
			{Key: "temperament"},
		},
	},
	{
		Path: "objects", Kind: query.ElementKindObject, One: mark("Object"), Many: mark("Objects"), New: mark("New object"), Make: mark("Make an object"),
		MakeOf: mark("Make an object of it"), NodeType: "generate-object", Trains: true,
		About: mark("An object is a thing that turns up again: a lamp, a ship, a magic book."),
		Idea:  "An old wooden chest with brass corners",
		Views: []ui.Option{
			{Value: "front", Text: mark("From the front"), Selected: true}, {Value: "side", Text: mark("From the side"), Selected: true},
			{Value: "top", Text: mark("From above"), Selected: true}, {Value: "three-quarter", Text: mark("At an angle")},
		},
		fields: []attribute{
			{Key: "shape"},
			{Key: "material", Values: []string{
				"wood", "metal", "glass", "stone", "plastic", "paper", "fabric", "leather", "ceramic", "ice", "rubber", "gold", "silver",
			}},
			{Key: "color", Color: true}, {Key: "size", Values: []string{"small", "medium", "large"}},
			{Key: "era", Values: []string{"ancient", "medieval", "victorian", "old", "modern", "futuristic"}},
		},
	},
	{
		Path: "locations", Kind: query.ElementKindLocation, One: mark("Location"), Many: mark("Locations"), New: mark("New location"),
		Make: mark("Make a location"), MakeOf: mark("Make a location of it"), NodeType: "generate-location",
		About: mark("A location is a place where a story plays. It is painted in four lights and stays the same place."),
		Idea:  "A small harbor at dusk, with fishing boats and fog",
		Views: []ui.Option{
			{Value: "dawn", Text: mark("At dawn"), Selected: true}, {Value: "day", Text: mark("By day"), Selected: true},
			{Value: "dusk", Text: mark("At dusk"), Selected: true}, {Value: "night", Text: mark("By night")},
		},
		fields: []attribute{
			{Key: "setting", Values: []string{"indoor", "outdoor"}}, {Key: "place"},
			{Key: "timeOfDay", Values: []string{"dawn", "day", "dusk", "night"}},
			{Key: "weather", Values: []string{"sunny", "cloudy", "rainy", "snowy", "foggy", "stormy", "windy"}},
			{Key: "season", Values: []string{"spring", "summer", "autumn", "winter"}},
			{Key: "mood", Values: []string{
				"calm", "cosy", "cheerful", "busy", "mysterious", "spooky", "magical", "lonely", "romantic", "sad", "epic",
			}},
		},
	},
	{
		Path: "faces", Kind: query.ElementKindFace, One: mark("Face"), Many: mark("Faces"), New: mark("New face"), Make: mark("Add a face"),
		About: mark("A face is one real person's face, kept with their consent so that a character may have it. No one is recognized by it."),
	},
}

// kindOf is a kind by its name in the schema.
func kindOf(of query.ElementKind) Kind {
	for _, k := range Kinds {
		if k.Kind == of {
			return k
		}
	}
	return Kinds[0]
}

func (k Kind) isFace() bool { return k.Kind == query.ElementKindFace }

// field is the attribute of that key.
func (k Kind) field(key string) (attribute, bool) {
	for _, f := range k.fields {
		if f.Key == key {
			return f, true
		}
	}
	return attribute{}, false
}

// itemPath is the page of an element.
func itemPath(of query.ElementKind, id string) string {
	return "/library/" + kindOf(of).Path + "/" + id
}

// shown is a value of an attribute as people read it.
func (a attribute) shown(ctx context.Context, value string) string {
	return nodeform.AttributeValue(ctx, a.Key, value)
}

// options of an attribute; what it holds now is among them.
func (a attribute) options(ctx context.Context, value string) []ui.Option {
	values, known := a.Values, value == ""
	if a.Color {
		values = colors
	}
	out := []ui.Option{{Value: "", Text: t(ctx, "Not said")}}
	for _, v := range values {
		out = append(out, ui.Option{Value: v, Text: a.shown(ctx, v), Selected: v == value})
		known = known || v == value
	}
	if !known {
		out = append(out, ui.Option{Value: value, Text: value, Selected: true})
	}
	return out
}
