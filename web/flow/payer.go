package flow

import (
	"net/http"

	"atelier/web/frame"
	"atelier/web/query"
)

// paidIn is the workspace whose credits a run of an app takes: the one that the address names, else the app's own for
// those who are in it, else none, for the personal space.
func paidIn(r *http.Request, app query.AppPublic) string {
	if in := frame.SpaceOf(r).Workspace; in != "" || frame.ChosePersonal(r) {
		return in
	}
	return frame.Value(app.WorkspaceId)
}

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
