package flow

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// jobStatuses are the states of a job.
var jobStatuses = map[query.JobStatus]ui.Status{
	query.JobStatusPending:       {Text: mark("Waiting"), Tone: ui.Warn},
	query.JobStatusProcessing:    {Text: mark("At work"), Tone: ui.Info},
	query.JobStatusCompleted:     {Text: mark("Completed"), Tone: ui.OK},
	query.JobStatusFailed:        {Text: mark("Failed"), Tone: ui.Bad},
	query.JobStatusCancelled:     {Text: mark("Cancelled"), Tone: ui.Plain},
	query.JobStatusPendingReview: {Text: mark("Held for review"), Tone: ui.Warn},
}
