package nodes

import (
	"context"

	"atelier/nodes/kit"
)

// uploadNode passes a file of one kind on, once it is sure that it is one.
func uploadNode(kind, label string) *kit.Node {
	name := kind + "Url"
	return &kit.Node{
		Type: "upload-" + kind, Label: "Upload " + kind, Category: "input", OutputType: kind,
		Description:  "Takes " + label + " that was uploaded, or that lies at a public address.",
		Capabilities: []string{"upload"},
		InputSchema:  kit.Object(kit.Address(name, title(kind), "The file to use.", kind).Required()),
		MainInput:    name, MainOutput: name, Pool: kit.Media,
		Run: func(ctx context.Context, in *kit.Call) (kit.Output, error) {
			url := in.Text(name)
			body, contentType, err := in.Open(ctx, url, kind, kit.MaxMediaBytes)
			if err != nil {
				return nil, err
			}
			return kit.Output{"url": url, name: url, "contentType": contentType}, body.Close()
		},
	}
}

// title writes a kind as a label.
func title(kind string) string { return string(kind[0]-'a'+'A') + kind[1:] }

var (
	uploadImageNode = uploadNode("image", "an image")
	uploadVideoNode = uploadNode("video", "a video")
	uploadAudioNode = uploadNode("audio", "a sound")
)
