package frame

import "atelier/web/query"

// ExecutionEvents wakes at every change of an execution.
func ExecutionEvents(id string) Subscription {
	return Subscription{Query: query.ExecutionChanged_Operation, Name: "ExecutionChanged", Variables: map[string]any{"id": id}}
}
