//go:build !race

package studio

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

const script = `INT. KITCHEN – DAY

The kettle whistles. Mina wakes the cat.

MINA
It is late. Where is the Red Lamp?

OLD TOM
(softly)
Gone.

EXT. FOREST – NIGHT

Nobody speaks. @kit runs.`

// A script becomes shots, and the names in it the elements of the space.
func TestBreakdown(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	mina := w.element(ctx, library.Character, "mina", space.Private)
	lamp := w.element(ctx, library.Object, "Red lamp", space.Private)
	cat := w.element(ctx, library.Creature, "Cat", space.WorkspaceShared)
	kit, err := w.Library.Elements().Create(ctx, library.CreateElementInput{Kind: library.Creature, Name: "Somebody quick", Handle: ptr("kit")})
	if err != nil {
		t.Fatal(err)
	}
	kitchen := w.element(ctx, library.Location, "Kitchen", space.Private)
	w.element(w.in(w.bob), library.Character, "Old Tom", space.Private) // out of Ann's reach
	w.element(w.as(w.ann), library.Location, "Forest", space.Private)   // of another space
	p := w.production(ctx, CreateProductionInput{Script: ptr(script)})
	b, err := w.BreakDownScript(ctx, p.ID, BreakDownInput{})
	if err != nil {
		t.Fatal(err)
	}
	var said, seen []string
	for i, shot := range b.Production.Shots {
		if shot.Position != i+1 || shot.Version != 1 || shot.Status != ShotEmpty || shot.Camera != usualCamera {
			t.Errorf("shot %d is %+v", i, shot)
		}
		said, seen = append(said, shot.Dialogue), append(seen, shot.Action)
		switch {
		case strings.Contains(shot.Dialogue, "It is late"):
			if shot.SpeakerID == nil || *shot.SpeakerID != mina.ID || !slices.Contains(shot.CharacterIDs, mina.ID) || !slices.Equal(shot.ObjectIDs, models.IDs{lamp.ID}) || shot.Duration != nil {
				t.Errorf("Mina speaks in %+v", shot)
			}
		case strings.Contains(shot.Dialogue, "Gone"):
			if shot.SpeakerID != nil || shot.SpeakerName != "OLD TOM" {
				t.Errorf("somebody out of reach speaks in %+v", shot)
			}
		case strings.Contains(shot.Action, "kettle"):
			if !slices.Equal(shot.CreatureIDs, models.IDs{cat.ID}) || !slices.Equal(shot.CharacterIDs, models.IDs{mina.ID}) || shot.Duration == nil {
				t.Errorf("the kitchen is %+v", shot)
			}
		case strings.Contains(shot.Action, "Nobody speaks"):
			if shot.LocationID != nil || !slices.Equal(shot.CreatureIDs, models.IDs{kit.ID}) {
				t.Errorf("the forest is %+v", shot)
			}
		}
		if strings.Contains(shot.Title, "KITCHEN") && (shot.LocationID == nil || *shot.LocationID != kitchen.ID) {
			t.Errorf("%s is not in the kitchen", shot.Title)
		}
	}
	if got := strings.Join(strings.Fields(strings.Join(said, " ")), " "); got != "It is late. Where is the Red Lamp? Gone." {
		t.Errorf("said is %q", got)
	}
	if got := strings.Join(strings.Fields(strings.Join(seen, " ")), " "); got != "The kettle whistles. Mina wakes the cat. (softly) Nobody speaks. @kit runs." {
		t.Errorf("seen is %q", got)
	}
	var names []string
	for _, n := range b.Unmatched {
		names = append(names, n.Kind+" "+n.Name)
		if n.Count < 1 {
			t.Errorf("%s is there %d times", n.Name, n.Count)
		}
	}
	if !slices.Equal(names, []string{"character OLD TOM", "location FOREST"}) {
		t.Errorf("unmatched are %v", names)
	}
	for _, id := range []models.ID{mina.ID, lamp.ID, cat.ID, kit.ID, kitchen.ID} {
		if !slices.Contains(b.Production.CastIDs, id) {
			t.Errorf("%s is not in the cast", id)
		}
	}
	if b.Production.Script != script {
		t.Error("the script was rewritten")
	}
}

// What is there gives way when it may, except for what is locked, which stands first and counts.
func TestBreakdownReplaces(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{Script: ptr("ANN: One.\n\nBOB: Two.\n\nANN: Three.")})
	w.shot(ctx, p.ID, CreateShotInput{Title: ptr("Loose")})
	kept := w.shot(ctx, p.ID, CreateShotInput{Title: ptr("Kept"), Locked: ptr(true)})
	for _, replace := range []*bool{nil, ptr(false)} {
		_, err := w.BreakDownScript(ctx, p.ID, BreakDownInput{Replace: replace})
		w.refused(err, models.CodeValidation, "replace")
	}
	b, err := w.BreakDownScript(ctx, p.ID, BreakDownInput{Replace: ptr(true), MaxShots: ptr(4)})
	if err != nil {
		t.Fatal(err)
	}
	if shots := b.Production.Shots; len(shots) != 4 || shots[0].ID != kept.ID || shots[1].Dialogue != "One." || shots[3].Dialogue != "Three." {
		t.Errorf("left are %v", titles(b.Production))
	}
	_, err = w.BreakDownScript(ctx, p.ID, BreakDownInput{Replace: ptr(true), MaxShots: ptr(3)})
	w.refused(err, models.CodeValidation, "maxShots")
	_, err = w.BreakDownScript(ctx, p.ID, BreakDownInput{Replace: ptr(true), MaxShots: ptr(1)})
	w.refused(err, models.CodeValidation, "maxShots")
	if n := len(w.find(ctx, p.ID).Shots); n != 4 {
		t.Errorf("a refused breakdown left %d shots", n)
	}
	for field, in := range map[string]BreakDownInput{
		"script": {Script: ptr(" \n"), Replace: ptr(true)}, "secondsPerShot": {SecondsPerShot: ptr(1.9)}, "maxShots": {MaxShots: ptr(41)},
		"provider": {Provider: ptr("nobody")}, "model": {Model: ptr("gpt")},
	} {
		_, err := w.BreakDownScript(ctx, p.ID, in)
		w.refused(err, models.CodeValidation, field)
	}
	_, err = w.BreakDownScript(ctx, p.ID, BreakDownInput{Provider: ptr("openai")})
	w.refused(err, models.CodeValidation, "provider", "OPENAI_API_KEY")
	_, err = w.BreakDownScript(ctx, p.ID, BreakDownInput{SecondsPerShot: ptr(15.1)})
	w.refused(err, models.CodeValidation, "secondsPerShot")
	_, err = w.BreakDownScript(ctx, p.ID, BreakDownInput{Script: ptr(strings.Repeat("word ", 10_001)), Replace: ptr(true)})
	w.refused(err, models.CodeValidation, "script")
}

// A provider's shots are written when its job ends, if they still may.
func TestBreakdownByProvider(t *testing.T) {
	cloud := providertest.New(t)
	w := newWorldWith(t, kit.Providers{OpenAI: cloud.OpenAI(), Models: []kit.Model{{Provider: "openai", NodeType: breakdownModelType, ID: "gpt"}}})
	ctx := w.in(w.ann)
	mina := w.element(ctx, library.Character, "Mina", space.Private)
	cloud.Answer(func(rw http.ResponseWriter, _ providertest.Call) bool {
		content := `{"shots":[{"title":"One","action":"","dialogue":"Hush!","speaker":"Mina","place":"","time":""},{"title":"Two","action":"","dialogue":"No.","speaker":"Bob","place":"","time":""}]}`
		rw.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(rw).Encode(map[string]any{
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content}}},
			"usage":   map[string]any{"prompt_tokens": 7, "completion_tokens": 200},
		})
		return true
	})
	begin := func(in BreakDownInput) (*Production, models.ID) {
		t.Helper()
		p := w.production(ctx, CreateProductionInput{Script: ptr("MINA: Hush!\n\nBOB: No.")})
		in.Provider = ptr("openai")
		b, err := w.BreakDownScript(ctx, p.ID, in)
		if err != nil {
			t.Fatal(err)
		}
		if b.Job == nil || len(b.Production.Shots) != 0 {
			t.Fatalf("began %+v", b)
		}
		return p, b.Job.ID
	}
	p, jobID := begin(BreakDownInput{})
	w.work()
	shots := w.find(ctx, p.ID).Shots
	if len(shots) != 2 || shots[0].Dialogue != "Hush!" || shots[0].SpeakerID == nil || *shots[0].SpeakerID != mina.ID {
		t.Errorf("it wrote %+v", shots)
	}
	job := w.job(jobID)
	if got := jsonOf(t, job.OutputData["unmatched"]); got != `[{"count":1,"kind":"character","name":"Bob"}]` {
		t.Errorf("unmatched are %s", got)
	}

	written := func(jobID models.ID, what string) {
		t.Helper()
		w.work()
		job := w.job(jobID)
		if job.Status != run.JobCompleted || !strings.Contains(jsonOf(t, job.OutputData["warnings"]), "were not written") {
			t.Errorf("%s: the job is %s with %v", what, job.Status, job.OutputData)
		}
	}
	p, jobID = begin(BreakDownInput{})
	w.shot(ctx, p.ID, CreateShotInput{Title: ptr("Meanwhile")})
	written(jobID, "shots were made meanwhile")
	if got := titles(w.find(ctx, p.ID)); !slices.Equal(got, []string{"Meanwhile"}) {
		t.Errorf("left are %v", got)
	}
	p, jobID = begin(BreakDownInput{Replace: ptr(true)})
	for range MaxShots {
		w.shot(ctx, p.ID, CreateShotInput{Locked: ptr(true)})
	}
	written(jobID, "it is full of locked shots meanwhile")
	_, jobID = begin(BreakDownInput{})
	w.exec(`UPDATE workspaces SET archived_at = now() WHERE id = ?`, w.room.ID)
	written(jobID, "the workspace was archived meanwhile")
	w.exec(`UPDATE workspaces SET archived_at = NULL WHERE id = ?`, w.room.ID)
	w.exec(`UPDATE workspaces SET settings = '{"member_access_to_shared": "edit"}' WHERE id = ?`, w.room.ID)
	p = w.production(ctx, CreateProductionInput{Script: ptr("MINA: Hush!\n\nBOB: No."), Visibility: ptr(space.WorkspaceShared)})
	b, err := w.BreakDownScript(w.in(w.bob), p.ID, BreakDownInput{Provider: ptr("openai")})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE workspaces SET settings = '{"member_access_to_shared": "view"}' WHERE id = ?`, w.room.ID)
	written(b.Job.ID, "who asked may only look meanwhile")
	if n := len(w.find(ctx, p.ID).Shots); n != 0 {
		t.Errorf("%d shots were written by who may only look", n)
	}
	p, jobID = begin(BreakDownInput{})
	if err := w.DeleteProduction(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	w.work()
	if job := w.job(jobID); job.Status != run.JobCompleted {
		t.Errorf("without its production the job is %s", job.Status)
	}
}

func (w *world) job(id models.ID) *run.Job {
	w.t.Helper()
	job, err := models.First[run.Job](w.DB.Read(context.Background()).Where("id = ?", id), models.NotFound("Job"))
	if err != nil {
		w.t.Fatal(err)
	}
	return job
}
