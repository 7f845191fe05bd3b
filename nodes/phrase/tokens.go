package phrase

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// token is a word in lower case, and as it was written; or a mark of punctuation.
type token struct{ text, raw string }

// tokens are the words of a text and the marks that part sentences. Words with
// hyphens are taken apart.
func tokens(text string) []token {
	var found []token
	word := func(w string) {
		w = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(w, "'"), "'s"), "'S")
		if w != "" {
			found = append(found, token{strings.ToLower(w), w})
		}
	}
	start := -1
	text = strings.ReplaceAll(text, "’", "'")
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '\'' || r == '#' || r == '@' || r == '_' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			word(text[start:i])
			start = -1
		}
		switch r {
		case '.', '!', '?', '\n', '\r':
			found = append(found, token{".", "."})
		case ',', ':', '(', ')', '/':
			found = append(found, token{",", ","})
		case ';':
			found = append(found, token{";", ";"})
		case '&':
			found = append(found, token{"and", "&"})
		}
	}
	if start >= 0 {
		word(text[start:])
	}
	return found
}

func joined(words []token) string {
	raw := make([]string, len(words))
	for i, w := range words {
		raw[i] = w.raw
	}
	return strings.Join(raw, " ")
}

// singulars are the forms under which a word may stand in a list.
func singulars(word string) []string {
	forms := []string{word}
	if rest, ok := strings.CutSuffix(word, "ies"); ok && len(rest) > 1 {
		forms = append(forms, rest+"y")
	}
	if rest, ok := strings.CutSuffix(word, "es"); ok && len(rest) > 2 {
		forms = append(forms, rest)
	}
	if rest, ok := strings.CutSuffix(word, "s"); ok && len(rest) > 2 {
		forms = append(forms, rest)
	}
	if rest, ok := strings.CutSuffix(word, "ves"); ok && len(rest) > 1 {
		forms = append(forms, rest+"f")
	}
	return forms
}

// unique are the different words of a list in their order, as many as most.
func unique(words []string, most int) []string {
	found := []string{}
	for _, w := range words {
		if len(found) == most {
			break
		}
		if !slices.ContainsFunc(found, func(f string) bool { return strings.EqualFold(f, w) }) {
			found = append(found, w)
		}
	}
	return found
}

var numbers = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

func number(word string) (int, bool) {
	if n, ok := numbers[word]; ok {
		return n, true
	}
	n, err := strconv.Atoi(word)
	return n, err == nil && n >= 0 && n < 1000
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// links join a noun with what is said of it; breaks part a sentence; silent
// words say nothing that could be drawn.
var (
	links  = setOf("is are was were be looks look of colored coloured")
	breaks = setOf("with who whose that which has have having had but on at under over near by from holding carrying while or nor " +
		"behind beside next between around through as like for to into onto above below")
	silent = setOf("a an the this these those it its their they them there i we you me my our your some any very quite really so too also " +
		"rather slightly always often usually never do does did can could will would should may might must and in s t about " +
		"color colour colors colours one kind sort type lot lots many few more most much please picture image drawing portrait view")
	pronouns = map[string]string{"he": "male", "his": "male", "him": "male", "she": "female", "her": "female", "hers": "female"}
)
