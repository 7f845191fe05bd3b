package atelier

import (
	"context"
	"fmt"
	"iter"

	"atelier/clients/go/api"
)

// What runs and what they consist of.
type (
	// App is a published app.
	App = api.ShownApp
	// Run is a run of an app, with its execution.
	Run = api.RunView
	// Execution is a run of a workflow.
	Execution = api.ExecutionDetail
	// NodeState is what became of one node of a run.
	NodeState = api.NodeStateView
	// Job is the work of one node.
	Job = api.PublicJob
	// File is a file that the service keeps.
	File = api.FileView
	// Workflow is a saved workflow.
	Workflow = api.WorkflowDetail
)

// Progress is how far a run is.
type Progress struct {
	// RunID is set in runs of apps, ExecutionID in all but of drafts.
	RunID, ExecutionID string
	// Status is pending, running, completed, failed, or that of a job.
	Status                   string
	Completed, Failed, Total int
}

// RunError is a run, an execution or a job that failed.
type RunError struct {
	ExecutionID string
	// Code is there where the service tells failures apart, as cancelled and budget_exceeded.
	Code    Code
	Message string
	// Hint says what to do, for jobs.
	Hint string
}

func (e *RunError) Error() string {
	message := e.Message
	if message == "" {
		message = "it failed"
	}
	if e.Code != "" {
		message += " (" + string(e.Code) + ")"
	}
	return message
}

// RunOption is a choice of how something runs.
type RunOption func(*runChoices)

type runChoices struct {
	progress  func(Progress)
	version   *int
	overrides map[string]any
	draft     *string
}

// OnProgress is told of each change until the end.
func OnProgress(tell func(Progress)) RunOption {
	return func(r *runChoices) { r.progress = tell }
}

// OfVersion runs a version of an app in place of the latest.
func OfVersion(version int) RunOption { return func(r *runChoices) { r.version = &version } }

// WithOverrides are values by node id and field, which win over the inputs.
func WithOverrides(values map[string]map[string]any) RunOption {
	return func(r *runChoices) {
		r.overrides = map[string]any{}
		for node, fields := range values {
			r.overrides[node] = fields
		}
	}
}

// FromDraft starts a draft run of an app.
func FromDraft(runID string) RunOption { return func(r *runChoices) { r.draft = &runID } }

func chosen(options []RunOption) *runChoices {
	r := &runChoices{progress: func(Progress) {}}
	for _, option := range options {
		option(r)
	}
	return r
}

// StartApp starts a run of an app and does not wait for it.
func (c *Client) StartApp(ctx context.Context, slug string, inputs map[string]any, options ...RunOption) (*api.StartedRun, error) {
	r := chosen(options)
	return c.API.PostAppSlugRun(ctx, slug, api.RunAppInputBody{Inputs: inputs, InputOverrides: r.overrides, Version: r.version, RunID: r.draft})
}

// RunApp runs an app and follows the run to its end. Inputs are named by their id, or by their field where only one has
// it. A run that failed is a *RunError, and the run comes with it.
func (c *Client) RunApp(ctx context.Context, slug string, inputs map[string]any, options ...RunOption) (*Run, error) {
	started, err := c.StartApp(ctx, slug, inputs, options...)
	if err != nil {
		return nil, err
	}
	return c.AwaitRun(ctx, slug, started.RunID, options...)
}

// AwaitRun follows the run of an app to its end, as RunApp does.
func (c *Client) AwaitRun(ctx context.Context, slug, runID string, options ...RunOption) (*Run, error) {
	r := chosen(options)
	run, err := last(c.FollowRun(ctx, slug, runID), func(run *Run) {
		e := run.Execution
		r.progress(Progress{run.ID, text(run.ExecutionID), e.Status, e.CompletedNodes, e.FailedNodes, e.TotalNodes})
	})
	if err == nil && run.Execution.Status != "completed" {
		err = &RunError{ExecutionID: text(run.ExecutionID), Code: Code(text(run.Execution.ErrorCode)), Message: text(run.Execution.ErrorMessage)}
	}
	return run, err
}

// StartWorkflow starts a run of a workflow and does not wait for it.
func (c *Client) StartWorkflow(ctx context.Context, id string, inputs map[string]any, options ...RunOption) (*api.AcceptedRun, error) {
	answer, err := c.API.PostWorkflowsIDRun(ctx, id, api.RunValues{Inputs: inputs, InputOverrides: chosen(options).overrides})
	switch {
	case err != nil:
		return nil, err
	case answer.JSON202 == nil:
		return nil, fmt.Errorf("the run of workflow %s was answered with a result", id)
	}
	return answer.JSON202, nil
}

// RunWorkflow runs a workflow and follows the run to its end. A run that failed is a *RunError, and the execution comes
// with it.
func (c *Client) RunWorkflow(ctx context.Context, id string, inputs map[string]any, options ...RunOption) (*Execution, error) {
	started, err := c.StartWorkflow(ctx, id, inputs, options...)
	if err != nil {
		return nil, err
	}
	return c.AwaitExecution(ctx, started.ExecutionID, options...)
}

// AwaitExecution follows the run of a workflow to its end, as RunWorkflow does.
func (c *Client) AwaitExecution(ctx context.Context, id string, options ...RunOption) (*Execution, error) {
	r := chosen(options)
	execution, err := last(c.FollowExecution(ctx, id), func(e *Execution) {
		r.progress(Progress{"", e.ID, e.Status, e.CompletedNodes, e.FailedNodes, e.TotalNodes})
	})
	if err == nil && execution.Status != "completed" {
		err = &RunError{ExecutionID: execution.ID, Code: Code(text(execution.ErrorCode)), Message: text(execution.ErrorMessage)}
	}
	return execution, err
}

// RunNode runs a single node, such as text-card with its settings, and follows its job to its end. A job that failed or
// was cancelled is a *RunError, and the job comes with it.
func (c *Client) RunNode(ctx context.Context, nodeType string, settings map[string]any, options ...RunOption) (*Job, error) {
	var started struct {
		JobID string `json:"jobId"`
	}
	if settings == nil {
		settings = map[string]any{}
	}
	if err := c.JSON(ctx, "POST", fill("/v1/{}", nodeType), nil, settings, &started); err != nil {
		return nil, err
	}
	return c.AwaitJob(ctx, started.JobID, options...)
}

// AwaitJob follows a job to its end, as RunNode does.
func (c *Client) AwaitJob(ctx context.Context, id string, options ...RunOption) (*Job, error) {
	r := chosen(options)
	job, err := last(c.FollowJob(ctx, id), func(j *Job) {
		r.progress(Progress{"", j.ExecutionID, j.Status, j.Progress, 0, 100})
	})
	if err == nil && job.Status != "completed" {
		err = &RunError{ExecutionID: job.ExecutionID, Message: text(job.ErrorMessage), Hint: text(job.ErrorHint)}
		if job.Status == "cancelled" {
			err.(*RunError).Code = "cancelled"
		}
	}
	return job, err
}

// last goes through the states of something and keeps the last one.
func last[T any](states iter.Seq2[*T, error], each func(*T)) (*T, error) {
	var state *T
	for next, err := range states {
		if err != nil {
			return state, err
		}
		state = next
		each(next)
	}
	if state == nil {
		return nil, fmt.Errorf("nothing came of what was followed")
	}
	return state, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
