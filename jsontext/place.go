package jsontext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// UnfitError is ErrText, ErrSurrogate or ErrNUL, and the member that holds what
// is wrong.
type UnfitError struct {
	Err error
	// Field is a path such as "nodes[2].data.text", and empty for a fault outside of
	// any member or in a name.
	Field string
}

func (e *UnfitError) Error() string { return e.Err.Error() }

// Unwrap is what is wrong.
func (e *UnfitError) Unwrap() error { return e.Err }

func unfit(raw []byte, offset int, err error) error {
	return &UnfitError{Err: err, Field: fieldAt(raw, offset)}
}

// invalidAt is where a text stops being UTF-8.
func invalidAt(raw []byte) int {
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(raw)
}

// container is an object or array that encloses a place of a text.
type container struct {
	array bool
	index int    // of the entry
	name  []byte // of the member
	named bool   // whether its value has begun
}

// How long a name may be, in bytes, to be shown, and how many levels of a path are.
const (
	maxShownName   = 64
	maxShownLevels = 16
)

// fieldAt names the member that a place belongs to.
func fieldAt(raw []byte, offset int) string {
	var around []container
	var text []byte // the last one
	for i := 0; i < offset && len(around) <= MaxDepth; i++ {
		last := len(around) - 1
		switch raw[i] {
		case '"':
			end := closing(raw[:offset], i+1)
			text, i = raw[i+1:end], end
		case '{', '[':
			around = append(around, container{array: raw[i] == '['})
		case '}', ']':
			around = around[:max(last, 0)]
		case ':':
			if last >= 0 {
				around[last].name, around[last].named = text, true
			}
		case ',':
			if last >= 0 {
				around[last].index++
				around[last].named = false
			}
		}
	}
	return pathOf(around)
}

// closing is where a quoted text ends that begins before.
func closing(raw []byte, from int) int {
	for i := from; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(raw)
}

func pathOf(around []container) string {
	path := ""
	for _, c := range around[:min(len(around), maxShownLevels)] {
		switch {
		case c.array && path != "":
			path += "[" + strconv.Itoa(c.index) + "]"
		case c.array || !c.named || !showable(c.name):
			return path
		default:
			path = strings.TrimPrefix(path+"."+string(c.name), ".")
		}
	}
	return path
}

// showable tells a name that can stand in a path as it is.
func showable(name []byte) bool {
	if len(name) == 0 || len(name) > maxShownName || !utf8.Valid(name) {
		return false
	}
	for _, c := range name {
		if c < ' ' || c == '\\' || c == 0x7f {
			return false
		}
	}
	return true
}
