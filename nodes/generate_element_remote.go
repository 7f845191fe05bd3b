package nodes

import (
	"context"
	"encoding/json"
	"image/color"

	"atelier/models"
	"atelier/nodes/figure"
	"atelier/nodes/kit"
)

// viewWords say what a picture of an element shows, for models.
var viewWords = map[string]string{
	"portrait": "portrait, head and shoulders, looking at the viewer", "front": "full view from the front", "side": "full view from the side",
	"back": "full view from the back", "top": "view from above", "three-quarter": "three-quarter view",
	"happy": "portrait with a happy face", "sad": "portrait with a sad face", "surprised": "portrait with a surprised face", "angry": "portrait with an angry face",
	"dawn": "at dawn", "day": "by day", "dusk": "at dusk", "night": "at night",
}

var backgroundWords = map[string]string{
	figure.Transparent: "on a plain white background", figure.Plain: "on a plain background", figure.Scene: "in fitting surroundings",
}

// priceOfViews is a model's price for each view; this install draws them all for one.
func priceOfViews(input map[string]any, model *kit.Model) models.Credits {
	if model == nil {
		return elementCost
	}
	views, _ := input["views"].([]any)
	n := len(views)
	if n == 0 {
		n = usualViews
	}
	return model.Cost * models.Credits(n)
}

// elementCost is of all views that this install draws.
const elementCost = 4 * models.Credit

// elementRemotes make the views of an element at a provider.
func elementRemotes(kind string) map[string]kit.RemoteRun {
	return map[string]kit.RemoteRun{
		kit.OpenAIName: func(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
			return generateViews(ctx, in, kind, model, func(prompt string, addresses []string) (kit.Output, error) {
				return paintByOpenAI(ctx, in, model, prompt, openaiSize(model.ID, viewRatio(kind), "1K"), addresses)
			})
		},
		kit.ReplicateName: func(ctx context.Context, in *kit.Call, model kit.Model) (kit.Output, error) {
			return generateViews(ctx, in, kind, model, func(prompt string, addresses []string) (kit.Output, error) {
				fields := map[string]any{"prompt": prompt, "aspectRatio": viewRatio(kind)}
				if in.Has("seed") {
					fields["seed"] = in.Integer("seed")
				}
				return paintByReplicate(ctx, in, model, fields, addresses)
			})
		},
	}
}

func viewRatio(kind string) string {
	if kind == figure.Location {
		return "16:9"
	}
	return "1:1"
}

// generateViews has a model make one view after the other, each in a task of its own: the first of
// words, and the pictures of a face, every further one after the first.
func generateViews(ctx context.Context, in *kit.Call, kind string, model kit.Model, paint func(prompt string, addresses []string) (kit.Output, error)) (kit.Output, error) {
	views, made := views(in, kind), viewsMade(in)
	of := understand(in, kind)
	addresses, err := viewReferences(in, made)
	if err != nil {
		return nil, err
	}
	if !model.FollowsPictures() {
		addresses = nil
	}
	prompt := of.words + ", " + viewWords[views[len(made)]]
	if behind := backgroundWords[in.Text("background")]; behind != "" {
		prompt += ", " + behind
	}
	view, err := paint(prompt, addresses)
	if err != nil {
		return nil, err
	}
	made = append(made, view)
	in.Report(95 * len(made) / len(views))
	if len(made) == len(views) {
		return viewsOutput(ctx, in, model, of, views, made)
	}
	next := kit.NewProviderTask(model.Provider, in.Now)
	if next.Done, err = json.Marshal(made); err != nil {
		return nil, err
	}
	return nil, next.Pause(in, 0)
}

// viewsMade are the views of the tasks before.
func viewsMade(in *kit.Call) (made []kit.Output) {
	if e := kit.ProviderTaskOf(in.State); e != nil && e.Done != nil && json.Unmarshal(e.Done, &made) != nil {
		return nil
	}
	return made
}

// viewReferences are the pictures that the next view is to follow.
func viewReferences(in *kit.Call, made []kit.Output) ([]string, error) {
	if len(made) > 0 {
		first, _ := made[0]["url"].(string)
		return []string{first}, nil
	}
	if in.Refs == nil {
		return nil, nil
	}
	var addresses []string
	of := in.Refs.Elements
	if in.Refs.Face != nil {
		of = append([]kit.ElementRef{*in.Refs.Face}, of...)
	}
	for _, e := range of {
		if err := e.CheckMayLeave(); err != nil {
			return nil, err
		}
		for _, picture := range e.Pictures[:min(len(e.Pictures), kit.MaxElementPictures)] {
			addresses = append(addresses, picture.Address)
		}
	}
	return addresses, nil
}

func viewsOutput(ctx context.Context, in *kit.Call, model kit.Model, of understood, views []string, made []kit.Output) (kit.Output, error) {
	images := make([]any, len(made))
	for i, view := range made {
		images[i] = map[string]any{"role": views[i], "url": view["url"], "width": view["width"], "height": view["height"]}
	}
	out := kit.Output{}
	for name, value := range made[0] {
		out[name] = value
	}
	address, _ := out["url"].(string)
	first, err := in.ReadImage(ctx, address)
	if err != nil {
		return nil, err
	}
	out["images"], out["attributes"], out["prompt"], out["seed"] = images, anyMap(of.all), of.words, of.seed
	out["palette"], out["notUnderstood"] = anyList(figure.Palette(onGround(first, color.NRGBA{255, 255, 255, 255}))), anyList(nil)
	out["provider"], out["model"] = model.Provider, model.ID
	if !model.FollowsPictures() {
		out["warnings"] = []any{"The model " + model.ID + " takes no reference pictures: each view was made of words alone."}
	}
	return out, nil
}
