//go:build !race

package studio

import (
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/flow"
	"atelier/models/library"
	"atelier/models/nodegraph"
	"atelier/models/space"
)

// A pipeline makes shots without a production; nothing of them is kept but the execution.
func TestRunPipeline(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.in(w.ann)
	mia := w.element(ctx, library.Character, "Mia", space.Private)
	shots := []*PipelineShot{
		{Prompt: "A door", Dialogue: ptr("Who is there?"), CharacterIDs: []models.ID{mia.ID}}, {Prompt: "A window", ImageURL: ptr("https://pictures.example/a.png"), Duration: ptr(3.0)},
	}
	begun, err := w.RunPipeline(ctx, StandardPipeline, RunPipelineInput{Shots: shots, MaxCredits: ptr(13.0), AspectRatio: ptr("1:1"), MusicURL: ptr("https://music.example/a.mp3")})
	if err != nil {
		t.Fatal(err)
	}
	w.work()
	if begun.EstimatedCredits != 13*models.Credit || w.charged(begun.ExecutionID) != 13*models.Credit || begun.Status == "" {
		t.Errorf("begun %s, charged %s\n%s", jsonOf(t, begun), w.charged(begun.ExecutionID), w.states(begun.ExecutionID))
	}
	if in := w.calls[pictureType][0]; in.Input["prompt"] != "A door" || in.Input["aspectRatio"] != "1:1" || in.Refs.Elements[0].Name != "Mia" {
		t.Errorf("painted of %v", in.Input)
	}
	if in := w.calls[cutType][0].Input; len(in["clips"].([]any)) != 2 || fmt.Sprint(in["width"], in["height"]) != "720 720" {
		t.Errorf("cut of %v", in)
	}
	if n := w.count(`SELECT count(*) FROM productions`) + w.count(`SELECT count(*) FROM shots`); n != 0 {
		t.Error("something was kept")
	}
	if n := w.count(`SELECT spent FROM workspace_budgets WHERE workspace_id = ?`, w.room.ID); n != 13000 {
		t.Errorf("the selected space paid %d", n)
	}
	for field, in := range map[string]RunPipelineInput{
		"shots":                    {},
		"shots[0].prompt":          {Shots: []*PipelineShot{{Prompt: " "}}},
		"shots[1].dialogue":        {Shots: []*PipelineShot{shots[1], {Prompt: "x", Dialogue: ptr(string(make([]byte, 500)))}}},
		"shots[0].duration":        {Shots: []*PipelineShot{{Prompt: "x", Duration: ptr(31.0)}}},
		"shots[1].characterIds[0]": {Shots: []*PipelineShot{shots[1], {Prompt: "x", CharacterIDs: []models.ID{w.room.ID}}}},
		"shots[0].locationId":      {Shots: []*PipelineShot{{Prompt: "x", LocationID: &mia.ID}}},
		"shots[0].voiceId":         {Shots: []*PipelineShot{{Prompt: "x", Dialogue: ptr("Hello"), VoiceID: &mia.ID}}},
		"voiceId":                  {Shots: shots, VoiceID: &mia.ID},
		"shots[1].imageUrl":        {Shots: []*PipelineShot{shots[1], {Prompt: "x", ImageURL: ptr("http://example.com/a.png")}}},
		"shots[0].imageUrl":        {Shots: []*PipelineShot{{Prompt: "x", ImageURL: ptr("file:///etc/passwd")}}},
		"aspectRatio":              {Shots: shots, AspectRatio: ptr("2:1")},
		"musicUrl":                 {Shots: shots, MusicURL: ptr("file:///etc/passwd")},
		"maxCredits":               {Shots: shots, MaxCredits: ptr(12.0)},
	} {
		_, err := w.RunPipeline(ctx, StandardPipeline, in)
		w.refused(err, models.CodeValidation, field)
	}
	_, err = w.RunPipeline(ctx, w.room.ID, RunPipelineInput{Shots: shots})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.RunPipeline(w.in(w.bob), StandardPipeline, RunPipelineInput{Shots: shots})
	w.refused(err, models.CodeValidation, "shots[0].characterIds[0]")
}

// A workflow is a stage: it gets what a stage gets, by name, and what it runs decides the fingerprint.
func TestRenderByWorkflow(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	project, err := w.Spaces.CreateProject(ctx, space.CreateProjectInput{Name: "Stories"})
	if err != nil {
		t.Fatal(err)
	}
	paint := func(look string) nodegraph.Nodes {
		return nodegraph.Nodes{{ID: "words", Type: "combine-text", Data: map[string]any{"texts": []any{look}}}, {ID: "p", Type: pictureType, Data: map[string]any{"negativePrompt": look}}}
	}
	workflow, err := w.Flows.CreateWorkflow(ctx, flow.CreateWorkflowInput{Name: "Paint", ProjectID: &project.ID, Nodes: paint("green")})
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := w.CreatePipeline(ctx, CreatePipelineInput{Name: "Own", Stages: &StagesInput{
		Image: &StageInput{NodeType: componentType, WorkflowID: &workflow.ID}, Speech: &StageInput{NodeType: speechType},
		Clip: &StageInput{NodeType: animateType}, Cut: &StageInput{NodeType: cutType},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := w.story(ctx, 1, CreateProductionInput{PipelineID: &pipeline.ID})
	begun, did := w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 1, text-to-speech 1, animate-image 1, add-audio 1, freecut-export 1")
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	if in := w.calls[pictureType][0].Input; in["prompt"] != "Something happens, number 0, medium shot" || in["aspectRatio"] != "16:9" {
		t.Errorf("painted of %v\n%s", in, w.states(begun.ExecutionID))
	}
	if in := w.calls["add-audio"][0].Input; in["videoUrl"] == "" || in["audioUrl"] != *p.Shots[0].ResultURL(SpeechStage) || *p.Shots[0].ResultURL(ClipStage) == in["videoUrl"] {
		t.Errorf("the sound is laid under %v", in)
	}
	if begun.EstimatedCredits != w.charged(begun.ExecutionID) {
		t.Errorf("estimated %s, charged %s", begun.EstimatedCredits, w.charged(begun.ExecutionID))
	}
	if pipeline.EstimatedCredits != begun.EstimatedCredits {
		t.Errorf("the pipeline says %s for a shot, of which a film costs %s", pipeline.EstimatedCredits, begun.EstimatedCredits)
	}
	changed := paint("blue")
	if _, err := w.Flows.UpdateWorkflow(ctx, workflow.ID, flow.UpdateWorkflowInput{Nodes: models.Some([]*nodegraph.Node(changed))}); err != nil {
		t.Fatal(err)
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Stale)
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 1, animate-image 1, add-audio 1, freecut-export 1")
	if err := w.Flows.DeleteWorkflow(ctx, workflow.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeValidation, "pipelineId", "stage image")
}
