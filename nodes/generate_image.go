package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/paint"
)

var generateImageNode = &kit.Node{
	Type: "generate-image", Label: "Generate image", Category: "image", OutputType: "image",
	Description:  "Paints a picture from a prompt. The local painter composes abstract art whose colours and motifs follow the words, knows looks such as watercolour, ink, comic, blueprint or pixel art, and draws simple figures of the elements that it names.",
	Providers:    []string{"local"},
	Capabilities: []string{"text-to-image"},
	InputSchema: kit.WithElements(kit.Object(
		kit.Area("prompt", "Prompt", "What to paint: subjects, colours, moods.").Required(),
		kit.Area("negativePrompt", "Avoid", "Colours and motifs to leave out."),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the picture.", "1:1", "16:9", "9:16", "4:3", "3:4"),
		kit.Choice("resolution", "Resolution", "Length of the longer side: 1024, 2048 or 4096 pixels.", "1K", "2K", "4K"),
		kit.Integer("seed", "Seed", "The same prompt and seed give the same picture; empty takes a new one each time.", 0, 2147483647),
		kit.Choice("provider", "Provider", "Who paints.", "local"),
	)),
	Cost: 2 * models.Credit, MainInput: "prompt", MainOutput: "imageUrl", Pool: kit.Media,
	Run:    generateImage,
	Remote: map[string]kit.RemoteRun{kit.OpenAIName: generateImageByOpenAI, kit.ReplicateName: generateImageByReplicate},
}

func generateImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	seed := seedOrNew(in)
	width, height := kit.FrameSize(in.Text("aspectRatio"), kit.LongSides[in.Text("resolution")])
	in.Report(5)
	if in.Refs != nil && len(in.Refs.Elements) > 0 {
		return paintElements(ctx, in, seed, width, height)
	}
	img, style := paint.Picture(paint.Brief{
		Prompt: in.Text("prompt"), Avoid: in.Text("negativePrompt"), Seed: seed, Width: width, Height: height,
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in.Report(50)
	look := paint.Look(img, in.Text("prompt"), seed)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in.Report(80)
	out, err := in.SaveImage(ctx, "generated", img)
	if err != nil {
		return nil, err
	}
	out["seed"], out["provider"], out["style"] = seed, "local", style
	if look != "" {
		out["look"] = look
	}
	if in.Refs != nil { // a preset wrote in it
		out["prompt"] = in.Text("prompt")
	}
	return out, nil
}
