package frame

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// runStatuses are the states of a run.
var runStatuses = map[query.ExecutionStatus]ui.Status{
	query.ExecutionStatusPending:   {Text: mark("Waiting"), Tone: ui.Warn},
	query.ExecutionStatusRunning:   {Text: mark("Running"), Tone: ui.Info},
	query.ExecutionStatusCompleted: {Text: mark("Completed"), Tone: ui.OK},
	query.ExecutionStatusFailed:    {Text: mark("Failed"), Tone: ui.Bad},
}
