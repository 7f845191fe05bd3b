// Package phrase takes ideas and descriptions apart and composes prompts, by
// lists of English words. It invents nothing: what it does not know stays as it
// is, and is named.
package phrase

import "strings"

// Understood is what a description says about an element.
type Understood struct {
	// Attributes by the names that the painter knows.
	Attributes map[string]string
	// NotUnderstood are words that mean nothing to the painter.
	NotUnderstood []string
}

// Attributes reads what a description says about an element of a kind
// (character, creature, object or location).
func Attributes(kind, description string) Understood {
	book, ok := books[kind]
	if !ok {
		return Understood{Attributes: map[string]string{}}
	}
	r := &reader{book: book, said: map[string]string{}, guessed: map[string]string{}}
	r.read(tokens(description))
	for name, value := range r.guessed {
		if _, ok := r.said[name]; !ok {
			r.said[name] = value
		}
	}
	return Understood{Attributes: r.said, NotUnderstood: unique(r.unknown, maxUnknown)}
}

// maxUnknown is how many words that no one understood are named.
const maxUnknown = 30

// reader goes through a description word by word. Colors and such words as
// "long" wait until the noun comes that they belong to.
type reader struct {
	book *book
	// said are the attributes that the words state, guessed what they suggest.
	said, guessed map[string]string
	waiting       []waiting
	// noun is the last one that takes colors; here tells that it stands in this
	// part of the sentence, linked that a verb such as "is" came since.
	noun         *meaning
	here, linked bool
	// strange: the last word of this part is not known, so that what waits belongs to it.
	strange bool
	negated bool
	// dressed: this part began with "in" or "wearing".
	dressed bool
	unknown []string
}

// waiting is a word that describes the noun to come.
type waiting struct {
	word, color string
	meaning     *meaning
}

func (r *reader) read(words []token) {
	for i := 0; i < len(words); {
		if n := r.years(words[i:]); n > 0 {
			i += n
			continue
		}
		if name, n := colorAt(words[i:]); n > 0 && r.book.longest(words[i:]) <= n {
			r.waiting = append(r.waiting, waiting{word: name, color: name})
			r.strange = false
			i += n
			continue
		}
		if m, n := r.book.at(words[i:]); n > 0 {
			r.meets(m, joined(words[i:i+n]))
			i += n
			continue
		}
		r.little(words, i)
		i++
	}
	r.ends()
}

// meets takes a word or phrase of the book.
func (r *reader) meets(m *meaning, word string) {
	r.strange = false
	if m.of != "" {
		r.waiting = append(r.waiting, waiting{word: word, meaning: m})
		return
	}
	if r.negated {
		for name, value := range m.without {
			r.set(name, value)
		}
		return
	}
	for name, value := range m.sets {
		switch {
		case m.weak:
			if _, ok := r.guessed[name]; !ok {
				r.guessed[name] = value
			}
		case !r.set(name, value):
			r.unknown = append(r.unknown, word)
		}
	}
	if len(m.takes) == 0 && !m.noun {
		return
	}
	r.noun, r.here, r.linked = m, true, false
	r.give(m)
}

// set keeps what was said first, and tells whether this agrees with it.
func (r *reader) set(name, value string) bool {
	if was, ok := r.said[name]; ok {
		return was == value
	}
	r.said[name] = value
	return true
}

// give hands what waits to a noun; what the noun has no place for is not understood.
func (r *reader) give(m *meaning) {
	places := m.takes
	for _, w := range r.waiting {
		switch {
		case w.meaning != nil && w.meaning.of == m.name:
			for name, value := range w.meaning.sets {
				if !r.set(name, value) && r.book.kind == "character" {
					r.unknown = append(r.unknown, w.word)
				} else {
					r.said[name] = value
				}
			}
		case w.color != "" && len(places) > 0:
			if _, ok := r.said[places[0]]; ok && len(places) > 1 {
				places = places[1:]
			}
			if !r.set(places[0], w.color) {
				r.unknown = append(r.unknown, w.word)
			}
			if len(places) > 1 {
				places = places[1:]
			}
		default:
			r.alone(w)
		}
	}
	r.waiting = nil
}

// alone takes a word that describes no noun the painter knows.
func (r *reader) alone(w waiting) {
	if w.meaning != nil && w.meaning.otherwise != nil {
		r.meets(w.meaning.otherwise, w.word)
		return
	}
	r.unknown = append(r.unknown, w.word)
}

// ends closes a part of the sentence.
func (r *reader) ends() {
	waits := r.waiting
	switch {
	case len(waits) == 0:
	case r.strange:
		r.waiting = nil
		for _, w := range waits {
			r.alone(w)
		}
	case r.noun != nil && (r.here || r.linked):
		r.give(r.noun)
	case r.book.kind == "character" && r.dressed:
		r.give(&meaning{takes: []string{"outfitColor"}})
	case len(r.book.colors) > 0:
		r.give(&meaning{takes: r.book.colors})
	default:
		r.waiting = nil
		for _, w := range waits {
			r.alone(w)
		}
	}
	r.here, r.strange, r.dressed, r.negated = false, false, false, false
}

// little takes a word that is not in the book: a small word that structures the
// sentence, or one that no one knows.
func (r *reader) little(words []token, i int) {
	word := words[i].text
	switch {
	case word == "." || word == ";":
		r.ends()
		r.linked = false
	case word == "," || word == "and":
		if !r.goesOn(words, i) {
			r.ends()
		}
	case word == "no" || word == "without" || word == "not":
		r.ends()
		r.negated = true
	case word == "in" || word == "wearing" || word == "wears":
		r.ends()
		r.dressed = true
	case links[word]:
		r.linked = r.noun != nil
	case breaks[word]:
		r.ends()
	case r.pronoun(word) || silent[word]:
	default:
		r.unknown = append(r.unknown, words[i].raw)
		r.strange = true
	}
}

// goesOn tells whether a comma or "and" stands within a row of describing
// words: "long, curly, red hair", "a black and white cat".
func (r *reader) goesOn(words []token, i int) bool {
	if len(r.waiting) == 0 || r.strange || i+1 >= len(words) {
		return false
	}
	if words[i+1].text == "and" && i+2 < len(words) {
		i++
	}
	if _, n := colorAt(words[i+1:]); n > 0 {
		return !r.linked || r.book.kind != "character" || r.endsAfter(words[i+1+n:])
	}
	m, _ := r.book.at(words[i+1:])
	return m != nil && m.of != "" && (!r.linked || r.waiting[0].meaning != nil)
}

// endsAfter tells whether the sentence has nothing more to describe.
func (*reader) endsAfter(rest []token) bool {
	return len(rest) == 0 || rest[0].text == "." || rest[0].text == "," || breaks[rest[0].text]
}

// pronoun takes he and she as a hint.
func (r *reader) pronoun(word string) bool {
	gender, ok := pronouns[word]
	if ok && r.book.kind == "character" && r.guessed["gender"] == "" {
		r.guessed["gender"] = gender
	}
	return ok
}

// years reads "8 years old" and "an eighty-year-old" in words of digits; it
// tells how many words that took.
func (r *reader) years(words []token) int {
	if len(words) < 3 || r.book.kind != "character" || strings.TrimSuffix(words[1].text, "s") != "year" || words[2].text != "old" {
		return 0
	}
	years, ok := number(words[0].text)
	if !ok {
		return 0
	}
	age := "old"
	switch {
	case years < 13:
		age = "child"
	case years < 20:
		age = "teen"
	case years < 65:
		age = "adult"
	}
	r.set("age", age)
	return 3
}
