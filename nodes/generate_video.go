package nodes

import "context"

var generateVideoNode = &Node{
	Type: "generate-video", Label: "Generate video", Category: "video", OutputType: "video",
	Description:  "Films a prompt, or brings an image to life, by a video model of a provider.",
	Capabilities: []string{"text-to-video", "image-to-video"},
	InputSchema: withElements(object(
		area("prompt", "Prompt", "What happens.").required(),
		address("imageUrl", "First picture", "Where the video begins, for models that take one.", "image"),
		choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "9:16", "1:1"),
		number("duration", "Duration", "In seconds; models round it. Empty leaves it to the model.", 1, 60),
		integer("seed", "Seed", "For models that take one; empty takes a new one each time.", 0, 2147483647),
	)),
	MainInput: "prompt", MainOutput: "videoUrl", Pool: Provider,
	Run:    runsOutside,
	remote: map[string]remoteRun{replicateName: generateVideoByReplicate},
}

func generateVideoByReplicate(ctx context.Context, in *Call, model Model) (Output, error) {
	prompt, avoid := in.composePrompt()
	addresses, err := in.references()
	if err != nil {
		return nil, err
	}
	fields := map[string]any{"prompt": prompt, "negativePrompt": avoid, "aspectRatio": in.text("aspectRatio"), "duration": in.Input["duration"], "seed": in.Input["seed"]}
	if first := in.text("imageUrl"); first != "" {
		fields["imageUrl"] = first
	}
	if !model.takes("referenceImages") && !model.takes("characterImage") {
		addresses = nil // the first picture of a video is no reference
	}
	out, err := in.predictWith(ctx, model, "video", func(l *loan) (map[string]any, error) {
		if err := l.lendPictures(ctx, model, addresses, fields); err != nil {
			return nil, err
		}
		input := model.inputs(fields)
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
	in.tellReferences(out, shown, prompt, nil)
	return out, nil
}
