//go:build !race

package studio

import (
	"context"
	"io"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/run"
	"atelier/nodes/kit"
)

// A film is really made: pictures, speech, clips, captions. Where its files are erased, it is made again.
func TestRenderForReal(t *testing.T) {
	if testing.Short() {
		t.Skip("paints, speaks and films")
	}
	w := &stageWorld{world: newWorld(t)}
	ctx := w.as(w.owner)
	p := w.production(ctx, CreateProductionInput{Resolution: ptr("480p"), Captions: ptr("burned")})
	w.shot(ctx, p.ID, CreateShotInput{Action: ptr("A red house."), Dialogue: ptr("Nobody is here & there."), Camera: &CameraInput{Movement: ptr("push-in")}})
	w.shot(ctx, p.ID, CreateShotInput{Action: ptr("A blue sea."), Duration: ptr(1.0)})
	first, _ := w.render(ctx, p.ID, RenderInput{})
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	if p.VideoURL == nil || p.CaptionsURL == nil {
		t.Fatalf("the film is %s", w.states(first.ExecutionID))
	}
	info := w.file(*p.VideoURL)
	length := *p.Shots[0].Results[ClipStage].Duration + *p.Shots[1].Results[ClipStage].Duration
	if info.Width != 852 || info.Height != 480 || info.Duration < length-0.1 || info.Duration > length+0.2 {
		t.Errorf("the film is %+v of clips of %g seconds", info, length)
	}
	if captions := w.content(*p.CaptionsURL); !strings.HasPrefix(captions, "WEBVTT\n\n00:00:00.000 --> 00:00:0") || !strings.HasSuffix(captions, "\nNobody is here &amp; there.\n") {
		t.Errorf("captions %q", captions)
	}

	if _, err := w.UpdateShot(ctx, p.ID, p.Shots[1].ID, UpdateShotInput{Action: models.Some("A green sea.")}); err != nil {
		t.Fatal(err)
	}
	second, _ := w.render(ctx, p.ID, RenderInput{})
	if states := w.states(second.ExecutionID); !strings.Contains(states, "-clip upload-video completed") || w.charged(second.ExecutionID) != 8*models.Credit {
		t.Errorf("the second render is\n%s", states)
	}
	w.wantStatus(w.find(ctx, p.ID), Ready)

	err := w.DB.Write(context.Background(), func(tx *models.Tx) error {
		_, err := w.Runs.EraseResults(tx, first.ExecutionID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p = w.find(ctx, p.ID)
	if len(p.Shots[0].Results) != 0 || len(p.Shots[1].Results) != 2 || p.VideoURL == nil || p.ThumbnailURL != nil {
		t.Errorf("after the first execution was erased: %d and %d results", len(p.Shots[0].Results), len(p.Shots[1].Results))
	}
	third, _ := w.render(ctx, p.ID, RenderInput{Force: ptr(true), ShotIDs: []models.ID{p.Shots[0].ID}})
	if w.charged(third.ExecutionID) != 9*models.Credit {
		t.Errorf("the third render is\n%s", w.states(third.ExecutionID))
	}
	p = w.find(ctx, p.ID)
	w.wantStatus(p, Ready)
	result, err := w.Runs.Executions().Find(ctx, third.ExecutionID)
	if err != nil || result.Status != run.ExecutionCompleted || w.count(`SELECT count(*) FROM results WHERE execution_id = ? AND kind = 'video' AND node_id = 'cut'`, third.ExecutionID) != 1 {
		t.Errorf("the execution is %s, %v", jsonOf(t, result), err)
	}
}

func (w *stageWorld) file(address string) kit.MediaInfo {
	w.t.Helper()
	files, err := w.Media.FilesAt(w.DB.Read(context.Background()), []string{address})
	if err != nil || files[address] == nil {
		w.t.Fatalf("no file at %s: %v", address, err)
	}
	return w.Media.Info(files[address])
}

func (w *stageWorld) content(address string) string {
	w.t.Helper()
	files, err := w.Media.FilesAt(w.DB.Read(context.Background()), []string{address})
	if err != nil || files[address] == nil {
		w.t.Fatalf("no file at %s: %v", address, err)
	}
	r, err := w.Media.Content(context.Background(), files[address])
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}
