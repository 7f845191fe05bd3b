package atelier

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Code tells refusals apart. The list grows: treat one that is not known by the status.
type Code string

// Error is a refusal of the service.
type Error struct {
	Status int
	// Code is what to go by; Message is for people, and may change.
	Code    Code
	Message string
	// Field is the input at fault, where there is one.
	Field string
	// MissingScope is what a connected app must ask its person for (insufficient_scope).
	MissingScope string
	// RetryAfter is how long to wait, 0 when the service did not say.
	RetryAfter time.Duration
	// RequestID names the request in the service's log.
	RequestID string
	// Details are all members of the error, those of later versions too.
	Details map[string]any
}

func (e *Error) Error() string {
	switch {
	case e.Code == "":
		return fmt.Sprintf("status %d: %s", e.Status, e.Message)
	case e.Message == "":
		return string(e.Code)
	}
	return fmt.Sprintf("%s (%s)", e.Message, e.Code)
}

// CodeOf is the code of a refusal, and empty for any other error.
func CodeOf(err error) Code {
	if refusal := (*Error)(nil); errors.As(err, &refusal) {
		return refusal.Code
	}
	return ""
}

// IsCode tells whether an error is a refusal with one of the codes.
func IsCode(err error, codes ...Code) bool {
	code := CodeOf(err)
	return code != "" && slices.Contains(codes, code)
}

// readError reads a refusal: of the API, or of OAuth, or of something on the way that knows neither.
func readError(r *http.Response) *Error {
	e := &Error{Status: r.StatusCode, Message: http.StatusText(r.StatusCode), RequestID: r.Header.Get("X-Request-Id"), RetryAfter: retryAfter(r.Header)}
	content, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var body struct {
		Error       json.RawMessage `json:"error"`
		Description string          `json:"error_description"`
	}
	if json.Unmarshal(content, &body) != nil {
		return e
	}
	if json.Unmarshal(body.Error, &e.Code) == nil { // RFC 6749
		e.Message = body.Description
		return e
	}
	if json.Unmarshal(body.Error, &e.Details) != nil {
		return e
	}
	code, _ := e.Details["code"].(string)
	e.Code = Code(code)
	if message, ok := e.Details["message"].(string); ok {
		e.Message = message
	}
	e.Field, _ = e.Details["field"].(string)
	e.MissingScope, _ = e.Details["missingScope"].(string)
	return e
}

// retryAfter reads Retry-After: seconds, or a moment.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now := time.Now()
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date // by the clock that Retry-After goes by
	}
	return max(at.Sub(now), 0)
}
