package flow

import (
	"atelier/web/query"
	"atelier/web/ui"
)

// accessWord is what the caller may do with a workflow.
func accessWord(a query.WorkflowAccess) string {
	switch a {
	case query.WorkflowAccessCreator:
		return "Yours"
	case query.WorkflowAccessEdit:
		return "Can edit"
	}
	return "Can view"
}

func publishVerb(w query.WorkflowHead) string {
	if w.App == nil {
		return "Publish as an app"
	}
	return "Publish version " + ui.Count(w.App.Version+1)
}
