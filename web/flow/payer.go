package flow

import (
	"context"
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

// paymentText says who pays for a run of an app, and what is left.
func paymentText(ctx context.Context, at frame.Place, p *query.AppPayment) string {
	switch {
	case p == nil || p.CreditsLeft == nil:
		return ""
	case at.Workspace == nil:
		return t(ctx, "You pay from your personal space, with %s left.", inCredits(ctx, *p.CreditsLeft))
	case p.OwnLeft != nil:
		return t(ctx, "%s pays, and you have %s left.", at.Workspace.Name, inCredits(ctx, min(*p.OwnLeft, *p.CreditsLeft)))
	}
	return t(ctx, "%s pays, with %s left.", at.Workspace.Name, inCredits(ctx, max(0, *p.CreditsLeft)))
}

// payer says whose credits a run takes.
func payer(ctx context.Context, at frame.Place) string {
	if at.Workspace != nil {
		return t(ctx, "%s pays for the run.", at.Workspace.Name)
	}
	return t(ctx, "You pay for the run from your personal space.")
}

// whoPays says whose credits the runs of an app take that lives in a place, and about how many.
func whoPays(ctx context.Context, home frame.Place, estimated float64) string {
	cost := frame.CreditsIn(ctx, estimated)
	if home.Workspace != nil {
		return t(frame.Saying(ctx, home.Words), "%s pays for what its {members} run, about %s a run.", home.Workspace.Name, cost)
	}
	return t(ctx, "People pay for their own runs, about %s a run.", cost)
}

// homePayer says who pays for a run of a workflow by its id: the space that it lives in, whatever is selected. It is
// empty where a run costs nothing.
func homePayer(ctx context.Context, home frame.Place, flow query.WorkflowHead) string {
	if flow.EstimatedCredits == 0 {
		return ""
	}
	if flow.WorkspaceId == nil {
		home.Workspace = nil
	}
	return payer(ctx, home) + " "
}
