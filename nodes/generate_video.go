package nodes

import "context"

var generateVideoNode = &Node{
	Type: "generate-video", Label: "Generate video", Category: "video", OutputType: "video",
	Description:  "Films a prompt, or brings an image to life, by a video model of a provider.",
	Capabilities: []string{"text-to-video", "image-to-video"},
	InputSchema: object(
		area("prompt", "Prompt", "What happens.").required(),
		address("imageUrl", "First picture", "Where the video begins, for models that take one.", "image"),
		choice("aspectRatio", "Aspect ratio", "Width to height of the video.", "16:9", "9:16", "1:1"),
		number("duration", "Duration", "In seconds; models round it. Empty leaves it to the model.", 1, 60),
		integer("seed", "Seed", "For models that take one; empty takes a new one each time.", 0, 2147483647),
	),
	MainInput: "prompt", MainOutput: "videoUrl", Pool: Provider,
	Run:    runsOutside,
	remote: map[string]remoteRun{replicateName: generateVideoByReplicate},
}

func generateVideoByReplicate(ctx context.Context, in *Call, model Model) (Output, error) {
	input := map[string]any{"prompt": in.text("prompt"), "aspect_ratio": in.text("aspectRatio")}
	for field, name := range map[string]string{"imageUrl": "image", "duration": "duration", "seed": "seed"} {
		if in.has(field) && in.Input[field] != "" {
			input[name] = in.Input[field]
		}
	}
	return in.predict(ctx, model, "video", input)
}
