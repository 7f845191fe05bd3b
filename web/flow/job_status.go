package flow

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// jobTone is the state of a job in a word.
func jobTone(s query.JobStatus) (string, ui.Tone) {
	switch s {
	case query.JobStatusCompleted:
		return "Completed", ui.OK
	case query.JobStatusFailed:
		return "Failed", ui.Bad
	case query.JobStatusProcessing:
		return "At work", ui.Info
	case query.JobStatusCancelled:
		return "Cancelled", ui.Plain
	case query.JobStatusPendingReview:
		return "Held for review", ui.Warn
	}
	return "Waiting", ui.Warn
}
