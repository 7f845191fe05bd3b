//go:build !race

package library

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
)

func wordsText(v any) string {
	written, _ := json.Marshal(v)
	return string(written)
}

func TestPromptHelp(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	two := 2
	in := PromptHelpInput{Idea: "A fox in the snow", MaxQuestions: &two, Answers: map[string]any{"action": "jumping", "avoid": []any{"text"}, "mood": ""}}
	help, err := w.HelpWithPrompt(w.as(w.ann), in)
	if err != nil {
		t.Fatal(err)
	}
	if help.Status != "completed" || help.Prompt != "A fox in the snow, jumping" || help.NegativePrompt != "text" || help.Complete || help.JobID == nil || help.Provider != "local" || help.Target != "generate-image" {
		t.Errorf("%s", wordsText(help))
	}
	if len(help.Questions) != 2 || help.Questions[0].Part != "style" || len(help.Parts) != 4 {
		t.Errorf("%s", wordsText(help))
	}
	again, err := w.HelpWithPrompt(w.as(w.ann), in)
	if err != nil {
		t.Fatal(err)
	}
	help.JobID, again.JobID = nil, nil
	if !reflect.DeepEqual(help, again) {
		t.Errorf("the same idea yields\n%s\n%s", wordsText(help), wordsText(again))
	}
	if n := w.count(`SELECT count(*) FROM jobs WHERE job_type = 'prompt-helper' AND status = 'completed' AND cost = 0`); n != 2 {
		t.Errorf("%d jobs", n)
	}
	answered := PromptHelpInput{Idea: "A fox in the snow", Answers: map[string]any{}}
	for rounds := 0; ; rounds++ {
		help, err := w.HelpWithPrompt(w.as(w.bob), answered)
		if err != nil || rounds > 5 {
			t.Fatal(err, rounds)
		}
		if help.Complete {
			break
		}
		for _, q := range help.Questions {
			answered.Answers[q.Part] = q.Options[0]
		}
	}
}

func TestPromptHelpRefuses(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	text := func(s string) *string { return &s }
	number := func(n int) *int { return &n }
	other, err := w.Presets().Create(w.as(w.bob), presetOf("Hers"))
	if err != nil {
		t.Fatal(err)
	}
	card := FactoryID("preset", "text-card/Quote")
	for part, in := range map[string]PromptHelpInput{
		"idea": {Idea: ""}, "idea must": {Idea: strings.Repeat("x", 4001)}, "target": {Idea: "a", Target: text("motion")},
		"answers.wheels": {Idea: "a", Answers: map[string]any{"wheels": "4"}}, "maxQuestions": {Idea: "a", MaxQuestions: number(6)},
		"OPENAI_API_KEY": {Idea: "a", Provider: text("openai")}, "provider must be": {Idea: "a", Provider: text("nobody")}, "model": {Idea: "a", Model: text("x")},
		"presetId names no": {Idea: "a", PresetID: &other.ID}, "presetId names a preset of text-card": {Idea: "a", PresetID: &card},
		"characterIds": {Idea: "a", CharacterIds: []models.ID{w.bob}}, "locationId": {Idea: "a", LocationID: &w.bob},
	} {
		_, err := w.HelpWithPrompt(w.as(w.ann), in)
		w.refused(err, models.CodeValidation, part)
	}
	_, err = w.HelpWithPrompt(context.Background(), PromptHelpInput{Idea: "a"})
	w.refused(err, models.CodeUnauthorized, "")
	refused := false
	for range 30 {
		_, err := w.HelpWithPrompt(w.as(w.ann), PromptHelpInput{})
		refused = refused || models.HasCode(err, models.CodeRateLimitExceeded)
	}
	if !refused {
		t.Error("no limit")
	}
}

func TestPromptHelpWithPreset(t *testing.T) {
	w := newWordsWorld(t, kit.Providers{})
	id := FactoryID("preset", "generate-image/Slide")
	help, err := w.HelpWithPrompt(w.as(w.ann), PromptHelpInput{Idea: "a square picture of a fox", PresetID: &id})
	if err != nil {
		t.Fatal(err)
	}
	if help.Settings["presetId"] != id.String() || help.Settings["aspectRatio"] != "1:1" || len(help.Warnings) != 1 || !strings.Contains(wordsText(help.Parts), `"From":"preset"`) {
		t.Errorf("%s", wordsText(help))
	}
	if help.Prompt != "a square picture of a fox" {
		t.Errorf("%q", help.Prompt)
	}
}
