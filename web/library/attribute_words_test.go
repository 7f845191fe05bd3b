package library

import (
	"slices"
	"testing"
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
