package flow

import (
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/query"
	"atelier/web/ui"
)

// took is how long something ran, so far when it has not ended.
func took(from, to *time.Time, now time.Time) string {
	if from == nil {
		return ""
	}
	end := now
	if to != nil {
		end = *to
	}
	if end.Sub(*from) < time.Millisecond && to != nil {
		return "" // handed on without any work
	}
	return ui.Duration(max(0, end.Sub(*from)))
}

// costOf is what a node cost in words.
func costOf(status *string, charged *float64) string {
	switch {
	case charged != nil && status != nil && *status == "committed":
		return frame.Credits(*charged)
	case status != nil && *status == "reserved":
		return "reserved"
	case status != nil && *status == "released":
		return "0"
	}
	return "—"
}

// inCredits is what costOf says with its unit.
func inCredits(amount string) string {
	if amount == "1" {
		return "1 credit"
	}
	return amount + " credits"
}

// sentence ends a text with a full stop, unless it has an end.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return s
	}
	return s + "."
}

// triggerWord says what started a run.
func triggerWord(trigger string) string {
	switch trigger {
	case "editor":
		return "by hand"
	case "api":
		return "by a program"
	case "app":
		return "in the app"
	case "webhook":
		return "by its URL"
	case "schedule":
		return "by its schedule"
	}
	return trigger
}

// failureHint is the next step after a failure, by its code.
func failureHint(code *string) string {
	switch frame.Value(code) {
	case "cancelled":
		return "Steps that had finished were charged; the rest went back."
	case "insufficient_app_credits", "budget_exceeded", "member_cap_exceeded":
		return "There were not enough credits. Ask the person who gives them out, then run it again."
	case "run_requires_authenticated_member":
		return "The person who made this automation may no longer run the workflow, so it stopped. Someone who may run it has to set it up again."
	}
	return ""
}

// over tells whether a run has ended.
func over(status query.ExecutionStatus) bool {
	return status == query.ExecutionStatusCompleted || status == query.ExecutionStatusFailed
}
