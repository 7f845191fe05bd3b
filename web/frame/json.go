package frame

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"atelier/jsontext"
	"atelier/web/locale"
)

// JSONOf is a value as compact JSON.
func JSONOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// SortedKeys are the keys of a map in their order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ReadJSON reads one JSON value and says where it went wrong.
func ReadJSON(text string, into any) error {
	if _, err := jsontext.Enter([]byte(text)); err != nil {
		return err
	}
	err := jsontext.ReadExact([]byte(text), into)
	if err == nil || errors.Is(err, jsontext.ErrTooDeep) || errors.Is(err, jsontext.ErrNumber) || errors.Is(err, jsontext.ErrMoreBehind) {
		return err
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return unread{mark("line %s: %s"), []any{lineAt(text, syntax.Offset), syntax.Error()}}
	case errors.As(err, &kind) && kind.Field != "":
		return unread{mark("line %s: %s must not be a %s"), []any{lineAt(text, kind.Offset), kind.Field, kind.Value}}
	case errors.As(err, &kind):
		return unread{mark("line %s: a %s does not belong there"), []any{lineAt(text, kind.Offset), kind.Value}}
	case errors.Is(err, io.EOF):
		return unread{mark("it is empty"), nil}
	}
	return unread{mark("it ends too early; a bracket is missing"), nil}
}

// unread is why a text is no JSON, as a message with its arguments.
type unread struct {
	message string
	args    []any
}

// Error is it in English.
func (e unread) Error() string { return locale.T(context.Background(), e.message, e.args...) }

// bounds are what package jsontext says, in words that are known to be translated.
var bounds = []string{
	mark("it holds half of a surrogate pair"), mark("it holds the character U+0000"), mark("it holds more than 250000 values"), mark("it nests deeper than 64 levels"),
	mark("it holds a number that is too large"), mark("there is something behind the end of it"), mark("an object holds a name twice"), mark("it is not valid UTF-8"),
}

// WhyNotJSON is what ReadJSON found wrong, in the reader's language.
func WhyNotJSON(ctx context.Context, err error) string {
	var e unread
	if errors.As(err, &e) {
		return locale.T(ctx, e.message, e.args...)
	}
	if slices.Contains(bounds, err.Error()) {
		return locale.Pattern(ctx, err.Error())
	}
	return err.Error()
}

func lineAt(text string, offset int64) string {
	return strconv.Itoa(1 + strings.Count(text[:min(max(0, int(offset)), len(text))], "\n"))
}

// WriteJSON is a value that has bounds of its own as readable text; <, > and & stay as they are. A value of which a
// page shows as much as fits is for shownJSON.
func WriteJSON(v any) string { return encoded(v, "  ") }

// PlainJSON is writeJSON on one line.
func PlainJSON(v any) string { return encoded(v, "") }

func encoded(v any, indent string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if encoder.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
