package models

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/humantext"
)

// Several writes a number with a noun that takes an s: 1 second, 2 seconds.
func Several(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// maxName is how many characters a name may have.
const maxName = 100

// CleanName trims a name and checks that it has 1 to 100 characters, none of
// them a control character. What is invisible in it falls away, and what turns the
// text around it (humantext.Name).
func CleanName(field, s string) (string, error) {
	if len(s) <= 100*maxName { // what is longer is refused as it is
		s = humantext.Name(s)
	}
	return cleanText(field, strings.TrimSpace(s), 1, maxName, false)
}

// CleanText checks an optional text of at most limit characters; line breaks and tabs may stay.
func CleanText(field, s string, limit int) (string, error) {
	return cleanText(field, s, 0, limit, true)
}

func cleanText(field, s string, least, most int, lines bool) (string, error) {
	switch n := utf8.RuneCountInString(s); {
	case !utf8.ValidString(s):
		return "", Invalid(field, "must be valid UTF-8")
	case n < least:
		return "", Invalid(field, "must not be empty")
	case n > most:
		return "", Invalid(field, "must be at most %d characters", most)
	}
	for _, r := range s {
		if unicode.IsControl(r) && !(lines && (r == '\n' || r == '\r' || r == '\t')) {
			return "", Invalid(field, "must not hold control characters")
		}
	}
	return s, nil
}

// MaskEmail shows enough of an address to recognise one's own: a***@example.com.
func MaskEmail(s string) string {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" {
		return "***"
	}
	first, _ := utf8.DecodeRuneInString(local)
	return string(first) + "***@" + domain
}
