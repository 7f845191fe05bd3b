package flow

import (
	"context"
	"regexp"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
)

// took is how long something ran, so far when it has not ended.
func took(ctx context.Context, from, to *time.Time, now time.Time) string {
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
	return locale.Duration(ctx, max(0, end.Sub(*from)))
}

// costOf is what a node cost in words.
func costOf(ctx context.Context, status *string, charged *float64) string {
	switch {
	case charged != nil && status != nil && *status == "committed":
		return credits(ctx, *charged)
	case status != nil && *status == "reserved":
		return t(ctx, "reserved")
	case status != nil && *status == "released":
		return "0"
	}
	return "—"
}

// charged is what a node cost with its unit; empty where it cost nothing.
func charged(ctx context.Context, status *string, amount *float64) string {
	if frame.Value(status) != "committed" || frame.Thousandths(frame.Value(amount)) == 0 {
		return ""
	}
	return inCredits(ctx, *amount)
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
func triggerWord(ctx context.Context, trigger string) string {
	switch trigger {
	case "editor":
		return t(ctx, "by hand")
	case "api":
		return t(ctx, "by a program")
	case "app":
		return t(ctx, "in the app")
	case "webhook":
		return t(ctx, "by its URL")
	case "schedule":
		return t(ctx, "by its schedule")
	}
	return trigger
}

// failureHint is the next step after a failure, by its code.
func failureHint(ctx context.Context, code *string) string {
	switch frame.Value(code) {
	case "cancelled":
		return t(ctx, "Steps that had finished were charged; the rest went back.")
	case "insufficient_app_credits", "budget_exceeded", "member_cap_exceeded":
		return t(ctx, "There were not enough credits. Ask the person who gives them out, then run it again.")
	case "run_requires_authenticated_member":
		return t(ctx, "The person who made this automation may no longer run the workflow, so it stopped. Someone who may run it has to set it up again.")
	}
	return ""
}

// nodeFailed is how the service says which node of a run failed, and why.
var nodeFailed = regexp.MustCompile(`(?s)^Node (.+?) failed: (.*)$`)

// runError is why a run failed, in the words of the page.
func (c Pages) runError(ctx context.Context, message *string) *string {
	if frame.Value(message) == "" {
		return message
	}
	said := ""
	if found := nodeFailed.FindStringSubmatch(*message); found != nil {
		said = t(ctx, "Node %s failed: %s", found[1], found[2])
	} else {
		said = c.InWords(ctx, "", *message)
	}
	return &said
}

// over tells whether a run has ended.
func over(status query.ExecutionStatus) bool {
	return status == query.ExecutionStatusCompleted || status == query.ExecutionStatusFailed
}
