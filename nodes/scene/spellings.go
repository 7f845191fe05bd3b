package scene

import (
	"strings"
	"sync"
)

// minCompound is how many letters a word has that may be written in two.
const minCompound = 6

// spellings are the ways in which a phrase may stand in the lists: as it was written, and with its
// parts in one word, with blanks or with hyphens between them. "Space ship", "space-ship" and
// "spaceship" are one.
func spellings(p string) []string {
	forms := []string{p}
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == ' ' || r == '-' })
	if spaced := strings.Join(parts, " "); spaced != p {
		forms = append(forms, spaced)
	}
	for _, part := range parts {
		if len(part) < 3 && len(parts) > 1 {
			return forms
		}
	}
	whole := strings.Join(parts, "")
	if len(whole) < minCompound || strings.Contains(p, " ") && colors[parts[0]] != "" {
		return forms // "green house" is a house
	}
	if len(parts) > 1 {
		forms = append(forms, whole)
	}
	if phrase := compounds()[whole]; phrase != "" {
		return append(forms, phrase)
	}
	if phrase := compounds()[singular(whole)]; phrase != "" {
		forms = append(forms, phrase+"s")
	}
	return forms
}

// compounds are the phrases of the lists by what they are in one word.
var compounds = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	add := func(phrase string) {
		if strings.ContainsAny(phrase, " -") {
			all[strings.NewReplacer(" ", "", "-", "").Replace(phrase)] = phrase
		}
	}
	for phrase := range nouns {
		add(phrase)
	}
	for phrase := range wholes {
		add(phrase)
	}
	for phrase := range places {
		add(phrase)
	}
	for phrase := range colors {
		add(phrase)
	}
	return all
})
