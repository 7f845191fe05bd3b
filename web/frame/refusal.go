package frame

import (
	"context"
	"errors"
	"math"
	"net/http"
	"regexp"
	"strings"

	"atelier/web/locale"
)

// Refusal makes an Error of the console's own.
func Refusal(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}

// Invalid is a refusal that names a field of the form.
func Invalid(field, message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "validation_error", Field: field, Message: message}
}

// ErrNotFound is what does not exist, or may not be seen.
var ErrNotFound = Refusal(http.StatusNotFound, "not_found", mark("There is nothing at this address, or you may not see it."))

// Refused is the refusal within err; the service has logged those that are its own failures. Anything else is shown
// as internal_error, and known is false so that the caller logs it.
func Refused(err error) (e *Error, known bool) {
	if errors.As(err, &e) {
		return e, true
	}
	return Refusal(http.StatusInternalServerError, "internal_error", mark("Something failed on our side. Try once more in a moment.")), false
}

// said is a refusal in the reader's language: of messages that were made before there was a reader.
func said(ctx context.Context, e *Error) *Error {
	message := locale.Pattern(ctx, e.Message)
	if message == e.Message {
		return e
	}
	out := *e
	out.Message = message
	return &out
}

// HasCode tells whether err is a refusal with the code.
func HasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// ItemRefusal makes a refusal of an entry in a list one of the field that holds the list.
func ItemRefusal(ctx context.Context, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	switch {
	case strings.HasPrefix(e.Field, "presentationSettings"):
		out.Field, out.Message = "items", AboutField(ctx, t(ctx, "The form"), e)
	default:
		out.Field, _, _ = strings.Cut(e.Field, "[")
	}
	return &out
}

// waits tells whether a refusal passes with time: a limit, or a service that is busy.
func waits(e *Error) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && e.RetryAfter > 0
}

// tooMany is how the service refuses what was asked for too often.
var tooMany = regexp.MustCompile(`^Too many requests\. At most .+; try again in .+\.$`)

func (e *Error) tooOften() bool {
	return e.Status == http.StatusTooManyRequests && tooMany.MatchString(e.Said)
}

// aboveForm is a refusal above a form, which says itself how long to wait.
func aboveForm(ctx context.Context, e *Error) *Error {
	if e == nil || !e.tooOften() {
		return e
	}
	out := *e
	out.Message = t(ctx, "That was too often.")
	return &out
}

// retrySeconds is the wait of such a refusal; a minute when the service named none.
func retrySeconds(e *Error) int {
	if e.RetryAfter <= 0 {
		return 60
	}
	return int(math.Ceil(e.RetryAfter.Seconds()))
}
