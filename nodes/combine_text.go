package nodes

import (
	"context"
	"strings"
)

var combineTextNode = &Node{
	Type: "combine-text", Label: "Combine text", Category: "text", OutputType: "text",
	Description:  "Joins several texts into one, in the order in which they are connected.",
	Capabilities: []string{"text"},
	InputSchema: Object(
		List("texts", "Texts", "Connect any number of texts, or write them here.", Schema{Type: "string", Format: "textarea", MaxLength: MaxText}, 200),
		Line("separator", "Separator", "Stands between two texts.").Or("\n"),
	),
	MainInput: "texts", MainOutput: "text", Inline: true, Pool: Cheap,
	Run: combineText,
}

func combineText(_ context.Context, in *Call) (Output, error) {
	var b strings.Builder
	for i, t := range in.List("texts") {
		if i > 0 {
			b.WriteString(in.Text("separator"))
		}
		if b.WriteString(PlainText(t)); b.Len() > MaxText {
			break
		}
	}
	return textOutput(b.String())
}

// textOutput is the output of a text, which must not outgrow its bound.
func textOutput(s string) (Output, error) {
	if len(s) > MaxText {
		return nil, Failf("The text became longer than 1 MiB").WithHint("Use fewer or shorter texts.")
	}
	return Output{"text": s}, nil
}
