package rest

import (
	"strings"

	"github.com/danielgtaylor/huma/v2/validation"
)

// nameForms words what huma says of values of another form, so that it reads
// on from the name of the field: "width must be a number".
func nameForms() {
	validation.MsgExpectedString = "must be a string"
	validation.MsgExpectedNumber = "must be a number"
	validation.MsgExpectedInteger = "must be a whole number"
	validation.MsgExpectedBoolean = "must be true or false"
	validation.MsgExpectedArray = "must be an array"
	validation.MsgExpectedObject = "must be an object"
	validation.MsgExpectedOneOf = "must be one of %s"
	validation.MsgExpectedMinimumNumber = "must be at least %v"
	validation.MsgExpectedMaximumNumber = "must be at most %v"
	validation.MsgExpectedMinLength = "must have at least %d characters"
	validation.MsgExpectedMaxLength = "must have at most %d characters"
	validation.MsgExpectedMinItems = "must have at least %d entries"
	validation.MsgExpectedMaxItems = "must have at most %d entries"
	validation.MsgExpectedRFC4122UUID = "must be a UUID: %v"
}

// formWords is what a detail of huma's says, without the name of the field.
func formWords(message string) string {
	switch {
	case strings.HasPrefix(message, "must "):
		return message
	case strings.HasSuffix(message, idPattern):
		return "must be a UUID"
	case strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " parameter is missing"):
		return "is required"
	}
	return "is not valid: " + message
}
