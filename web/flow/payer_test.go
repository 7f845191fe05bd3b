//go:build !race

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

// TestWhoPaysForAnApp names the workspace that an app lives in; without one, each person pays.
func TestWhoPaysForAnApp(t *testing.T) {
	room := &query.ViewerWorkspace{}
	room.Name = "Biology"
	for want, home := range map[string]frame.Place{
		"Biology pays for what its members run, about 2 credits a run.": {Workspace: room, Words: frame.PlainWords},
		"People pay for their own runs, about 2 credits a run.":         {Words: frame.PlainWords},
	} {
		if got := whoPays(t.Context(), home, 2); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
