package library

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// Kind is one of the five kinds of elements, in the words of its pages.
type Kind struct {
	Path  string // of its addresses
	Kind  query.ElementKind
	One   string // within a sentence: "character"
	A     string
	Many  string
	About string // what it is, for an empty list
	Idea  string // an example of a description
	// NodeType draws it; empty for what cannot be drawn.
	NodeType string
	Trains   bool
	Views    []ui.Option
	fields   []attribute
}

// attribute is one of those that the painter and the composer understand.
type attribute struct {
	Key, Label string
	Values     []string
	Color      bool
}

// colors are names of colors to choose from; another one can be typed among the other attributes.
var colors = []string{
	"black", "white", "grey", "brown", "blonde", "red", "orange", "yellow", "gold", "green", "turquoise", "blue", "dark blue", "purple", "pink",
}

var people = []ui.Option{
	{Value: "portrait", Text: "Portrait", Selected: true}, {Value: "front", Text: "From the front", Selected: true},
	{Value: "side", Text: "From the side", Selected: true}, {Value: "back", Text: "From behind"}, {Value: "happy", Text: "Happy"},
	{Value: "sad", Text: "Sad"}, {Value: "surprised", Text: "Surprised"}, {Value: "angry", Text: "Angry"},
}

// Kinds are all of them, in the order of their tabs.
var Kinds = []Kind{
	{
		Path: "characters", Kind: query.ElementKindCharacter, One: "character", A: "a character", Many: "Characters", NodeType: "generate-character", Trains: true,
		About: "A character looks the same in every picture of a story. Describe one once, then name it by its handle in any prompt.",
		Idea:  "An old man with glasses, a white beard and a red coat", Views: people,
		fields: []attribute{
			{Key: "age", Label: "Age", Values: []string{"child", "teen", "adult", "old"}},
			{Key: "gender", Label: "Gender", Values: []string{"female", "male", "neutral"}},
			{Key: "skin", Label: "Skin", Values: []string{"pale", "light", "olive", "tan", "brown", "dark"}},
			{Key: "hairStyle", Label: "Hair", Values: []string{"bald", "short", "long", "curly", "braids", "bun", "ponytail", "headscarf"}},
			{Key: "hairColor", Label: "Colour of the hair", Color: true}, {Key: "eyeColor", Label: "Colour of the eyes", Color: true},
			{Key: "outfit", Label: "Clothes", Values: []string{
				"t-shirt", "shirt", "dress", "hoodie", "coat", "uniform", "armour", "lab-coat", "robe",
			}},
			{Key: "outfitColor", Label: "Colour of the clothes", Color: true},
			{Key: "accessory", Label: "With", Values: []string{"glasses", "hat", "crown", "scarf", "backpack", "headphones", "wheelchair"}},
			{Key: "expression", Label: "Look on the face", Values: []string{"happy", "sad", "surprised", "angry", "neutral"}},
			{Key: "personality", Label: "Personality"}, {Key: "movement", Label: "Movement"},
		},
	},
	{
		Path: "creatures", Kind: query.ElementKindCreature, One: "creature", A: "a creature", Many: "Creatures", NodeType: "generate-creature", Trains: true,
		About: "A creature is an animal, a monster or a robot that stays the same in every picture.",
		Idea:  "A small green dragon with golden wings and a striped tail", Views: people,
		fields: []attribute{
			{Key: "species", Label: "Kind of animal", Values: []string{
				"cat", "dog", "horse", "fox", "bear", "rabbit", "bird", "owl", "fish", "snake", "frog", "insect", "dragon", "unicorn", "robot",
			}},
			{Key: "bodyColor", Label: "Colour", Color: true}, {Key: "secondColor", Label: "Second colour", Color: true},
			{Key: "size", Label: "Size", Values: []string{"small", "medium", "large"}},
			{Key: "wings", Label: "Wings", Values: []string{"feathered", "leathery", "butterfly", "yes", "none"}},
			{Key: "horns", Label: "Horns", Values: []string{"yes", "one", "none"}},
			{Key: "tail", Label: "Tail", Values: []string{"yes", "long", "short", "bushy", "curly", "none"}},
			{Key: "pattern", Label: "Pattern", Values: []string{"plain", "striped", "spotted"}},
			{Key: "temperament", Label: "Temperament"},
		},
	},
	{
		Path: "objects", Kind: query.ElementKindObject, One: "object", A: "an object", Many: "Objects", NodeType: "generate-object", Trains: true,
		About: "An object is a thing that turns up again: a lamp, a ship, a magic book.",
		Idea:  "An old wooden chest with brass corners",
		Views: []ui.Option{
			{Value: "front", Text: "From the front", Selected: true}, {Value: "side", Text: "From the side", Selected: true},
			{Value: "top", Text: "From above", Selected: true}, {Value: "three-quarter", Text: "At an angle"},
		},
		fields: []attribute{
			{Key: "shape", Label: "Shape"},
			{Key: "material", Label: "Made of", Values: []string{
				"wood", "metal", "glass", "stone", "plastic", "paper", "fabric", "leather", "ceramic", "ice", "rubber", "gold", "silver",
			}},
			{Key: "color", Label: "Colour", Color: true}, {Key: "size", Label: "Size", Values: []string{"small", "medium", "large"}},
			{Key: "era", Label: "Time", Values: []string{"ancient", "medieval", "victorian", "old", "modern", "futuristic"}},
		},
	},
	{
		Path: "locations", Kind: query.ElementKindLocation, One: "location", A: "a location", Many: "Locations", NodeType: "generate-location",
		About: "A location is a place where a story plays. It is painted in four lights and stays the same place.",
		Idea:  "A small harbour at dusk, with fishing boats and fog",
		Views: []ui.Option{
			{Value: "dawn", Text: "At dawn", Selected: true}, {Value: "day", Text: "By day", Selected: true},
			{Value: "dusk", Text: "At dusk", Selected: true}, {Value: "night", Text: "By night"},
		},
		fields: []attribute{
			{Key: "setting", Label: "Setting", Values: []string{"indoor", "outdoor"}}, {Key: "place", Label: "Place"},
			{Key: "timeOfDay", Label: "Time of day", Values: []string{"dawn", "day", "dusk", "night"}},
			{Key: "weather", Label: "Weather", Values: []string{"sunny", "cloudy", "rainy", "snowy", "foggy", "stormy", "windy"}},
			{Key: "season", Label: "Season", Values: []string{"spring", "summer", "autumn", "winter"}},
			{Key: "mood", Label: "Mood", Values: []string{
				"calm", "cosy", "cheerful", "busy", "mysterious", "spooky", "magical", "lonely", "romantic", "sad", "epic",
			}},
		},
	},
	{
		Path: "faces", Kind: query.ElementKindFace, One: "face", A: "a face", Many: "Faces",
		About: "A face is one real person's face, kept with their consent so that a character may have it. Nobody is recognised by it.",
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

// options of an attribute; what it holds now is among them.
func (a attribute) options(value string) []ui.Option {
	values, known := a.Values, value == ""
	if a.Color {
		values = colors
	}
	out := []ui.Option{{Value: "", Text: "Not said"}}
	for _, v := range values {
		out = append(out, ui.Option{Value: v, Text: v, Selected: v == value})
		known = known || v == value
	}
	if !known {
		out = append(out, ui.Option{Value: value, Text: value, Selected: true})
	}
	return out
}
