package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// MaxDepth is how many objects and lists may lie within each other.
const MaxDepth = 64

// What JSON is refused for besides its grammar.
var (
	ErrTooDeep    = errors.New("it nests deeper than 64 levels")
	ErrNumber     = errors.New("it holds a number that is too large")
	ErrMoreBehind = errors.New("there is something behind the end of it")
)

// CheckDepth refuses a text with ErrTooDeep before anything is built from it.
// It counts brackets outside of strings and leaves the grammar to the parser.
func CheckDepth(raw []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return ErrTooDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// Read reads one JSON value into dest as json.Unmarshal does, when it does not
// nest too deep. A number that no float64 holds is an error of the parser.
func Read(raw []byte, dest any) error {
	if err := CheckDepth(raw); err != nil {
		return err
	}
	return json.Unmarshal(raw, dest)
}

// ReadExact is Read for values whose numbers keep their digits: they become
// json.Number within an any. Each of them is one that a float64 holds.
func ReadExact(raw []byte, dest any) error {
	if err := CheckDepth(raw); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(dest); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return ErrMoreBehind
	}
	return checkNumbers(raw)
}

// checkNumbers reads the numbers of a text that is JSON.
func checkNumbers(raw []byte) error {
	quoted := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '-' || c >= '0' && c <= '9'):
			end := i
			for end < len(raw) && isNumeral(raw[end]) {
				end++
			}
			if _, ok := number(json.Number(raw[i:end])); !ok {
				return ErrNumber
			}
			i = end - 1
		}
	}
	return nil
}

func isNumeral(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}
