package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// flaky makes template-text fail as long as broken is true, save a file when it
// does not, and count its calls and those of combine-text.
func flaky(t *testing.T, broken *bool) map[string]int {
	t.Helper()
	calls := map[string]int{}
	slow(t, "template-text", func(context.Context, *kit.Call) (kit.Output, error) {
		calls["template"]++
		if *broken {
			return nil, &kit.Failure{Message: "no"}
		}
		return kit.Output{"text": "made"}, nil
	})
	slow(t, "combine-text", func(ctx context.Context, in *kit.Call) (kit.Output, error) {
		calls["combine"]++
		info, err := in.Media.Save(ctx, "x", "text/plain", strings.NewReader("a file"))
		return kit.Output{"text": "joined", "url": info.URL}, err
	})
	return calls
}

func template(id string) *nodegraph.Node {
	return &nodegraph.Node{ID: id, Type: "template-text", Data: map[string]any{"template": "x"}}
}

func TestRetryExecution(t *testing.T) {
	e := newEngine(t)
	e.withMedia(t)
	costs(t, "combine-text", 300)
	costs(t, "template-text", 500)
	broken := true
	calls := flaky(t, &broken)
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{text("a", "x"), combine("b"), template("bad"), combine("after")},
		edge("a", "b"), handle(edge("b", "bad"), "text", "values.x"), edge("bad", "after"))
	exec, err := e.RunWorkflow(ctx, w.ID, Input{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("refusals", func(t *testing.T) {
		_, err := e.Executions().Retry(ctx, exec.ID)
		wantCode(t, err, models.CodeRunAlreadyStarted)
		_, err = e.Executions().Retry(e.As(e.AddUser(0)), exec.ID)
		wantCode(t, err, models.CodeNotFound)
		_, err = e.Executions().Retry(context.Background(), exec.ID)
		wantCode(t, err, models.CodeUnauthorized)
		_, err = e.Executions().Retry(e.ByApp(e.user, models.ScopeJobsRead), exec.ID)
		wantCode(t, err, models.CodeInsufficientScope)
	})
	e.work()
	if done := e.execution(exec.ID); done.Status != ExecutionFailed || done.Charged != 300 || !done.MayRetry(ctx) || done.MayRetry(e.As(e.AddUser(0))) {
		t.Fatalf("ended as %+v", done)
	}
	broken = false
	again, err := e.Executions().Retry(ctx, exec.ID)
	if err != nil {
		t.Fatal(err)
	}
	if again.Hold != 800 || *again.RetryOf != exec.ID || again.CompletedNodes != 2 || again.OpenNodes != 2 {
		t.Errorf("retried as %+v", again)
	}
	if got := e.statuses(again.ID); !maps.Equal(got, map[string]JobStatus{"a": JobCompleted, "b": JobCompleted, "bad": JobPending, "after": JobWaiting}) {
		t.Errorf("the jobs are %v", got)
	}
	e.work()
	if done := e.execution(again.ID); done.Status != ExecutionCompleted || done.Charged != 800 || done.CompletedNodes != 4 {
		t.Errorf("ended as %+v", done)
	}
	if got := e.charges(again.ID); !maps.Equal(got, map[string]models.Credits{"bad": 500, "after": 300}) {
		t.Errorf("charged %v", got)
	}
	if calls["combine"] != 2 || calls["template"] != 2 {
		t.Errorf("called %v", calls)
	}
	if job := e.jobs(again.ID)["b"]; job.OutputData["text"] != "joined" || *job.CreditsCharged != 0 || *job.CreditStatus != "committed" {
		t.Errorf("taken over as %+v", job)
	}
	if n := e.Count(`SELECT count(*) FROM webhook_deliveries`); n != 0 {
		t.Errorf("%d events", n)
	}
	_, err = e.Executions().Retry(ctx, again.ID)
	wantCode(t, err, models.CodeAlreadyFinished)
	if err := e.Flows.DeleteWorkflow(ctx, w.ID); err != nil {
		t.Fatal(err)
	}
	_, err = e.Executions().Retry(ctx, exec.ID)
	wantCode(t, err, models.CodeNotFound)
	if differences, err := credit.Reconcile(context.Background(), e.DB); err != nil || len(differences) > 0 {
		t.Errorf("the books differ: %+v, %v", differences, err)
	}
}

// TestRetryInAWorkspace refuses what the first start would be refused.
func TestRetryInAWorkspace(t *testing.T) {
	e := newEngine(t)
	e.withMedia(t)
	broken := true
	flaky(t, &broken)
	w := e.addWorkspace(10 * models.Credit)
	run, err := e.Nodes().Run(w.in(w.member), "template-text", map[string]any{"template": "x"})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	id := run.Job.ExecutionID
	_, err = e.Executions().Retry(w.in(w.admin), id)
	wantCode(t, err, models.CodeInsufficientRole)
	personally, err := e.Executions().Retry(e.As(w.member), id)
	if err != nil || personally.WorkspaceID != nil {
		t.Fatal(personally, err) // a single node is paid by the selected space
	}
	broken = false
	again, err := e.Executions().Retry(w.in(w.member), id)
	if err != nil || *again.WorkspaceID != w.id {
		t.Fatal(again, err)
	}
	e.Exec(`UPDATE workspaces SET archived_at = now() WHERE id = ?`, w.id)
	_, err = e.Executions().Retry(w.in(w.member), id)
	wantCode(t, err, models.CodeWorkspaceArchived)
}

// TestRetryComponent takes over what a component's nodes had finished.
func TestRetryComponent(t *testing.T) {
	e := newEngine(t)
	e.withMedia(t)
	costs(t, "combine-text", 300)
	costs(t, "template-text", 500)
	broken := true
	calls := flaky(t, &broken)
	inner := e.addWorkflow(e.user, nodegraph.Nodes{combine("c"), template("t")}, nodegraph.Edges{handle(edge("c", "t"), "text", "values.x")})
	outer := e.addWorkflow(e.user, nodegraph.Nodes{componentNode("part", inner, nil)}, nil)
	exec, err := e.RunWorkflow(e.As(e.user), outer, Input{})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	broken = false
	again, err := e.Executions().Retry(e.As(e.user), exec.ID)
	if err != nil || again.Hold != 500 {
		t.Fatalf("%+v, %v", again, err)
	}
	e.work()
	if done := e.execution(again.ID); done.Status != ExecutionCompleted || calls["combine"] != 1 || calls["template"] != 2 {
		t.Errorf("ended as %+v after %v", done, calls)
	}
	if got := e.charges(again.ID); !maps.Equal(got, map[string]models.Credits{"part/t": 500}) {
		t.Errorf("charged %v", got)
	}
}

// failingApp is a published app whose run has failed, with the run.
func (e *engine) failingApp(t *testing.T, limit *int, broken *bool) (*flow.App, *AppRun, map[string]int) {
	t.Helper()
	e.withMedia(t)
	calls := flaky(t, broken)
	ctx := e.As(e.user)
	w := e.save(ctx, nodegraph.Nodes{combine("b"), template("bad")}, handle(edge("b", "bad"), "text", "values.x"))
	app, err := e.Flows.Apps().Publish(ctx, w.ID, flow.PublishInput{Name: "App", MaxRunsPerUserPerDay: limit})
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.AppRuns().Start(ctx, app.Slug, AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	return app, run, calls
}

func TestRetryAppRun(t *testing.T) {
	e := newEngine(t)
	broken, limit := true, 2
	app, run, calls := e.failingApp(t, &limit, &broken)
	ctx := e.As(e.user)
	broken = false
	again, err := e.Executions().Retry(ctx, run.Execution.ID)
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	list, err := e.AppRuns().List(ctx, app.Slug, false, models.Page{})
	if err != nil || len(list.Nodes) != 2 || *list.Nodes[0].ExecutionID != again.ID || *list.Nodes[0].Version != 1 || list.Nodes[0].Status() != ExecutionCompleted {
		t.Errorf("the runs are %+v, %v", list, err)
	}
	if calls["combine"] != 1 {
		t.Errorf("called %v", calls)
	}
	_, err = e.Executions().Retry(ctx, run.Execution.ID)
	wantCode(t, err, models.CodeRateLimitExceeded)
	e.Exec(`UPDATE apps SET is_active = false WHERE id = ?`, app.ID)
	_, err = e.Executions().Retry(ctx, run.Execution.ID)
	wantCode(t, err, models.CodeNotFound)
}

func TestDeleteRun(t *testing.T) {
	e := newEngine(t)
	e.Exec(`INSERT INTO webhook_endpoints (id, account_id, url, url_key, events, is_active, created_at, updated_at)
		VALUES (?, ?, 'https://example.com/hook', 'https://example.com/hook', '{job.completed,job.failed}', true, now(), now())`, models.NewID(e.clock.Now()), e.user)
	broken := true
	app, run, _ := e.failingApp(t, nil, &broken)
	ctx, id := e.As(e.user), run.Execution.ID
	secret := e.jobs(id)["b"].OutputData["url"].(string)
	broken = false
	again, err := e.Executions().Retry(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	e.work()
	other, err := e.AppRuns().Start(ctx, app.Slug, AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("refusals", func(t *testing.T) {
		wantError(t, e.AppRuns().Delete(ctx, app.Slug, run.ID), models.CodeValidation, "Archive the run first")
		wantCode(t, e.AppRuns().Delete(e.ByToken(e.user), app.Slug, run.ID), models.CodeForbidden)
		wantCode(t, e.AppRuns().Delete(context.Background(), app.Slug, run.ID), models.CodeUnauthorized)
		wantCode(t, e.AppRuns().Delete(e.As(e.AddUser(0)), app.Slug, run.ID), models.CodeNotFound)
		if _, err := e.AppRuns().Archive(ctx, app.Slug, other.ID); err != nil {
			t.Fatal(err)
		}
		wantCode(t, e.AppRuns().Delete(ctx, app.Slug, other.ID), models.CodeRunAlreadyStarted)
	})
	e.work()
	ownFile := e.jobs(other.Execution.ID)["b"].OutputData["url"].(string)
	if _, err := e.AppRuns().Archive(ctx, app.Slug, run.ID); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []*AppRun{run, other} {
		if err := e.AppRuns().Delete(ctx, app.Slug, gone.ID); err != nil {
			t.Fatal(err)
		}
		wantCode(t, e.AppRuns().Delete(ctx, app.Slug, gone.ID), models.CodeNotFound)
		_, err = e.AppRuns().Find(ctx, app.Slug, gone.ID)
		wantCode(t, err, models.CodeNotFound)
		_, err = e.Executions().Find(ctx, gone.Execution.ID)
		wantCode(t, err, models.CodeNotFound)
		_, err = e.Executions().Retry(ctx, gone.Execution.ID)
		wantCode(t, err, models.CodeNotFound)
		for _, job := range e.jobs(gone.Execution.ID) {
			_, err := e.Jobs().Find(ctx, job.ID)
			wantCode(t, err, models.CodeNotFound)
			if len(job.InputData) != 0 || job.OutputData != nil || job.ErrorMessage != nil {
				t.Errorf("left of the job: %+v", job)
			}
		}
	}
	for _, lists := range []func() (int, error){
		func() (int, error) {
			l, err := e.Executions().List(ctx, models.Page{}, ExecutionFilter{})
			return len(l.Nodes), err
		},
		func() (int, error) {
			l, err := e.Jobs().List(ctx, models.Page{}, nil, nil)
			return len(l.Nodes) / 2, err
		},
	} {
		if n, err := lists(); err != nil || n != 1 {
			t.Errorf("%d runs are listed, %v", n, err)
		}
	}
	toldOf := `SELECT count(*) FROM webhook_deliveries d JOIN jobs j ON j.id = d.job_id WHERE j.execution_id <> ? AND `
	if n := e.Count(toldOf+`d.status = 'failed' AND d.error = 'job_deleted'`, again.ID); n == 0 {
		t.Error("nothing was to be sent about the deleted runs")
	}
	if n := e.Count(toldOf+`(d.status = 'pending' OR d.request_body IS NOT NULL)`, again.ID); n != 0 {
		t.Errorf("%d deliveries still hold what was deleted", n)
	}
	if n := e.Count(`SELECT count(*) FROM executions WHERE error_message IS NOT NULL OR nodes <> '[]' AND id <> ?`, again.ID); n != 0 {
		t.Errorf("%d executions hold something", n)
	}

	media := e.Media.ForExecution(again.AccountID, again.ID, false, nil)
	read := func(url string) (string, error) {
		r, _, err := media.Open(context.Background(), url)
		if err != nil {
			return "", err
		}
		defer r.Close()
		var b bytes.Buffer
		_, err = io.Copy(&b, r)
		return b.String(), err
	}
	if text, err := read(secret); err != nil || text != "a file" {
		t.Errorf("what the retry took over: %q, %v", text, err)
	}
	if _, err := read(ownFile); !models.HasCode(err, models.CodeNotFound) && !errors.Is(err, context.Canceled) {
		t.Errorf("a deleted run's file: %v", err)
	}
	if n := e.Count(`SELECT count(*) FROM media_files WHERE execution_id = ?`, again.ID); n != 1 {
		t.Errorf("the retry has %d files", n)
	}
}
