package phrase

import (
	"slices"
	"strings"
)

// Idea is what a person wants to see or read, and what they answered so far.
type Idea struct {
	Text string
	// Target is a node type; see Targets.
	Target string
	// Answers are texts by part; none, or an empty one, leaves the part open for good.
	Answers map[string][]string
	// Known are parts that a preset or elements settle.
	Known []Part
	// Settings are those of a preset, against which words may stand.
	Settings map[string]any
	// MaxQuestions is how many questions come at once.
	MaxQuestions int
}

// Part is a part of a prompt, and where it comes from: idea, answer, preset or element.
type Part struct {
	Part  string `json:"part"`
	Label string `json:"label"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// Question asks for a part that is open. Its options are words that can be sent as they are.
type Question struct {
	Part     string   `json:"part"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiple"`
}

// Help is the prompt so far, and what the idea leaves open.
type Help struct {
	Prompt, NegativePrompt string
	// Settings are ready to be sent to the target.
	Settings  map[string]any
	Parts     []Part
	Questions []Question
	// Complete: nothing is open.
	Complete                bool
	Warnings, NotUnderstood []string
}

// Targets are the node types for which ideas are worked out.
func Targets() []string {
	return []string{
		"generate-image", "generate-video", "generate-character", "generate-object", "generate-creature", "generate-location",
		"3d-scene", "generate-text",
	}
}

// Parts are the names of the parts of a target, in the order of its prompt;
// none for what is no target.
func Parts(target string) []string {
	var names []string
	for _, p := range partsOf(target) {
		names = append(names, p.name)
	}
	return names
}

// Wizard works an idea out. The idea's own words stay, first and verbatim;
// answers follow in the order of the parts; nothing is invented. The same idea
// yields the same help.
func Wizard(idea Idea) Help {
	parts := partsOf(idea.Target)
	idea.Text = strings.TrimSpace(idea.Text)
	found := readIdea(idea)
	help := Help{Parts: []Part{}, Questions: []Question{}, Warnings: []string{}, NotUnderstood: found.unknown}
	said, avoided := []string{}, slices.Clone(found.values["avoid"])
	answered := map[string]string{}
	var open []*part
	for _, p := range parts {
		settled := false
		if v := found.values[p.name]; len(v) > 0 {
			help.Parts = append(help.Parts, Part{p.name, p.label, strings.Join(v, ", "), "idea"})
			settled = true
		}
		for _, k := range idea.Known {
			if k.Part == p.name && strings.TrimSpace(k.Value) != "" {
				help.Parts = append(help.Parts, Part{p.name, p.label, strings.TrimSpace(k.Value), k.From})
				settled = true
			}
		}
		answers, asked := idea.Answers[p.name]
		if answer := answerOf(answers); answer != "" {
			help.Parts = append(help.Parts, Part{p.name, p.label, answer, "answer"})
			answered[p.name] = answer
			if p.name == "avoid" {
				avoided = append(avoided, answer)
			} else {
				said = append(said, answer)
			}
		}
		if !settled && !asked {
			open = append(open, p)
		}
	}
	if kind, ok := elementTarget(idea.Target); ok {
		said = []string{sayAttributes(kind, answered, false)}
	}
	help.Prompt = behind(idea.Text, list(said))
	help.NegativePrompt = list(unique(avoided, len(avoided)))
	help.Questions = questions(idea.Target, open, idea.MaxQuestions)
	help.Complete = len(open) == 0
	help.Settings = settingsOf(idea, found, help, answered)
	help.Warnings = warningsOf(idea, found, help)
	return help
}

func answerOf(answers []string) string {
	var said []string
	for _, a := range answers {
		if a = strings.TrimSpace(a); a != "" {
			said = append(said, a)
		}
	}
	return strings.Join(said, ", ")
}

// behind puts words behind an idea that stays as it is.
func behind(idea, more string) string {
	switch {
	case more == "":
		return idea
	case idea == "":
		return more
	case strings.ContainsRune(".!?:;,", rune(idea[len(idea)-1])):
		return idea + " " + more
	}
	return idea + ", " + more
}

// questions are the most telling of those that are open.
func questions(target string, open []*part, most int) []Question {
	asked := []Question{}
	slices.SortStableFunc(open, func(a, b *part) int { return a.rank - b.rank })
	for _, p := range open[:min(most, len(open))] {
		asked = append(asked, Question{p.name, p.question, p.options, p.multiple})
	}
	return asked
}

// settingsOf are the settings that the target takes.
func settingsOf(idea Idea, found *reading, help Help, answered map[string]string) map[string]any {
	settings := map[string]any{}
	if kind, ok := elementTarget(idea.Target); ok {
		settings["description"] = help.Prompt
		if attributes := knownAttributes(kind, answered); len(attributes) > 0 {
			settings["attributes"] = attributes
		}
		return settings
	}
	settings["prompt"] = help.Prompt
	if idea.Target == "generate-image" || idea.Target == "generate-video" {
		if help.NegativePrompt != "" {
			settings["negativePrompt"] = help.NegativePrompt
		}
		if found.ratio != "" {
			settings["aspectRatio"] = found.ratio
		}
	}
	return settings
}

// SettingsFor are the settings that the target takes, for help that another person wrote.
func SettingsFor(idea Idea, help Help) map[string]any {
	answered := map[string]string{}
	for name, answers := range idea.Answers {
		if answer := answerOf(answers); answer != "" {
			answered[name] = answer
		}
	}
	return settingsOf(idea, readIdea(idea), help, answered)
}

// knownAttributes are answers as attributes: what the painter knows of a free
// answer, else its own words.
func knownAttributes(kind string, answered map[string]string) map[string]any {
	attributes := map[string]any{}
	for name, answer := range answered {
		attributes[name] = answer
		understood := Attributes(kind, answer).Attributes
		if value, ok := understood[name]; ok {
			attributes[name] = value
		}
	}
	return attributes
}

// elementTarget is the kind of element that a target makes.
func elementTarget(target string) (string, bool) {
	switch target {
	case "generate-character", "generate-object", "generate-creature", "generate-location":
		return strings.TrimPrefix(target, "generate-"), true
	}
	return "", false
}
