package flow

import (
	"atelier/web/frame"
	"atelier/web/query"
)

// executionEvents wakes at every change of an execution.
func executionEvents(id string) frame.Subscription {
	return frame.Subscription{Query: query.ExecutionChanged_Operation, Name: "ExecutionChanged", Variables: map[string]any{"id": id}}
}
