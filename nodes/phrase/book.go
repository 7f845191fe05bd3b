package phrase

import (
	"regexp"
	"strings"
)

// meaning is what a word says about an element.
type meaning struct {
	name string
	// sets are the attributes that it states; weak ones only where nothing else does.
	sets map[string]string
	weak bool
	// takes are the attributes to which colors said of it go, in their order.
	takes []string
	noun  bool
	// of is the noun that it describes: "long" says something of hair alone.
	of string
	// without are the attributes that its absence sets.
	without map[string]string
	// otherwise is what it says where that noun does not follow.
	otherwise *meaning
}

// book is what the words mean for one kind of element.
type book struct {
	kind  string
	words map[string]*meaning
	// squeezed are the phrases by what they are in one word.
	squeezed map[string]string
	// longest phrase in words.
	most int
	// colors are the attributes of colors that are said of the element itself.
	colors []string
}

// newBook reads lists of words. A line is what they say, a colon, and the words
// and phrases: "age=old gender=female: granny, old lady". Besides attributes a
// line may say takes=<attributes>, noun=<name>, of=<noun>, without=<attribute>/<value> and weak.
func newBook(kind, lines string, colors ...string) *book {
	b := &book{kind: kind, words: map[string]*meaning{}, squeezed: map[string]string{}, most: 2, colors: colors}
	for line := range strings.Lines(lines) {
		head, tail, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		m := meaningOf(head)
		for phrase := range strings.SplitSeq(tail, ",") {
			words := strings.Fields(phrase)
			b.most = max(b.most, len(words))
			key := strings.Join(words, " ")
			if was := b.words[key]; was != nil && was.of != "" && m.of == "" {
				was.otherwise = m
				continue
			}
			b.words[key], b.squeezed[strings.Join(words, "")] = m, key
		}
	}
	return b
}

func meaningOf(head string) *meaning {
	m := &meaning{sets: map[string]string{}}
	for field := range strings.FieldsSeq(head) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "weak":
			m.weak = true
		case "takes":
			m.takes = strings.Split(value, ",")
		case "noun":
			m.noun, m.name = true, value
		case "of":
			m.of = value
		case "without":
			attribute, none, _ := strings.Cut(value, "/")
			m.without = map[string]string{attribute: none}
		default:
			m.sets[name] = strings.ReplaceAll(value, "_", " ")
		}
	}
	return m
}

// at is the longest phrase of the book that a row of words begins with, and its length in words.
func (b *book) at(words []token) (*meaning, int) {
	for n := min(b.most, len(words)); n > 0; n-- {
		for _, key := range compounds(words[:n], b.squeezed) {
			if m, ok := b.words[key]; ok {
				return m, n
			}
		}
	}
	if b.kind == "object" && decade.MatchString(words[0].text) {
		return &meaning{sets: map[string]string{"era": words[0].text}}, 1
	}
	return nil, 0
}

func (b *book) longest(words []token) int {
	_, n := b.at(words)
	return n
}

var decade = regexp.MustCompile(`^1[0-9][0-9]0s$|^20[0-9]0s$`)

// books are the words by kind of element.
var books = map[string]*book{
	"character": newBook("character", characterWords),
	"creature":  newBook("creature", creatureWords, "bodyColor", "secondColor"),
	"object":    newBook("object", objectWords, "color"),
	"location":  newBook("location", locationWords),
}
