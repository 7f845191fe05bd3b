package frame

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"atelier/jsontext"
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
		return fmt.Errorf("line %d: %s", lineAt(text, syntax.Offset), syntax.Error())
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("line %d: %s must not be a %s", lineAt(text, kind.Offset), kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: a %s does not belong there", lineAt(text, kind.Offset), kind.Value)
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	}
	return errors.New("it ends too early; a bracket is missing")
}

func lineAt(text string, offset int64) int {
	return 1 + strings.Count(text[:min(max(0, int(offset)), len(text))], "\n")
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
