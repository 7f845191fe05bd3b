package nodes

import (
	"maps"
	"slices"
	"strings"

	"atelier/nodes/figure"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

// understood is what an element is to look like, with every trait decided.
type understood struct {
	all           map[string]string
	seed          int64
	palette       []string
	words         string
	notUnderstood []string
}

// understand reads the attributes of the call over those that its description
// states; what neither says, the seed decides. An element that has no attributes
// takes the colors of its own pictures.
func understand(in *kit.Call, kind string) understood {
	said := map[string]string{}
	for name, value := range in.Object("attributes") {
		if text, ok := value.(string); ok && strings.TrimSpace(text) != "" {
			said[name] = text
		}
	}
	var palette []string
	if len(said) == 0 && in.Refs != nil && len(in.Refs.Elements) > 0 {
		palette = in.Refs.Elements[0].Palette
	}
	description := in.Text("description")
	read := phrase.Attributes(kind, description)
	words := phrase.Words(kind, in.Text("name"), "", description, said)
	for name, value := range read.Attributes {
		if said[name] == "" {
			said[name] = value
		}
	}
	spotted(kind, said, description)
	u := understood{seed: seedOrNew(in), palette: palette, words: words}
	var strange []string
	u.all, strange = finished(kind, said, u.seed, palette)
	for _, word := range slices.Concat(read.NotUnderstood, strange) {
		if !slices.Contains(u.notUnderstood, word) && !spotted(kind, map[string]string{}, word) {
			u.notUnderstood = append(u.notUnderstood, word)
		}
	}
	return u
}

// finished decides every trait; colors may have any name that a prompt may use.
func finished(kind string, said map[string]string, seed int64, palette []string) (all map[string]string, strange []string) {
	said = maps.Clone(said)
	if said == nil {
		said = map[string]string{}
	}
	known, _ := figure.Understand(kind, said)
	for name, value := range said {
		if _, ok := known[name]; ok {
			continue
		}
		if color, ok := phrase.Color(value); ok {
			said[name] = color
		}
	}
	return figure.Complete(kind, said, seed, palette)
}

// whatIsIt is the trait that says what a thing of a kind is.
var whatIsIt = map[string]string{figure.Object: "shape", figure.Creature: "species", figure.Location: "place"}

// spotted finds a word of the drawing in a text for what the thing is, where
// that is not said.
func spotted(kind string, said map[string]string, text string) bool {
	name := whatIsIt[kind]
	if name == "" || said[name] != "" {
		return false
	}
	known, _ := figure.Understand(kind, map[string]string{name: text})
	if known[name] == "" {
		return false
	}
	said[name] = known[name]
	return true
}
