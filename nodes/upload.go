package nodes

import "context"

// uploadNode passes a file of one kind on, once it is sure that it is one.
func uploadNode(kind, label string) *Node {
	name := kind + "Url"
	return &Node{
		Type: "upload-" + kind, Label: "Upload " + kind, Category: "input", OutputType: kind,
		Description:  "Takes " + label + " that was uploaded, or that lies at a public address.",
		Capabilities: []string{"upload"},
		InputSchema:  Object(Address(name, title(kind), "The file to use.", kind).Required()),
		MainInput:    name, MainOutput: name, Pool: Media,
		Run: func(ctx context.Context, in *Call) (Output, error) {
			url := in.Text(name)
			body, contentType, err := in.Open(ctx, url, kind, MaxMediaBytes)
			if err != nil {
				return nil, err
			}
			return Output{"url": url, name: url, "contentType": contentType}, body.Close()
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
