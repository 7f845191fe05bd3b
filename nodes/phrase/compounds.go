package phrase

import "strings"

// minCompound is how many letters a word has that may be written in two.
const minCompound = 6

// squeezed are words in one.
func squeezed(words []token) string {
	var all strings.Builder
	for _, w := range words {
		all.WriteString(w.text)
	}
	return all.String()
}

// compounds are the forms under which a row of words may stand in a list: as they were said, the last one in
// the singular, and as one word or several where the list has it so. "Wide screen" and "widescreen" are one, and
// hyphens are blanks already. phrases are those of the list by what they are in one word.
func compounds(words []token, phrases ...map[string]string) (forms []string) {
	head := make([]string, len(words))
	for i, w := range words {
		head[i] = w.text
	}
	last := len(head) - 1
	whole := ""
	if mayJoin(words) {
		whole = strings.Join(head[:last], "")
	}
	for _, form := range singulars(head[last]) {
		forms = append(forms, strings.Join(append(head[:last:last], form), " "))
	}
	for _, form := range singulars(head[last]) {
		one := whole + form
		if whole == "" && last > 0 || len(one) < minCompound {
			continue
		}
		if last > 0 {
			forms = append(forms, one)
		}
		for _, known := range phrases {
			if phrase := known[one]; phrase != "" && phrase != forms[0] {
				forms = append(forms, phrase)
			}
		}
	}
	return forms
}

// mayJoin tells whether words may be one that was written apart: none is short, none a mark or a number, and the
// first is no color, since a green house is a house.
func mayJoin(words []token) bool {
	for _, w := range words {
		if _, counted := number(w.text); counted || len(w.text) < 3 || silent[w.text] || links[w.text] || breaks[w.text] {
			return false
		}
	}
	_, color := colorName(words[0].text)
	return !color && shades[words[0].text] == 0
}
