package rest

import (
	"context"
	"encoding/json"
	"strconv"

	"atelier/models"
	"atelier/models/run"
)

// executionRoutes read and cancel runs (contract 1, "General endpoints"); the
// routes below /v1/api answer without an envelope.
func (a *API) executionRoutes() {
	const tag = "Executions"
	read := models.ScopeJobsRead
	handle(a, route{Method: "GET", Path: "/v1/workflow-executions/{id}", Tag: tag, Summary: "Where a run stands", Scope: read, Covered: true}, a.getExecution)
	handle(a, route{Method: "GET", Path: "/v1/workflow-executions/{id}/events", Tag: tag, Summary: "Follow a run live", Scope: read, Stream: true, Covered: true}, a.followExecution)
	handle(a, route{Method: "POST", Path: "/v1/workflow-executions/{id}/cancel", Tag: tag, Summary: "Cancel a run", Scope: models.ScopeExecute}, a.cancelExecution)
	handle(a, route{Method: "GET", Path: "/v1/workflows/{id}/executions", Tag: tag, Summary: "A workflow's runs, newest first", Scope: read, Covered: true}, a.listExecutions)
	handle(a, route{Method: "GET", Path: "/v1/api/status/{execId}", Tag: tag, Summary: "Where a run stands", Scope: read, Covered: true}, a.getLegacyStatus)
	handle(a, route{Method: "GET", Path: "/v1/api/result/{execId}", Tag: tag, Summary: "What a run yielded", Scope: read, Covered: true}, a.getLegacyResult)
}

// ExecutionState is embedded under an exported name, for the document shows no other.
type ExecutionState = runExecutionView

// ExecutionDetail is an execution that is read by itself.
type ExecutionDetail struct {
	ID         models.ID  `json:"id"`
	WorkflowID *models.ID `json:"workflowId"`
	Trigger    string     `json:"trigger" enum:"editor,api,app,webhook,schedule"`
	CreatedAt  timestamp  `json:"createdAt"`
	StartedAt  *timestamp `json:"startedAt"`
	ExecutionState
}

func viewExecutionDetail(e *run.Execution) ExecutionDetail {
	return ExecutionDetail{
		ID: e.ID, WorkflowID: e.WorkflowID, Trigger: e.Trigger,
		CreatedAt: timestamp(e.CreatedAt), StartedAt: moment(e.StartedAt), ExecutionState: viewRunExecution(e),
	}
}

// detail is the execution with its node states.
func (a *API) detail(ctx context.Context, e *run.Execution) (ExecutionDetail, error) {
	view := viewExecutionDetail(e)
	var err error
	view.NodeStates, err = a.viewNodeStates(ctx, e)
	return view, err
}

// executionTag names the state of an execution.
func executionTag(e *run.Execution) string { return strconv.FormatInt(e.Revision, 10) }

type pollExecution struct {
	IDPath
	Poll
	Hold
}

func (a *API) getExecution(ctx context.Context, in *pollExecution) (*polled[ExecutionDetail], error) {
	find := a.query().Execution
	if in.holds() {
		find = a.awaitExecution
	}
	execution, err := find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(in.Poll, executionTag(execution), func() (ExecutionDetail, error) { return a.detail(ctx, execution) })
}

type followExecutionInput struct {
	IDPath
	Resume
}

func (a *API) followExecution(ctx context.Context, in *followExecutionInput) (*streamed, error) {
	ctx = a.held(ctx)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	changes, err := a.Resolver.Subscription().ExecutionChanged(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return stream(ctx, a, "execution", in.LastEventID, changes, func(ctx context.Context, e *run.Execution) (snapshot, error) {
		view, err := a.detail(ctx, e)
		return snapshot{Tag: executionTag(e), View: view, Last: e.Finished()}, err
	})
}

func (a *API) cancelExecution(ctx context.Context, in *IDPath) (*success, error) {
	_, err := a.mutation().CancelExecution(ctx, in.ID)
	return succeeded(err)
}

type listExecutionsInput struct {
	IDPath
	PageQuery
}

func (a *API) listExecutions(ctx context.Context, in *listExecutionsInput) (*many[ExecutionDetail], error) {
	executions, err := a.Resolver.Runs.Executions().WorkflowHistory(ctx, in.ID, models.Page{Limit: in.first(), Cursor: in.after()})
	if err != nil {
		return nil, err
	}
	return page(executions, viewExecutionDetail), nil
}

type legacyExecution struct {
	ExecID models.ID `path:"execId"`
}

type legacyStatus struct {
	ExecutionID models.ID `json:"executionId"`
	ExecutionDetail
}

func (a *API) getLegacyStatus(ctx context.Context, in *legacyExecution) (*plain[legacyStatus], error) {
	execution, err := a.query().Execution(ctx, in.ExecID)
	if err != nil {
		return nil, err
	}
	view, err := a.detail(ctx, execution)
	return &plain[legacyStatus]{Body: legacyStatus{ExecutionID: execution.ID, ExecutionDetail: view}}, err
}

// resultView is what a run yielded: the outputs of its finished nodes.
type resultView struct {
	ExecutionID  models.ID               `json:"executionId"`
	Status       run.ExecutionStatus     `json:"status"`
	Outputs      map[string]storedObject `json:"outputs" doc:"By node id."`
	ErrorMessage *string                 `json:"errorMessage"`
}

// storedObject is a JSON object as it is stored.
type storedObject struct{ json.RawMessage }

func (a *API) getLegacyResult(ctx context.Context, in *legacyExecution) (*plain[resultView], error) {
	execution, err := a.query().Execution(ctx, in.ExecID)
	if err != nil {
		return nil, err
	}
	result, err := a.result(ctx, execution)
	return &plain[resultView]{Body: result}, err
}

func (a *API) result(ctx context.Context, e *run.Execution) (resultView, error) {
	view := resultView{ExecutionID: e.ID, Status: e.Status, Outputs: map[string]storedObject{}, ErrorMessage: e.ErrorMessage}
	outputs, err := a.Resolver.Runs.Executions().NodeOutputs(ctx, e)
	for node, output := range outputs {
		view.Outputs[node] = storedObject{output}
	}
	return view, err
}

func (a *API) awaitExecution(ctx context.Context, id models.ID) (*run.Execution, error) {
	return hold(ctx, a, func(ctx context.Context) (*run.Execution, error) {
		return a.Resolver.Runs.Executions().Await(ctx, id, maxWait)
	})
}

// endedRun is the run that a request has started, when it had ended as soon as
// it was accepted.
type endedRun struct{ execution *run.Execution }

type endedRunKey struct{}

// noteEnded tells the one who waits for the run that there is nothing to wait for.
func noteEnded(ctx context.Context, execution *run.Execution) {
	if ended, waiting := ctx.Value(endedRunKey{}).(*endedRun); waiting && execution.Finished() {
		ended.execution = execution
	}
}

// awaitResult waits for a run that was just accepted; nil: it goes on still.
func (a *API) awaitResult(ctx context.Context, id models.ID, ended *endedRun) (any, error) {
	execution := ended.execution
	if execution == nil {
		var err error
		if execution, err = a.awaitExecution(ctx, id); err != nil || !execution.Finished() {
			return nil, err
		}
	}
	return a.result(ctx, execution)
}
