package ui

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"atelier/web/locale"
)

// noReader is the context of what is written in English, for readers whose language is not asked for.
var noReader = context.Background()

// Credits writes thousandths of a credit as credits: "1,284.5", at most three decimals, none that are zero.
func Credits(thousandths int64) string { return locale.Credits(noReader, thousandths) }

// Count writes a whole number with separators: "12,408".
func Count[N int | int32 | int64](n N) string { return locale.Count(noReader, n) }

// Amount writes a measured number with at most three decimals and separators.
func Amount(f float64) string { return locale.Amount(noReader, f) }

// Clock writes a wait as people read it from a wall: "4:05", "1:02:00".
func Clock(d time.Duration) string {
	s := int(max(0, d).Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Initials are the first letters of the first and the last word of a name, or "?" when there is none.
func Initials(name string) string {
	var letters []rune
	for _, w := range strings.Fields(name) {
		for _, r := range w {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				letters = append(letters, unicode.ToUpper(r))
				break
			}
		}
	}
	switch len(letters) {
	case 0:
		return "?"
	case 1:
		return string(letters)
	}
	return string([]rune{letters[0], letters[len(letters)-1]})
}

// GroupCode writes a join code in groups of four: "K7QM-2XPA".
func GroupCode(code string) string {
	var b strings.Builder
	n := 0
	for _, r := range code {
		if r == '-' || r == ' ' {
			continue
		}
		if n > 0 && n%4 == 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToUpper(r))
		n++
	}
	return b.String()
}

var spelling = map[rune]string{
	'A': "Alfa", 'B': "Bravo", 'C': "Charlie", 'D': "Delta", 'E': "Echo", 'F': "Foxtrot", 'G': "Golf", 'H': "Hotel",
	'I': "India", 'J': "Juliett", 'K': "Kilo", 'L': "Lima", 'M': "Mike", 'N': "November", 'O': "Oscar", 'P': "Papa",
	'Q': "Quebec", 'R': "Romeo", 'S': "Sierra", 'T': "Tango", 'U': "Uniform", 'V': "Victor", 'W': "Whiskey",
	'X': "X-ray", 'Y': "Yankee", 'Z': "Zulu",
}

// SpokenCode spells a join code for reading aloud: "Kilo, 7, Quebec, Mike. 2, X-ray, Papa, Alfa."
func SpokenCode(code string) string {
	var groups []string
	for _, g := range strings.Split(GroupCode(code), "-") {
		var words []string
		for _, r := range g {
			if w, ok := spelling[r]; ok {
				words = append(words, w)
			} else {
				words = append(words, string(r))
			}
		}
		groups = append(groups, strings.Join(words, ", "))
	}
	return strings.Join(groups, ". ") + "."
}
