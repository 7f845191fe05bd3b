package nodes

import (
	"context"

	"atelier/models"
	"atelier/nodes/paint"
)

var generateImageNode = &Node{
	Type: "generate-image", Label: "Generate image", Category: "image", OutputType: "image",
	Description:  "Paints a picture from a prompt. The local painter composes abstract art whose colours and motifs follow the words, knows looks such as watercolour, ink, comic, blueprint or pixel art, and draws simple figures of the elements that it names.",
	Providers:    []string{"local"},
	Capabilities: []string{"text-to-image"},
	InputSchema: withElements(object(
		area("prompt", "Prompt", "What to paint: subjects, colours, moods.").required(),
		area("negativePrompt", "Avoid", "Colours and motifs to leave out."),
		choice("aspectRatio", "Aspect ratio", "Width to height of the picture.", "1:1", "16:9", "9:16", "4:3", "3:4"),
		choice("resolution", "Resolution", "Length of the longer side: 1024, 2048 or 4096 pixels.", "1K", "2K", "4K"),
		integer("seed", "Seed", "The same prompt and seed give the same picture; empty takes a new one each time.", 0, 2147483647),
		choice("provider", "Provider", "Who paints.", "local"),
	)),
	Cost: 2 * models.Credit, MainInput: "prompt", MainOutput: "imageUrl", Pool: Media,
	Run:    generateImage,
	remote: map[string]remoteRun{openaiName: generateImageByOpenAI, replicateName: generateImageByReplicate},
}

func generateImage(ctx context.Context, in *Call) (Output, error) {
	seed := seedOrNew(in)
	width, height := frame(in.text("aspectRatio"), longSides[in.text("resolution")])
	in.progress(5)
	if in.Refs != nil && len(in.Refs.Elements) > 0 {
		return paintElements(ctx, in, seed, width, height)
	}
	img, style := paint.Picture(paint.Brief{
		Prompt: in.text("prompt"), Avoid: in.text("negativePrompt"), Seed: seed, Width: width, Height: height,
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in.progress(50)
	look := paint.Look(img, in.text("prompt"), seed)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in.progress(80)
	out, err := in.saveImage(ctx, "generated", img)
	if err != nil {
		return nil, err
	}
	out["seed"], out["provider"], out["style"] = seed, "local", style
	if look != "" {
		out["look"] = look
	}
	if in.Refs != nil { // a preset wrote in it
		out["prompt"] = in.text("prompt")
	}
	return out, nil
}
