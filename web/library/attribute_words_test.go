//go:build !race

package library

import (
	"slices"
	"testing"

	"atelier/nodes/figure"
	"atelier/web/locale"
	"atelier/web/nodeform"
)

// What can be chosen for an attribute has a word in every language.
func TestAttributesHaveWords(t *testing.T) {
	for _, k := range Kinds {
		for _, a := range k.fields {
			for _, value := range append(slices.Clone(a.Values), colors...) {
				if !slices.Contains(attributeWords, value) {
					t.Errorf("%s: %s has no word", a.Key, value)
				}
			}
		}
	}
}

// What the drawing finishes an element with has a word in every language, but for names of shapes and places.
func TestDrawnAttributesHaveWords(t *testing.T) {
	for _, kind := range []string{figure.Character, figure.Creature, figure.Object, figure.Location} {
		for seed := range int64(400) {
			drawn, _ := figure.Complete(kind, nil, seed, nil)
			for name, value := range drawn {
				if name != "shape" && name != "place" && !hexColor.MatchString(value) && !slices.Contains(attributeWords, value) {
					t.Errorf("%s of a %s: %s has no word", name, kind, value)
				}
			}
		}
	}
}

func TestAttributesInWords(t *testing.T) {
	ctx := locale.With(t.Context(), locale.ByCode("de"))
	for _, c := range []struct{ name, value, want string }{
		{"eyeColor", "teal", "petrol"}, {"hairColor", "dark teal", "dunkelpetrol"}, {"outfitColor", "#aabbcc", "#aabbcc"},
		{"accessory", "glasses, hat", "Brille, Hut"}, {"personality", "old", "old"}, {"eyeColor", "dark octarine", "dark octarine"},
	} {
		if got := nodeform.AttributeValue(ctx, c.name, c.value); got != c.want {
			t.Errorf("%s %q is %q", c.name, c.value, got)
		}
	}
}
