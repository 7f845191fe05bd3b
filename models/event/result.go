package event

import (
	"fmt"
	"time"
)

// The error values of deliveries beside http_<status> and those of the
// connection, which egress.Classify gives (contract 2, "Delivery record").
const (
	errorEndpointDisabled   = "endpoint_disabled"
	errorAppRevoked         = "app_revoked"
	errorJobDeleted         = "job_deleted"
	errorAttemptsExhausted  = "attempts_exhausted"
	errorSigningUnavailable = "signing_unavailable"
	errorJobUnreadable      = "job_unreadable"
)

// errorBodyIncomplete is an attempt's alone.
const errorBodyIncomplete = "body_incomplete"

// disabledByFailures is the disabledReason of the automatic shut-off.
const disabledByFailures = "consecutive_failures"

// result is what came of one attempt.
type result struct {
	// status is the receiver's answer, 0 when it gave none.
	status int
	// body is the start of the answer.
	body []byte
	// head is what is kept of the answer's head.
	head string
	// fault is why there was no answer: an error value.
	fault string
	// brokenOff says that the answer came, but its body not to an end.
	brokenOff bool
	// unsent says that the attempt failed by this service's own trouble, before
	// anything was sent.
	unsent             bool
	address            string
	dns, connect, full time.Duration
}

func (r result) answered() bool  { return r.status != 0 }
func (r result) delivered() bool { return r.status >= 200 && r.status < 300 }

// error is the delivery's error value; nil when it was delivered.
func (r result) error() *string {
	value := r.fault
	switch {
	case r.delivered():
		return nil
	case r.answered():
		value = fmt.Sprintf("http_%d", r.status)
	}
	return &value
}

// attemptError is the attempt's: a receiver whose answer's body dripped on past
// its time, or broke off, counts as delivered, and the attempt says so.
func (r result) attemptError() *string {
	if r.delivered() && r.brokenOff {
		value := errorBodyIncomplete
		return &value
	}
	return r.error()
}
