package graph

import (
	"github.com/vikstrous/dataloadgen"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/run"
)

// resultLoaders gather what lists of results show beside their rows.
type resultLoaders struct {
	byRun       *dataloadgen.Loader[models.ID, *run.Result]
	texts       *dataloadgen.Loader[models.ID, *string]
	apps        *dataloadgen.Loader[models.ID, *flow.App]
	ownRuns     *dataloadgen.Loader[models.ID, *models.ID]
	permissions *dataloadgen.Loader[*run.Result, run.ResultPermissions]
}

func newResultLoaders(r *Resolver) resultLoaders {
	return resultLoaders{
		byRun: loader(r.Runs.Results().ByExecution), texts: loader(charged(r.Runs.Results().Texts)),
		apps: loader(charged(r.Flows.Apps().Runnable)), ownRuns: loader(r.Runs.AppRuns().OwnOf), permissions: loader(r.Runs.Results().MayShare),
	}
}
