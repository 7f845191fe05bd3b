package flow

import (
	"atelier/web/frame"
	"atelier/web/query"
)

// payer says whose credits a run takes.
func payer(at frame.Place) string {
	if at.Workspace != nil {
		return at.Workspace.Name + " pays for the run"
	}
	return "You pay for the run from your personal space"
}

// homePayer says who pays for a run of a workflow by its id: the space that it lives in, whatever is selected. It is
// empty where a run costs nothing.
func homePayer(home frame.Place, flow query.WorkflowHead) string {
	if flow.EstimatedCredits == 0 {
		return ""
	}
	if flow.WorkspaceId == nil {
		home.Workspace = nil
	}
	return payer(home) + ". "
}
