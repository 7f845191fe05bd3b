package nodes

import (
	"context"

	"atelier/nodes/kit"
)

var generateVideoNode = &kit.Node{
	Type: "generate-video", Label: "Generate video", Category: "video", OutputType: "video",
	Description:  "Films a prompt, or brings an image to life, by a video model of a provider.",
	Capabilities: []string{"text-to-video", "image-to-video"},
	InputSchema: kit.WithElements(kit.Object(
		kit.Area("prompt", "Prompt", "What happens.").Required(),
		kit.Address("imageUrl", "First picture", "Where the video begins, for models that take one.", "image"),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "9:16", "1:1"),
		kit.Number("duration", "Duration", "In seconds; models round it. Empty leaves it to the model.", 1, 60),
		kit.Integer("seed", "Seed", "For models that take one; empty takes a new one each time.", 0, 2147483647),
	)),
	MainInput: "prompt", MainOutput: "videoUrl", Pool: kit.Provider,
	Run:    runsOutside,
	Remote: map[string]kit.RemoteRun{kit.ReplicateName: generateVideoByReplicate},
}

func generateVideoByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	prompt, avoid := in.ComposePrompt()
	addresses, err := in.References()
	if err != nil {
		return nil, err
	}
	fields := map[string]any{"prompt": prompt, "negativePrompt": avoid, "aspectRatio": in.Text("aspectRatio"), "duration": in.Input["duration"], "seed": in.Input["seed"]}
	if first := in.Text("imageUrl"); first != "" {
		fields["imageUrl"] = first
	}
	if !model.Takes("referenceImages") && !model.Takes("characterImage") {
		addresses = nil // the first picture of a video is no reference
	}
	out, err := in.PredictWith(ctx, model, "video", func(l *kit.Loan) (map[string]any, error) {
		if err := l.LendPictures(ctx, model, addresses, fields); err != nil {
			return nil, err
		}
		input := model.Inputs(fields)
		if _, mapped := model.Fields["imageUrl"]; !mapped && fields["imageUrl"] != nil {
			input["image"] = fields["imageUrl"]
		}
		return input, nil
	})
	if err != nil {
		return nil, err
	}
	shown := model
	if addresses == nil {
		shown.Fields = nil
	}
	in.TellReferences(out, shown, prompt, nil)
	return out, nil
}
