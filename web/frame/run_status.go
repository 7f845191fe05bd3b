package frame

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// runStatuses are the states of a run.
var runStatuses = map[query.ExecutionStatus]ui.Status{
	query.ExecutionStatusPending:   {Text: "Waiting", Tone: ui.Warn},
	query.ExecutionStatusRunning:   {Text: "Running", Tone: ui.Info},
	query.ExecutionStatusCompleted: {Text: "Completed", Tone: ui.OK},
	query.ExecutionStatusFailed:    {Text: "Failed", Tone: ui.Bad},
}
