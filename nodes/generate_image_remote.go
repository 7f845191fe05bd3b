package nodes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"atelier/nodes/kit"
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

func generateImageByOpenAI(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	addresses, err := in.References()
	if err != nil {
		return nil, err
	}
	if !model.FollowsPictures() {
		addresses = nil
	}
	prompt, avoid := in.ComposePrompt()
	out, err := paintByOpenAI(ctx, in, model, fullPrompt(prompt, avoid), openaiSize(model.ID, in.Text("aspectRatio"), in.Text("resolution")), addresses)
	if err != nil {
		return nil, err
	}
	in.TellReferences(out, model, prompt, nil)
	return out, nil
}

// paintByOpenAI has one picture made, which follows those at the addresses.
func paintByOpenAI(ctx context.Context, in *kit.Call, model kit.Model, prompt, size string, addresses []string) (kit.Output, error) {
	references, err := in.PictureFiles(ctx, addresses)
	if err != nil {
		return nil, err
	}
	var got *provider.ImageAnswer
	err = in.Once(ctx, kit.OpenAIName, func(e *kit.ProviderTask) (err error) {
		got, err = in.Providers.OpenAI.Image(ctx, e.Key, provider.ImageRequest{Model: model.ID, Prompt: prompt, Size: size, References: references})
		return err
	})
	if err != nil {
		return nil, err
	}
	in.Report(90)
	out, err := keepImage(ctx, in, got)
	if err != nil {
		return nil, err
	}
	out["provider"], out["model"] = kit.OpenAIName, model.ID
	if got.RevisedPrompt != "" {
		out["revisedPrompt"] = got.RevisedPrompt
	}
	return out, nil
}

func keepImage(ctx context.Context, in *kit.Call, got *provider.ImageAnswer) (kit.Output, error) {
	if got.Content != nil {
		return in.KeepContent(ctx, bytes.NewReader(got.Content), "image")
	}
	if in.Providers.OpenAI.Own(got.URL) {
		body, err := in.Providers.OpenAI.Download(ctx, got.URL)
		if err != nil {
			return nil, kit.RemoteFailure(kit.OpenAIName, err)
		}
		defer body.Close()
		return in.KeepContent(ctx, body, "image")
	}
	body, _, err := in.Open(ctx, got.URL, "image", kit.MaxImageBytes)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return in.KeepContent(ctx, body, "image")
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
		width, height := kit.FrameSize(ratio, kit.LongSides[resolution])
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

func generateImageByReplicate(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
	addresses, err := in.References()
	if err != nil {
		return nil, err
	}
	prompt, avoid := in.ComposePrompt()
	used, trained := model, in.Trained(kit.ReplicateName)
	if trained != nil { // its own model has learned what it looks like
		used, addresses = kit.Model{Provider: kit.ReplicateName, ID: trained.Trained.Version}, nil
	}
	fields := map[string]any{"prompt": prompt, "aspectRatio": in.Text("aspectRatio")}
	if trained != nil && trained.Trained.TriggerWord != "" {
		fields["prompt"] = trained.Trained.TriggerWord + ", " + prompt
	}
	if used.Takes("negativePrompt") {
		fields["negativePrompt"] = avoid
	} else {
		fields["prompt"] = fullPrompt(fields["prompt"].(string), avoid)
	}
	if in.Has("seed") {
		fields["seed"] = in.Integer("seed")
	}
	out, err := paintByReplicate(ctx, in, used, fields, addresses)
	if err != nil {
		return nil, err
	}
	in.TellReferences(out, used, prompt, trained)
	return out, nil
}

// paintByReplicate has one picture made of fields under our names, which follows those at the addresses.
func paintByReplicate(ctx context.Context, in *kit.Call, model kit.Model, fields map[string]any, addresses []string) (kit.Output, error) {
	if !model.FollowsPictures() {
		addresses = nil
	}
	return in.PredictWith(ctx, model, "image", func(l *kit.Loan) (map[string]any, error) {
		if err := l.LendPictures(ctx, model, addresses, fields); err != nil {
			return nil, err
		}
		input := model.Inputs(fields)
		input["output_format"] = "png"
		return input, nil
	})
}
