package humantext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Password is a password in the one form of RFC 8265 (OpaqueString), so that it is the same on every keyboard and
// system: blanks beyond ASCII are spaces, and what can be written as one character or as several is one. Nothing
// is refused: what the profile disallows stays as it is, and so does what is not UTF-8.
func Password(s string) string {
	if plain(s) || !utf8.ValidString(s) {
		return s
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, s))
}
