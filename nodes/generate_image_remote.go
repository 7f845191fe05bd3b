package nodes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"atelier/nodes/provider"
)

// fullPrompt is the prompt with what is to be left out, for models that take
// one text.
func (in *Call) fullPrompt() string {
	if in.text("negativePrompt") == "" {
		return in.text("prompt")
	}
	return in.text("prompt") + "\n\nAvoid: " + in.text("negativePrompt")
}

func generateImageByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	var got *provider.ImageAnswer
	err := in.once(ctx, openaiName, func(e *errand) (err error) {
		got, err = in.providers.OpenAI.Image(ctx, e.Key, provider.ImageRequest{
			Model: model.ID, Prompt: in.fullPrompt(), Size: openaiSize(model.ID, in.text("aspectRatio"), in.text("resolution")),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	in.progress(90)
	out, err := in.keepImage(ctx, got)
	if err != nil {
		return nil, err
	}
	out["provider"], out["model"] = openaiName, model.ID
	if got.RevisedPrompt != "" {
		out["revisedPrompt"] = got.RevisedPrompt
	}
	return out, nil
}

func (in *Call) keepImage(ctx context.Context, got *provider.ImageAnswer) (Output, error) {
	if got.Content != nil {
		return in.keepContent(ctx, bytes.NewReader(got.Content), "image")
	}
	if in.providers.OpenAI.Own(got.URL) {
		body, err := in.providers.OpenAI.Download(ctx, got.URL)
		if err != nil {
			return nil, remoteFailure(openaiName, err)
		}
		defer body.Close()
		return in.keepContent(ctx, body, "image")
	}
	body, _, err := in.open(ctx, got.URL, "image", maxImageBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return in.keepContent(ctx, body, "image")
}

// openaiSize is the nearest size that a model paints. Models that this page
// does not know get the size that was asked for.
func openaiSize(model, ratio, resolution string) string {
	wide, tall := "", ""
	switch {
	case strings.HasPrefix(model, "gpt-image"), strings.HasPrefix(model, "chatgpt-image"):
		wide, tall = "1536x1024", "1024x1536"
	case model == "dall-e-3":
		wide, tall = "1792x1024", "1024x1792"
	case model == "dall-e-2":
		return "1024x1024"
	default:
		width, height := frame(ratio, longSides[resolution])
		return fmt.Sprintf("%dx%d", width, height)
	}
	switch ratio {
	case "16:9", "4:3":
		return wide
	case "9:16", "3:4":
		return tall
	}
	return "1024x1024"
}

func generateImageByReplicate(ctx context.Context, in *Call, model Model) (Output, error) {
	input := map[string]any{"prompt": in.fullPrompt(), "aspect_ratio": in.text("aspectRatio"), "output_format": "png"}
	if in.has("seed") {
		input["seed"] = in.integer("seed")
	}
	return in.predict(ctx, model, "image", input)
}
