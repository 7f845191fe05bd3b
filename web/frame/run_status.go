package frame

import (
	"atelier/web/query"
	"atelier/web/ui"
)

func runTone(s query.ExecutionStatus) (string, ui.Tone) {
	switch s {
	case query.ExecutionStatusCompleted:
		return "Completed", ui.OK
	case query.ExecutionStatusFailed:
		return "Failed", ui.Bad
	case query.ExecutionStatusRunning:
		return "Running", ui.Info
	}
	return "Waiting", ui.Warn
}
