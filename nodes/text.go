package nodes

import "context"

var textNode = &Node{
	Type: "text", Label: "Text", Category: "text", OutputType: "text",
	Description:  "A text that other nodes use, written here or exposed as an input of an app.",
	Capabilities: []string{"text"},
	InputSchema:  Object(Area("text", "Text", "The words to use.").Or("")),
	MainInput:    "text", MainOutput: "text", Inline: true, Pool: Cheap,
	Run: func(_ context.Context, in *Call) (Output, error) {
		return Output{"text": in.Text("text")}, nil
	},
}
