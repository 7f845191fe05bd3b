package flow

import (
	"context"
	"regexp"
	"strings"
	"time"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/nodeform"
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
		said = t(ctx, "Node %s failed: %s", found[1], failureSaid(ctx, found[2], nodeform.NameInWords))
	} else if known := frame.FailureIn(ctx, *message, nodeform.NameInWords); known != *message {
		said = known
	} else {
		said = c.InWords(ctx, "", *message)
	}
	return &said
}

// failureSaid is why a step failed in the reader's language; a step that runs a workflow names the node within it.
func failureSaid(ctx context.Context, message string, label func(string) string) string {
	if found := nodeFailed.FindStringSubmatch(message); found != nil {
		return t(ctx, "Node %s failed: %s", found[1], failureSaid(ctx, found[2], nodeform.NameInWords))
	}
	return frame.WhyIn(ctx, message, label)
}

// failure puts into words why the step failed and what can be done. Who ran an app sees a form and no node.
func (n *nodeRun) failure(ctx context.Context, s query.RunNodeState, app bool, label func(string) string) {
	hint := frame.Value(s.Job.ErrorHint)
	n.Problem, n.FailsAgain = failureSaid(ctx, frame.Value(s.Job.ErrorMessage), label), frame.FailsAgain(hint)
	n.Hint = failureNext(ctx, hint, app)
}

// failureNext is what can be done about a failure.
func failureNext(ctx context.Context, hint string, app bool) string {
	if app && hint == frame.InputHint {
		return t(ctx, "Change what you filled in, and run it again.")
	}
	return frame.FailureIn(ctx, hint, nodeform.NameInWords)
}

// topSetting is the setting of a node that a refusal is about, where it names a part of it.
func topSetting(name string) string {
	if at := strings.IndexAny(name, ".["); at > 0 {
		return name[:at]
	}
	return name
}

// inputLabels are what the form of a run calls the settings that it asked for, by node and setting.
func inputLabels(ctx context.Context, e query.RunDetail, k nodeform.Kinds) map[[2]string]string {
	if e.FailedNodes == 0 {
		return nil
	}
	out := map[[2]string]string{}
	for _, in := range controlsOf(inputsOf(ctx, e, k)) {
		out[[2]string{in.NodeID, in.Field}] = in.Label
	}
	return out
}

// over tells whether a run has ended.
func over(status query.ExecutionStatus) bool {
	return status == query.ExecutionStatusCompleted || status == query.ExecutionStatusFailed
}
