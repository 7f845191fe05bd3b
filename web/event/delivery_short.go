package event

import (
	"context"
	"strings"
)

// shortProblem is a delivery error in a word or two; errorWords is the sentence.
func shortProblem(ctx context.Context, code string) string {
	if word, ok := shortProblems[code]; ok {
		return t(ctx, word)
	}
	if status, ok := strings.CutPrefix(code, "http_"); ok {
		return status
	}
	return code
}

var shortProblems = map[string]string{
	"timeout": mark("Too slow"), "blocked_address": mark("Not a public address"), "connection_refused": mark("Refused"), "connection_reset": mark("Closed"),
	"tls_error": mark("TLS failed"), "network_error": mark("Not reached"), "endpoint_disabled": mark("Switched off"), "app_revoked": mark("App revoked"),
	"job_deleted": mark("Job deleted"), "attempts_exhausted": mark("Cut off"), "signing_unavailable": mark("Held up by us"), "job_unreadable": mark("Held up by us"),
	"body_incomplete": mark("Answer broke off"),
}
