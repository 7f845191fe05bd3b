package models

import (
	"errors"

	"atelier/jsontext"
)

// MaxJSONDepth is how many objects and lists may lie within each other in JSON
// that enters: bodies, variables, settings, results of nodes.
const MaxJSONDepth = jsontext.MaxDepth

// CheckJSONDepth refuses a text that nests deeper with validation_error, before
// anything is built from it. Its grammar is the parser's to judge.
func CheckJSONDepth(raw []byte) error { return jsonRefusal(jsontext.CheckDepth(raw)) }

// ReadJSON reads one value as json.Unmarshal does, within the bounds on depth.
// The refusals of the bounds are validation_error, those of the grammar
// encoding/json's own. Every JSON that another person wrote is read here.
func ReadJSON(raw []byte, dest any) error { return jsonRefusal(jsontext.Read(raw, dest)) }

// JSONDepth is how deep a decoded value nests, 0 for a text or a number; it
// looks no further than one level beyond MaxJSONDepth.
func JSONDepth(value any) int { return jsontext.Depth(value) }

// JSONSize is how large a decoded value is: bytes as JSON, and values.
type JSONSize = jsontext.Size

// SizeOfJSON measures a decoded value, and looks no further once it is beyond the bound.
func SizeOfJSON(value any, most JSONSize) JSONSize { return jsontext.SizeOf(value, most) }

func jsonRefusal(err error) error {
	switch {
	case errors.Is(err, jsontext.ErrTooDeep):
		return Err(CodeValidation, "The JSON is nested deeper than %d levels", MaxJSONDepth)
	case errors.Is(err, jsontext.ErrNumber):
		return Err(CodeValidation, "The JSON holds a number that is too large")
	}
	return err
}
