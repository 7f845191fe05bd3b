package kit

import (
	"maps"
	"slices"
)

// ModelFields are the names under which a model's Fields may map what a node
// sends: lists of pictures are referenceImages and images, each other name is one value.
var ModelFields = []string{
	"prompt", "negativePrompt", "aspectRatio", "seed", "imageUrl", "videoUrl", "audioUrl", "referenceImages", "characterImage",
	"faceImage", "text", "voice", "triggerWord", "images", "steps", "duration", "speed", "language",
}

// usualFields are the names of inputs that most models of Replicate share.
var usualFields = map[string]string{
	"prompt": "prompt", "aspectRatio": "aspect_ratio", "seed": "seed", "text": "text", "duration": "duration", "triggerWord": "trigger_word",
	"images": "input_images", "steps": "steps", "audioUrl": "audio",
}

// fieldName is what the model calls a field; "" does not send it.
func (m Model) fieldName(name string) string {
	if mapped, ok := m.Fields[name]; ok {
		return mapped
	}
	return usualFields[name]
}

// Takes tells whether a field is sent to the model.
func (m Model) Takes(name string) bool { return m.fieldName(name) != "" }

// Inputs puts fields under the model's names for them; nil and empty ones, and
// those that it does not take, are left out.
func (m Model) Inputs(fields map[string]any) map[string]any {
	named := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if to := m.fieldName(name); to != "" && !empty(fields[name]) {
			named[to] = fields[name]
		}
	}
	return named
}
