//go:build !race

package studio

import (
	"fmt"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
)

// A render stops after the stage that is asked for, and the next one goes on from there.
func TestRenderByStage(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 2, CreateProductionInput{})
	for _, step := range []struct {
		stage StageName
		want  string
	}{{ImageStage, "generate-image 2"}, {SpeechStage, "text-to-speech 2"}, {ClipStage, "shot-clip 2"}, {CutStage, "freecut-export 1"}} {
		_, did := w.render(ctx, p.ID, RenderInput{Stage: &step.stage})
		w.did(did, step.want)
		p = w.find(ctx, p.ID)
		if step.stage == CutStage {
			w.wantStatus(p, Ready)
			continue
		}
		w.wantStatus(p, Draft)
		if p.LatestRender.Stage == nil || *p.LatestRender.Stage != step.stage || p.VideoURL != nil || p.Shots[0].Status != ShotReady {
			t.Errorf("after %s: %s", step.stage, jsonOf(t, p.LatestRender))
		}
	}
	_, err := w.RenderProduction(ctx, p.ID, RenderInput{Stage: ptr(StageName("sound"))})
	w.refused(err, models.CodeValidation, "stage")
}

// force makes all of it again, shotIds only some, locked shots never; what is skipped is not in the film.
func TestRenderOfSomeShots(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 3, CreateProductionInput{})
	shots := []models.ID{p.Shots[0].ID, p.Shots[1].ID, p.Shots[2].ID}
	change := func(i int, in UpdateShotInput) {
		t.Helper()
		if _, err := w.UpdateShot(ctx, p.ID, shots[i], in); err != nil {
			t.Fatal(err)
		}
	}
	_, did := w.render(ctx, p.ID, RenderInput{ShotIDs: shots[:1]})
	w.did(did, "generate-image 1, text-to-speech 1, shot-clip 1")
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 2, text-to-speech 2, shot-clip 2, freecut-export 1")

	change(0, UpdateShotInput{Locked: models.Some(true)})
	change(0, UpdateShotInput{Action: models.Some("Something else.")})
	if p = w.find(ctx, p.ID); !p.Shots[0].IsStale || p.Status != Ready {
		t.Errorf("a locked shot that changed: stale %v, the production is %s", p.Shots[0].IsStale, p.Status)
	}
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "freecut-export 1")
	_, did = w.render(ctx, p.ID, RenderInput{Force: ptr(true)})
	w.did(did, "generate-image 2, text-to-speech 2, shot-clip 2, freecut-export 1")
	_, did = w.render(ctx, p.ID, RenderInput{Force: ptr(true), ShotIDs: shots[2:]})
	w.did(did, "generate-image 1, text-to-speech 1, shot-clip 1, freecut-export 1")

	change(1, UpdateShotInput{Skip: models.Some(true), Dialogue: models.Some("")})
	w.wantStatus(w.find(ctx, p.ID), Stale)
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "freecut-export 1")
	if clips := w.calls[cutType][len(w.calls[cutType])-1].Input["clips"].([]any); len(clips) != 2 {
		t.Errorf("cut of %v", clips)
	}
	_, did = w.render(ctx, p.ID, RenderInput{ShotIDs: shots[1:2]}) // silent now: a clip without sound
	w.did(did, "shot-clip 1")
	if p = w.find(ctx, p.ID); p.Shots[1].ResultURL(SpeechStage) != nil || p.Shots[1].IsStale || p.ShotCount != 2 {
		t.Errorf("the skipped shot is %s", jsonOf(t, p.Shots[1]))
	}
	w.wantStatus(p, Ready)
	for field, in := range map[string]RenderInput{"shotIds[1]": {ShotIDs: []models.ID{shots[0], p.ID}}, "shotIds": {ShotIDs: []models.ID{}}} {
		_, err := w.RenderProduction(ctx, p.ID, in)
		w.refused(err, models.CodeValidation, field)
	}

	change(2, UpdateShotInput{OwnImageURL: models.Some("https://pictures.example/own.png")})
	begun, did := w.render(ctx, p.ID, RenderInput{})
	w.did(did, "shot-clip 1, freecut-export 1")
	if p = w.find(ctx, p.ID); *p.Shots[2].ResultURL(ImageStage) != "https://pictures.example/own.png" || w.charged(begun.ExecutionID) != 6*models.Credit {
		t.Errorf("with an own picture: %s", jsonOf(t, p.Shots[2]))
	}
}

// One that fails fails its shot alone; the next render goes on from there. A result that comes late is kept.
func TestRenderFails(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 3, CreateProductionInput{})
	late := false
	w.watchWith(pictureType, func(in *kit.Call) (kit.Output, error) {
		switch {
		case in.Late:
			return kit.Output{"imageUrl": "https://files.example/late.png"}, nil
		case in.Input["prompt"] == "Something happens, number 1, medium shot":
			failure := &kit.Failure{Message: "The painter is ill"}
			if late {
				failure.Late = []byte(`{"key":"k"}`)
			}
			return nil, failure
		}
		return w.yield(pictureType, kit.Output{"imageUrl": "png"}), nil
	})
	begun, did := w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 3, text-to-speech 3, shot-clip 2")
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Failed)
	if s := p.Shots[1]; s.Status != ShotFailed || s.ErrorMessage == nil || *s.ErrorMessage != "The painter is ill" || s.ResultURL(SpeechStage) == nil {
		t.Errorf("the shot is %s", jsonOf(t, s))
	}
	if p.Shots[0].Status != ShotReady || p.Shots[2].Status != ShotReady || p.LatestRender.ErrorMessage == nil || w.charged(begun.ExecutionID) != 15*models.Credit {
		t.Errorf("the others are %s and %s", p.Shots[0].Status, p.Shots[2].Status)
	}
	late = true
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 1")
	w.followUp()
	p = w.find(ctx, p.ID)
	if s := p.Shots[1]; s.Status != ShotReady || s.ErrorMessage != nil || *s.ResultURL(ImageStage) != "https://files.example/late.png" || s.IsStale {
		t.Errorf("after a late result: %s", jsonOf(t, s))
	}
	_, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "shot-clip 1, freecut-export 1")
	w.wantStatus(w.find(ctx, p.ID), Ready)
}

// More clips than one cut takes are cut in two steps, with their captions.
func TestRenderInParts(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 25, CreateProductionInput{Music: &MusicInput{URL: "https://music.example/a.mp3"}})
	begun, did := w.render(ctx, p.ID, RenderInput{Stage: nil})
	w.did(did, "generate-image 25, text-to-speech 25, shot-clip 25, freecut-export 3")
	if w.charged(begun.ExecutionID) != (25*7+6)*models.Credit {
		t.Errorf("charged %s", w.charged(begun.ExecutionID))
	}
	cuts := w.calls[cutType]
	first, second, whole := cuts[0].Input, cuts[1].Input, cuts[2].Input
	if len(first["clips"].([]any)) != 12 || len(second["clips"].([]any)) != 13 || len(first["captions"].([]any)) != 12 || first["audio"] != nil {
		t.Errorf("parts of %v and %v", first["clips"], second["clips"])
	}
	if len(whole["clips"].([]any)) != 2 || fmt.Sprint(whole["captions"]) != "[map[cues:[]] map[cues:[]]]" || fmt.Sprint(whole["audio"]) != "map[loop:true url:https://music.example/a.mp3 volume:30]" {
		t.Errorf("the film is cut of %v", whole)
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	if *p.VideoURL == "" {
		t.Error("no film")
	}
}
