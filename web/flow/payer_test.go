package flow

import (
	"testing"

	"atelier/web/frame"
	"atelier/web/query"
)

// TestWhoPaysForAWorkflow names the space that a workflow lives in, whatever is selected.
func TestWhoPaysForAWorkflow(t *testing.T) {
	room, home := &query.ViewerWorkspace{}, "w"
	room.Name = "Biology"
	for want, flow := range map[string]query.WorkflowHead{
		"":                           {WorkspaceId: &home},
		"Biology pays for the run. ": {WorkspaceId: &home, EstimatedCredits: 2},
		"You pay for the run from your personal space. ": {EstimatedCredits: 2},
	} {
		if got := homePayer(t.Context(), frame.Place{Workspace: room}, flow); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
