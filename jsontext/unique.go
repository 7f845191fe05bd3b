package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// What ReadUnique refuses besides.
var (
	ErrTwice = errors.New("an object holds a name twice")
	ErrText  = errors.New("it is not valid UTF-8")
)

// ReadUnique is ReadExact for texts of which two readers must never make two
// things: no object in it holds a name twice, in whatever notation, and all of
// it is UTF-8.
func ReadUnique(raw []byte, dest any) error {
	if !utf8.Valid(raw) {
		return ErrText
	}
	if err := CheckDepth(raw); err != nil {
		return err
	}
	if err := checkNames(raw); err != nil {
		return err
	}
	return ReadExact(raw, dest)
}

// checkNames reads the names of every object. What is wrong with the grammar is
// left to the parser.
func checkNames(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	type level struct {
		names map[string]bool // nil in a list
		value bool            // a value comes next, not a name
	}
	var open []level
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if name, text := token.(string); text && len(open) > 0 {
			if top := &open[len(open)-1]; top.names != nil && !top.value {
				if top.names[name] {
					return ErrTwice
				}
				top.names[name], top.value = true, true
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
			continue
		case json.Delim('['):
			open = append(open, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			open[len(open)-1].value = false
		}
	}
}
