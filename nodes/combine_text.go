package nodes

import (
	"context"
	"strings"
)

var combineTextNode = &Node{
	Type: "combine-text", Label: "Combine text", Category: "text", OutputType: "text",
	Description:  "Joins several texts into one, in the order in which they are connected.",
	Capabilities: []string{"text"},
	InputSchema: object(
		list("texts", "Texts", "Connect any number of texts, or write them here.", Schema{Type: "string", Format: "textarea", MaxLength: maxText}, 200),
		line("separator", "Separator", "Stands between two texts.").or("\n"),
	),
	MainInput: "texts", MainOutput: "text", Inline: true, Pool: Cheap,
	Run: combineText,
}

func combineText(_ context.Context, in *Call) (Output, error) {
	var texts []string
	for _, t := range in.list("texts") {
		texts = append(texts, plainText(t))
	}
	return textOutput(strings.Join(texts, in.text("separator")))
}

// textOutput is the output of a text, which must not outgrow its bound.
func textOutput(s string) (Output, error) {
	if len(s) > maxText {
		return nil, failf("The text became longer than 1 MiB").hint("Use fewer or shorter texts.")
	}
	return Output{"text": s}, nil
}
