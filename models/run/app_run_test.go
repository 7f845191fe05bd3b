package run

import (
	"context"
	"sync"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/models/org"
)

// published is an app with a text that may be chosen, an image and a motion.
func (e *engine) published(limit *int) *flow.App {
	e.t.Helper()
	ctx, thumbnail := e.As(e.user), "a"
	all := nodegraph.Nodes{text("a", "hello"), node("m", "motion", map[string]any{"motionPlan": plan3()}), node("out", "webhook-output", map[string]any{"url": "https://example.org/x"})}
	app, err := e.Flows.Apps().Publish(ctx, e.save(ctx, all).ID, flow.PublishInput{
		Name: "App", MaxRunsPerUserPerDay: limit, ThumbnailNodeID: &thumbnail,
		PresentationSettings: form(`[
			{"type":"field","id":"greeting","nodeId":"a","field":"text","allowedValues":["hello","bye"]},
			{"type":"field","id":"colour","nodeId":"m","field":"slot:accent"}]`),
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return app
}

func TestRunApp(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	viewer := e.AddUser(100 * models.Credit)
	ctx := e.As(viewer)
	seven, zero := 7, 0
	for name, c := range map[string]struct {
		ctx  context.Context
		slug string
		in   AppInput
		code models.Code
		part string
	}{
		"ErrUnauthorized": {context.Background(), app.Slug, AppInput{}, models.CodeUnauthorized, ""},
		"ErrScope":        {e.ByApp(viewer, models.ScopeJobsRead), app.Slug, AppInput{}, models.CodeInsufficientScope, ""},
		"ErrToken":        {e.ByToken(viewer, viewer), app.Slug, AppInput{}, models.CodeForbidden, ""},
		"ErrSlug":         {ctx, "Not A Slug", AppInput{}, models.CodeValidation, "slug"},
		"ErrNoApp":        {ctx, "nowhere", AppInput{}, models.CodeNotFound, "App not found"},
		"ErrVersion":      {ctx, app.Slug, AppInput{Version: &seven}, models.CodeValidation, "version 7 was never published"},
		"ErrVersionZero":  {ctx, app.Slug, AppInput{Version: &zero}, models.CodeValidation, "version must be at least 1"},
		"ErrInput":        {ctx, app.Slug, AppInput{Inputs: map[string]any{"x": 1.0}}, models.CodeValidation, "inputs.x"},
		"ErrAllowed":      {ctx, app.Slug, AppInput{Inputs: map[string]any{"greeting": "hey"}}, models.CodeValidation, "allowed values"},
		"ErrLocked":       {ctx, app.Slug, AppInput{InputOverrides: override("out", "url", "https://evil.example")}, models.CodeLockedField, "url"},
		"ErrDraft":        {ctx, app.Slug, AppInput{RunID: &viewer}, models.CodeNotFound, "Run not found"},
		"ErrMoney":        {e.As(e.AddUser(0)), app.Slug, AppInput{}, models.CodeInsufficientCredits, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.AppRuns().Start(c.ctx, c.slug, c.in)
			wantError(t, err, c.code, c.part)
		})
	}
	t.Run("starts as the viewer", func(t *testing.T) {
		run, err := e.AppRuns().Start(ctx, app.Slug, AppInput{Inputs: map[string]any{"text": "bye"}})
		if err != nil {
			t.Fatal(err)
		}
		x := run.Execution
		if run.Status() != ExecutionPending || x.AccountID != viewer || x.Trigger != "app" || x.Source != "app" || x.Hold != 5*models.Credit || *run.Version != 1 {
			t.Errorf("%+v %+v", run, x)
		}
		if field(x.Nodes, "a", "text") != "bye" || field(x.Nodes, "out", "url") != "https://example.org/x" {
			t.Error("inputs were not applied")
		}
	})
	t.Run("only slots cost nothing", func(t *testing.T) {
		run, err := e.AppRuns().Start(e.As(e.AddUser(0)), app.Slug, AppInput{Inputs: map[string]any{"colour": "#123456"}})
		if err != nil || run.Execution.Hold != 0 {
			t.Fatalf("%+v, %v", run, err)
		}
	})
	t.Run("an older version", func(t *testing.T) {
		if _, err := e.Flows.UpdateWorkflow(e.As(e.user), app.WorkflowID, flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node{text("new", "")})}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Flows.Apps().Publish(e.As(e.user), app.WorkflowID, flow.PublishInput{Name: "App", PresentationSettings: form(`[]`)}); err != nil {
			t.Fatal(err)
		}
		one := 1
		old, err := e.AppRuns().Start(ctx, app.Slug, AppInput{Version: &one})
		if err != nil || *old.Version != 1 || len(old.Execution.Nodes) != 3 {
			t.Fatalf("%+v, %v", old, err)
		}
		latest, err := e.AppRuns().Start(ctx, app.Slug, AppInput{})
		if err != nil || *latest.Version != 2 || len(latest.Execution.Nodes) != 1 {
			t.Fatalf("%+v, %v", latest, err)
		}
	})
}

func TestDrafts(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	ctx := e.As(e.user)
	draft, err := e.AppRuns().CreateDraft(ctx, app.Slug)
	if err != nil || draft.Status() != ExecutionPending || draft.CreditsUsed() != 0 {
		t.Fatalf("%+v, %v", draft, err)
	}
	_, err = e.AppRuns().Start(e.As(e.AddUser(models.Credit)), app.Slug, AppInput{RunID: &draft.ID})
	wantError(t, err, models.CodeNotFound, "Run not found")

	var group sync.WaitGroup
	results := make(chan error, 10)
	for range 10 {
		group.Go(func() {
			_, err := e.AppRuns().Start(ctx, app.Slug, AppInput{RunID: &draft.ID})
			results <- err
		})
	}
	group.Wait()
	close(results)
	started := 0
	for err := range results {
		if err == nil {
			started++
			continue
		}
		wantError(t, err, models.CodeRunAlreadyStarted, "started already")
	}
	if started != 1 {
		t.Errorf("the draft was started %d times", started)
	}
	run, err := e.AppRuns().Find(ctx, app.Slug, draft.ID)
	if err != nil || run.Execution == nil || run.StartedAt == nil || *run.Version != 1 {
		t.Errorf("%+v, %v", run, err)
	}
	if n := e.Count(`SELECT count(*) FROM executions`); n != 1 {
		t.Errorf("%d executions", n)
	}
}

func TestDailyLimit(t *testing.T) {
	e := newEngine(t)
	e.Free = true
	five := 5
	app := e.published(&five)
	ctx := e.As(e.user)
	var group sync.WaitGroup
	results := make(chan error, 20)
	for range 20 {
		group.Go(func() {
			_, err := e.AppRuns().Start(ctx, app.Slug, AppInput{})
			results <- err
		})
	}
	group.Wait()
	close(results)
	accepted := 0
	for err := range results {
		if err == nil {
			accepted++
			continue
		}
		wantError(t, err, models.CodeRateLimitExceeded, "5 times a day")
		if refusal, _ := models.AsError(err); refusal.RetryAfter != 15*time.Hour {
			t.Errorf("Retry-After %s, but midnight is in 15 hours", refusal.RetryAfter)
		}
	}
	if accepted != 5 {
		t.Errorf("%d runs were accepted", accepted)
	}
	if left, err := e.AppRuns().LeftToday(ctx, app); err != nil || *left != 0 {
		t.Errorf("%v left, %v", left, err)
	}
	if _, err := e.AppRuns().Start(e.As(e.AddUser(0)), app.Slug, AppInput{}); err != nil {
		t.Errorf("another person's runs were counted: %v", err)
	}
	e.clock.Advance(15 * time.Hour)
	if _, err := e.AppRuns().Start(ctx, app.Slug, AppInput{}); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

func TestDailyLimitCountsAcceptedRunsAlone(t *testing.T) {
	e := newEngine(t)
	one := 1
	app := e.published(&one)
	poor := e.AddUser(0)
	_, err := e.AppRuns().Start(e.As(poor), app.Slug, AppInput{})
	wantError(t, err, models.CodeInsufficientCredits, "")
	_, err = e.AppRuns().Start(e.As(poor), app.Slug, AppInput{Inputs: map[string]any{"greeting": "hey"}})
	wantError(t, err, models.CodeValidation, "")
	run, err := e.AppRuns().Start(e.As(poor), app.Slug, AppInput{Inputs: map[string]any{"colour": "#fff"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.AppRuns().Archive(e.As(poor), app.Slug, run.ID); err != nil {
		t.Fatal(err)
	}
	_, err = e.AppRuns().Start(e.As(poor), app.Slug, AppInput{Inputs: map[string]any{"colour": "#fff"}})
	wantError(t, err, models.CodeRateLimitExceeded, "")
}

func TestArchive(t *testing.T) {
	e := newEngine(t)
	app := e.published(nil)
	ctx := e.As(e.user)
	run, err := e.AppRuns().Start(ctx, app.Slug, AppInput{})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := e.AppRuns().CreateDraft(ctx, app.Slug)
	if err != nil {
		t.Fatal(err)
	}
	other := e.As(e.AddUser(0))
	_, err = e.AppRuns().Archive(other, app.Slug, run.ID)
	wantError(t, err, models.CodeNotFound, "Run not found")
	_, err = e.AppRuns().Find(other, app.Slug, run.ID)
	wantError(t, err, models.CodeNotFound, "Run not found")
	_, err = e.AppRuns().Find(e.ByApp(e.user, models.ScopeExecute), app.Slug, run.ID)
	wantError(t, err, models.CodeInsufficientScope, "jobs:read")
	for range 2 {
		if got, err := e.AppRuns().Archive(ctx, app.Slug, run.ID); err != nil || !got.Archived() {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if got, err := e.AppRuns().Find(ctx, app.Slug, run.ID); err != nil || !got.Archived() || got.Execution == nil {
		t.Fatalf("%+v, %v", got, err)
	}
	for archived, want := range map[bool]models.ID{true: run.ID, false: kept.ID} {
		if list, err := e.AppRuns().List(ctx, app.Slug, archived, models.Page{}); err != nil || len(list.Nodes) != 1 || list.Nodes[0].ID != want {
			t.Errorf("archived %t: %+v, %v", archived, list, err)
		}
	}
	if got, err := e.AppRuns().Restore(ctx, app.Slug, run.ID); err != nil || got.Archived() {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := e.Flows.Apps().Update(ctx, app.ID, flow.UpdateAppInput{IsActive: models.Some(false)}); err != nil {
		t.Fatal(err)
	}
	_, err = e.AppRuns().Find(ctx, app.Slug, run.ID)
	wantError(t, err, models.CodeNotFound, "App not found")
}

func TestWhoPaysForAnApp(t *testing.T) {
	w := newWorld(t, org.Team)
	in := w.In(w.Room, w.Ann)
	saved := w.save(in, nodegraph.Nodes{node("i", "generate-image", map[string]any{"prompt": "x"})})
	app, err := w.Flows.Apps().Publish(in, saved.ID, flow.PublishInput{Name: "Room app"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.AppRuns().Start(w.As(w.Bob), app.Slug, AppInput{})
	wantError(t, err, models.CodeInsufficientCredits, "")
	run, err := w.AppRuns().Start(w.In(w.Room, w.Bob), app.Slug, AppInput{})
	if err != nil || run.Execution.WorkspaceID == nil || *run.WorkspaceID != w.Room.ID {
		t.Fatalf("%+v, %v", run, err)
	}
	w.Archive(w.Room, true)
	_, err = w.AppRuns().Start(w.In(w.Room, w.Bob), app.Slug, AppInput{})
	wantError(t, err, models.CodeWorkspaceArchived, "")
	wantStatus(t, err, 409)
}
