package flow

import "atelier/web/frame"

// executionEvents wakes at every change of an execution.
func executionEvents(id string) frame.Subscription { return frame.ExecutionEvents(id) }
