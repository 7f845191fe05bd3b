package web

import "atelier/web/query"

// executionEvents wakes at every change of an execution.
func executionEvents(id string) subscription {
	return subscription{Query: query.ExecutionChanged_Operation, Name: "ExecutionChanged", Variables: map[string]any{"id": id}}
}
