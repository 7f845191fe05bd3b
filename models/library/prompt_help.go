package library

import (
	"atelier/models"
	"atelier/models/run"
)

// PromptHelpInput is an idea, and what was answered so far.
type PromptHelpInput struct {
	Idea   string
	Target *string
	// Answers are by part: a text, a list of texts, or "" to leave it open.
	Answers      map[string]any
	PresetID     *models.ID
	CharacterIds []models.ID
	LocationID   *models.ID
	MaxQuestions *int
	Provider     *string
	Model        *string
}

// PromptHelp is the prompt so far, and what the idea leaves open.
type PromptHelp struct {
	Status         string
	Target         string
	Prompt         string
	NegativePrompt string
	Settings       map[string]any
	Parts          []*PromptPart
	Questions      []*PromptQuestion
	Complete       bool
	Warnings       []string
	NotUnderstood  []string
	Provider       string
	Model          *string
	JobID          *models.ID
	ErrorMessage   *string
	ErrorHint      *string
	// Job is what still works, for an answer that did not come in time.
	Job *run.Job
}

// PromptPart is a part of the prompt, and where it comes from: idea, answer, preset or element.
type PromptPart struct{ Part, Label, Value, From string }

// PromptQuestion asks for a part that is open.
type PromptQuestion struct {
	Part, Question string
	Options        []string
	Multiple       bool
}
