//go:build !race

package library

import (
	"context"
	"testing"

	"atelier/models"
	"atelier/models/run"
	"atelier/models/space"
	"atelier/nodes/kit"
)

func (w *runsWorld) generated(ctx context.Context, in GenerateElementInput) *Begun {
	w.t.Helper()
	begun, err := w.Elements().Generate(ctx, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return begun
}

func TestNamesOfDescriptions(t *testing.T) {
	for description, want := range map[string]string{
		"an old lighthouse keeper with a white beard and a yellow raincoat": "old lighthouse keeper",
		"A small green dragon with golden wings":                            "small green dragon",
		"the very old grey wolf of the hills":                               "very old grey",
		"Ben, a boy":                                                        "Ben",
		"wizard":                                                            "wizard",
		"the":                                                               "the",
		"A with":                                                            "with",
		"a man in a coat":                                                   "man",
		"... a cat":                                                         "cat",
		"eine alte Frau":                                                    "eine alte Frau",
	} {
		if got := wordsForName(description); got != want {
			t.Errorf("%q is named %q, want %q", description, got, want)
		}
	}
}

func TestGenerateMakesAnElementWithPictures(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	begun := w.generated(ctx, GenerateElementInput{Kind: Character, Description: "an old man with glasses and a red coat"})
	if begun.Element.Status != Generating || begun.Element.Name != "old man" {
		t.Errorf("begun as %s %q", begun.Element.Status, begun.Element.Name)
	}
	w.work()
	job := w.job(begun.Job.ID)
	if job.Status != run.JobCompleted {
		t.Fatalf("%s: %v", job.Status, *job.ErrorMessage)
	}
	if job.OutputData["characterId"] != begun.Element.ID.String() {
		t.Errorf("the output names %v", job.OutputData["characterId"])
	}
	e, err := w.Elements().Find(ctx, begun.Element.ID)
	if err != nil {
		t.Fatal(err)
	}
	if e.Status != Ready || e.ImageCount != 3 || e.Primary == nil || e.Attributes["accessory"] != "glasses" {
		t.Errorf("%s with %d pictures, attributes %v", e.Status, e.ImageCount, e.Attributes)
	}
	if n := w.count(`SELECT count(*) FROM media_files WHERE private`); n != 3 {
		t.Errorf("%d private files", n)
	}
	more := w.generated(ctx, GenerateElementInput{Kind: Character, ID: &e.ID, Description: "smiling", Views: []string{"happy"}})
	w.work()
	if job := w.job(more.Job.ID); job.Status != run.JobCompleted {
		t.Fatalf("%s: %v", job.Status, *job.ErrorMessage)
	}
	if n := w.count(`SELECT count(*) FROM element_images WHERE element_id = ? AND role = 'expression' AND NOT is_primary`, e.ID); n != 1 {
		t.Errorf("%d expressions", n)
	}
}

func TestGenerateThatFailsLeavesAFailedElement(t *testing.T) {
	w := newRunsWorld(t)
	kind, _ := w.Flows.Catalogue.Find("generate-object")
	before := kind.Run
	kind.Run = func(context.Context, *kit.Call) (kit.Output, error) { return nil, &kit.Failure{Message: "No"} }
	t.Cleanup(func() { kind.Run = before })
	begun := w.generated(w.as(w.ann), GenerateElementInput{Kind: Object, Description: "a clock"})
	w.work()
	e, err := w.Elements().Find(w.as(w.ann), begun.Element.ID)
	if err != nil || e.Status != Failed {
		t.Fatalf("%v, %v", e, err)
	}
	kind.Run = before
	w.generated(w.as(w.ann), GenerateElementInput{Kind: Object, ID: &e.ID, Description: "a clock"})
	w.work()
	if e, err = w.Elements().Find(w.as(w.ann), e.ID); err != nil || e.Status != Ready {
		t.Errorf("%v, %v", e, err)
	}
	if err := w.Runs.Executions().Cancel(w.as(w.ann), begun.Job.ExecutionID); !models.HasCode(err, models.CodeAlreadyFinished) {
		t.Error(err)
	}
}

func TestGenerateThatIsCancelledLeavesAFailedElement(t *testing.T) {
	w := newRunsWorld(t)
	begun := w.generated(w.as(w.ann), GenerateElementInput{Kind: Location, Description: "a forest at night"})
	if err := w.Runs.Jobs().Cancel(w.as(w.ann), begun.Job.ID); err != nil {
		t.Fatal(err)
	}
	if e, err := w.Elements().Find(w.as(w.ann), begun.Element.ID); err != nil || e.Status != Failed {
		t.Errorf("%v, %v", e, err)
	}
	_, err := w.Runs.Executions().Retry(w.as(w.ann), begun.Job.ExecutionID)
	w.refused(err, models.CodeAlreadyFinished, "in the library")
}

func TestGenerateRefusals(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	_, err := w.Elements().Generate(ctx, GenerateElementInput{Kind: Face, Description: "x"})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.Elements().Generate(ctx, GenerateElementInput{Kind: Character, Description: " "})
	w.refused(err, models.CodeValidation, "description is required")
	_, err = w.Elements().Generate(ctx, GenerateElementInput{Kind: Character, Description: "x", Views: []string{"upside-down"}})
	w.refused(err, models.CodeValidation, "views[0]")
	mine := w.element(ctx, Character, "Mia", space.Private)
	_, err = w.Elements().Generate(w.as(w.bob), GenerateElementInput{Kind: Character, ID: &mine.ID, Description: "x"})
	w.refused(err, models.CodeNotFound, "")
	_, err = w.Elements().Generate(ctx, GenerateElementInput{Kind: Object, ID: &mine.ID, Description: "x"})
	w.refused(err, models.CodeNotFound, "")
	w.exec(`UPDATE wallets SET balance = 0 WHERE user_id = ?`, w.ann)
	_, err = w.Elements().Generate(ctx, GenerateElementInput{Kind: Character, Description: "x"})
	w.refused(err, models.CodeInsufficientCredits, "")
	if n := w.count(`SELECT count(*) FROM elements`); n != 1 {
		t.Errorf("%d elements", n)
	}
}

func TestGenerateHeldForReview(t *testing.T) {
	w := newRunsWorld(t)
	ctx := w.as(w.ann)
	begun := w.generated(ctx, GenerateElementInput{Kind: Creature, Description: "a red dragon", Views: []string{"front"}, HoldForReview: true})
	w.work()
	if job := w.job(begun.Job.ID); job.Status != run.JobInReview {
		t.Fatal(job.Status)
	}
	if _, err := w.Runs.Jobs().Approve(ctx, begun.Job.ID); err != nil {
		t.Fatal(err)
	}
	if e, err := w.Elements().Find(ctx, begun.Element.ID); err != nil || e.Status != Ready || e.ImageCount != 1 {
		t.Errorf("%v, %v", e, err)
	}
}
