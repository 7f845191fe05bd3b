package rest

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/flow"
)

// nodeRunRoutes run single nodes: a route for each node type that can run by
// itself, so that an unknown type is an unknown path.
func (a *API) nodeRunRoutes() {
	types, err := a.query().NodeTypes(context.Background())
	if err != nil {
		panic(err) // the catalogue is part of the program
	}
	for _, t := range types {
		if !flow.RunsAlone(t.Type) {
			continue
		}
		handle(a, route{
			Method: "POST", Path: "/v1/" + t.Type, Tag: "Single nodes", Scope: models.ScopeExecute,
			Status: http.StatusAccepted, Summary: t.Label + ": " + t.Description,
		}, a.runNode(t.Type))
	}
}

type nodeRunInput struct {
	Body map[string]any `doc:"The node's settings; see inputSchema of GET /v1/nodes/{type}."`
}

// nodeRunView is a started job; one that ended already has its result too.
type nodeRunView struct {
	JobID        models.ID        `json:"jobId"`
	Status       flow.JobStatus   `json:"status,omitempty" doc:"Of a job that ended before the answer."`
	OutputData   map[string]any   `json:"output_data,omitempty"`
	ErrorMessage *string          `json:"error_message,omitempty"`
	ErrorHint    *string          `json:"error_hint,omitempty"`
	Adjustments  []map[string]any `json:"adjustments,omitempty" doc:"Numbers that were moved into their range."`
	Warnings     []string         `json:"warnings,omitempty"`
}

func (a *API) runNode(nodeType string) func(context.Context, *nodeRunInput) (*plain[nodeRunView], error) {
	return func(ctx context.Context, in *nodeRunInput) (*plain[nodeRunView], error) {
		run, err := a.mutation().RunNode(ctx, nodeType, in.Body)
		if err != nil {
			return nil, err
		}
		view := nodeRunView{JobID: run.Job.ID, Adjustments: run.Adjustments, Warnings: run.Warnings}
		if !run.Inline {
			return &plain[nodeRunView]{Status: http.StatusAccepted, Body: view}, nil
		}
		job := run.Job.Public()
		view.Status, view.OutputData, view.ErrorMessage, view.ErrorHint = job.Status, job.OutputData, job.ErrorMessage, job.ErrorHint
		return &plain[nodeRunView]{Status: http.StatusOK, Body: view}, nil
	}
}
