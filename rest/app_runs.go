package rest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/run"
)

// appRunRoutes run a published app as the account behind the token (contract 1,
// "Published app endpoints"). The paths and forms are without { data }, as the
// contract writes them.
func (a *API) appRunRoutes() {
	const tag, runs, each = "App runs", "/v1/app/{slug}/runs", "/v1/app/{slug}/runs/{runId}"
	handle(a, route{Method: "POST", Path: "/v1/app/{slug}/run", Tag: tag, Summary: "Start a run; poll it until its execution has ended", Scope: models.ScopeExecute, Status: 202, Covered: true}, a.runApp)
	handle(a, route{Method: "POST", Path: "/v1/app/{slug}/draft", Tag: tag, Summary: "Make a draft run to start later", Scope: models.ScopeExecute, Status: 201, Covered: true}, a.draftRun)
	handle(a, route{Method: "GET", Path: runs, Tag: tag, Summary: "List own runs, newest first", Scope: models.ScopeJobsRead, Covered: true}, a.listRuns)
	handle(a, route{Method: "GET", Path: each, Tag: tag, Summary: "One own run", Scope: models.ScopeJobsRead, Covered: true}, a.getRun)
	handle(a, route{Method: "GET", Path: each + "/events", Tag: tag, Summary: "Follow a run live", Scope: models.ScopeJobsRead, Stream: true, Covered: true}, a.followRun)
	handle(a, route{Method: "DELETE", Path: each, Tag: tag, Summary: "Move a run to the archive; nothing is destroyed", Scope: models.ScopeJobsRead}, a.archiveRun)
}

type runAppInput struct {
	SlugPath
	Body *struct {
		InputOverrides map[string]any `json:"inputOverrides,omitempty" doc:"Values by node id and field, over the inputs."`
		Inputs         map[string]any `json:"inputs,omitempty" doc:"Values by the id of an input, or by its field where only one has it."`
		Version        *int           `json:"version,omitempty" doc:"Default: the latest."`
		RunID          *models.ID     `json:"runId,omitempty" doc:"A draft to start."`
	}
}

type startedRun struct {
	ExecutionID models.ID           `json:"executionId"`
	RunID       models.ID           `json:"runId"`
	Status      run.ExecutionStatus `json:"status"`
}

func (a *API) runApp(ctx context.Context, in *runAppInput) (*plain[startedRun], error) {
	var values run.AppInput
	if in.Body != nil {
		values = run.AppInput{InputOverrides: in.Body.InputOverrides, Inputs: in.Body.Inputs, Version: in.Body.Version, RunID: in.Body.RunID}
	}
	begun, err := a.mutation().RunApp(ctx, in.Slug, values)
	if err != nil {
		return nil, err
	}
	return &plain[startedRun]{Status: http.StatusAccepted, Body: startedRun{*begun.ExecutionID, begun.ID, run.ExecutionPending}}, nil
}

type draftedRun struct {
	RunID models.ID `json:"runId"`
}

func (a *API) draftRun(ctx context.Context, in *SlugPath) (*plain[draftedRun], error) {
	run, err := a.mutation().CreateDraftRun(ctx, in.Slug)
	if err != nil {
		return nil, err
	}
	return &plain[draftedRun]{Status: http.StatusCreated, Body: draftedRun{run.ID}}, nil
}

// runView is a run of an app. The execution of a draft is pending, without an
// id and nodes, so that a poll of one reads like any other.
type runView struct {
	ID           models.ID           `json:"id"`
	ExecutionID  *models.ID          `json:"executionId"`
	Status       run.ExecutionStatus `json:"status"`
	Version      *int                `json:"version"`
	CreditsUsed  models.Credits      `json:"creditsUsed"`
	ThumbnailURL *string             `json:"thumbnailUrl"`
	Archived     bool                `json:"archived"`
	CreatedAt    timestamp           `json:"createdAt"`
	Execution    runExecutionView    `json:"execution"`
}

// runExecutionView is the execution object of a run; lists leave nodeStates out.
type runExecutionView struct {
	Status           run.ExecutionStatus      `json:"status"`
	NodeStates       map[string]nodeStateView `json:"nodeStates,omitzero" doc:"By node id."`
	TotalNodes       int                      `json:"totalNodes"`
	CompletedNodes   int                      `json:"completedNodes"`
	FailedNodes      int                      `json:"failedNodes"`
	TotalCreditsUsed models.Credits           `json:"totalCreditsUsed"`
	ErrorCode        *string                  `json:"errorCode,omitempty"`
	ErrorMessage     *string                  `json:"errorMessage"`
	CompletedAt      *timestamp               `json:"completedAt"`
}

type nodeStateView struct {
	Status run.NodeStatus `json:"status"`
	Output map[string]any `json:"output" nullable:"true"`
}

func viewRun(r *run.AppRun) runView {
	view := runView{
		ID: r.ID, ExecutionID: r.ExecutionID, Status: r.Status(), Version: r.Version, CreditsUsed: r.CreditsUsed(),
		ThumbnailURL: r.ThumbnailURL, Archived: r.Archived(), CreatedAt: timestamp(r.CreatedAt),
		Execution: runExecutionView{Status: r.Status()},
	}
	if e := r.Execution; e != nil {
		view.Execution = viewRunExecution(e)
	}
	return view
}

func viewRunExecution(e *run.Execution) runExecutionView {
	return runExecutionView{
		Status: e.Status, TotalNodes: e.TotalNodes, CompletedNodes: e.CompletedNodes, FailedNodes: e.FailedNodes,
		TotalCreditsUsed: e.Charged, ErrorCode: e.ErrorCode, ErrorMessage: e.ErrorMessage, CompletedAt: moment(e.CompletedAt),
	}
}

// viewNodeStates is where each node of an execution stands.
func (a *API) viewNodeStates(ctx context.Context, e *run.Execution) (map[string]nodeStateView, error) {
	states, err := a.Resolver.Execution().NodeStates(ctx, e)
	if err != nil {
		return nil, err
	}
	views := make(map[string]nodeStateView, len(states))
	for _, s := range states {
		views[s.NodeID] = nodeStateView{Status: s.Status, Output: s.Output}
	}
	return views, nil
}

type listRunsInput struct {
	SlugPath
	PageQuery
	Archived queryBool `query:"archived" doc:"true lists the archive."`
}

func (a *API) listRuns(ctx context.Context, in *listRunsInput) (*many[runView], error) {
	app := &flow.App{Slug: in.Slug}
	runs, err := a.Resolver.App().Runs(ctx, app, in.first(), in.after(), in.Archived.Value)
	if err != nil {
		return nil, err
	}
	return page(runs, viewRun), nil
}

// RunPath is the path of every route on one run.
type RunPath struct {
	SlugPath
	RunID models.ID `path:"runId"`
}

type getRunInput struct {
	RunPath
	Poll
	Hold
}

// taggedRun is a run with its ETag, so that polls without news cost little.
type taggedRun struct {
	Status int
	ETag   string `header:"ETag"`
	Body   *runView
}

func (a *API) getRun(ctx context.Context, in *getRunInput) (*taggedRun, error) {
	find := a.query().AppRun
	if in.holds() {
		find = a.awaitRun
	}
	run, err := find(ctx, in.Slug, in.RunID)
	if err != nil {
		return nil, err
	}
	reply := &taggedRun{Status: http.StatusOK, ETag: strconv.Quote(runTag(run))}
	if in.has(reply.ETag) {
		reply.Status = http.StatusNotModified
		return reply, nil
	}
	view, err := a.runDetail(ctx, run)
	reply.Body = &view
	return reply, err
}

func (a *API) awaitRun(ctx context.Context, slug string, id models.ID) (*run.AppRun, error) {
	return hold(ctx, a, func(ctx context.Context) (*run.AppRun, error) {
		return a.Resolver.Runs.AppRuns().Await(ctx, slug, id, maxWait)
	})
}

// runDetail is a run with its node states; a draft has none.
func (a *API) runDetail(ctx context.Context, run *run.AppRun) (runView, error) {
	view := viewRun(run)
	view.Execution.NodeStates = map[string]nodeStateView{}
	if run.Execution == nil {
		return view, nil
	}
	var err error
	view.Execution.NodeStates, err = a.viewNodeStates(ctx, run.Execution)
	return view, err
}

// runTag changes with everything that a run shows.
func runTag(r *run.AppRun) string {
	revision := int64(-1)
	if r.Execution != nil {
		revision = r.Execution.Revision
	}
	return fmt.Sprintf("%d-%t-%t", revision, r.Archived(), r.ThumbnailURL != nil)
}

type followRunInput struct {
	RunPath
	Resume
}

func (a *API) followRun(ctx context.Context, in *followRunInput) (*streamed, error) {
	ctx = a.held(ctx)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	changes, err := a.Resolver.Runs.AppRuns().Watch(ctx, in.Slug, in.RunID)
	if err != nil {
		return nil, err
	}
	return stream(ctx, a, "run", in.LastEventID, changes, func(ctx context.Context, run *run.AppRun) (snapshot, error) {
		view, err := a.runDetail(ctx, run)
		return snapshot{Tag: runTag(run), View: view, Last: run.Finished()}, err
	})
}

type archivedRun struct {
	Success  bool `json:"success"`
	Archived bool `json:"archived"`
}

func (a *API) archiveRun(ctx context.Context, in *RunPath) (*plain[archivedRun], error) {
	if _, err := a.mutation().ArchiveRun(ctx, in.Slug, in.RunID); err != nil {
		return nil, err
	}
	return &plain[archivedRun]{Status: http.StatusOK, Body: archivedRun{Success: true, Archived: true}}, nil
}
