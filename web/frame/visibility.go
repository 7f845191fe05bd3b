package frame

import (
	"context"

	"atelier/web/query"
	"atelier/web/ui"
)

// VisibilityOptions are who sees a thing of a workspace; private is what it is called where others do not.
func VisibilityOptions(ctx context.Context, words Words, private string) []ui.Option {
	return []ui.Option{
		{Value: string(query.WorkflowVisibilityPrivate), Text: private},
		{Value: string(query.WorkflowVisibilityWorkspace), Text: t(Saying(ctx, words), "Everyone in the {workspace}")},
	}
}
