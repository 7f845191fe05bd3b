package frame

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// RunStatus is the state of a run in the reader's language.
func RunStatus(ctx context.Context, s query.ExecutionStatus) ui.Status { return runStatuses[s].In(ctx) }

// runStatuses are the states of a run.
var runStatuses = map[query.ExecutionStatus]ui.Status{
	query.ExecutionStatusPending:   {Text: mark("Waiting"), Tone: ui.Warn},
	query.ExecutionStatusRunning:   {Text: mark("Running"), Tone: ui.Info},
	query.ExecutionStatusCompleted: {Text: mark("Completed"), Tone: ui.OK},
	query.ExecutionStatusFailed:    {Text: mark("Failed"), Tone: ui.Bad},
}
