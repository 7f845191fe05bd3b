package run

import (
	"context"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// Retry runs a failed execution again from where it failed: a new one
// on the same graph and inputs, which takes over what had finished at no cost
// and sends none of it again. It needs what a first start would need now, is
// paid by whom that would be, and has its prices; the run of an app is a new
// run, which counts toward the day. Another person's is insufficient_role, one that has not failed already_finished
// or run_already_started.
func (s Executions) Retry(ctx context.Context, id models.ID) (*Execution, error) {
	if err := s.run.Pace.Admit(ctx); err != nil {
		return nil, err
	}
	actor := models.ActorFrom(ctx)
	if err := space.RequireSomeWorkflows(actor); err != nil {
		return nil, err
	}
	seen, err := s.run.executionInReach(ctx, id)
	if err != nil {
		return nil, err
	}
	if seen.AccountID != actor.UserID {
		return nil, models.InsufficientRole("Only who started a run may retry it")
	}
	var again *Execution
	err = s.run.DB.Write(ctx, func(tx *models.Tx) error {
		failed, err := models.First[Execution](tx.Where(models.FitsID("id", id)).Where("account_id = ? AND erased_at IS NULL", actor.UserID), models.NotFound("Execution"))
		if err != nil {
			return err
		}
		if err := failed.retryable(); err != nil {
			return err
		}
		again, err = s.run.retry(tx, failed)
		return err
	})
	return again, err
}

func (e *Execution) retryable() error {
	switch {
	case e.Purpose.runsGraph():
		return models.Err(models.CodeAlreadyFinished, "What the studio renders is rendered again there: it takes over all that is done")
	case e.Purpose != "":
		return models.Err(models.CodeAlreadyFinished, "What this run was for is begun again where it belongs, in the library")
	case e.Status == ExecutionFailed && e.TotalNodes == 0: // what refuseAutomated wrote down
		return models.Err(models.CodeAlreadyFinished, "Nothing of the run had begun, so there is nothing to take up again")
	case e.Status == ExecutionFailed:
		return nil
	case e.Status == ExecutionCompleted:
		return models.Err(models.CodeAlreadyFinished, "The run completed; there is nothing to retry")
	}
	return models.Err(models.CodeRunAlreadyStarted, "The run is still at work")
}

// retry starts an execution again in the caller's transaction.
func (s *Service) retry(tx *models.Tx, failed *Execution) (*Execution, error) {
	request, run, err := s.retryRequest(tx, failed)
	if err != nil {
		return nil, err
	}
	var jobs []*Job
	err = failed.jobs(tx.DB).Find(&jobs).Error
	if err != nil {
		return nil, err
	}
	request.Earlier = make(map[string]*Job, len(jobs))
	for _, job := range jobs {
		request.Earlier[job.NodeID] = job
	}
	if run == nil {
		return s.AcceptRun(tx, *request)
	}
	run.begin(tx, request)
	return s.startRun(tx, run, request, false)
}

// retryRequest checks that the caller may still run what failed, and finds out
// who pays this time. run is the new run of an app, else nil.
func (s *Service) retryRequest(tx *models.Tx, failed *Execution) (request *Request, run *AppRun, err error) {
	request = &Request{
		WorkflowID: failed.WorkflowID, WorkflowVersion: failed.WorkflowVersion, AppID: failed.AppID,
		Trigger: "api", Source: clientOr(tx.Actor, "api"), Nodes: failed.Nodes, Edges: failed.Edges, RetryOf: &failed.ID,
		Subject: failed.Subject,
	}
	if tx.Actor.Kind == models.BySession {
		request.Trigger, request.Source = "editor", clientOr(tx.Actor, "web")
		// What another person's call brought in does not become one's own by being retried.
		request.Personal = failed.Personal && failed.AppID == nil
	}
	var home *space.Viewer
	switch {
	case failed.AppID != nil:
		run, err = s.retryRun(tx, request, failed)
	case failed.WorkflowID != nil:
		var w *flow.Workflow
		if w, home, err = s.Flows.WorkflowToRun(tx, *failed.WorkflowID); err == nil {
			request.AuthorID, request.HomeID = w.OwnerID, w.WorkspaceID
			request.Saved = &Authored{Nodes: w.Nodes}
			if failed.WorkflowVersion != nil && *failed.WorkflowVersion != w.Version {
				request.Saved = &Authored{workflowID: &w.ID, version: *failed.WorkflowVersion}
			}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	request.Payer, err = s.PayerFor(tx, home)
	return request, run, err
}

// retryRun is a new run of the app whose run failed, on the version that ran then.
func (s *Service) retryRun(tx *models.Tx, request *Request, failed *Execution) (*AppRun, error) {
	app, err := flow.ActiveAppByID(tx.DB, *failed.AppID)
	if err != nil {
		return nil, err
	}
	earlier, err := models.First[AppRun](tx.Where("execution_id = ? AND account_id = ?", failed.ID, failed.AccountID), models.NotFound("Run"))
	if err != nil {
		return nil, err
	}
	version, err := flow.AppVersionOf(tx.DB, app, *earlier.Version, models.NotFound("Version"))
	if err != nil {
		return nil, err
	}
	request.AuthorID, request.HomeID, request.Markup = app.OwnerID, app.WorkspaceID, app.Markup
	request.Trigger, request.Source = "app", clientOr(tx.Actor, "app")
	exposed, err := version.Inputs()
	if err != nil {
		return nil, err
	}
	request.Saved = &Authored{Nodes: version.Nodes, inputs: exposed}
	request.Free = nodegraph.FreeMotions(version.Nodes, failed.Nodes, failed.Edges)
	return &AppRun{ID: tx.NewID(), AppID: app.ID, AccountID: tx.Actor.UserID, ClientAppID: tx.Actor.OfApp(), CreatedAt: tx.Now, Version: earlier.Version, App: app}, nil
}

// copyFinished gives a job what an earlier one of its node yielded. Nothing of it
// runs, costs or is announced again.
func (j *Job) copyFinished(earlier *Job, tx *models.Tx) {
	j.Status, j.Progress, j.WaitsFor, j.Cost = JobCompleted, 100, 0, 0
	j.InputData, j.OutputData, j.OutputSize = earlier.InputData, earlier.OutputData, earlier.OutputSize
	j.CreditStatus, j.CreditsCharged = &creditCommitted, new(models.Credits(0))
	j.StartedAt, j.CompletedAt = &tx.Now, &tx.Now
}

// checkCovered refuses a token that does not cover every workflow inside.
func (c *component) checkCovered(actor models.Actor) error {
	for _, node := range c.Nodes {
		part := c.Parts[node.ID]
		if part == nil {
			continue
		}
		id, _, err := node.NamedWorkflow()
		if err == nil {
			err = flow.CheckTokenCovers(actor, id)
		}
		if err == nil {
			err = part.checkCovered(actor)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropStates drops what unfinished nodes had kept.
func (c *component) dropStates() {
	c.State = nil
	for _, part := range c.Parts {
		part.dropStates()
	}
}

// MayRetry tells whether the caller may run an execution again from where it failed.
func (e *Execution) MayRetry(ctx context.Context) bool {
	return e.Status == ExecutionFailed && e.Purpose == "" && e.TotalNodes > 0 && e.AccountID == models.ActorFrom(ctx).UserID
}
