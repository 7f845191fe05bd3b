package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/userprogram"
)

var regexTextNode = &kit.Node{
	Type: "regex-text", Label: "Find and replace", Category: "text", OutputType: "text",
	Description:  "Replaces, extracts or tests what a regular expression (RE2) matches.",
	Capabilities: []string{"text", "regex"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "The text to look through.").Required(),
		kit.Line("pattern", "Pattern", "A regular expression in RE2 syntax.").Required(),
		kit.Choice("mode", "Do", "replace puts the replacement there, extract lists what matches, test tells whether anything does.", "replace", "extract", "test"),
		kit.Line("replacement", "Replacement", "$1 or ${name} stands for a group.").Or(""),
		kit.Toggle("ignoreCase", "Ignore case", "Takes capital and small letters for the same.", false),
	),
	MainInput: "text", MainOutput: "text", Inline: true, Pool: kit.Program,
	Check: func(prefix string, input map[string]any) error {
		pattern, _ := input["pattern"].(string)
		if err := userprogram.CheckPattern(pattern); err != nil {
			return models.Invalid(prefix+"pattern", "is no regular expression: %s", err)
		}
		return nil
	},
	Run: regexText,
}

func regexText(ctx context.Context, in *kit.Call) (kit.Output, error) {
	mode := in.Text("mode")
	found, err := userprogram.Search{
		Text: in.Text("text"), Pattern: in.Text("pattern"), IgnoreCase: in.Flag("ignoreCase"),
		Mode: mode, Replacement: in.Text("replacement"),
	}.Run(ctx)
	if err != nil {
		return nil, wrongProgram(err, "Use a simpler pattern, or a shorter text.")
	}
	switch mode {
	case "test":
		return kit.Output{"data": found.Matched, "matched": found.Matched}, nil
	case "extract":
		return matchesOutput(found.Items), nil
	}
	out, err := textOutput(found.Text)
	if err == nil {
		out["count"] = found.Count
	}
	return out, err
}

func matchesOutput(found []string) kit.Output {
	matches := make([]any, len(found))
	for i, match := range found {
		matches[i] = match
	}
	out := kit.Output{"items": matches, "data": matches, "count": len(matches), "text": ""}
	if len(matches) > 0 {
		out["text"] = matches[0]
	}
	return out
}
