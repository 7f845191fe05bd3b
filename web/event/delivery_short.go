package event

import "strings"

// shortProblem is a delivery error in a word or two; errorWords is the sentence.
func shortProblem(code string) string {
	if word, ok := shortProblems[code]; ok {
		return word
	}
	if status, ok := strings.CutPrefix(code, "http_"); ok {
		return status
	}
	return code
}

var shortProblems = map[string]string{
	"timeout": "Too slow", "blocked_address": "Not a public address", "connection_refused": "Refused", "connection_reset": "Closed",
	"tls_error": "TLS failed", "network_error": "Not reached", "endpoint_disabled": "Switched off", "app_revoked": "App revoked",
	"job_deleted": "Job deleted", "attempts_exhausted": "Cut off", "signing_unavailable": "Held up by us", "job_unreadable": "Held up by us",
	"body_incomplete": "Answer broke off",
}
