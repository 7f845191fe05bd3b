package nodeform

import (
	"encoding/json"
	"slices"
	"strings"
)

// schemaControl chooses the control for a field that an inputSchema describes.
func schemaControl(f SchemaField, nodeType string) ControlKind {
	switch {
	case len(f.Enum) > 0:
		return ControlSelect
	case slices.Contains(Things, Thing(f.Control)) && f.Type == "array":
		return ControlThings
	case slices.Contains(Things, Thing(f.Control)):
		return ControlThing
	case f.Type == "boolean":
		return ControlToggle
	case f.Type == "number" || f.Type == "integer":
		if f.Control == "slider" && f.Minimum != nil && f.Maximum != nil {
			return ControlSlider
		}
		return ControlNumber
	case f.Control == "color":
		return ControlColor
	case f.Control == "image" || f.Control == "video" || f.Control == "audio":
		return ControlFile
	case f.Format == "uri" && strings.HasPrefix(nodeType, "upload-"):
		return ControlFile
	case f.Type == "array" || f.Type == "object" || f.Control == "json":
		return ControlJSON
	case f.Format == "textarea":
		return ControlArea
	}
	return ControlLine
}

// Names that rules 3 and 4 of the inference go by.
var (
	sliderNames = []string{"duration", "intensity", "strength", "scale", "temperature"}
	areaNames   = []string{"prompt", "description", "text", "content", "caption", "message"}
)

// inferControl applies rules 2 to 6 of contract 1, "Field-control inference", in their order; rule 1 (allowedValues)
// has been asked before. Lists and objects, which the rules do not know, are edited as JSON.
func inferControl(nodeType, field string, value any) ControlKind {
	name := field[strings.LastIndex(field, ".")+1:]
	switch v := value.(type) {
	case bool:
		return ControlToggle
	case float64, json.Number:
		if slices.ContainsFunc(sliderNames, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) }) {
			return ControlSlider
		}
		return ControlNumber
	case string:
		if slices.Contains(areaNames, name) {
			return ControlArea
		}
		if IsWebAddress(v) && strings.HasPrefix(nodeType, "upload-") {
			return ControlFile
		}
	case []any, map[string]any:
		return ControlJSON
	}
	return ControlLine
}

// IsWebAddress tells whether a value is the address of something on the web.
func IsWebAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}
