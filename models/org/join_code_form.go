package org

import (
	"crypto/rand"
	"strings"
	"unicode"

	"atelier/humantext"

	"golang.org/x/text/unicode/norm"
)

// JoinAlphabet is the 23 symbols of join codes, so eight of them are 36 bits.
// It holds one of each pair that is misread or misheard (open points, "Join
// codes"); lookalikes say which symbol another character is read as.
const (
	JoinAlphabet   = "01234679ABCDEGHKMRSVWXY"
	joinCodeLength = 8
)

var lookalikes = map[rune]rune{
	'O': '0', 'Q': '0', 'I': '1', 'L': '1', 'Z': '2', '5': 'S', 'F': 'S', '8': 'B', 'P': 'B',
	'T': 'D', 'J': 'G', 'N': 'M', 'U': 'V',
}

// spoken is a word for each symbol: the radiotelephony alphabet.
var spoken = map[rune]string{
	'0': "Zero", '1': "One", '2': "Two", '3': "Three", '4': "Four", '6': "Six", '7': "Seven", '9': "Nine",
	'A': "Alfa", 'B': "Bravo", 'C': "Charlie", 'D': "Delta", 'E': "Echo", 'G': "Golf", 'H': "Hotel", 'K': "Kilo",
	'M': "Mike", 'R': "Romeo", 'S': "Sierra", 'V': "Victor", 'W': "Whiskey", 'X': "X-ray", 'Y': "Yankee",
}

// newJoinCode draws eight symbols, each equally likely.
func newJoinCode() string {
	code := make([]byte, 0, joinCodeLength)
	var b [1]byte
	for len(code) < joinCodeLength {
		rand.Read(b[:])
		if n := len(JoinAlphabet); int(b[0]) < 256/n*n {
			code = append(code, JoinAlphabet[int(b[0])%n])
		}
	}
	return string(code)
}

// NormalizeJoinCode reads a code as people write and say it: any case, grouped
// by hyphens, spaces or dots, pasted with quotation marks and invisible characters, with misread and misheard symbols. What is no
// code gives false.
func NormalizeJoinCode(s string) (string, bool) {
	if len(s) > 100 {
		return "", false
	}
	var code strings.Builder
	for _, r := range norm.NFKC.String(humantext.Code(s)) {
		r = unicode.ToUpper(r)
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '.' || r == '_' || r == '\u2212' {
			continue
		}
		if like, ok := lookalikes[r]; ok {
			r = like
		}
		if !strings.ContainsRune(JoinAlphabet, r) {
			return "", false
		}
		code.WriteRune(r)
	}
	return code.String(), code.Len() == joinCodeLength
}

// Spoken is how the code is said: a word for each character.
func (c *JoinCode) Spoken() []string {
	words := make([]string, 0, joinCodeLength)
	for _, r := range c.Code {
		words = append(words, spoken[r])
	}
	return words
}
