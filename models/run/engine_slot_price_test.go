package run

import (
	"context"
	"maps"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/nodegraph"
	"atelier/nodes/kit"
)

// slotApp is an app with two animations, of which one has its plan from another
// node, a picture, a component and an animation inside of that.
func (e *engine) slotApp() *flow.App {
	e.t.Helper()
	ctx := e.As(e.user)
	inner := e.save(ctx, nodegraph.Nodes{node("inside", "motion", map[string]any{"motionPlan": plan3()})})
	saved := e.save(ctx, nodegraph.Nodes{
		node("m", "motion", map[string]any{"motionPlan": plan3()}), node("fed", "motion", map[string]any{"motionPlan": plan3()}),
		node("plan", "template-text", map[string]any{"template": "x"}), node("p", "generate-image", map[string]any{"prompt": "sky"}),
		componentNode("part", inner.ID, nil),
	}, handle(edge("plan", "fed"), "", "motionPlan"))
	app, err := e.Flows.Apps().Publish(ctx, saved.ID, flow.PublishInput{Name: "Slots", PresentationSettings: form(`[
		{"type":"field","id":"accent","nodeId":"m","field":"slot:accent"},{"type":"field","id":"prompt","nodeId":"p","field":"prompt"}]`)})
	if err != nil {
		e.t.Fatal(err)
	}
	return app
}

// TestASlotFreesItsAnimation prices the runs of an app by what they change.
func TestASlotFreesItsAnimation(t *testing.T) {
	e := newEngine(t)
	app := e.slotApp()
	whole := 17 * models.Credit // two animations, a picture, and an animation inside
	if app.Latest.EstimatedCost != whole {
		t.Fatalf("the app says that it costs %s", app.Latest.EstimatedCost)
	}
	filmed, err := e.Flows.Apps().Publish(e.As(e.user), e.save(e.As(e.user), nodegraph.Nodes{
		node("m", "motion", map[string]any{"motionPlan": plan3()}), node("f", "motion", map[string]any{"motionPlan": plan3(), "format": "mp4"}),
	}).ID, flow.PublishInput{Name: "Film", PresentationSettings: form(`[{"type":"field","id":"accent","nodeId":"f","field":"slot:accent"}]`)})
	if err != nil {
		t.Fatal(err)
	}
	if run, err := e.AppRuns().Start(e.As(e.user), filmed.Slug, AppInput{Inputs: map[string]any{"accent": "#00ff00"}}); err != nil || run.Execution.Hold != 5*models.Credit {
		t.Fatalf("with a film it holds %s: %v", run.Execution.Hold, err)
	}
	changed := plan3()
	changed["slotValues"] = map[string]any{"accent": []any{0.0, 1.0, 0.0, 1.0}}
	for name, c := range map[string]struct {
		inputs, overrides map[string]any
		want              models.Credits
	}{
		"nothing":                     {nil, nil, whole},
		"a slot":                      {map[string]any{"accent": "#00ff00"}, nil, whole - 5*models.Credit},
		"a slot by override":          {nil, override("m", "slot:accent", "#00ff00"), whole - 5*models.Credit},
		"the plan with another value": {nil, override("m", "motionPlan", changed), whole - 5*models.Credit},
		"a slot's own value":          {map[string]any{"accent": "#ff0000"}, nil, whole},
		"own by inputs, own again":    {map[string]any{"accent": "#00ff00"}, override("m", "slot:accent", "#ff0000"), whole},
		"a slot and a prompt":         {map[string]any{"accent": "#00ff00", "prompt": "sea"}, nil, whole},
	} {
		t.Run(name, func(t *testing.T) {
			run, err := e.AppRuns().Start(e.As(e.user), app.Slug, AppInput{Inputs: c.inputs, InputOverrides: c.overrides})
			if err != nil || run.Execution.Hold != c.want {
				t.Fatalf("holds %s, want %s: %v", run.Execution.Hold, c.want, err)
			}
		})
	}
	_, err = e.AppRuns().Start(e.As(e.AddUser(0)), app.Slug, AppInput{Inputs: map[string]any{"accent": "#00ff00"}})
	wantError(t, err, models.CodeInsufficientCredits, "")
}

// TestARetryHasItsOwnPrice runs a failed run of slots again: its animations
// stay free, and nothing else does.
func TestARetryHasItsOwnPrice(t *testing.T) {
	e := newEngine(t)
	e.withMedia(t)
	fails := true
	slow(t, "motion", func(context.Context, *kit.Call) (kit.Output, error) {
		if fails {
			return nil, &kit.Failure{Message: "no"}
		}
		return kit.Output{"url": "https://x.example/m.json"}, nil
	})
	slow(t, "combine-text", func(context.Context, *kit.Call) (kit.Output, error) {
		if fails {
			return nil, &kit.Failure{Message: "no"}
		}
		return kit.Output{"text": "x"}, nil
	})
	ctx := e.As(e.user)
	saved := e.save(ctx, nodegraph.Nodes{node("m", "motion", map[string]any{"motionPlan": plan3()}), combine("c")})
	app, err := e.Flows.Apps().Publish(ctx, saved.ID, flow.PublishInput{Name: "Slots", PresentationSettings: form(`[{"type":"field","id":"accent","nodeId":"m","field":"slot:accent"}]`)})
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.AppRuns().Start(ctx, app.Slug, AppInput{Inputs: map[string]any{"accent": "#00ff00"}})
	if err != nil || run.Execution.Hold != 0 {
		t.Fatal(run, err)
	}
	e.work()
	costs(t, "combine-text", 300) // it has a price by now
	fails = false
	again, err := e.Executions().Retry(ctx, run.Execution.ID)
	if err != nil || again.Hold != 300 {
		t.Fatalf("holds %s: %v", again.Hold, err)
	}
	e.work()
	e.wantCharges(again, map[string]models.Credits{"c": 300})
	if got := e.statuses(again.ID); !maps.Equal(got, map[string]JobStatus{"m": JobCompleted, "c": JobCompleted}) {
		t.Error(got)
	}
}
