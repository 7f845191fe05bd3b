package frame

import "time"

// Error is a refusal of the service, or of the console itself.
type Error struct {
	Code string
	// Message is for people.
	Message string
	// Said is what the service said, for decisions; empty for the console's own.
	Said string
	// Field names the input at fault, empty when none is.
	Field  string
	Status int
	// RetryAfter is how long to wait after a 429 or 503.
	RetryAfter time.Duration
}

// Error says code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }
