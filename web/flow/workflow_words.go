package flow

import (
	"context"

	"atelier/web/query"
)

// accessWord is what the caller may do with a workflow.
func accessWord(ctx context.Context, a query.WorkflowAccess) string {
	switch a {
	case query.WorkflowAccessCreator:
		return tc(ctx, "workflow", "Yours")
	case query.WorkflowAccessEdit:
		return t(ctx, "Can edit")
	}
	return t(ctx, "Can view")
}

func publishVerb(ctx context.Context, w query.WorkflowHead) string {
	if w.App == nil {
		return t(ctx, "Publish as an app")
	}
	return t(ctx, "Publish version %d", w.App.Version+1)
}
