package humantext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name is a name as it is kept: in NFC, without what turns the text around it and without invisible
// letters; blanks of every width that look like a space are one. What scripts and emoji need between two characters
// stays: joiners, and selectors behind what they select of.
func Name(s string) string {
	if plain(s) || !utf8.ValidString(s) {
		return s
	}
	runes := []rune(s)
	kept := make([]rune, 0, len(runes))
	for i, r := range runes {
		switch {
		case blank(r):
			kept = append(kept, ' ')
		case !Unseen(r), needed(kept, r, runes[i+1:]):
			kept = append(kept, r)
		}
	}
	return norm.NFC.String(string(kept))
}

// blank tells what looks like a space in a name and is another character.
func blank(r rune) bool {
	return slices.Contains([]rune{'\u00a0', '\u2007', '\u202f', '\u2800', '\u2028', '\u2029'}, r)
}

// joining are the scripts in which a joiner changes how letters are written.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan, unicode.Balinese, unicode.Javanese, unicode.Tai_Tham, unicode.Limbu, unicode.Thaana,
}

// needed tells whether a character that is not seen by itself shapes those beside it.
func needed(before []rune, r rune, after []rune) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	switch {
	case r == '\u200c' || r == '\u200d':
		if len(after) == 0 {
			return false
		}
		next := after[0]
		if unicode.In(last, joining...) && unicode.In(next, joining...) {
			return true
		}
		return r == '\u200d' && (pictured(last) || last == '\ufe0f') && pictured(next)
	case r == '\ufe0e' || r == '\ufe0f':
		return pictured(last) || strings.ContainsRune("0123456789#*", last) && len(after) > 0 && after[0] == '\u20e3'
	case r >= 0x180b && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, last)
	case unicode.Is(unicode.Variation_Selector, r):
		return unicode.Is(unicode.Han, last)
	case r >= 0xe0020 && r <= 0xe007f: // the tags of a flag
		return last == 0x1f3f4 || last >= 0xe0020 && last < 0xe007f
	}
	return false
}

// pictured tells characters that emoji are made of.
func pictured(r rune) bool {
	return unicode.Is(unicode.So, r) && r != '\u2800' || r >= 0x1f3fb && r <= 0x1f3ff || strings.ContainsRune("‼⁉↔↕©®™〰〽", r) || unicode.Is(unicode.Sm, r) && r > 0x2000
}
