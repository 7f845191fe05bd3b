//go:build !race

package studio

import (
	"fmt"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// What a shot is made of makes it stale when it changes, and nothing else of it.
func TestRenderFollowsTheLibrary(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.in(w.ann)
	mia := w.element(ctx, library.Character, "Mia", space.WorkspaceShared)
	dog := w.element(ctx, library.Creature, "Rex", space.WorkspaceShared)
	voice, err := w.Library.Voices().Create(ctx, library.CreateVoiceInput{Name: "Low", Visibility: ptr(space.WorkspaceShared), BaseVoiceID: *w.Library.Voices().OfLanguage(ctx, "de"), Settings: map[string]any{"pitch": 10}})
	if err != nil {
		t.Fatal(err)
	}
	style, err := w.Library.Presets().Create(ctx, library.CreatePresetInput{NodeType: pictureType, Name: "Ink", Visibility: ptr(space.WorkspaceShared), Settings: map[string]any{"prompt": "{{prompt}}, ink"}})
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := w.CreatePipeline(ctx, CreatePipelineInput{Name: "Own", Stages: &StagesInput{
		Image: &StageInput{NodeType: pictureType}, Speech: &StageInput{NodeType: speechType, Settings: map[string]any{"speed": 200.0}},
		Clip: &StageInput{NodeType: shotType}, Cut: &StageInput{NodeType: cutType},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := w.story(ctx, 3, CreateProductionInput{PresetID: &style.ID, PipelineID: &pipeline.ID, Captions: ptr("burned")})
	change := func(i int, in UpdateShotInput) {
		t.Helper()
		if _, err := w.UpdateShot(ctx, p.ID, p.Shots[i].ID, in); err != nil {
			t.Fatal(err)
		}
	}
	change(0, UpdateShotInput{CharacterIDs: models.Some([]models.ID{mia.ID})})
	change(1, UpdateShotInput{Action: models.Some("@rex barks.")})
	change(2, UpdateShotInput{VoiceID: models.Some(voice.ID)})
	w.render(ctx, p.ID, RenderInput{})
	w.wantStatus(w.find(ctx, p.ID), Ready)
	if in := w.calls[pictureType][0]; in.Refs.Elements[0].Name != "Mia" || in.Refs.PresetID != style.ID.String() || in.Input["prompt"] != "Something happens, number 0, medium shot, ink" {
		t.Errorf("painted of %v with %s", in.Input, jsonOf(t, in.Refs))
	}
	if in := w.calls[speechType][2]; in.Refs.Voice == nil || in.Refs.Voice.ID != voice.ID.String() || fmt.Sprint(in.Input["speed"]) != "200" {
		t.Errorf("spoken of %v", in.Input)
	}
	if in := w.calls[shotType][0]; in.Input["caption"] != "Line number 0." || in.Input["imageUrl"] == "" || in.Input["audioUrl"] == "" {
		t.Errorf("the clip is of %v", in.Input)
	}
	for _, step := range []struct {
		name   string
		change func() error
		stale  string
		want   string
	}{
		{"a character", func() error {
			_, err := w.Library.Elements().Update(ctx, mia.ID, library.UpdateElementInput{Description: models.Some("A girl with a red cap")})
			return err
		}, "[0]", "generate-image 1, shot-clip 1, freecut-export 1"},
		{"a creature by its handle", func() error {
			_, err := w.Library.Elements().Update(ctx, dog.ID, library.UpdateElementInput{Prompt: models.Some("a huge dog")})
			return err
		}, "[1]", "generate-image 1, shot-clip 1, freecut-export 1"},
		{"a voice", func() error {
			_, err := w.Library.Voices().Update(ctx, voice.ID, library.UpdateVoiceInput{Settings: models.OptMapOf(map[string]any{"pitch": 20})})
			return err
		}, "[2]", "text-to-speech 1, shot-clip 1, freecut-export 1"},
		{"a preset", func() error {
			_, err := w.Library.Presets().Update(ctx, style.ID, library.UpdatePresetInput{Settings: models.OptMapOf(map[string]any{"prompt": "{{prompt}}, oil"})})
			return err
		}, "[0 1 2]", "generate-image 3, shot-clip 3, freecut-export 1"},
		{"a pipeline", func() error {
			_, err := w.UpdatePipeline(ctx, pipeline.ID, UpdatePipelineInput{Stages: models.Some(StagesInput{
				Image: &StageInput{NodeType: pictureType}, Speech: &StageInput{NodeType: speechType, Settings: map[string]any{"speed": 100.0}},
				Clip: &StageInput{NodeType: shotType}, Cut: &StageInput{NodeType: cutType},
			})})
			return err
		}, "[0 1 2]", "text-to-speech 3, shot-clip 3, freecut-export 1"},
		{"the format", func() error {
			_, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{AspectRatio: models.Some("9:16")})
			return err
		}, "[0 1 2]", "generate-image 3, shot-clip 3, freecut-export 1"},
		{"music", func() error {
			_, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{Music: models.Some(MusicInput{URL: "https://music.example/a.mp3"})})
			return err
		}, "[]", "freecut-export 1"},
		{"a name", func() error {
			_, err := w.UpdateProduction(ctx, p.ID, UpdateProductionInput{Name: models.Some("Another")})
			return err
		}, "[]", ""},
	} {
		if err := step.change(); err != nil {
			t.Fatal(step.name, err)
		}
		listed, err := w.ListProductions(ctx, nil, models.Page{})
		if err != nil {
			t.Fatal(err)
		}
		p = w.find(w.in(w.owner), p.ID)
		if p.Status != listed.Nodes[0].Status || fmt.Sprint(staleShots(p)) != step.stale {
			t.Errorf("%s: stale are %v, it is %s and %s in lists", step.name, staleShots(p), p.Status, listed.Nodes[0].Status)
		}
		if step.want == "" {
			w.wantStatus(p, Ready)
			continue
		}
		w.wantStatus(p, Stale)
		_, did := w.render(ctx, p.ID, RenderInput{})
		w.did(did, step.want)
		w.wantStatus(w.find(ctx, p.ID), Ready)
	}
	if _, err := w.Library.Elements().Delete(ctx, mia.ID, false); err != nil {
		t.Fatal(err)
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Stale)
	_, err = w.RenderProduction(ctx, p.ID, RenderInput{})
	w.refused(err, models.CodeValidation, "shots."+p.Shots[0].ID.String()+".characterIds[0]", "names no character that this run may use")
}
