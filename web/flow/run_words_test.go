//go:build !race

package flow

import (
	"context"
	"testing"

	"atelier/web/frame"
	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

func TestFailuresOfStepsInWords(t *testing.T) {
	ctx := context.Background()
	message, hint := "text is required", frame.InputHint
	failed := query.RunNodeState{Job: query.RunJob{ErrorMessage: &message, ErrorHint: &hint}}
	label := func(string) string { return "Slogan" }
	n := nodeRun{}
	n.failure(ctx, failed, true, label)
	if n.Problem != "“Slogan” is required." || n.Hint != "Change what you filled in, and run it again." || !n.FailsAgain {
		t.Errorf("%+v", n)
	}
	if n.failure(ctx, failed, false, label); n.Hint != hint {
		t.Errorf("%+v", n)
	}
	if got := failureSaid(ctx, "Node Card failed: The text is too long for a card", label); got != "Node Card failed: The text is too long for a card." {
		t.Error(got)
	}
	if topSetting("edits[0].text") != "edits" || topSetting("text") != "text" {
		t.Error("settings are not named by their beginning")
	}
}

// To go on from a failure of the inputs is not what comes first.
func TestRetryOfFailedInputs(t *testing.T) {
	p := runPage{Failed: &nodeRun{FailsAgain: true}}
	p.Over, p.Run.CanRetry = true, true
	if retryKind(p) == ui.Primary || againKind(p) != ui.Primary {
		t.Error("going on comes first")
	}
	p.Failed = &nodeRun{}
	if retryKind(p) != ui.Primary || againKind(p) == ui.Primary {
		t.Error("going on does not come first")
	}
}

// A node's label is translated in a title; a name that a person gave is not, though it may be a word of the program.
func TestTitlesOfRunsAreTranslatedWhereTheyAreLabels(t *testing.T) {
	ctx := locale.With(context.Background(), locale.ByCode("es"))
	label := query.RunRow{Title: "Generate image", TitleIsOfType: true}
	if got := runTitle(ctx, &label); got != "Generar imagen" {
		t.Errorf("the label is %q", got)
	}
	about := "a fox"
	given := query.RunRow{Title: "Generate image", Subject: &about}
	if got := runTitle(ctx, &given); got != "Generate image: «a fox»" {
		t.Errorf("the name is %q", got)
	}
}
