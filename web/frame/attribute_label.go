package frame

import "context"

// attributeLabels are what the attributes of elements are called, wherever they are shown.
var attributeLabels = map[string]string{
	"age":         mark("Age"),
	"gender":      mark("Gender"),
	"skin":        mark("Skin"),
	"hairStyle":   mark("Hair"),
	"hairColor":   mark("Color of the hair"),
	"eyeColor":    mark("Color of the eyes"),
	"outfit":      mark("Clothes"),
	"outfitColor": mark("Color of the clothes"),
	"accessory":   mark("With"),
	"expression":  mark("Look on the face"),
	"personality": mark("Personality"),
	"movement":    mark("Movement"),
	"species":     mark("Kind of animal"),
	"bodyColor":   mark("Color"),
	"secondColor": mark("Second color"),
	"size":        mark("Size"),
	"wings":       mark("Wings"),
	"horns":       mark("Horns"),
	"tail":        mark("Tail"),
	"pattern":     mark("Pattern"),
	"temperament": mark("Temperament"),
	"shape":       mark("Shape"),
	"material":    mark("Made of"),
	"color":       mark("Color"),
	"era":         mark("Time"),
	"setting":     mark("Setting"),
	"place":       mark("Place"),
	"timeOfDay":   mark("Time of day"),
	"weather":     mark("Weather"),
	"season":      mark("Season"),
	"mood":        mark("Mood"),
}

// AttributeLabel is what an attribute is called; nothing for one that people made up.
func AttributeLabel(ctx context.Context, key string) string {
	if label, known := attributeLabels[key]; known {
		return t(ctx, label)
	}
	return ""
}
