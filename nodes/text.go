package nodes

import (
	"context"

	"atelier/nodes/kit"
)

var textNode = &kit.Node{
	Type: "text", Label: "Text", Category: "text", OutputType: "text",
	Description:  "A text that other nodes use, written here or exposed as an input of an app.",
	Capabilities: []string{"text"},
	InputSchema:  kit.Object(kit.Area("text", "Text", "The words to use.").Or("")),
	MainInput:    "text", MainOutput: "text", Inline: true, Pool: kit.Cheap,
	Run: func(_ context.Context, in *kit.Call) (kit.Output, error) {
		return kit.Output{"text": in.Text("text")}, nil
	},
}
