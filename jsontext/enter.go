package jsontext

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// MaxValues is how many values a text that enters may hold: decoded, each takes
// some fifty bytes and more, however short it is.
const MaxValues = 250_000

// What Enter refuses besides.
var (
	ErrSurrogate = errors.New("it holds half of a surrogate pair")
	ErrNUL       = errors.New("it holds the character U+0000")
	ErrValues    = errors.New("it holds more than 250000 values")
)

// byteOrderMark is what some editors write in front of UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// WithoutMark is a text without the byte-order mark that may lead it.
func WithoutMark(raw []byte) []byte { return bytes.TrimPrefix(raw, byteOrderMark) }

// Enter judges a JSON text that a client sent, before anything is built
// from it, and counts its values: all of it is UTF-8, holds no half of a
// surrogate pair and no U+0000, and nests and counts within MaxDepth and
// MaxValues. The grammar is left to the parser.
func Enter(raw []byte) (values int, err error) {
	if !utf8.Valid(raw) {
		return 0, unfit(raw, invalidAt(raw), ErrText)
	}
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == 0:
			return values, unfit(raw, i, ErrNUL)
		case quoted && c == '\\':
			skip, err := escape(raw[i:])
			if err != nil {
				return values, unfit(raw, i, err)
			}
			i += skip
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',', c == '[', c == '{':
			if values++; values > MaxValues {
				return values, ErrValues
			}
			if c != ',' {
				if depth++; depth > MaxDepth {
					return values, ErrTooDeep
				}
			}
		case c == ']', c == '}':
			depth--
		}
	}
	return values, nil
}

// CheckEscapes refuses halves of surrogate pairs and U+0000 among the escapes
// of a text in which a backslash escapes, such as a GraphQL document.
func CheckEscapes(text string) error {
	for i := 0; i < len(text); i++ {
		if text[i] == 0 {
			return ErrNUL
		}
		if text[i] != '\\' {
			continue
		}
		end := min(len(text), i+12)
		skip, err := escape([]byte(text[i:end]))
		if err != nil {
			return err
		}
		i += skip
	}
	return nil
}

// escape judges the escape that a text begins with: how many bytes of it to
// pass over behind the backslash.
func escape(raw []byte) (skip int, err error) {
	unit, ok := unicodeEscape(raw)
	switch {
	case !ok:
		return 1, nil
	case unit == 0:
		return 0, ErrNUL
	case unit < 0xd800 || unit > 0xdfff:
		return 5, nil
	}
	second, ok := rune(0), false
	if len(raw) > 6 {
		second, ok = unicodeEscape(raw[6:])
	}
	if unit > 0xdbff || !ok || second < 0xdc00 || second > 0xdfff {
		return 0, ErrSurrogate
	}
	return 11, nil
}

// unicodeEscape reads \uXXXX.
func unicodeEscape(raw []byte) (unit rune, ok bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	for _, c := range raw[2:6] {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}
