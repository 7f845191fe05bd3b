package web

import (
	"errors"
	"net/http"
	"time"
)

// Error is a refusal of the service, or of the console itself.
type Error struct {
	Code    string
	Message string
	// Field names the input at fault, empty when none is.
	Field  string
	Status int
	// RetryAfter is how long to wait after a 429 or 503.
	RetryAfter time.Duration
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// refusal makes an Error of the console's own.
func refusal(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}

// invalid is a refusal that names a field of the form.
func invalid(field, message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "validation_error", Field: field, Message: message}
}

var errNotFound = refusal(http.StatusNotFound, "not_found", "There is nothing at this address, or you may not see it.")

// refused is the refusal within err; the service has logged those that are its own failures. Anything else is shown
// as internal_error, and known is false so that the caller logs it.
func refused(err error) (e *Error, known bool) {
	if errors.As(err, &e) {
		return e, true
	}
	return refusal(http.StatusInternalServerError, "internal_error", "Something failed on our side. Try once more in a moment."), false
}

// hasCode tells whether err is a refusal with the code.
func hasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
