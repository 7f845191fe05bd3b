package inbound

import (
	"errors"
	"net/http"
	"os"
	"time"
)

// Refusal is why bytes are not let in, with the code that the faces answer.
type Refusal struct {
	Status  int
	Code    string
	Message string
	// Field names the input at fault, empty when none is.
	Field string
	// RetryAfter is how long to wait after a 429 or 503.
	RetryAfter time.Duration
	cause      error
}

// Error says code and message.
func (r *Refusal) Error() string { return r.Code + ": " + r.Message }

// Refused is the same for those who do not know the type.
func (r *Refusal) Refused() (status int, code, message, field string, retryAfter time.Duration) {
	return r.Status, r.Code, r.Message, r.Field, r.RetryAfter
}

// Unwrap is what failed beneath, nil when nothing did.
func (r *Refusal) Unwrap() error { return r.cause }

// The codes of refusals.
const (
	codeValidation  = "validation_error"
	codeTooLarge    = "payload_too_large"
	codeType        = "unsupported_media_type"
	codeRate        = "rate_limit_exceeded"
	codeUnavailable = "service_unavailable"
)

func invalid(message string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Code: codeValidation, Message: message}
}

// TooLarge is the refusal of a body beyond its route's limit.
func TooLarge() *Refusal {
	return &Refusal{Status: http.StatusRequestEntityTooLarge, Code: codeTooLarge, Message: "The body is too large for this route"}
}

func unsupported(message string) *Refusal {
	return &Refusal{Status: http.StatusUnsupportedMediaType, Code: codeType, Message: message}
}

func busy(message string, wait time.Duration) *Refusal {
	return &Refusal{Status: http.StatusTooManyRequests, Code: codeRate, Message: message, RetryAfter: wait}
}

// broken says why a body could not be read to its end. A refusal stays what it is.
func broken(err error) error {
	var refusal *Refusal
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &refusal), errors.As(err, &large):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Refusal{Status: http.StatusRequestTimeout, Code: codeValidation, Message: "The body did not arrive in time", cause: err}
	}
	return &Refusal{Status: http.StatusBadRequest, Code: codeValidation, Message: "The body did not arrive whole", cause: err}
}
