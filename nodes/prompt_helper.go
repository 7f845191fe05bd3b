package nodes

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/phrase"
)

var promptHelperNode = &kit.Node{
	Type: "prompt-helper", Label: "Prompt helper", Category: "text", OutputType: "text",
	Description:  "Asks what an idea leaves open, and puts the answers behind its words. It knows lists of English words, and invents nothing.",
	Capabilities: []string{"text", "prompt-writing"},
	InputSchema:  helperSchema(),
	MainInput:    "idea", MainOutput: "text", Inline: true, Pool: kit.Cheap,
	Check: checkHelper,
	Run:   helpWithPrompt,
}

// The bounds of what the prompt helper takes; see docs/security.md.
const (
	// MaxIdea is the length of an idea, in characters.
	MaxIdea = 4_000
	// MaxAnswer is the length of an answer to the prompt helper, in characters.
	MaxAnswer = 400
	// MaxAnswers is how many answers one part may have.
	MaxAnswers = 10
	// MaxQuestions is how many questions come at once.
	MaxQuestions      = 5
	standardQuestions = 3
)

// helperSchema is the form of the prompt helper, the one who does the work.
func helperSchema() kit.Schema {
	idea := kit.Area("idea", "Idea", "What is to be seen or read; @handle names an element.").Required()
	idea.Schema.MaxLength = MaxIdea
	fields := []kit.Property{
		idea,
		kit.Choice("target", "Target", "What the prompt is for.", phrase.Targets()...),
		kit.NamedField("answers", "Answers", "By part of the prompt: a text, a list of texts, or an empty text to leave it open.", kit.Schema{}),
		kit.Integer("maxQuestions", "Questions", "How many come at once.", 1, MaxQuestions).Or(float64(standardQuestions)),
		kit.NamedField("known", "Known", "Parts that are settled already, such as by a preset: a text for each.", kit.Schema{Type: "string", MaxLength: MaxIdea}),
	}
	return kit.Object(append(fields, kit.ElementFields()...)...)
}

// checkHelper refuses parts that the target does not have, and answers of another form.
func checkHelper(prefix string, input map[string]any) error {
	target, _ := input["target"].(string)
	if target == "" {
		target = phrase.Targets()[0]
	}
	parts := phrase.Parts(target)
	for _, field := range []string{"answers", "known"} {
		given, _ := input[field].(map[string]any)
		for name, value := range given {
			place := prefix + field + "." + name
			if !slices.Contains(parts, name) {
				return models.Invalid(place, "is no part of %s; its parts are %s", target, strings.Join(parts, ", "))
			}
			texts, ok := textsOf(value)
			if !ok || len(texts) > MaxAnswers {
				return models.Invalid(place, "must be a text, or a list of at most %d", MaxAnswers)
			}
			for _, text := range texts {
				if utf8.RuneCountInString(text) > MaxAnswer && field == "answers" {
					return models.Invalid(place, "must be at most %d characters long", MaxAnswer)
				}
			}
		}
	}
	if idea, _ := input["idea"].(string); strings.TrimSpace(idea) == "" {
		return models.Invalid(prefix+"idea", "must not be empty")
	}
	return nil
}

// textsOf is a text, or a list of them.
func textsOf(value any) ([]string, bool) {
	switch value := value.(type) {
	case nil:
		return []string{}, true
	case string:
		return []string{value}, true
	case []any:
		texts := []string{}
		for _, item := range value {
			text, ok := item.(string)
			if !ok {
				return nil, false
			}
			texts = append(texts, text)
		}
		return texts, true
	}
	return nil, false
}

// idea is what the settings and the library say.
func idea(in *kit.Call) phrase.Idea {
	idea := phrase.Idea{
		Text: in.Text("idea"), Target: in.Text("target"), Answers: map[string][]string{}, MaxQuestions: in.Integer("maxQuestions"),
		Settings: map[string]any{},
	}
	for part, value := range in.Object("answers") {
		idea.Answers[part], _ = textsOf(value)
	}
	known := in.Object("known")
	for _, part := range phrase.Parts(idea.Target) {
		if value, _ := known[part].(string); value != "" {
			idea.Known = append(idea.Known, phrase.Part{Part: part, Value: value, From: "preset"})
		}
	}
	if in.Refs != nil {
		for _, e := range in.Refs.Elements {
			idea.Known = append(idea.Known, phrase.Part{Part: phrase.PartOfElement(idea.Target, e.Kind), Value: e.Words, From: "element"})
		}
	}
	return idea
}

func helpWithPrompt(_ context.Context, in *kit.Call) (kit.Output, error) {
	idea := idea(in)
	return helpOutput(idea.Target, in, phrase.Wizard(idea))
}

// helpOutput is help as an output. Settings name the elements, whose words the
// target's own run puts into its prompt; other targets get them in the prompt.
func helpOutput(target string, in *kit.Call, help phrase.Help) (kit.Output, error) {
	if target == generateImageType || target == generateVideoType {
		for _, p := range kit.ElementFields() {
			if value := in.Input[p.Name]; !kit.IsEmpty(value) {
				help.Settings[p.Name] = value
			}
		}
	} else if in.Refs != nil {
		help.Prompt = phrase.Compose(help.Prompt, namedElements(in.Refs.Elements))
		for _, name := range []string{"prompt", "description"} {
			if _, ok := help.Settings[name]; ok {
				help.Settings[name] = help.Prompt
			}
		}
	}
	out, err := textOutput(help.Prompt)
	if err != nil {
		return nil, err
	}
	parts, questions := []any{}, []any{}
	for _, p := range help.Parts {
		parts = append(parts, map[string]any{"part": p.Part, "label": p.Label, "value": p.Value, "from": p.From})
	}
	for _, q := range help.Questions {
		questions = append(questions, map[string]any{"part": q.Part, "question": q.Question, "options": anyTexts(q.Options), "multiple": q.Multiple})
	}
	out["target"], out["prompt"], out["negativePrompt"], out["settings"] = target, help.Prompt, help.NegativePrompt, help.Settings
	out["parts"], out["questions"], out["complete"] = parts, questions, help.Complete
	out["warnings"], out["notUnderstood"], out["provider"] = anyTexts(help.Warnings), anyTexts(help.NotUnderstood), kit.LocalName
	return out, nil
}

// The targets whose runs put the words of elements into their prompts.
const (
	generateImageType = "generate-image"
	generateVideoType = "generate-video"
)

func namedElements(elements []kit.ElementRef) []phrase.Named {
	named := make([]phrase.Named, len(elements))
	for i, e := range elements {
		named[i] = phrase.Named{Kind: e.Kind, Handle: e.Handle, Words: e.Words, Negative: e.NegativePrompt}
	}
	return named
}

func anyTexts(texts []string) []any {
	all := make([]any, len(texts))
	for i, t := range texts {
		all[i] = t
	}
	return all
}
