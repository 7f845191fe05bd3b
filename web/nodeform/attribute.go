package nodeform

import (
	"context"
	"strings"

	"atelier/web/locale"
)

// attributeLabels are what the attributes of elements are called that a form has a field for.
var attributeLabels = map[string]string{
	"age": mark("Age"), "gender": mark("Gender"), "skin": mark("Skin"), "hairStyle": mark("Hair"),
	"hairColor": mark("Colour of the hair"), "eyeColor": mark("Colour of the eyes"), "outfit": mark("Clothes"),
	"outfitColor": mark("Colour of the clothes"), "accessory": mark("With"), "expression": mark("Look on the face"),
	"personality": mark("Personality"), "movement": mark("Movement"), "species": mark("Kind of animal"),
	"bodyColor": mark("Colour"), "secondColor": mark("Second colour"), "size": mark("Size"), "wings": mark("Wings"),
	"horns": mark("Horns"), "tail": mark("Tail"), "pattern": mark("Pattern"), "temperament": mark("Temperament"),
	"shape": mark("Shape"), "material": mark("Made of"), "color": mark("Colour"), "era": mark("Time"),
	"setting": mark("Setting"), "place": mark("Place"), "timeOfDay": mark("Time of day"), "weather": mark("Weather"),
	"season": mark("Season"), "mood": mark("Mood"),
}

// inOwnWords are attributes that people write; the others are chosen from words that have a translation.
var inOwnWords = map[string]bool{"personality": true, "movement": true, "temperament": true, "place": true, "shape": true}

// AttributeLabel is what an attribute of an element is called; one of a person's own is called by its name.
func AttributeLabel(ctx context.Context, name string) string {
	if label, known := attributeLabels[name]; known {
		return t(ctx, label)
	}
	return NameInWords(name)
}

// shades are what a description says before a color.
var shades = map[string]string{
	"light": markc("attribute", "light %s"), "dark": markc("attribute", "dark %s"), "pale": markc("attribute", "pale %s"),
	"deep": markc("attribute", "deep %s"), "bright": markc("attribute", "bright %s"), "pastel": markc("attribute", "pastel %s"),
}

// AttributeValue is the value of an attribute in the reader's language, as far as it is made of words that the painter knows:
// one of them, a shade of a color, or several with commas between them.
func AttributeValue(ctx context.Context, name, value string) string {
	if _, known := attributeLabels[name]; !known || inOwnWords[name] {
		return value
	}
	words := strings.Split(value, ", ")
	for i, word := range words {
		words[i] = attributeWord(ctx, word)
	}
	return strings.Join(words, ", ")
}

func attributeWord(ctx context.Context, word string) string {
	said := locale.Word(ctx, "attribute", word)
	shade, color, found := strings.Cut(word, " ")
	if said != word || !found || shades[shade] == "" {
		return said
	}
	if said = locale.Word(ctx, "attribute", color); said == color {
		return word // a color that has no word here
	}
	return tc(ctx, "attribute", shades[shade], said)
}
