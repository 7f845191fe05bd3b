package graph

import (
	"context"

	"github.com/vikstrous/dataloadgen"

	"atelier/models"
	"atelier/models/run"
)

// executionLoaders gather what lists of executions show beside their rows.
type executionLoaders struct {
	graphs *dataloadgen.Loader[models.ID, *run.Execution]
	titles *dataloadgen.Loader[models.ID, run.Title]
	// ran is the name of the workflow or app that ran; nil for whatever has none.
	ran *dataloadgen.Loader[models.ID, *string]
	// states are kept by revision, so that each event of a subscription sees its own.
	states *dataloadgen.Loader[revision, []*run.NodeState]
	// ofTriggers are the last runs of triggers, by their own ids.
	ofTriggers *dataloadgen.Loader[models.ID, *run.ExecutionBrief]
}

type revision struct {
	execution models.ID
	number    int64
}

func newExecutionLoaders(r *Resolver) executionLoaders {
	states := func(ctx context.Context, keys []revision) (map[revision][]*run.NodeState, error) {
		ids := make([]models.ID, len(keys))
		for i, key := range keys {
			ids[i] = key.execution
		}
		found, err := r.Runs.Executions().NodeStates(ctx, ids)
		byRevision := make(map[revision][]*run.NodeState, len(keys))
		for _, key := range keys {
			byRevision[key] = found[key.execution]
		}
		return byRevision, err
	}
	return executionLoaders{
		graphs: loader(charged(r.Runs.Executions().Graphs)), titles: loader(r.Runs.Executions().Titles), ran: loader(r.Runs.Executions().Names), states: loader(charged(states)),
		ofTriggers: loader(r.Runs.Executions().Briefs),
	}
}
