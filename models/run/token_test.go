package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// TestARestrictedToken runs and reads its workflows, and does nothing else.
func TestARestrictedToken(t *testing.T) {
	e := newEngine(t)
	broken := true
	flaky(t, &broken)
	all := e.As(e.user)
	covered, other := e.save(all, nodegraph.Nodes{text("a", "x"), template("t")}), e.save(all, nodegraph.Nodes{text("a", "secret")})
	app, err := e.Flows.Apps().Publish(all, covered.ID, flow.PublishInput{Name: "Covered"})
	if err != nil {
		t.Fatal(err)
	}
	project := covered.ProjectID
	token := e.ByToken(e.user, covered.ID)
	exec, err := e.RunWorkflow(token, covered.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	run, err := e.AppRuns().Start(token, app.Slug, AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	job := e.jobs(exec.ID)["a"].ID
	foreign, err := e.Nodes().Run(all, "text", map[string]any{"text": "secret", "holdForReview": true})
	if err != nil {
		t.Fatal(err)
	}
	first := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"its workflow":  first(e.Flows.FindWorkflow(token, covered.ID)),
		"its access":    first(e.Flows.FindWorkflowAccess(token, covered.ID)),
		"its versions":  first(e.Flows.FindVersion(token, covered.ID, 1)),
		"its history":   first(e.Executions().WorkflowHistory(token, covered.ID, models.Page{})),
		"its execution": first(e.Executions().Find(token, exec.ID)),
		"its job":       first(e.Jobs().Find(token, job)),
		"its run":       first(e.AppRuns().Find(token, app.Slug, run.ID)),
		"its runs":      first(e.AppRuns().List(token, app.Slug, false, models.Page{})),
		"a draft":       first(e.AppRuns().CreateDraft(token, app.Slug)),
		"a retry":       first(e.Executions().Retry(token, exec.ID)),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	found, err := e.Flows.Apps().Find(token, app.Slug)
	if err != nil || found.Manager {
		t.Errorf("the app: %+v, %v", found, err)
	}
	for name, err := range map[string]error{
		"create":           first(e.Flows.CreateWorkflow(token, flow.CreateWorkflowInput{Name: "W"})),
		"save":             first(e.Flows.UpdateWorkflow(token, covered.ID, flow.UpdateWorkflowInput{Name: models.Some("W")})),
		"delete":           e.Flows.DeleteWorkflow(token, covered.ID),
		"publish":          first(e.Flows.Apps().Publish(token, covered.ID, flow.PublishInput{Name: "W"})),
		"check":            first(e.Flows.CheckWorkflow(token, covered.ID, nil, nil)),
		"collaborators":    first(e.Flows.Collaborators().List(token, covered.ID, models.Page{})),
		"candidates":       first(e.Flows.Collaborators().Candidates(token, covered.ID, "a")),
		"grant":            first(e.Flows.Collaborators().Add(token, covered.ID, flow.AddCollaboratorInput{UserID: &e.user, Role: flow.Viewer})),
		"apps":             first(e.Flows.Apps().List(token, models.Page{})),
		"app":              first(e.Flows.Apps().Update(token, app.ID, flow.UpdateAppInput{})),
		"delete app":       e.Flows.Apps().Delete(token, app.ID),
		"projects":         first(e.Spaces.ListProjects(token, models.Page{})),
		"project":          first(e.Spaces.FindProject(token, project)),
		"new project":      first(e.Spaces.CreateProject(token, space.CreateProjectInput{Name: "P"})),
		"a node":           first(e.Nodes().Run(token, "text", map[string]any{"text": "x"})),
		"model costs":      first(e.Flows.ModelCosts(token, []string{"text"})),
		"cancel":           e.Executions().Cancel(token, exec.ID),
		"cancel job":       e.Jobs().Cancel(token, job),
		"approve":          first(e.Jobs().Approve(token, job)),
		"reject":           first(e.Jobs().Reject(token, job)),
		"archive":          first(e.AppRuns().Archive(token, app.Slug, run.ID)),
		"restore":          first(e.AppRuns().Restore(token, app.Slug, run.ID)),
		"another workflow": first(e.Flows.FindWorkflow(token, other.ID)),
		"another's run":    first(e.RunWorkflow(token, other.ID, Input{})),
		"a node's run":     first(e.Executions().Find(token, foreign.Job.ExecutionID)),
		"a node's retry":   first(e.Executions().Retry(token, foreign.Job.ExecutionID)),
	} {
		if !models.HasCode(err, models.CodeForbidden) {
			t.Errorf("%s: %v, want forbidden", name, err)
		}
	}
	_, err = e.Jobs().Find(token, foreign.Job.ID)
	wantCode(t, err, models.CodeNotFound)
}

// TestComponentsWithinATokensReach refuses a token whose run would run another
// workflow inside, at whatever depth, also when a retry takes it over.
func TestComponentsWithinATokensReach(t *testing.T) {
	e := newEngine(t)
	broken := true
	flaky(t, &broken)
	all := e.As(e.user)
	deep := e.save(all, nodegraph.Nodes{template("t")})
	middle := e.save(all, nodegraph.Nodes{componentNode("c", deep.ID, nil)})
	outer := e.save(all, nodegraph.Nodes{componentNode("c", middle.ID, nil)})
	app, err := e.Flows.Apps().Publish(all, outer.ID, flow.PublishInput{Name: "Outer"})
	if err != nil {
		t.Fatal(err)
	}
	failed, err := e.RunWorkflow(all, outer.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	ways := map[string]func(context.Context) error{
		"run":   func(ctx context.Context) error { _, err := e.RunWorkflow(ctx, outer.ID, Input{}); return err },
		"app":   func(ctx context.Context) error { _, err := e.AppRuns().Start(ctx, app.Slug, AppInput{}); return err },
		"retry": func(ctx context.Context) error { _, err := e.Executions().Retry(ctx, failed.ID); return err },
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			for _, ids := range [][]models.ID{{outer.ID}, {outer.ID, middle.ID}, {outer.ID, deep.ID}} {
				wantError(t, way(e.ByToken(e.user, ids...)), models.CodeForbidden, "")
			}
			accepted(t, way(e.ByToken(e.user, outer.ID, middle.ID, deep.ID)))
		})
	}
	if _, err := e.Flows.UpdateWorkflow(all, middle.ID, flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("a", "x")})}); err != nil {
		t.Fatal(err)
	}
	t.Run("what the failed run had inside", func(t *testing.T) {
		wantError(t, ways["retry"](e.ByToken(e.user, outer.ID, middle.ID)), models.CodeForbidden, "")
		accepted(t, ways["run"](e.ByToken(e.user, outer.ID, middle.ID)))
	})
}
