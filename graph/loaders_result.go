package graph

import (
	"atelier/models"
	"atelier/models/flow"

	"github.com/vikstrous/dataloadgen"
)

// resultLoaders gather what lists of results show beside their rows.
type resultLoaders struct {
	byRun       *dataloadgen.Loader[models.ID, *flow.Result]
	texts       *dataloadgen.Loader[models.ID, *string]
	slugs       *dataloadgen.Loader[models.ID, *string]
	permissions *dataloadgen.Loader[*flow.Result, flow.ResultPermissions]
}

func newResultLoaders(r *Resolver) resultLoaders {
	return resultLoaders{
		byRun: loader(r.Flows.ResultsOf), texts: loader(charged(r.Flows.ResultTexts)),
		slugs: loader(r.Flows.RunnableSlugs), permissions: loader(r.Flows.MayShare),
	}
}
