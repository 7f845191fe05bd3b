//go:build !race

package library

import (
	"image"
	"testing"
	"time"

	"atelier/models"
	"atelier/models/dbtest"
	"atelier/models/space"
	"atelier/nodes/face/facetest"
)

// trainCharacter makes a character with pictures.
func (w *wordsWorld) trainCharacter(pictures ...[]byte) *Element {
	w.t.Helper()
	e, err := w.Elements().Create(w.in(w.owner), CreateElementInput{Kind: Character, Name: "Hero", Attributes: map[string]any{"outfitColor": "red"}})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, content := range pictures {
		if _, err := w.consentPicture(w.in(w.owner), e.ID, content); err != nil {
			w.t.Fatal(err)
		}
	}
	return e
}

func trainSoon(w *wordsWorld) {
	clock, _ := w.DB.Clock.(*dbtest.Clock)
	clock.Advance(time.Minute)
}

func TestTrainMeasuresTheSet(t *testing.T) {
	w := consentWorld(t)
	e := w.trainCharacter(facetest.One(), facetest.One(), facetest.Two(), facetest.PNG(300, 300), facetest.PNG(100, 100))
	got, err := w.Elements().CheckTraining(w.in(w.owner), e.ID, TrainElementInput{})
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[SkipReason]int{}
	for _, skipped := range got.Skipped {
		reasons[skipped.Reason]++
	}
	if got.Usable != 1 || got.Credits != models.Credit || reasons[skipAlike] != 1 || reasons[skipManyFace] != 1 || reasons[skipBlurred] != 1 || reasons[skipSmall] != 1 {
		t.Errorf("%d usable, %v, %s", got.Usable, reasons, got.Credits)
	}
	if w.count(`SELECT count(*) FROM executions`) != 0 {
		t.Error("a check trains")
	}
}

func TestTrainLearnsColors(t *testing.T) {
	w := consentWorld(t)
	e := w.trainCharacter(facetest.One())
	begun, err := w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	if err != nil {
		t.Fatal(err)
	}
	if training := begun.Element.Training; training == nil || training.Status != trainQueued || training.JobID != begun.Job.ID || training.Report.Used != 1 {
		t.Fatalf("%+v", training)
	}
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	w.refused(err, models.CodeRunAlreadyStarted, "at work")
	runVoices(w)
	after, err := w.Elements().Find(w.in(w.owner), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if after.Training.Status != trainSucceeded || after.Training.TrainedAt == nil || after.Version != e.Version+1 {
		t.Errorf("%+v %q", after.Training, models.Deref(after.Training.ErrorMessage))
	}
	if after.Attributes["outfitColor"] != "red" || after.Attributes["skin"] == "" || after.Attributes["hairColor"] == "" || len(after.Palette) == 0 {
		t.Errorf("%v %v", after.Attributes, after.Palette)
	}
	if n := w.count(`SELECT count(*) FROM element_images`); n != 1 {
		t.Errorf("%d pictures", n)
	}
	if n := w.count(`SELECT count(*) FROM audit_entries WHERE action = 'character.trained'`); n != 1 {
		t.Errorf("%d audit entries", n)
	}
}

func TestTrainForgetsThePictures(t *testing.T) {
	w := consentWorld(t)
	e := w.trainCharacter(facetest.One(), facetest.PNG(500, 400, image.Rect(20, 20, 390, 390)), facetest.PNG(300, 300))
	if _, err := w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{DeleteImagesAfter: yes()}); err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	if n := w.count(`SELECT count(*) FROM element_images WHERE element_id = ?`, e.ID); n != 2 { // the primary one, and the one that did not serve
		t.Errorf("%d pictures", n)
	}
}

func TestTrainRefusals(t *testing.T) {
	w := consentWorld(t)
	place, err := w.Elements().Create(w.in(w.owner), CreateElementInput{Kind: Location, Name: "Harbour"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Elements().Train(w.in(w.owner), place.ID, TrainElementInput{})
	w.refused(err, models.CodeNotFound, "")
	e := w.trainCharacter()
	_, err = w.Elements().Train(w.in(w.bob), e.ID, TrainElementInput{})
	w.refused(err, models.CodeNotFound, "")
	shared := space.WorkspaceShared
	if _, err := w.Elements().Update(w.in(w.owner), e.ID, UpdateElementInput{Visibility: models.Some(shared)}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Elements().Train(w.in(w.bob), e.ID, TrainElementInput{})
	w.refused(err, models.CodeInsufficientRole, "")
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	w.refused(err, models.CodeValidation, "imageIds")
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{ImageIds: []models.ID{e.ID}})
	w.refused(err, models.CodeValidation, "imageIds")
	unknown := "unknown"
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{Provider: &unknown})
	w.refused(err, models.CodeValidation, "provider")
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	w.refused(err, models.CodeRateLimitExceeded, "")
	trainSoon(w)
	until := w.DB.Clock.Now().Add(time.Hour)
	c, err := w.Elements().Update(w.in(w.owner), e.ID, UpdateElementInput{DepictsPerson: models.Some(true),
		Consent: &ConsentInput{Subject: Minor, Confirmed: yes(), Basis: basis(), ValidUntil: &until}})
	if err != nil || c.Consent.Providers {
		t.Fatal(c, err)
	}
	clock, _ := w.DB.Clock.(*dbtest.Clock)
	clock.Advance(2 * time.Hour)
	_, err = w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	w.refused(err, models.CodeValidation, "consent")
}

func TestTrainEndsWithItsJob(t *testing.T) {
	w := consentWorld(t)
	e := w.trainCharacter(facetest.One())
	begun, err := w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{})
	if err != nil {
		t.Fatal(err)
	}
	w.exec(`UPDATE jobs SET status = 'processing' WHERE id = ?`, begun.Job.ID)
	if e, err := w.Elements().Find(w.in(w.owner), e.ID); err != nil || e.Training.Status != trainRunning {
		t.Errorf("a training that a worker has taken: %+v %v", e.Training, err)
	}
	w.exec(`UPDATE jobs SET status = 'pending' WHERE id = ?`, begun.Job.ID)
	if err := w.Runs.Executions().Cancel(w.in(w.owner), begun.Job.ExecutionID); err != nil {
		t.Fatal(err)
	}
	after, err := w.Elements().Find(w.in(w.owner), e.ID)
	if err != nil || after.Training.Status != trainCancelled {
		t.Errorf("%+v %v", after.Training, err)
	}
	trainSoon(w)
	if _, err := w.Elements().Train(w.in(w.owner), e.ID, TrainElementInput{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Elements().Delete(w.in(w.owner), e.ID, false); err != nil {
		t.Fatal(err)
	}
	runVoices(w)
	if n := w.count(`SELECT count(*) FROM elements`); n != 0 {
		t.Errorf("%d elements", n)
	}
}
