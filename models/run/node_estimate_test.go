package run

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/org"
)

// TestNodeEstimateIsWhatIsHeld asks for prices, and then runs the same settings.
func TestNodeEstimateIsWhatIsHeld(t *testing.T) {
	w := newWorld(t, org.Team)
	ctx := w.In(w.Room, w.Ann)
	model := "https://files.example/m.glb"
	for _, c := range []struct {
		nodeType string
		settings map[string]any
		want     models.Credits
	}{
		{"pro-3d-render", map[string]any{"modelUrl": model}, 3 * models.Credit},
		{"pro-3d-render", map[string]any{"modelUrl": model, "quality": "draft"}, models.Credit},
		{"pro-3d-render", map[string]any{"modelUrl": model, "quality": "draft", "output": "turntable"}, 4 * models.Credit},
		{"pro-3d-render", map[string]any{"modelUrl": model, "output": "turntable"}, 12 * models.Credit},
		{"generate-image", map[string]any{"prompt": "a fox"}, 2 * models.Credit},
		{"text", map[string]any{"text": "a"}, 0},
	} {
		before := w.Count(`SELECT count(*) FROM executions`)
		e, err := w.Nodes().Estimate(ctx, c.nodeType, c.settings)
		if err != nil || e.Credits != c.want || e.Payment.Refusal != nil || e.Metered {
			t.Errorf("%s %v: %+v, %v", c.nodeType, c.settings, e, err)
			continue
		}
		if w.Count(`SELECT count(*) FROM executions`) != before {
			t.Error("an estimate begins something")
		}
		run, err := w.Nodes().Run(ctx, c.nodeType, c.settings)
		if err != nil || run.Job.Cost != e.Credits {
			t.Errorf("%s: estimated %d, held %v (%v)", c.nodeType, e.Credits, run, err)
		}
	}
	if e, err := w.Nodes().Estimate(ctx, "pro-3d-render", map[string]any{"quality": "draft"}); err != nil || e.Credits != models.Credit {
		t.Errorf("of settings that are not complete: %+v, %v", e, err)
	}
}

func TestNodeEstimateRefuses(t *testing.T) {
	w := newWorld(t, org.Team)
	for name, c := range map[string]struct {
		ctx      context.Context
		nodeType string
		settings map[string]any
		want     models.Code
	}{
		"an unknown type":          {w.As(w.Ann), "nothing", nil, models.CodeNotFound},
		"what cannot run alone":    {w.As(w.Ann), "component", nil, models.CodeNotFound},
		"what other areas begin":   {w.As(w.Ann), "train-character", nil, models.CodeNotFound},
		"a wrong value":            {w.As(w.Ann), "generate-image", map[string]any{"aspectRatio": "round"}, models.CodeValidation},
		"a restricted token":       {w.ByToken(w.Ann, w.Ann), "text", nil, models.CodeForbidden},
		"nobody":                   {context.Background(), "text", nil, models.CodeUnauthorized},
		"an app without the scope": {w.ByApp(w.Ann, models.ScopeJobsRead), "text", nil, models.CodeInsufficientScope},
	} {
		_, err := w.Nodes().Estimate(c.ctx, c.nodeType, c.settings)
		if got, ok := models.AsError(err); !ok || got.Code != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestNodeEstimateSaysWhatARunWouldMeet asks in spaces that refuse to pay.
func TestNodeEstimateSaysWhatARunWouldMeet(t *testing.T) {
	w := newWorld(t, org.Team)
	meets := func(ctx context.Context) string {
		t.Helper()
		e, err := w.Nodes().Estimate(ctx, "generate-image", map[string]any{"prompt": "a fox"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Nodes().Run(ctx, "generate-image", map[string]any{"prompt": "a fox"})
		code := ""
		if refusal, ok := models.AsError(err); ok {
			code = string(refusal.Code)
		}
		if told := models.Deref(e.Payment.RefusalCode); told != code {
			t.Errorf("told %q, refused with %q", told, code)
		}
		return code
	}
	if got := meets(w.In(w.Room, w.Ann)); got != "" {
		t.Errorf("in a room that pays: %s", got)
	}
	if got := meets(w.As(w.Ann)); got != "insufficient_app_credits" {
		t.Errorf("without credits of one's own: %q", got)
	}
	w.Exec(`UPDATE workspace_budgets SET allocated = reserved + spent WHERE workspace_id = ?`, w.Room.ID)
	if got := meets(w.In(w.Room, w.Ann)); got != "budget_exceeded" {
		t.Errorf("of an empty room: %q", got)
	}
	w.Archive(w.Room, true)
	if got := meets(w.In(w.Room, w.Ann)); got != "workspace_archived" {
		t.Errorf("of an archived room: %q", got)
	}
}

func TestRecentJobs(t *testing.T) {
	w := newWorld(t, org.Team)
	for _, ctx := range []context.Context{w.As(w.Ann), w.In(w.Room, w.Ann), w.In(w.Room, w.Ann), w.In(w.Room, w.Bob)} {
		for _, nodeType := range []string{"text", "combine-text"} {
			if _, err := w.Nodes().Run(w.In(w.Room, models.ActorFrom(ctx).UserID), nodeType, map[string]any{"text": "a", "texts": []any{"a"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Nodes().Run(w.As(w.Ann), "text", map[string]any{"text": "mine"}); err != nil {
		t.Fatal(err)
	}
	two, none := 2, 0
	jobs, err := w.Jobs().Recent(w.As(w.Ann), "text", nil, nil)
	if err != nil || len(jobs) != 4 || jobs[0].ID.String() < jobs[1].ID.String() || jobs[0].InputData["text"] != "mine" {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if jobs, err = w.Jobs().Recent(w.As(w.Ann), "text", &two, &w.Room.ID); err != nil || len(jobs) != 2 || jobs[0].InputData["text"] == "mine" {
		t.Errorf("of a room: %d jobs, %v", len(jobs), err)
	}
	if jobs, err = w.Jobs().Recent(w.As(w.Stranger), "text", nil, nil); err != nil || len(jobs) != 0 {
		t.Errorf("a stranger sees %d jobs (%v)", len(jobs), err)
	}
	if _, err = w.Jobs().Recent(w.As(w.Ann), "text", &none, nil); err == nil {
		t.Error("none of them are asked for")
	}
}
