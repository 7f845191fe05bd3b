package frame

import (
	"context"

	"atelier/web/locale"
)

// Titled is what has the title of a run.
type Titled interface {
	GetTitle() string
	GetTitleIsOfType() bool
}

// RunTitle is what a run and its result are called: the name of the workflow or app, and where a node ran by itself that
// of the node, in the reader's language.
func RunTitle(ctx context.Context, run Titled) string {
	if run.GetTitleIsOfType() {
		return locale.Word(ctx, "node", run.GetTitle())
	}
	return run.GetTitle()
}
