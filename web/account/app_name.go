package account

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxOfName is how much of an app's name is shown, in characters.
const maxOfName = 60

// blankLetters are letters and signs by their category that no one sees.
const blankLetters = "\u034f\u115f\u1160\u2800\u3164\uffa0"

// plainName is the name that an app gave itself as it can be shown among words of the service: without characters that
// turn or hide text, without piles of accents, in one line, and not longer than a name is.
func plainName(ctx context.Context, name string) string {
	var b strings.Builder
	marks, n := 0, 0
	for _, r := range norm.NFC.String(name) {
		if unicode.IsSpace(r) {
			r = ' '
		}
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		if marks > 1 || !unicode.IsPrint(r) || strings.ContainsRune(blankLetters, r) || r == utf8.RuneError {
			continue
		}
		if n++; n > maxOfName {
			return strings.TrimSpace(b.String()) + "…"
		}
		b.WriteRune(r)
	}
	if out := strings.Join(strings.Fields(b.String()), " "); out != "" {
		return out
	}
	return t(ctx, "An app without a name")
}

// poses tells whether a name claims to be this service, which asks no one for access to itself.
func poses(name string) bool {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(likeness(r))
		}
	}
	return strings.Contains(b.String(), "atelier")
}

// likeness is the letter that another one looks like, among those of "Atelier".
func likeness(r rune) rune {
	switch r {
	case 'а', 'α', '4':
		return 'a'
	case 'т', 'τ', '7':
		return 't'
	case 'е', 'ε', 'є', '3':
		return 'e'
	case 'і', 'ι', 'ı', '1', 'ӏ':
		return 'i'
	case 'ⅼ':
		return 'l'
	case 'г', 'ř':
		return 'r'
	}
	return r
}
