//go:build !race

package studio

import (
	"fmt"
	"testing"

	"atelier/models"
)

// The first render makes everything; a changed line costs one shot's speech and clip, and the cut.
func TestRenderRedoesOnlyWhatChanged(t *testing.T) {
	w := newStageWorld(t)
	ctx := w.as(w.owner)
	p := w.story(ctx, 12, CreateProductionInput{})
	w.wantStatus(p, Draft)
	estimate, err := w.EstimateRender(ctx, p.ID, RenderInput{})
	if err != nil {
		t.Fatal(err)
	}
	whole := 12*(2+1+4)*models.Credit + 2*models.Credit
	if estimate.Credits != whole || len(estimate.Shots) != 12 || estimate.Shots[3].Credits != 7*models.Credit || estimate.Shots[3].Reuse || len(estimate.Refused) > 0 {
		t.Errorf("estimate %s", jsonOf(t, estimate))
	}
	begun, did := w.render(ctx, p.ID, RenderInput{})
	w.did(did, "generate-image 12, text-to-speech 12, shot-clip 12, freecut-export 1")
	if begun.EstimatedCredits != whole || begun.ReusedShots != 0 || w.charged(begun.ExecutionID) != whole {
		t.Errorf("begun %s, charged %s", jsonOf(t, begun), w.charged(begun.ExecutionID))
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	if p.VideoURL == nil || p.CaptionsURL == nil || p.ThumbnailURL == nil || *p.ThumbnailURL != *p.Shots[0].ResultURL(ImageStage) || p.Duration != 31.2 {
		t.Errorf("the film is %v of %g seconds", *p.VideoURL, p.Duration)
	}
	for _, shot := range p.Shots {
		if shot.Status != ShotReady || shot.IsStale || len(shot.Results) != 3 || *shot.ExecutionID != begun.ExecutionID {
			t.Fatalf("a shot is %s", jsonOf(t, shot))
		}
	}
	if r := p.LatestRender; r == nil || r.Status != "completed" || r.CreditsUsed != whole || r.CompletedAt == nil {
		t.Errorf("the latest render is %s", jsonOf(t, r))
	}
	estimate, err = w.EstimateRender(ctx, p.ID, RenderInput{})
	if err != nil || estimate.Credits != 2*models.Credit || len(estimate.Refused) > 0 || !estimate.Shots[0].Reuse {
		t.Errorf("where nothing has changed the estimate is %s, %v", jsonOf(t, estimate), err)
	}
	begun, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "freecut-export 1")
	if begun.ReusedShots != 12 || begun.EstimatedCredits != 2*models.Credit || w.charged(begun.ExecutionID) != 2*models.Credit {
		t.Errorf("where nothing has changed it begins %s, and charges %s", jsonOf(t, begun), w.charged(begun.ExecutionID))
	}
	images := ImageStage
	begun, did = w.render(ctx, p.ID, RenderInput{Stage: &images})
	w.did(did, "")
	if begun.ReusedShots != 12 || begun.EstimatedCredits != 0 {
		t.Errorf("pictures that are there begin %s", jsonOf(t, begun))
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)

	film, shot := *p.VideoURL, p.Shots[4]
	if _, err := w.UpdateShot(ctx, p.ID, shot.ID, UpdateShotInput{Dialogue: models.Some("Quite another line.")}); err != nil {
		t.Fatal(err)
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Stale)
	if fmt.Sprint(staleShots(p)) != "[4]" {
		t.Errorf("stale are %v", staleShots(p))
	}
	estimate, err = w.EstimateRender(ctx, p.ID, RenderInput{})
	if err != nil {
		t.Fatal(err)
	}
	if estimate.Credits != 7*models.Credit || estimate.Shots[4].Credits != 5*models.Credit || !estimate.Shots[3].Reuse || estimate.Shots[4].Reuse {
		t.Errorf("estimate %s", jsonOf(t, estimate))
	}
	begun, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "text-to-speech 1, shot-clip 1, freecut-export 1")
	if begun.ReusedShots != 11 || begun.EstimatedCredits != 7*models.Credit || w.charged(begun.ExecutionID) != 7*models.Credit {
		t.Errorf("begun %s, charged %s", jsonOf(t, begun), w.charged(begun.ExecutionID))
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	if *p.VideoURL == film || *p.Shots[4].ResultURL(ImageStage) != *shot.ResultURL(ImageStage) {
		t.Errorf("the film is %s", *p.VideoURL)
	}
	if fed := w.calls[cutType][2].Input["clips"].([]any); len(fed) != 12 || fed[4].(map[string]any)["url"] != *p.Shots[4].ResultURL(ClipStage) {
		t.Errorf("cut of %v", fed)
	}
	said := w.calls[cutType][2].Input["captions"].([]any)
	if said[4].(map[string]any)["text"] != "Quite another line." {
		t.Errorf("captions %v", said)
	}

	order := []models.ID{p.Shots[1].ID, p.Shots[0].ID}
	for _, shot := range p.Shots[2:] {
		order = append(order, shot.ID)
	}
	if _, err := w.OrderShots(ctx, p.ID, order); err != nil {
		t.Fatal(err)
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Stale)
	if len(staleShots(p)) > 0 {
		t.Errorf("stale are %v", staleShots(p))
	}
	begun, did = w.render(ctx, p.ID, RenderInput{})
	w.did(did, "freecut-export 1")
	if begun.ReusedShots != 12 || w.charged(begun.ExecutionID) != 2*models.Credit {
		t.Errorf("begun %s", jsonOf(t, begun))
	}
	w.wantStatus(w.find(ctx, p.ID), Ready)

	renders, err := w.ListRenders(ctx, p.ID, models.Page{})
	if err != nil || len(renders.Nodes) != 5 || renders.Nodes[0].ExecutionID != begun.ExecutionID || renders.Nodes[0].CreditsUsed != 2*models.Credit || renders.Nodes[4].Status != "completed" {
		t.Errorf("renders %s, %v", jsonOf(t, renders), err)
	}
	if open := w.count(`SELECT count(*) FROM ledger_entries WHERE kind = 'hold'`) - w.count(`SELECT count(*) FROM executions WHERE settled_at IS NOT NULL`); open != 0 {
		t.Errorf("%d holds are open", open)
	}
}
