package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"atelier/inbound"
	"atelier/models"
	"atelier/models/run"
)

const (
	// standardWait and maxWait are how long a call waits for a run, in seconds. Many
	// clients give a call up after a minute, and cancel it.
	standardWait, maxWait = 30, 300
	// maxOutput bounds the output of one node in an answer, in bytes; more is in its file
	// or in the console.
	maxOutput = 16 << 10
	// maxOutputs is how many nodes an answer shows.
	maxOutputs = 50
)

// runTools follow runs.
func (f *face) runTools() {
	add(f, tool{
		Name: "list_runs", Title: "List runs", Reads: true, Operations: []string{"Runs"},
		Description: "Runs of workflows, apps, nodes and productions in the space, newest first.",
	}, listRuns)
	add(f, tool{
		Name: "get_run", Title: "Follow a run", Reads: true, Anywhere: true, Operations: []string{"Run"},
		Description: "Where a run stands and, once it has completed, what it made, with pictures and sounds. Waits for its end up to waitSeconds and reports progress.",
	}, getRun)
	add(f, tool{
		Name: "cancel_run", Title: "Cancel a run", Destroys: true, Repeats: true, Anywhere: true, Operations: []string{"CancelRun"},
		Description: "Ends a run. Nodes that have finished stay paid; what was held for the others is given back.",
	}, cancelRun)
}

// Wait is the argument of tools that may wait for a run.
type Wait struct {
	WaitSeconds *int `json:"waitSeconds,omitempty" jsonschema:"How long to wait for the end of the run, 0 to 300; 30 when absent. Afterwards the run goes on, and get_run follows it."`
}

func (w Wait) duration() (time.Duration, error) {
	seconds := standardWait
	if w.WaitSeconds != nil {
		seconds = *w.WaitSeconds
	}
	if seconds < 0 || seconds > maxWait {
		return 0, models.Invalid("waitSeconds", "must be 0 to %d", maxWait)
	}
	return time.Duration(seconds) * time.Second, nil
}

// RunRow is a run in a list.
type RunRow struct {
	Run         string         `json:"run"`
	Title       string         `json:"title"`
	Status      string         `json:"status" jsonschema:"pending, running, completed or failed."`
	CreditsUsed models.Credits `json:"creditsUsed"`
	Error       string         `json:"error,omitempty"`
	Workflow    string         `json:"workflow,omitempty"`
	CreatedAt   string         `json:"createdAt"`
	CompletedAt string         `json:"completedAt,omitempty"`
}

// foundRun is a run as the schema has it.
type foundRun struct {
	ID, Title, Status, CreatedAt          string
	TotalCreditsUsed                      models.Credits
	ErrorMessage, WorkflowID, CompletedAt *string
}

func (r foundRun) row() RunRow {
	return RunRow{r.ID, r.Title, r.Status, r.TotalCreditsUsed, text(r.ErrorMessage), text(r.WorkflowID), r.CreatedAt, text(r.CompletedAt)}
}

type listRunsInput struct {
	Space
	Paged
	Workflow string `json:"workflow,omitempty" jsonschema:"Runs of this workflow alone, by its id."`
	Status   string `json:"status,omitempty" jsonschema:"pending, running, completed or failed."`
}

type runList struct {
	Runs       []RunRow `json:"runs"`
	NextCursor string   `json:"nextCursor,omitempty"`
}

func listRuns(ctx context.Context, c *call, in listRunsInput) (*runList, error) {
	variables, err := in.variables()
	if err != nil {
		return nil, err
	}
	filter := map[string]any{}
	if in.Workflow != "" {
		filter["workflowId"] = in.Workflow
	}
	if in.Status != "" {
		filter["status"] = in.Status
	}
	variables["filter"] = filter
	var found struct {
		Executions struct {
			Nodes    []foundRun
			PageInfo pageInfo
		}
	}
	if err := c.ask(ctx, "Runs", variables, &found); err != nil {
		return nil, err
	}
	list := &runList{Runs: []RunRow{}, NextCursor: found.Executions.PageInfo.next()}
	for _, e := range found.Executions.Nodes {
		list.Runs = append(list.Runs, e.row())
	}
	return list, nil
}

// text is what s points to; empty where it is nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Run is a run as an agent sees it.
type Run struct {
	RunRow
	Nodes     int      `json:"nodes"`
	Completed int      `json:"completed" jsonschema:"How many nodes have completed."`
	Failed    int      `json:"failed"`
	Workspace string   `json:"workspace" jsonschema:"The workspace that pays, or 'personal'."`
	Result    *Result  `json:"result,omitempty" jsonschema:"The main result of a completed run."`
	Outputs   []Output `json:"outputs" jsonschema:"What nodes put out."`
	Warnings  []string `json:"warnings,omitempty"`
	Next      string   `json:"next,omitempty" jsonschema:"What to do now."`
}

// Result is the main result of a run.
type Result struct {
	Kind string `json:"kind" jsonschema:"image, video, audio, text or file."`
	URL  string `json:"url,omitempty"`
	Text string `json:"text,omitempty"`
	Node string `json:"node"`
}

// Output is what one node put out.
type Output struct {
	Node   string          `json:"node"`
	Status string          `json:"status"`
	Output json.RawMessage `json:"output,omitempty" jsonschema:"Values by name. One that is too long is a text that says so."`
}

type getRunInput struct {
	Run string `json:"run" jsonschema:"Id of the run."`
	Wait
}

func getRun(ctx context.Context, c *call, in getRunInput) (*Run, error) {
	wait, err := in.duration()
	if err != nil {
		return nil, err
	}
	id, err := models.ParseID("run", in.Run)
	if err != nil {
		return nil, err
	}
	if err := c.follow(ctx, id, wait); err != nil {
		return nil, err
	}
	return c.showRun(ctx, id)
}

type cancelRunInput struct {
	Run string `json:"run" jsonschema:"Id of the run."`
}

type cancelled struct {
	Cancelled bool `json:"cancelled"`
}

func cancelRun(ctx context.Context, c *call, in cancelRunInput) (*cancelled, error) {
	var done any
	if err := c.ask(ctx, "CancelRun", map[string]any{"id": in.Run}, &done); err != nil {
		return nil, err
	}
	return &cancelled{true}, nil
}

// started waits for a run that the call began and shows it. A client that cancels the
// call meanwhile ends the run; nothing else does.
func (c *call) started(ctx context.Context, id string, wait time.Duration, warnings []string) (*Run, error) {
	execution, err := models.ParseID("run", id)
	if err != nil {
		return nil, err
	}
	err = c.follow(ctx, execution, wait)
	if ctx.Err() != nil && c.wasCancelled() {
		ended, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer stop()
		_ = c.Resolver.Runs.Executions().Cancel(ended, execution) // one that has just ended is fine
		return nil, errCancelled
	}
	if err != nil { // it runs all the same
		return &Run{
			RunRow: RunRow{Run: id, Status: string(run.ExecutionPending)}, Outputs: []Output{}, Warnings: warnings, Workspace: place(models.ActorFrom(ctx).WorkspaceID),
			Next: "The run has begun. Follow it with get_run.",
		}, nil
	}
	run, err := c.showRun(ctx, execution)
	if run != nil {
		run.Warnings = warnings
	}
	return run, err
}

// place is what a workspace is called in answers.
func place(workspaceID *models.ID) string {
	if workspaceID == nil {
		return personal
	}
	return workspaceID.String()
}

// follow waits until a run has ended, at most for most and until the server stops, and
// reports its progress. It holds no connection to the database and no memory of the
// message; it counts among what an account may hold open, and ends with its credentials.
func (c *call) follow(ctx context.Context, id models.ID, most time.Duration) error {
	if most == 0 {
		return nil
	}
	inbound.From(ctx).Release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = c.Resolver.Accounts.WhileValid(ctx)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	changes, err := c.Resolver.Subscription().ExecutionChanged(ctx, id)
	if err != nil {
		return err
	}
	timer, beat := time.NewTimer(most), time.NewTicker(heartbeat)
	defer timer.Stop()
	defer beat.Stop()
	told := -1
	for {
		select {
		case execution, open := <-changes:
			if !open {
				return context.Cause(ctx)
			}
			if done := execution.CompletedNodes + execution.FailedNodes; done > told {
				told = done
				c.progress(ctx, execution)
			}
			if execution.Finished() {
				return nil
			}
		case <-beat.C:
			c.in.beat()
		case <-timer.C:
			return nil
		case <-c.Closing:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// progress tells the client how far a run is, where it asked for that.
func (c *call) progress(ctx context.Context, e *run.Execution) {
	token := c.request.Params.GetProgressToken()
	if token == nil {
		return
	}
	_ = c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: float64(e.CompletedNodes + e.FailedNodes), Total: float64(e.TotalNodes),
		Message: fmt.Sprintf("%d of %s done", e.CompletedNodes, models.Several(e.TotalNodes, "node")),
	})
}

// showRun reads a run with what it made.
func (c *call) showRun(ctx context.Context, id models.ID) (*Run, error) {
	var found struct {
		Execution struct {
			foundRun
			TotalNodes, CompletedNodes, FailedNodes int
			WorkspaceID                             *string
			Result                                  *struct {
				Kind, NodeID string
				URL, Text    *string
			}
			NodeStates []struct {
				NodeID, Status string
				Output         json.RawMessage
			}
		}
	}
	operation := "Run"
	if models.ActorFrom(ctx).Restricted() {
		operation = "RunOfToken"
	}
	if err := c.ask(ctx, operation, map[string]any{"id": id}, &found); err != nil {
		return nil, err
	}
	e := found.Execution
	shown := &Run{
		RunRow: e.row(), Nodes: e.TotalNodes, Completed: e.CompletedNodes, Failed: e.FailedNodes, Workspace: personal, Outputs: []Output{},
	}
	if e.WorkspaceID != nil {
		shown.Workspace = *e.WorkspaceID
	}
	files := newFiles(c)
	if r := e.Result; r != nil {
		shown.Result = &Result{Kind: r.Kind, URL: text(r.URL), Text: text(r.Text), Node: r.NodeID}
		files.add(ctx, shown.Result.URL)
	}
	for _, state := range e.NodeStates {
		if len(shown.Outputs) == maxOutputs || len(state.Output) == 0 || string(state.Output) == "null" {
			continue
		}
		files.addAll(ctx, state.Output)
		shown.Outputs = append(shown.Outputs, Output{Node: state.NodeID, Status: state.Status, Output: within(state.Output)})
	}
	c.contents = files.contents
	switch run.ExecutionStatus(e.Status) {
	case run.ExecutionPending, run.ExecutionRunning:
		shown.Next = "The run goes on. Call get_run again to wait for its end, or cancel_run to end it."
	case run.ExecutionFailed:
		shown.Next = "The run failed. Tell the person why, or correct what the error names and run it again."
	}
	return shown, nil
}

// within is an output as far as an answer holds it.
func within(output json.RawMessage) json.RawMessage {
	if len(output) <= maxOutput {
		return output
	}
	said, _ := json.Marshal(fmt.Sprintf("too long for an answer: %d bytes", len(output)))
	return said
}
