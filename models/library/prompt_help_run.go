package library

import (
	"context"
	"strings"
	"time"

	"atelier/models"
	"atelier/models/run"
	"atelier/nodes"
	"atelier/nodes/phrase"
)

const (
	helperType      = "prompt-helper"
	helperModelType = "prompt-helper-model"
	// MaxHelp is how long a request waits for the help of a provider.
	MaxHelp = 60 * time.Second
)

// helpLimit is the calls of an account; refused ones count too.
var helpLimit = models.Limit{Name: "prompt-helper", Max: 30, Per: time.Minute}

// HelpWithPrompt asks what an idea leaves open and composes a prompt that begins
// with its words. It is stateless: the answers so far are in the input. What the
// input names of the library is judged by the caller's reach in the selected
// space. A provider is asked only when it is named; refusals: validation_error
// (provider) where it is not set up, and those of any run.
func (s *Service) HelpWithPrompt(ctx context.Context, in PromptHelpInput) (*PromptHelp, error) {
	actor := models.ActorFrom(ctx)
	if err := admit(actor); err != nil {
		return nil, err
	}
	if err := s.DB.CountCall(ctx, helpLimit, actor.UserID.String()); err != nil {
		return nil, err
	}
	nodeType, err := s.helper(in)
	if err != nil {
		return nil, err
	}
	settings, preset, err := s.helpSettings(ctx, in)
	if err != nil {
		return nil, err
	}
	run, err := s.Runs.Nodes().Run(ctx, nodeType, settings)
	if err != nil {
		return nil, err
	}
	job := run.Job
	if !job.Rests() && !models.InTransaction(ctx) {
		if job, err = s.Runs.Jobs().Await(ctx, job.ID, MaxHelp); err != nil {
			return nil, err
		}
	}
	return helpOf(in, preset, job), nil
}

// helper is the node type that does the work.
func (s *Service) helper(in PromptHelpInput) (string, error) {
	name := localProvider
	if in.Provider != nil && *in.Provider != "" {
		name = *in.Provider
	}
	if name == localProvider {
		if in.Model != nil && *in.Model != "" {
			return "", models.Invalid("model", "needs a provider")
		}
		return helperType, nil
	}
	kind, ok := s.Flows.Catalogue.Find(helperModelType)
	switch {
	case !ok || !nodes.CanDo(name, helperModelType):
		return "", models.Invalid("provider", "must be local or openai")
	case !kind.Offered():
		return "", models.Invalid("provider", "%s", kind.Missing(name))
	}
	return helperModelType, nil
}

// helpSettings are the settings of the node, and the preset that is named.
func (s *Service) helpSettings(ctx context.Context, in PromptHelpInput) (settings map[string]any, preset map[string]any, err error) {
	target := phrase.Targets()[0]
	if in.Target != nil && *in.Target != "" {
		target = *in.Target
	}
	if len(phrase.Parts(target)) == 0 {
		return nil, nil, models.Invalid("target", "must be one of %s", strings.Join(phrase.Targets(), ", "))
	}
	settings = map[string]any{"idea": in.Idea, "target": target}
	if in.MaxQuestions != nil {
		if *in.MaxQuestions < 1 || *in.MaxQuestions > nodes.MaxQuestions {
			return nil, nil, models.Invalid("maxQuestions", "must be between 1 and %d", nodes.MaxQuestions)
		}
		settings["maxQuestions"] = float64(*in.MaxQuestions)
	}
	if len(in.Answers) > 0 {
		settings["answers"] = in.Answers
	}
	if len(in.CharacterIds) > 0 {
		ids := make([]any, len(in.CharacterIds))
		for i, id := range in.CharacterIds {
			ids[i] = id.String()
		}
		settings["characterIds"] = ids
	}
	if in.LocationID != nil {
		settings["locationId"] = in.LocationID.String()
	}
	if in.Provider != nil && *in.Provider != "" && *in.Provider != localProvider {
		settings["provider"] = *in.Provider
	}
	if in.Model != nil && *in.Model != "" {
		settings["model"] = *in.Model
	}
	if in.PresetID == nil {
		return settings, nil, nil
	}
	if preset, err = s.helpPreset(ctx, *in.PresetID, target); err != nil {
		return nil, nil, err
	}
	if known := knownOf(preset, target); len(known) > 0 {
		settings["known"] = known
	}
	return settings, preset, nil
}

// helpPreset are the settings of a preset of the target.
func (s *Service) helpPreset(ctx context.Context, id models.ID, target string) (map[string]any, error) {
	viewer, err := s.Spaces.Selected(ctx)
	if err != nil {
		return nil, err
	}
	settings, why, err := s.presetRef(s.DB.Read(ctx), viewer, id, target)
	if err == nil && why != "" {
		err = models.Invalid("presetId", "%s", why)
	}
	return settings, err
}

// knownOf is what a preset says of a prompt: its own words are the style of a
// picture, the tone of a text.
func knownOf(preset map[string]any, target string) map[string]any {
	known := map[string]any{}
	text, _ := preset["prompt"].(string)
	text = strings.Trim(strings.ReplaceAll(text, "{{prompt}}", ""), " ,;.")
	for _, part := range []string{"style", "tone"} {
		if text != "" && hasPart(target, part) {
			known[part] = text
		}
	}
	if avoid, _ := preset["negativePrompt"].(string); avoid != "" && hasPart(target, "avoid") {
		known["avoid"] = avoid
	}
	return known
}

func hasPart(target, part string) bool {
	for _, name := range phrase.Parts(target) {
		if name == part {
			return true
		}
	}
	return false
}

// helpOf is what the job of the helper yielded.
func helpOf(in PromptHelpInput, preset map[string]any, job *run.Job) *PromptHelp {
	shown := job.Public()
	out := shown.OutputData
	help := &PromptHelp{
		Status: string(job.Status), JobID: &job.ID, Settings: map[string]any{}, Parts: []*PromptPart{}, Questions: []*PromptQuestion{},
		Warnings: textsAt(out, "warnings"), NotUnderstood: textsAt(out, "notUnderstood"), Provider: localProvider, Model: in.Model,
		ErrorMessage: shown.ErrorMessage, ErrorHint: shown.ErrorHint,
	}
	if in.Provider != nil && *in.Provider != "" {
		help.Provider = *in.Provider
	}
	help.Target = phrase.Targets()[0]
	if in.Target != nil && *in.Target != "" {
		help.Target = *in.Target
	}
	if !job.Rests() {
		help.Job = job
		return help
	}
	help.Prompt, _ = out["prompt"].(string)
	help.NegativePrompt, _ = out["negativePrompt"].(string)
	help.Complete, _ = out["complete"].(bool)
	if model, ok := out["model"].(string); ok {
		help.Model = &model
	}
	if settings, ok := out["settings"].(map[string]any); ok {
		help.Settings = settings
	}
	if in.PresetID != nil && len(help.Settings) > 0 {
		help.Settings["presetId"] = in.PresetID.String()
		if ratio, _ := preset["aspectRatio"].(string); ratio != "" {
			own, said := help.Settings["aspectRatio"].(string)
			if said && own != ratio {
				help.Warnings = append(help.Warnings, "The idea asks for the aspect ratio "+own+", and the preset has "+ratio+"; the idea's is taken")
			}
		}
	}
	for _, entry := range listAt(out, "parts") {
		help.Parts = append(help.Parts, &PromptPart{textAt(entry, "part"), textAt(entry, "label"), textAt(entry, "value"), textAt(entry, "from")})
	}
	for _, entry := range listAt(out, "questions") {
		multiple, _ := entry["multiple"].(bool)
		help.Questions = append(help.Questions, &PromptQuestion{textAt(entry, "part"), textAt(entry, "question"), textsAt(entry, "options"), multiple})
	}
	return help
}

func textAt(from map[string]any, name string) string {
	text, _ := from[name].(string)
	return text
}

func textsAt(from map[string]any, name string) []string {
	texts := []string{}
	list, _ := from[name].([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func listAt(from map[string]any, name string) []map[string]any {
	var entries []map[string]any
	list, _ := from[name].([]any)
	for _, item := range list {
		if entry, ok := item.(map[string]any); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}
