package models

import (
	"fmt"
	"unicode/utf8"
)

// How much of a text that a person sent a message repeats, in characters: of
// one in quotes, which is what was sent, of any other, which may be a list of
// what is allowed, and of the name of a field.
const (
	maxQuoted = 100
	maxPlain  = 1_000
	maxField  = 400
)

// echoed is an argument of a message, which comes out cut.
type echoed string

// Format writes the text as its verb says.
func (e echoed) Format(s fmt.State, verb rune) {
	most := maxPlain
	if verb == 'q' {
		most = maxQuoted
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), Shortened(string(e), most))
}

// echo bounds what the texts among the arguments of a message add to it.
func echo(args []any) []any {
	bounded := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			bounded[i] = echoed(v)
		case error:
			bounded[i] = echoed(v.Error())
		default:
			bounded[i] = v
		}
	}
	return bounded
}

// Shortened is a text of at most so many characters; one that was cut ends in an ellipsis.
func Shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := 0
	for n := 0; end < len(s); n++ {
		if n == most {
			return s[:end] + "…"
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s
}
