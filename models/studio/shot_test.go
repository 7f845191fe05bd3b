package studio

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"atelier/models"
	"atelier/models/library"
	"atelier/models/space"
)

// Shots have their places, their versions and their cast.
func TestShots(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{})
	mina := w.element(ctx, library.Character, "Mina", space.WorkspaceShared)
	forest := w.element(ctx, library.Location, "Forest", space.WorkspaceShared)
	first := w.shot(ctx, p.ID, CreateShotInput{Title: ptr("One")})
	if first.Position != 1 || first.Camera != usualCamera || first.Status != ShotEmpty || first.Version != 1 || first.Duration != nil ||
		jsonOf(t, first.CharacterIDs) != "[]" || jsonOf(t, first.ObjectIDs) != "[]" || first.Dialogue != "" || first.SpeakerID != nil || first.Share != nil {
		t.Errorf("a plain shot is %+v", first)
	}
	third := w.shot(ctx, p.ID, CreateShotInput{Title: ptr("Three"), Camera: &CameraInput{Size: ptr("wide")}})
	second := w.shot(ctx, p.ID, CreateShotInput{
		Position: ptr(2), Title: ptr("Two"), CharacterIDs: []models.ID{mina.ID, mina.ID}, SpeakerID: &mina.ID, LocationID: &forest.ID, Duration: ptr(2.5),
	})
	if second.Position != 2 || len(second.CharacterIDs) != 1 || third.Camera != (Camera{"wide", "eye", "static"}) {
		t.Errorf("made %+v and %+v", second, third)
	}
	read := w.find(ctx, p.ID)
	if got := titles(read); !slices.Equal(got, []string{"One", "Two", "Three"}) {
		t.Errorf("the order is %v", got)
	}
	if !slices.Equal(read.CastIDs, models.IDs{mina.ID, forest.ID}) {
		t.Errorf("the cast is %v", read.CastIDs)
	}
	if read.Version != 1 {
		t.Errorf("shots made the production version %d", read.Version)
	}

	changed, err := w.UpdateShot(ctx, p.ID, second.ID, UpdateShotInput{
		Version: ptr(1), Dialogue: models.Some("Hush!"), LocationID: models.Null[models.ID](), Duration: models.Null[float64](), Camera: models.Some(CameraInput{Movement: ptr("push-in")}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if changed.Version != 2 || changed.Dialogue != "Hush!" || changed.LocationID != nil || changed.Duration != nil || changed.Title != "Two" ||
		changed.Camera != (Camera{"medium", "eye", "push-in"}) || changed.SpeakerID == nil {
		t.Errorf("changed to %+v", changed)
	}
	_, err = w.UpdateShot(ctx, p.ID, second.ID, UpdateShotInput{Version: ptr(1), Dialogue: models.Some("Hm")})
	w.refused(err, models.CodeStale, "")
	same, err := w.UpdateShot(ctx, p.ID, second.ID, UpdateShotInput{Dialogue: models.Some("Hush!")})
	if err != nil || same.Version != 2 {
		t.Errorf("nothing was changed: %v, version %d", err, same.Version)
	}

	ordered, err := w.OrderShots(ctx, p.ID, []models.ID{third.ID, first.ID, second.ID})
	if err != nil || !slices.Equal(titles(ordered), []string{"Three", "One", "Two"}) {
		t.Fatalf("ordered %v, %v", titles(ordered), err)
	}
	for _, wrong := range [][]models.ID{nil, {first.ID, second.ID}, {first.ID, second.ID, second.ID}, {first.ID, second.ID, p.ID}, {first.ID, second.ID, third.ID, third.ID}} {
		_, err := w.OrderShots(ctx, p.ID, wrong)
		w.refused(err, models.CodeValidation, "shotIds")
	}
	if err := w.DeleteShot(ctx, p.ID, first.ID); err != nil {
		t.Fatal(err)
	}
	for i, shot := range w.find(ctx, p.ID).Shots {
		if shot.Position != i+1 {
			t.Errorf("%s stands at %d, not %d", shot.Title, shot.Position, i+1)
		}
	}
	w.refused(w.DeleteShot(ctx, p.ID, first.ID), models.CodeNotFound, "")
	_, err = w.UpdateShot(ctx, p.ID, first.ID, UpdateShotInput{})
	w.refused(err, models.CodeNotFound, "")
	other := w.production(ctx, CreateProductionInput{})
	_, err = w.UpdateShot(ctx, other.ID, second.ID, UpdateShotInput{Title: models.Some("Mine")})
	w.refused(err, models.CodeNotFound, "")
	w.refused(w.DeleteShot(ctx, other.ID, second.ID), models.CodeNotFound, "")
}

func titles(p *Production) (all []string) {
	if p == nil {
		return nil
	}
	for _, shot := range p.Shots {
		all = append(all, shot.Title)
	}
	return all
}

// Every field of a shot has its form, and what it names is of the right kind and within reach.
func TestShotForms(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{Visibility: ptr(space.WorkspaceShared)})
	mina := w.element(ctx, library.Character, "Mina", space.Private)
	hidden := w.element(w.in(w.bob), library.Character, "Hidden", space.Private)
	cat := w.element(ctx, library.Creature, "Cat", space.WorkspaceShared)
	own := w.element(w.as(w.ann), library.Object, "Lamp", space.Private)
	elsewhere := w.element(w.as(w.stranger), library.Character, "Far", space.Private)
	many := []models.ID{}
	for range 5 {
		many = append(many, models.NewID(w.DB.Clock.Now()))
	}
	long := func(n int) *string { return ptr(strings.Repeat("x", n)) }
	for field, in := range map[string]CreateShotInput{
		"title": {Title: long(101)}, "action": {Action: long(2_001)}, "dialogue": {Dialogue: long(401)}, "prompt": {Prompt: long(2_001)},
		"negativePrompt": {NegativePrompt: ptr("a\x00")}, "notes": {Notes: long(4_001)}, "duration": {Duration: ptr(0.5)}, "position": {Position: ptr(2)},
		"camera.size": {Camera: &CameraInput{Size: ptr("huge")}}, "camera.angle": {Camera: &CameraInput{Angle: ptr("")}}, "camera.movement": {Camera: &CameraInput{Movement: ptr("spin")}},
		"ownImageUrl": {OwnImageURL: ptr("file:///etc/passwd")}, "characterIds": {CharacterIDs: many}, "creatureIds": {CreatureIDs: many}, "objectIds": {ObjectIDs: many},
		"characterIds[1]": {CharacterIDs: []models.ID{mina.ID, cat.ID}}, "characterIds[0]": {CharacterIDs: []models.ID{hidden.ID}},
		"creatureIds[0]": {CreatureIDs: []models.ID{elsewhere.ID}}, "objectIds[0]": {ObjectIDs: many[:1]}, "locationId": {LocationID: &mina.ID},
		"speakerId": {SpeakerID: &hidden.ID}, "voiceId": {VoiceID: &mina.ID},
	} {
		_, err := w.CreateShot(ctx, p.ID, in)
		w.refused(err, models.CodeValidation, field)
	}
	for _, duration := range []float64{math.NaN(), math.Inf(1), 30.1, -1} {
		_, err := w.CreateShot(ctx, p.ID, CreateShotInput{Duration: &duration})
		w.refused(err, models.CodeValidation, "duration")
	}
	_, err := w.CreateShot(ctx, p.ID, CreateShotInput{Position: ptr(0)})
	w.refused(err, models.CodeValidation, "position")
	if n := len(w.find(ctx, p.ID).Shots); n != 0 {
		t.Errorf("%d shots came of refused ones", n)
	}
	shot := w.shot(ctx, p.ID, CreateShotInput{
		Title: long(100), Action: long(2_000), Dialogue: long(400), CharacterIDs: []models.ID{mina.ID}, CreatureIDs: []models.ID{cat.ID}, ObjectIDs: []models.ID{own.ID},
		SpeakerID: &cat.ID, OwnImageURL: ptr("https://example.com/a.png"), Duration: ptr(30.0), Skip: ptr(true), Locked: ptr(true),
	})
	if !shot.Skip || !shot.Locked || *shot.OwnImageURL != "https://example.com/a.png" || shot.SpeakerID == nil {
		t.Errorf("made %+v", shot)
	}
	// Bob may not name Ann's private character, and keeps it where it stands.
	p = w.find(ctx, p.ID)
	w.exec(`UPDATE workspaces SET settings = '{"member_access_to_shared": "edit"}' WHERE id = ?`, w.room.ID)
	bob := w.in(w.bob)
	if _, err := w.UpdateShot(bob, p.ID, shot.ID, UpdateShotInput{Title: models.Some("Bob's"), CharacterIDs: models.Some([]models.ID{mina.ID})}); err != nil {
		t.Errorf("what stood there: %v", err)
	}
	_, err = w.CreateShot(bob, p.ID, CreateShotInput{CharacterIDs: []models.ID{mina.ID}})
	w.refused(err, models.CodeValidation, "characterIds[0]")
	_, err = w.CreateShot(ctx, p.ID, CreateShotInput{CharacterIDs: many[:4], CreatureIDs: many[:3]})
	w.refused(err, models.CodeValidation, "characterIds", "together")
	for field, in := range map[string]UpdateShotInput{
		"ownImageUrl": {OwnImageURL: models.Some("http://example.com/a.png")}, "title": {Title: models.Null[string]()}, "camera": {Camera: models.Null[CameraInput]()}, "skip": {Skip: models.Null[bool]()},
		"characterIds": {CharacterIDs: models.Null[[]models.ID]()}, "voiceId": {VoiceID: models.Some(mina.ID)}, "locationId": {LocationID: models.Some(cat.ID)},
	} {
		_, err := w.UpdateShot(ctx, p.ID, shot.ID, in)
		w.refused(err, models.CodeValidation, field)
	}
}

// A production has forty shots, also when several are made at once.
func TestShotCap(t *testing.T) {
	w := newWorld(t)
	ctx := w.in(w.ann)
	p := w.production(ctx, CreateProductionInput{})
	for i := range MaxShots - 3 {
		w.exec(`INSERT INTO shots (id, production_id, position, camera, status, created_at, updated_at) VALUES (?, ?, ?, '{"size":"medium","angle":"eye","movement":"static"}', 'empty', now(), now())`,
			models.NewID(w.DB.Clock.Now()), p.ID, i)
	}
	var done sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		done.Go(func() { _, errs[i] = w.CreateShot(ctx, p.ID, CreateShotInput{Position: ptr(1)}) })
	}
	done.Wait()
	full := 0
	for _, err := range errs {
		if models.HasCode(err, models.CodeLimitReached) {
			full++
		} else if err != nil {
			t.Error(err)
		}
	}
	shots := w.find(ctx, p.ID).Shots
	if full != 3 || len(shots) != MaxShots {
		t.Errorf("%d were refused, %d shots are there", full, len(shots))
	}
	for i, shot := range shots {
		if shot.Position != i+1 {
			t.Fatalf("a shot stands at %d, not %d", shot.Position, i+1)
		}
	}
}
