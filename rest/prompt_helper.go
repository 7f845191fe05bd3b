package rest

import (
	"context"
	"net/http"

	"atelier/models"
	"atelier/models/library"
)

// promptHelperRoutes help to write prompts.
func (a *API) promptHelperRoutes() {
	handle(a, route{
		Method: "POST", Path: "/v1/prompt-helper/wizard", Tag: libraryTag, Scope: models.ScopeExecute, Status: http.StatusOK, Also: http.StatusAccepted,
		Summary: "Ask what an idea leaves open, and compose a prompt that begins with its words",
	}, a.helpWithPrompt)
}

type promptHelpInput struct {
	Body struct {
		Idea         string         `json:"idea"`
		Target       *string        `json:"target,omitempty" doc:"The node type that the prompt is for; default generate-image."`
		Answers      map[string]any `json:"answers,omitempty" doc:"By part: a text, a list of texts, or an empty text to leave it open."`
		PresetID     *models.ID     `json:"presetId,omitempty" doc:"Of the target."`
		CharacterIds []models.ID    `json:"characterIds,omitempty"`
		LocationID   *models.ID     `json:"locationId,omitempty"`
		MaxQuestions *int           `json:"maxQuestions,omitempty" doc:"1 to 5; default 3."`
		Provider     *string        `json:"provider,omitempty" doc:"Default local; openai where it is set up."`
		Model        *string        `json:"model,omitempty"`
	}
}

type promptPartView struct {
	Part  string `json:"part"`
	Label string `json:"label"`
	Value string `json:"value"`
	From  string `json:"from" enum:"idea,answer,preset,element"`
}

type promptQuestionView struct {
	Part     string   `json:"part"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiple"`
}

type promptHelpView struct {
	Status         string               `json:"status" enum:"completed,failed"`
	Target         string               `json:"target"`
	Prompt         string               `json:"prompt"`
	NegativePrompt string               `json:"negativePrompt"`
	Settings       map[string]any       `json:"settings" doc:"Ready to be sent to POST /v1/{target}."`
	Parts          []promptPartView     `json:"parts"`
	Questions      []promptQuestionView `json:"questions" doc:"What is open, the most telling first."`
	Complete       bool                 `json:"complete"`
	Warnings       []string             `json:"warnings"`
	NotUnderstood  []string             `json:"notUnderstood"`
	Provider       string               `json:"provider"`
	Model          *string              `json:"model"`
	JobID          *models.ID           `json:"jobId"`
	ErrorMessage   *string              `json:"errorMessage"`
	ErrorHint      *string              `json:"errorHint"`
}

// promptHelpBody is the help, or of a provider that takes longer the job alone.
type promptHelpBody struct {
	Data  *promptHelpView `json:"data,omitempty"`
	JobID *models.ID      `json:"jobId,omitempty" doc:"With 202: the job that still works."`
}

func viewPromptHelp(h *library.PromptHelp) *promptHelpView {
	return &promptHelpView{
		Status: h.Status, Target: h.Target, Prompt: h.Prompt, NegativePrompt: h.NegativePrompt, Settings: h.Settings,
		Parts: mapAll(h.Parts, func(p *library.PromptPart) promptPartView { return promptPartView{p.Part, p.Label, p.Value, p.From} }),
		Questions: mapAll(h.Questions, func(q *library.PromptQuestion) promptQuestionView {
			return promptQuestionView{q.Part, q.Question, q.Options, q.Multiple}
		}),
		Complete: h.Complete, Warnings: h.Warnings, NotUnderstood: h.NotUnderstood, Provider: h.Provider, Model: h.Model,
		JobID: h.JobID, ErrorMessage: h.ErrorMessage, ErrorHint: h.ErrorHint,
	}
}

func (a *API) helpWithPrompt(ctx context.Context, in *promptHelpInput) (*plain[promptHelpBody], error) {
	b := in.Body
	help, err := a.mutation().PromptHelp(ctx, library.PromptHelpInput{
		Idea: b.Idea, Target: b.Target, Answers: b.Answers, PresetID: b.PresetID, CharacterIds: b.CharacterIds, LocationID: b.LocationID,
		MaxQuestions: b.MaxQuestions, Provider: b.Provider, Model: b.Model,
	})
	if err != nil {
		return nil, err
	}
	if help.Job != nil {
		return &plain[promptHelpBody]{Status: http.StatusAccepted, Body: promptHelpBody{JobID: help.JobID}}, nil
	}
	return &plain[promptHelpBody]{Status: http.StatusOK, Body: promptHelpBody{Data: viewPromptHelp(help)}}, nil
}
