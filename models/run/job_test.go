package run

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/credit"
	"atelier/models/nodegraph"
)

func testRunNode(t *testing.T, e *engine) {
	costs(t, "combine-text", 1500)
	ctx := e.As(e.user)
	t.Run("inline", func(t *testing.T) {
		run, err := e.Nodes().Run(ctx, "combine-text", map[string]any{"texts": []any{"a", "b"}, "separator": "-", "colour": "red"})
		if err != nil {
			t.Fatal(err)
		}
		if !run.Inline || run.Job.Status != JobCompleted || run.Job.OutputData["text"] != "a-b" || len(run.Warnings) != 1 {
			t.Errorf("answered %+v %+v", run, run.Job)
		}
		if done := e.execution(run.Job.ExecutionID); done.Status != ExecutionCompleted || done.Charged != 1500 || done.Trigger != "editor" || done.Source != "web" {
			t.Errorf("ended as %+v", done)
		}
	})
	t.Run("queued and adjusted", func(t *testing.T) {
		run, err := e.Nodes().Run(ctx, "delay", map[string]any{"seconds": 601.0})
		if err != nil {
			t.Fatal(err)
		}
		if run.Inline || run.Job.Status != JobPending || len(run.Adjustments) != 1 || run.Adjustments[0]["to"] != 600.0 {
			t.Errorf("answered %+v", run)
		}
		if err := e.Jobs().Cancel(ctx, run.Job.ID); err != nil {
			t.Fatal(err)
		}
		if done := e.execution(run.Job.ExecutionID); done.Status != ExecutionFailed || *done.ErrorCode != "cancelled" {
			t.Errorf("ended as %+v", done)
		}
	})
	t.Run("refusals", func(t *testing.T) {
		for _, c := range []struct {
			nodeType string
			settings map[string]any
			code     models.Code
		}{
			{"no-such-node", nil, models.CodeNotFound},
			{"group", nil, models.CodeNotFound},
			{"combine-text", map[string]any{"texts": 5.0}, models.CodeValidation},
			{"generate-image", map[string]any{}, models.CodeValidation},
		} {
			_, err := e.Nodes().Run(ctx, c.nodeType, c.settings)
			wantCode(t, err, c.code)
		}
		_, err := e.Nodes().Run(context.Background(), "text", nil)
		wantCode(t, err, models.CodeUnauthorized)
		limited := models.WithActor(ctx, models.Actor{Kind: models.ByToken, UserID: e.user, WorkflowIDs: []models.ID{e.user}})
		_, err = e.Nodes().Run(limited, "text", nil)
		wantCode(t, err, models.CodeForbidden)
		poor := e.AddUser(0)
		_, err = e.Nodes().Run(e.As(poor), "combine-text", map[string]any{"texts": []any{"a"}})
		wantCode(t, err, models.CodeInsufficientCredits)
		if n := e.Count(`SELECT count(*) FROM jobs WHERE account_id = ?`, poor); n != 0 {
			t.Errorf("%d jobs of a refused run", n)
		}
	})
}

func testWatch(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "x"), combine("b")}, nodegraph.Edges{edge("a", "b")})
	changes, err := e.Executions().Watch(e.As(e.user), exec.ID)
	if err != nil {
		t.Fatal(err)
	}
	if first := <-changes; first.Status != ExecutionPending {
		t.Errorf("begins with %+v", first)
	}
	var worker sync.WaitGroup
	worker.Go(e.work)
	defer worker.Wait()
	last, deadline := int64(0), time.After(time.Minute)
	for {
		select {
		case next, open := <-changes:
			if !open {
				if done := e.execution(exec.ID); done.Revision != last {
					t.Errorf("closed at revision %d of %d", last, done.Revision)
				}
				return
			}
			if next.Revision <= last {
				t.Errorf("revision %d after %d", next.Revision, last)
			}
			last = next.Revision
		case <-deadline:
			t.Fatal("the watch does not end")
		}
	}
}

func testAwaitEnds(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "x")}, nil)
	if got, err := e.Executions().Await(e.As(e.user), exec.ID, 20*time.Millisecond); err != nil || got.Finished() {
		t.Errorf("too long a run is %+v, %v", got, err)
	}
	var worker sync.WaitGroup
	worker.Go(e.work)
	defer worker.Wait()
	if got, err := e.Executions().Await(e.As(e.user), exec.ID, time.Minute); err != nil || got.Status != ExecutionCompleted {
		t.Errorf("awaited %+v, %v", got, err)
	}
	_, err := e.Executions().Await(e.As(e.AddUser(0)), exec.ID, time.Second)
	wantCode(t, err, models.CodeNotFound)
}

func testJobReads(t *testing.T, e *engine) {
	exec := e.start(nodegraph.Nodes{text("a", "1"), text("b", "2"), text("c", "3")}, nil)
	jobs := e.jobs(exec.ID)
	ctx, stranger := e.As(e.user), e.As(e.AddUser(0))
	size := 2
	first, err := e.Jobs().List(ctx, models.Page{Limit: &size}, nil, nil)
	if err != nil || len(first.Nodes) != 2 || first.Next() == nil {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	second, err := e.Jobs().List(ctx, models.Page{Limit: &size, Cursor: first.Next()}, nil, nil)
	if err != nil || len(second.Nodes) != 1 || second.Next() != nil || second.Nodes[0].ID != jobs["a"].ID {
		t.Fatalf("the second page is %+v, %v", second, err)
	}
	if elsewhere, err := e.Jobs().List(ctx, models.Page{}, nil, &e.user); err != nil || len(elsewhere.Nodes) != 0 {
		t.Errorf("jobs of the personal space are listed in a workspace: %+v, %v", elsewhere, err)
	}
	if found, err := e.Jobs().ByID(ctx, []models.ID{jobs["c"].ID, e.user, jobs["a"].ID}); err != nil || len(found) != 2 || found[0].ID != jobs["c"].ID {
		t.Errorf("by id: %+v, %v", found, err)
	}
	_, err = e.Jobs().ByID(ctx, make([]models.ID, 101))
	wantCode(t, err, models.CodeValidation)
	_, err = e.Jobs().Find(stranger, jobs["a"].ID)
	wantCode(t, err, models.CodeNotFound)
	if none, err := e.Jobs().ByID(stranger, []models.ID{jobs["a"].ID}); err != nil || len(none) != 0 {
		t.Errorf("a stranger sees %+v, %v", none, err)
	}
	app := models.WithActor(ctx, models.Actor{Kind: models.ByOAuth, UserID: e.user, Scopes: []models.Scope{models.ScopeExecute}})
	_, err = e.Jobs().Find(app, jobs["a"].ID)
	wantCode(t, err, models.CodeInsufficientScope)
	wantCode(t, e.Jobs().Cancel(app, jobs["a"].ID), models.CodeNotFound) // the person started it, not the app
	if err := e.Jobs().Cancel(ctx, jobs["a"].ID); err != nil {
		t.Errorf("cancelling: %v", err)
	}
	limited := models.WithActor(ctx, models.Actor{Kind: models.ByToken, UserID: e.user, WorkflowIDs: []models.ID{e.user}})
	_, err = e.Jobs().Find(limited, jobs["a"].ID)
	wantCode(t, err, models.CodeNotFound)
	e.work()

	body, err := json.Marshal(e.jobs(exec.ID)["b"].Public())
	if err != nil {
		t.Fatal(err)
	}
	var shown map[string]any
	if err := json.Unmarshal(body, &shown); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"id", "status", "progress", "job_type", "input_data", "output_data", "error_message", "error_hint",
		"credit_status", "credits_charged", "source", "session_id", "created_at", "completed_at"} {
		if _, ok := shown[key]; !ok {
			t.Errorf("a job does not show %s", key)
		}
	}
	if shown["status"] != "completed" || shown["credits_charged"] != 0.0 || shown["credit_status"] != "committed" {
		t.Errorf("the job is %s", body)
	}
}

func testExecutionReads(t *testing.T, e *engine) {
	slow(t, "combine-text", nil)
	workflow := e.addWorkflow(e.user, nodegraph.Nodes{text("a", "1")}, nil)
	exec, err := e.tryStart(Request{Payer: credit.Payer{UserID: e.user}, WorkflowID: &workflow, Trigger: "api", Source: "api", Nodes: nodegraph.Nodes{text("a", "1"), combine("b")}, Edges: nodegraph.Edges{edge("a", "b")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.RunJob(context.Background(), *e.claim()); err != nil {
		t.Fatal(err)
	}
	states, err := e.Executions().NodeStates(e.As(e.user), []models.ID{exec.ID})
	if err != nil || len(states[exec.ID]) != 2 {
		t.Fatal(states, err)
	}
	if a, b := states[exec.ID][0], states[exec.ID][1]; a.NodeID != "a" || a.Status != NodeCompleted || a.Output["text"] != "1" || b.Status != NodePending || b.Output != nil {
		t.Errorf("the nodes are %+v, %+v", a, b)
	}
	titles, err := e.Executions().Titles(e.As(e.user), []models.ID{exec.ID})
	if err != nil || titles[exec.ID] != (Title{Text: "W"}) {
		t.Errorf("the title is %v, %v", titles, err)
	}
	list, err := e.Executions().List(e.As(e.user), models.Page{}, ExecutionFilter{})
	if err != nil || len(list.Nodes) != 1 {
		t.Errorf("the list is %+v, %v", list, err)
	}
	_, err = e.Executions().Find(e.As(e.AddUser(0)), exec.ID)
	wantCode(t, err, models.CodeNotFound)
	limited := models.WithActor(context.Background(), models.Actor{Kind: models.ByToken, UserID: e.user, WorkflowIDs: []models.ID{e.user}})
	_, err = e.Executions().Find(limited, exec.ID)
	wantCode(t, err, models.CodeForbidden)
	e.work()
}

// testThumbnail takes the picture of a run from the node that the publisher
// named, else from the last node, and only from an address.
func testThumbnail(t *testing.T, e *engine) {
	for _, c := range []struct {
		named *string
		want  string
	}{{ptr("a"), "https://x.example/a.png"}, {ptr("b"), ""}, {nil, "https://x.example/c.png"}} {
		workflow, app, run := e.addWorkflow(e.user, nodegraph.Nodes{}, nil), models.NewID(e.clock.Now()), models.NewID(e.clock.Now())
		e.Exec(`INSERT INTO apps (id, slug, workflow_id, owner_id, name, is_active, latest_version, created_at, updated_at) VALUES (?, ?, ?, ?, 'A', true, 1, now(), now())`, app, "s-"+app.String(), workflow, e.user)
		e.Exec(`INSERT INTO app_versions (id, app_id, version, nodes, edges, input_items, thumbnail_node_id, estimated_cost, created_at) VALUES (?, ?, 1, '[]', '[]', '[]', ?, 0, now())`, models.NewID(e.clock.Now()), app, c.named)
		passes := func(id, url string) *nodegraph.Node {
			return &nodegraph.Node{ID: id, Type: "delay", Data: map[string]any{"seconds": 0.0, "input": url}}
		}
		exec, err := e.tryStart(Request{
			Payer: credit.Payer{UserID: e.user}, AppID: &app, WorkflowID: &workflow, Trigger: "app", Source: "app",
			Nodes: nodegraph.Nodes{passes("a", "https://x.example/a.png"), text("b", "text"), passes("c", "https://x.example/c.png")},
		})
		if err != nil {
			t.Fatal(err)
		}
		e.Exec(`INSERT INTO app_runs (id, app_id, account_id, version, execution_id, created_at) VALUES (?, ?, ?, 1, ?, now())`, run, app, e.user, exec.ID)
		e.work()
		var got *string
		if err := e.DB.Read(context.Background()).Raw(`SELECT thumbnail_url FROM app_runs WHERE id = ?`, run).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		if (got == nil && c.want != "") || (got != nil && *got != c.want) {
			t.Errorf("the thumbnail is %v, want %q", got, c.want)
		}
	}
}

func ptr[T any](v T) *T { return &v }
