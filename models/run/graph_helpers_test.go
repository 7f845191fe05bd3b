package run

import "strings"

// plan is a motion plan with one slot of each kind.
func plan3() map[string]any {
	return map[string]any{
		"animation": map[string]any{"w": 100.0, "h": 100.0, "fr": 30.0, "ip": 0.0, "op": 60.0, "layers": []any{}},
		"slots": map[string]any{
			"headline": map[string]any{"type": "text", "value": "Hello"},
			"accent":   map[string]any{"type": "color", "value": []any{1.0, 0.0, 0.0, 1.0}},
			"size":     map[string]any{"type": "number", "value": 10.0},
		},
		"slotValues": map[string]any{},
	}
}

// longPaths are names beyond the bounds: parts, characters, and as many parts
// as once filled the stack of the one who encoded the data.
var longPaths = map[string]string{
	"eleven parts":         "values" + strings.Repeat(".a", 10),
	"201 characters":       "values." + strings.Repeat("ü", 194),
	"a million parts":      "values" + strings.Repeat(".a", 1_200_000),
	"two million in a key": strings.Repeat("a", 2_000_000),
	"a long slot":          "slot:" + strings.Repeat("a", 200),
}

// nested are lists within each other, an object at their heart.
func nested(depth int) any {
	value := any(map[string]any{})
	for range depth - 1 {
		value = map[string]any{"a": value}
	}
	return value
}
