package graph

import (
	"context"

	"github.com/vikstrous/dataloadgen"

	"atelier/models"
	"atelier/models/flow"
)

// workflowLoaders gather what lists of workflows and apps show beside their rows.
type workflowLoaders struct {
	graphs   *dataloadgen.Loader[models.ID, *flow.Version]
	empty    *dataloadgen.Loader[models.ID, bool]
	apps     *dataloadgen.Loader[models.ID, *flow.App]
	versions *dataloadgen.Loader[models.ID, []*flow.AppVersion]
	results  *dataloadgen.Loader[models.ID, string]
}

func newWorkflowLoaders(r *Resolver) workflowLoaders {
	return workflowLoaders{
		graphs:   loader(charged(r.Flows.GraphsOf)),
		empty:    loader(r.Flows.EmptyAmong),
		apps:     loader(r.Flows.Apps().ByWorkflow),
		versions: loader(r.Flows.Apps().Versions),
		results:  loader(r.Runs.Results().LatestByApp),
	}
}

// withGraph is the workflow with its graph, which lists leave out.
func (l workflowLoaders) withGraph(ctx context.Context, w *flow.Workflow) (*flow.Workflow, error) {
	if w.Nodes != nil {
		return w, nil
	}
	version, err := l.graphs.Load(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	whole := *w
	whole.Nodes, whole.Edges = version.Nodes, version.Edges
	return &whole, nil
}

// AddGraphs gives the workflows of a page their graphs, for faces that show them all; the page
// ends where its bytes do.
func (r *Resolver) AddGraphs(ctx context.Context, page *models.Connection[*flow.Workflow]) error {
	return r.Flows.GraphsOfPage(ctx, page)
}

// PrepareVersions reads the versions of listed apps in one statement, for
// faces that show them all.
func (r *Resolver) PrepareVersions(ctx context.Context, apps []*flow.App) error {
	ids := make([]models.ID, len(apps))
	for i, app := range apps {
		ids[i] = app.ID
	}
	_, err := loadersFrom(ctx).nouns.workflows.versions.LoadAll(ctx, ids)
	return err
}
