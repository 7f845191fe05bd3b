package nodes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"atelier/nodes/provider"
)

// fullPrompt is a prompt with what is to be left out, for models that take
// one text.
func fullPrompt(prompt, avoid string) string {
	if avoid == "" {
		return prompt
	}
	return prompt + "\n\nAvoid: " + avoid
}

func generateImageByOpenAI(ctx context.Context, in *Call, model Model) (Output, error) {
	addresses, err := in.references()
	if err != nil {
		return nil, err
	}
	if !model.followsPictures() {
		addresses = nil
	}
	prompt, avoid := in.composePrompt()
	out, err := paintByOpenAI(ctx, in, model, fullPrompt(prompt, avoid), openaiSize(model.ID, in.text("aspectRatio"), in.text("resolution")), addresses)
	if err != nil {
		return nil, err
	}
	in.tellReferences(out, model, prompt, nil)
	return out, nil
}

// paintByOpenAI has one picture made, which follows those at the addresses.
func paintByOpenAI(ctx context.Context, in *Call, model Model, prompt, size string, addresses []string) (Output, error) {
	references, err := in.pictureFiles(ctx, addresses)
	if err != nil {
		return nil, err
	}
	var got *provider.ImageAnswer
	err = in.once(ctx, openaiName, func(e *errand) (err error) {
		got, err = in.providers.OpenAI.Image(ctx, e.Key, provider.ImageRequest{Model: model.ID, Prompt: prompt, Size: size, References: references})
		return err
	})
	if err != nil {
		return nil, err
	}
	in.progress(90)
	out, err := keepImage(ctx, in, got)
	if err != nil {
		return nil, err
	}
	out["provider"], out["model"] = openaiName, model.ID
	if got.RevisedPrompt != "" {
		out["revisedPrompt"] = got.RevisedPrompt
	}
	return out, nil
}

func keepImage(ctx context.Context, in *Call, got *provider.ImageAnswer) (Output, error) {
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
	addresses, err := in.references()
	if err != nil {
		return nil, err
	}
	prompt, avoid := in.composePrompt()
	used, trained := model, in.trained(replicateName)
	if trained != nil { // its own model has learned what it looks like
		used, addresses = Model{Provider: replicateName, ID: trained.Trained.Version}, nil
	}
	fields := map[string]any{"prompt": prompt, "aspectRatio": in.text("aspectRatio")}
	if trained != nil && trained.Trained.TriggerWord != "" {
		fields["prompt"] = trained.Trained.TriggerWord + ", " + prompt
	}
	if used.takes("negativePrompt") {
		fields["negativePrompt"] = avoid
	} else {
		fields["prompt"] = fullPrompt(fields["prompt"].(string), avoid)
	}
	if in.has("seed") {
		fields["seed"] = in.integer("seed")
	}
	out, err := paintByReplicate(ctx, in, used, fields, addresses)
	if err != nil {
		return nil, err
	}
	in.tellReferences(out, used, prompt, trained)
	return out, nil
}

// paintByReplicate has one picture made of fields under our names, which follows those at the addresses.
func paintByReplicate(ctx context.Context, in *Call, model Model, fields map[string]any, addresses []string) (Output, error) {
	if !model.followsPictures() {
		addresses = nil
	}
	return in.predictWith(ctx, model, "image", func(l *loan) (map[string]any, error) {
		if err := l.lendPictures(ctx, model, addresses, fields); err != nil {
			return nil, err
		}
		input := model.inputs(fields)
		input["output_format"] = "png"
		return input, nil
	})
}
