package graph

import (
	"context"

	"atelier/graph/generated"
	"atelier/models"
	"atelier/models/org"
	"atelier/models/run"
)

// glances are what lists say of workspaces, each area in one statement or two for all of them; nil for those that the
// caller cannot enter.
func (r *Resolver) glances(ctx context.Context, workspaces []*org.Workspace) (map[*org.Workspace]*generated.WorkspaceGlance, error) {
	ids := make([]models.ID, len(workspaces))
	for i, w := range workspaces {
		ids[i] = w.ID
	}
	money, err := r.Credits.Glances(ctx, workspaces)
	if err != nil {
		return nil, err
	}
	held, err := run.CountHeld(ctx, r.Runs, ids)
	if err != nil {
		return nil, err
	}
	posts, err := r.Community.CountToReview(ctx, ids)
	if err != nil {
		return nil, err
	}
	latest, err := run.LatestInWorkspaces(ctx, r.Runs, workspaces)
	found := make(map[*org.Workspace]*generated.WorkspaceGlance, len(workspaces))
	for _, w := range workspaces {
		found[w] = nil
		if m := money[w.ID]; m != nil {
			found[w] = &generated.WorkspaceGlance{Left: m.Left, Requests: m.Requests, Held: held[w.ID], Posts: posts[w.ID], Latest: latest[w.ID]}
		}
	}
	return found, err
}
