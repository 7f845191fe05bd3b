//go:build !race

package studio

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// A film is stale once anything that it was made of is changed or deleted.
func TestStale(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	mina := w.element(ctx, library.Character, "Mina", space.Private)
	preset, err := w.Library.Presets().Create(ctx, library.CreatePresetInput{NodeType: "generate-image", Name: "Ink", Settings: map[string]any{"prompt": "{{prompt}}, ink"}})
	if err != nil {
		t.Fatal(err)
	}
	voices, err := w.Library.Voices().List(ctx, nil, models.Page{Limit: ptr(1)})
	if err != nil {
		t.Fatal(err)
	}
	voice, err := w.Library.Voices().Create(ctx, library.CreateVoiceInput{Name: "Calm", BaseVoiceID: voices.Nodes[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	pipeline := w.pipeline(CreatePipelineInput{})
	workflow := w.workflow(ctx, space.Private, nil, &nodegraph.Node{ID: "p", Type: "generate-image", Data: map[string]any{"prompt": "a"}})
	p, other := w.production(ctx, CreateProductionInput{}), w.production(ctx, CreateProductionInput{})
	for what, change := range map[string]struct {
		id models.ID
		do func() error
	}{
		"an element": {mina.ID, func() error {
			_, err := w.Library.Elements().Update(ctx, mina.ID, library.UpdateElementInput{Description: models.Some("Tall")})
			return err
		}},
		"a preset": {preset.ID, func() error {
			_, err := w.Library.Presets().Update(ctx, preset.ID, library.UpdatePresetInput{Description: models.Some("Black")})
			return err
		}},
		"a voice": {voice.ID, func() error {
			_, err := w.Library.Voices().Update(ctx, voice.ID, library.UpdateVoiceInput{Name: models.Some("Calmer")})
			return err
		}},
		"a pipeline": {pipeline.ID, func() error {
			_, err := w.UpdatePipeline(ctx, pipeline.ID, UpdatePipelineInput{Stages: models.Some(StagesInput{Image: &StageInput{NodeType: "text-card"}})})
			return err
		}},
		"a workflow": {workflow.ID, func() error {
			graph := []*nodegraph.Node{{ID: "p", Type: "generate-image", Data: map[string]any{"prompt": "b"}}}
			_, err := w.Flows.UpdateWorkflow(ctx, workflow.ID, flow.UpdateWorkflowInput{Nodes: models.Some(graph)})
			return err
		}},
	} {
		w.exec(`UPDATE productions SET status = 'ready', uses = ? WHERE id = ?`, models.IDs{change.id}, p.ID)
		w.exec(`UPDATE productions SET status = 'ready', uses = ? WHERE id = ?`, models.IDs{p.ID}, other.ID)
		if err := change.do(); err != nil {
			t.Fatal(what, err)
		}
		w.stale(p.ID, other.ID, what)
	}
	for what, gone := range map[string]struct {
		id models.ID
		do func() error
	}{
		"an element": {mina.ID, func() error { _, err := w.Library.Elements().Delete(ctx, mina.ID, false); return err }},
		"a preset":   {preset.ID, func() error { return w.Library.Presets().Delete(ctx, preset.ID) }},
		"a voice":    {voice.ID, func() error { return w.Library.Voices().Delete(ctx, voice.ID) }},
		"a pipeline": {pipeline.ID, func() error { return w.DeletePipeline(ctx, pipeline.ID) }},
		"a workflow": {workflow.ID, func() error { return w.Flows.DeleteWorkflow(ctx, workflow.ID) }},
	} {
		w.exec(`UPDATE productions SET status = 'ready', uses = ? WHERE id = ?`, models.IDs{p.ID, gone.id}, p.ID)
		w.exec(`UPDATE productions SET status = 'ready', uses = '{}' WHERE id = ?`, other.ID)
		if err := gone.do(); err != nil {
			t.Fatal(what, err)
		}
		w.stale(p.ID, other.ID, what+" that is deleted")
	}
}

func (w *world) stale(id, other models.ID, what string) {
	w.t.Helper()
	if w.count(`SELECT count(*) FROM productions WHERE id = ? AND status = 'stale'`, id) != 1 || w.count(`SELECT count(*) FROM productions WHERE id = ? AND status = 'ready'`, other) != 1 {
		w.t.Errorf("%s: what was made of it is not stale, or what was not is", what)
	}
}

// A render of a production that is deleted is cancelled soon.
func TestDeletedRenders(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{})
	run, err := w.Runs.Nodes().Run(ctx, "text-card", map[string]any{"text": "a"})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`INSERT INTO production_renders (execution_id, production_id, fingerprints, reused_shots, estimated_credits, created_at) VALUES (?, ?, '{}', 0, 0, now())`, run.Job.ExecutionID, p.ID)
	if err := w.DeleteProduction(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	if w.count(`SELECT count(*) FROM render_cancels WHERE execution_id = ?`, run.Job.ExecutionID) != 1 {
		t.Fatal("nothing is to be cancelled")
	}
	if err := w.Tidy(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.count(`SELECT count(*) FROM render_cancels`) != 0 || w.count(`SELECT count(*) FROM executions WHERE id = ? AND completed_at IS NOT NULL`, run.Job.ExecutionID) != 1 {
		t.Error("it is still at work")
	}
}

// What renders made whose files went with their month is there no more; what lies elsewhere stays.
func TestMonthOfRendersGoes(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p, other := w.story(ctx, 2, CreateProductionInput{}), w.story(ctx, 1, CreateProductionInput{})
	w.render(ctx, p.ID, RenderInput{})
	w.render(ctx, other.ID, RenderInput{})
	from := w.DB.Clock.Now().AddDate(0, 0, -1)
	drop := func() {
		t.Helper()
		if err := w.monthDropped(context.Background(), from, from.AddDate(0, 1, 0)); err != nil {
			t.Fatal(err)
		}
	}
	drop()
	w.wantStatus(w.find(ctx, p.ID), Ready)
	const lost = "https://atelier.example/media/0123456789abcdef0123456789abcdef.mp4"
	w.exec(`UPDATE shot_results SET url = ? WHERE shot_id = ?`, lost, p.Shots[0].ID)
	w.exec(`UPDATE productions SET video_url = ? WHERE id = ?`, lost, p.ID)
	drop()
	if n := w.count(`SELECT count(*) FROM productions WHERE status = 'draft' AND video_url IS NULL AND film_fingerprint = '' AND captions_url IS NOT NULL`); n != 1 {
		t.Errorf("%d productions without a film", n)
	}
	if n := w.count(`SELECT count(*) FROM shots WHERE status = 'empty' AND NOT EXISTS (SELECT FROM shot_results r WHERE r.shot_id = shots.id)`); n != 1 {
		t.Errorf("%d shots are empty", n)
	}
	w.wantStatus(w.find(ctx, other.ID), Ready)
	if _, did := w.render(ctx, p.ID, RenderInput{}); did[cutType] != 1 {
		t.Errorf("made again: %v", did)
	}
	w.wantStatus(w.find(ctx, p.ID), Ready)
}
