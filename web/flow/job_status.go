package flow

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// jobStatuses are the states of a job.
var jobStatuses = map[query.JobStatus]ui.Status{
	query.JobStatusPending:       {Text: "Waiting", Tone: ui.Warn},
	query.JobStatusProcessing:    {Text: "At work", Tone: ui.Info},
	query.JobStatusCompleted:     {Text: "Completed", Tone: ui.OK},
	query.JobStatusFailed:        {Text: "Failed", Tone: ui.Bad},
	query.JobStatusCancelled:     {Text: "Cancelled", Tone: ui.Plain},
	query.JobStatusPendingReview: {Text: "Held for review", Tone: ui.Warn},
}
