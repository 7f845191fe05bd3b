package kit

import (
	"strings"
	"unicode"

	"atelier/humantext"
)

// abbreviations end in a dot that ends no sentence.
var abbreviations = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "prof": true, "st": true, "vs": true, "etc": true,
	"e.g": true, "i.e": true, "z.b": true, "d.h": true, "bzw": true, "ca": true, "nr": true, "no": true, "usw": true,
}

// Sentences cuts a text after ., !, ? and … where the next word begins one,
// and at blank lines; it ends at most sentences.
func Sentences(text string, most int) []string {
	var found []string
	keep := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			found = append(found, s)
		}
	}
	for paragraph := range strings.SplitSeq(humantext.LineEnds(text), "\n\n") {
		if len(found) >= most {
			break
		}
		runes := []rune(paragraph)
		start := 0
		for i, r := range runes {
			if !strings.ContainsRune(".!?…。！？", r) || !endsSentence(runes, start, i) {
				continue
			}
			keep(string(runes[start : i+1]))
			if start = i + 1; len(found) == most {
				return found
			}
		}
		keep(string(runes[start:]))
	}
	return found
}

// endsSentence tells whether the mark at i is followed by a new sentence.
func endsSentence(runes []rune, start, i int) bool {
	if strings.ContainsRune("。！？", runes[i]) {
		return true
	}
	if i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) {
		return false
	}
	if runes[i] == '.' {
		from := i
		for from > start && !unicode.IsSpace(runes[from-1]) {
			from--
		}
		word := strings.ToLower(string(runes[from:i]))
		if abbreviations[word] || len([]rune(word)) == 1 && unicode.IsLetter(runes[i-1]) {
			return false
		}
	}
	for _, next := range runes[i+1:] {
		if !unicode.IsSpace(next) {
			return !unicode.IsLower(next)
		}
	}
	return true
}
