package nodes

import (
	"context"
	"strings"

	"atelier/nodes/kit"
)

var combineTextNode = &kit.Node{
	Type: "combine-text", Label: "Combine text", Category: "text", OutputType: "text",
	Description:  "Joins several texts into one, in the order in which they are connected.",
	Capabilities: []string{"text"},
	InputSchema: kit.Object(
		kit.List("texts", "Texts", "Connect any number of texts, or write them here.", kit.Schema{Type: "string", Format: "textarea", MaxLength: kit.MaxText}, 200),
		kit.Line("separator", "Separator", "Stands between two texts.").Or("\n"),
	),
	MainInput: "texts", MainOutput: "text", Inline: true, Pool: kit.Cheap,
	Run: combineText,
}

func combineText(_ context.Context, in *kit.Call) (kit.Output, error) {
	var b strings.Builder
	for i, t := range in.List("texts") {
		if i > 0 {
			b.WriteString(in.Text("separator"))
		}
		if b.WriteString(kit.PlainText(t)); b.Len() > kit.MaxText {
			break
		}
	}
	return textOutput(b.String())
}

// textOutput is the output of a text, which must not outgrow its bound.
func textOutput(s string) (kit.Output, error) {
	if len(s) > kit.MaxText {
		return nil, kit.Failf("The text became longer than 1 MiB").WithHint("Use fewer or shorter texts.")
	}
	return kit.Output{"text": s}, nil
}
