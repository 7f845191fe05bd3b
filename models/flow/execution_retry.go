package flow

import (
	"context"
	"encoding/json"

	"atelier/models"
	"atelier/nodes"
)

// RetryExecution runs a failed execution again from where it failed: a new one
// on the same graph and inputs, which takes over what had finished at no cost
// and sends none of it again. It needs what the first start needed, and the
// same space; the run of an app is a new run, which counts toward the day.
// Somebody else's is insufficient_role, one that has not failed already_finished
// or run_already_started.
func (s *Service) RetryExecution(ctx context.Context, id models.ID) (*Execution, error) {
	actor := models.ActorFrom(ctx)
	if err := requireWorkflows(actor); err != nil {
		return nil, err
	}
	seen, err := s.executionInReach(ctx, id)
	if err != nil {
		return nil, err
	}
	if seen.AccountID != actor.UserID {
		return nil, models.InsufficientRole("Only who started a run may retry it")
	}
	var again *Execution
	err = s.DB.Write(ctx, func(tx *models.Tx) error {
		failed, err := models.First[Execution](tx.Where("id = ? AND account_id = ? AND erased_at IS NULL", id, actor.UserID), models.NotFound("Execution"))
		if err != nil {
			return err
		}
		if err := failed.retryable(); err != nil {
			return err
		}
		again, err = s.retry(tx, failed)
		return err
	})
	return again, err
}

func (e *Execution) retryable() error {
	switch e.Status {
	case ExecutionFailed:
		return nil
	case ExecutionCompleted:
		return models.Err(models.CodeAlreadyFinished, "The run completed; there is nothing to retry")
	}
	return models.Err(models.CodeRunAlreadyStarted, "The run is still at work")
}

// retry starts an execution anew in the caller's transaction.
func (s *Service) retry(tx *models.Tx, failed *Execution) (*Execution, error) {
	start, app, err := s.retryStart(tx, failed)
	if err != nil {
		return nil, err
	}
	var jobs []*Job
	err = tx.Where("execution_id = ? AND account_id = ? AND id >= ?", failed.ID, failed.AccountID, failed.firstJob()).Find(&jobs).Error
	if err != nil {
		return nil, err
	}
	start.Earlier = make(map[string]*Job, len(jobs))
	for _, job := range jobs {
		start.Earlier[job.NodeID] = job
	}
	if app == nil {
		return s.startExecution(tx, *start)
	}
	if err := countDailyRun(tx, app); err != nil {
		return nil, err
	}
	again, err := s.startExecution(tx, *start)
	if err != nil {
		return nil, err
	}
	earlier, err := models.First[Run](tx.Where("execution_id = ? AND account_id = ?", failed.ID, failed.AccountID), models.NotFound("Run"))
	if err != nil {
		return nil, err
	}
	run := &Run{ID: tx.NewID(), AppID: app.ID, AccountID: tx.Actor.UserID, CreatedAt: tx.Now, Version: earlier.Version, Execution: again}
	return again, startRun(tx, run, false)
}

// retryStart checks that the caller may still run what failed, in its space.
func (s *Service) retryStart(tx *models.Tx, failed *Execution) (start *Start, app *App, err error) {
	payer, err := s.selectedPayer(tx)
	if err != nil {
		return nil, nil, err
	}
	if !sameWorkspace(payer.WorkspaceID, failed.WorkspaceID) {
		return nil, nil, models.Err(models.CodeValidation, "The run belongs to another space: select that one first")
	}
	start = &Start{
		Payer: payer, WorkflowID: failed.WorkflowID, WorkflowVersion: failed.WorkflowVersion, AppID: failed.AppID,
		Trigger: "api", Source: clientOr(tx.Actor, "api"), Nodes: failed.Nodes, Edges: failed.Edges, RetryOf: &failed.ID,
		Free: failed.Hold == 0,
	}
	if tx.Actor.Kind == models.BySession {
		start.Trigger, start.Source = "editor", clientOr(tx.Actor, "web")
	}
	switch {
	case failed.AppID != nil:
		missing := models.NotFound("App")
		app, err = models.First[App](tx.Where("id = ? AND is_active AND deleted_at IS NULL", *failed.AppID), missing)
		if err != nil {
			return nil, nil, err
		}
		start.AuthorID, start.Trigger, start.Source = app.OwnerID, "app", clientOr(tx.Actor, "app")
		return start, app, checkTokenCovers(tx.Actor, app.WorkflowID)
	case failed.WorkflowID != nil:
		w, space, err := s.reachWorkflow(tx.Context(), *failed.WorkflowID)
		if err != nil {
			return nil, nil, err
		}
		start.AuthorID = w.OwnerID
		return start, nil, space.mayEdit(w, true)
	case tx.Actor.Kind == models.ByOAuth:
		start.ClientAppID = &tx.Actor.AppID
	}
	return start, nil, coversRun(tx.Actor, nil)
}

// sameWorkspace tells whether both name one workspace, or neither any.
func sameWorkspace(a, b *models.ID) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// done tells whether an earlier execution finished a node.
func (start Start) done(id string) bool {
	job := start.Earlier[id]
	return job != nil && job.Status == JobCompleted
}

// takeOver gives a job what an earlier one of its node yielded. Nothing of it
// runs, costs or is announced again.
func (j *Job) takeOver(earlier *Job, tx *models.Tx) {
	j.Status, j.Progress, j.WaitsFor, j.Cost = JobCompleted, 100, 0, 0
	j.InputData, j.OutputData, j.OutputSize = earlier.InputData, earlier.OutputData, earlier.OutputSize
	j.CreditStatus, j.CreditsCharged = &creditCommitted, new(models.Credits(0))
	j.StartedAt, j.CompletedAt = &tx.Now, &tx.Now
}

// takeOverParts lays over a component what its earlier job had finished, and
// tells what the rest costs. The graph is that of the first run.
func takeOverParts(earlier *Job, state []byte, cost models.Credits) ([]byte, models.Credits, error) {
	root := &component{}
	if earlier == nil || len(earlier.State) == 0 || json.Unmarshal(earlier.State, root) != nil {
		return state, cost, nil
	}
	root.startAnew()
	state, err := json.Marshal(root)
	return state, root.left(), err
}

// startAnew drops what unfinished nodes had kept.
func (c *component) startAnew() {
	c.State = nil
	for _, part := range c.Parts {
		part.startAnew()
	}
}

// left is what the unfinished nodes of a component cost.
func (c *component) left() (cost models.Credits) {
	for _, node := range c.Nodes {
		if _, done := c.Outputs[node.ID]; done {
			continue
		}
		if part := c.Parts[node.ID]; part != nil {
			cost += part.left()
		} else if kind, ok := nodes.Find(node.Type); ok {
			cost += kind.Price(node.Data)
		}
	}
	return cost
}

// MayRetry tells whether the caller may run an execution again from where it failed.
func (e *Execution) MayRetry(ctx context.Context) bool {
	return e.Status == ExecutionFailed && e.AccountID == models.ActorFrom(ctx).UserID
}
