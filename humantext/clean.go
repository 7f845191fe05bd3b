package humantext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Pasted is one line as it was pasted, such as a code or an address, without what is invisible: format
// characters fall away, every kind of blank is a space, and those around it go. It is in NFC. What is not UTF-8 is
// trimmed, for its reader to refuse.
func Pasted(s string) string {
	if plain(s) || !utf8.ValidString(s) {
		return strings.TrimSpace(s)
	}
	return norm.NFC.String(strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2800':
			return ' '
		case Unseen(r):
			return -1
		}
		return r
	}, s)))
}

// plain tells whether a text is of visible ASCII and spaces alone, as most are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Unseen tells characters that no reader sees: format characters, variation selectors, fillers and what else
// Unicode calls ignorable.
func Unseen(r rune) bool {
	return r > unicode.MaxASCII && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) &&
		unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// quotePairs are quotation marks that people and their programs put around a word, those that open before those
// that close.
var quotePairs = map[rune]string{
	'"': `"`, '\'': "'", '`': "`´'", '´': "´", '“': "”“", '”': "”", '„': "“”„", '‟': "”", '‘': "’‘", '’': "’", '‚': "‘’", '«': "»", '»': "«", '‹': "›", '›': "‹",
	'＂': "＂", '＇': "＇", '「': "」", '『': "』",
}

// Unquoted is a word without the pairs of quotation marks around all of it; a quotation mark of its own stays.
func Unquoted(s string) string {
	for {
		first, size := utf8.DecodeRuneInString(s)
		last, end := utf8.DecodeLastRuneInString(s)
		if closing, ok := quotePairs[first]; !ok || size+end > len(s) || !strings.ContainsRune(closing, last) {
			return s
		}
		s = strings.TrimSpace(s[size : len(s)-end])
	}
}

// Code is a code as it was pasted, such as of an authenticator app: without quotation marks, brackets and the
// end of the sentence around it.
func Code(s string) string {
	return bare(Pasted(s), ".,;:!?")
}

// NamedAddress is Address of an entry that may begin with a name: "Ann Lee <ann@example.com>".
func NamedAddress(s string) string {
	s = Pasted(s)
	if trimmed := strings.TrimRight(s, " .,;:"); strings.HasSuffix(trimmed, ">") {
		if at := strings.LastIndexByte(trimmed, '<'); at >= 0 {
			s = trimmed[at:]
		}
	}
	return Address(s)
}

// Address is an e-mail address as it was pasted, without mailto:, quotation marks, brackets and the end of the
// sentence around it. It does not judge whether that is an address.
func Address(s string) string {
	s = bare(Pasted(s), ".,;:!")
	const scheme = "mailto:"
	if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
		s, _, _ = strings.Cut(s[len(scheme):], "?")
		s = bare(s, ".,;:!")
	}
	return s
}

// Link is the address of a page as it was pasted: without quotation marks and brackets around it. What may
// be a part of it, such as a full stop at its end, stays.
func Link(s string) string {
	return bare(Pasted(s), "")
}

// brackets stand around a pasted word.
var brackets = map[byte]byte{'<': '>', '(': ')', '[': ']'}

// bare is a word without pairs around it and without any of ends behind it.
func bare(s, ends string) string {
	for {
		was := s
		s = Unquoted(strings.TrimSpace(strings.TrimRight(s, ends)))
		if n := len(s); n >= 2 && brackets[s[0]] == s[n-1] && brackets[s[0]] != 0 {
			s = strings.TrimSpace(s[1 : n-1])
		}
		if s == was {
			return s
		}
	}
}
