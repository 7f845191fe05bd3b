package nodes

import (
	"context"
	"image"

	"atelier/nodes/figure"
	"atelier/nodes/kit"
	"atelier/nodes/paint"
	"atelier/nodes/phrase"
)

// paintElements paints the location, or the scene of the prompt, and draws the
// other elements on its ground, each as it looks in every picture.
func paintElements(ctx context.Context, in *kit.Call, seed int64, width, height int) (kit.Output, error) {
	prompt, avoid := in.ComposePrompt()
	img, style := stage(in, seed, width, height)
	in.Report(40)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var parts []figure.Part
	for i := range in.Refs.Elements {
		e := &in.Refs.Elements[i]
		if drawn(e) && e.Kind != figure.Location {
			attributes, palette := look(e)
			parts = append(parts, figure.Part{Kind: e.Kind, Attributes: attributes, Seed: int64(e.Seed), Palette: palette})
		}
	}
	figure.Onto(img, parts)
	in.Report(60)
	look := paint.Look(img, prompt, seed)
	in.Report(80)
	out, err := in.SaveImage(ctx, "generated", img)
	if err != nil {
		return nil, err
	}
	out["seed"], out["provider"], out["style"], out["prompt"] = seed, kit.LocalName, style, prompt
	if look != "" {
		out["look"] = look
	}
	if avoid != "" {
		out["negativePrompt"] = avoid
	}
	out["elements"] = in.ToldElements(func(e *kit.ElementRef) string {
		if drawn(e) {
			return "drawn"
		}
		return "words"
	})
	warnings := []any{}
	if in.Text("referenceImage") != "" {
		warnings = append(warnings, "The local painter follows no reference picture.")
	}
	for i := range in.Refs.Elements {
		if e := &in.Refs.Elements[i]; !drawn(e) {
			warnings = append(warnings, "The local painter draws no "+e.Kind+": its words alone were used.")
		} else if len(e.Pictures) > 0 && len(e.Attributes) == 0 {
			warnings = append(warnings, e.Name+" has no attributes and was drawn in the colours of its pictures.")
		}
	}
	out["warnings"] = warnings
	return out, nil
}

// drawn tells whether the local painter can draw an element.
func drawn(e *kit.ElementRef) bool { return figure.Views(e.Kind) != nil }

// look is what an element looks like: what its attributes say; without any, what
// its words say, in the colors of its pictures.
func look(e *kit.ElementRef) (attributes map[string]string, palette []string) {
	attributes = e.Attributes
	if len(attributes) == 0 {
		attributes, palette = phrase.Attributes(e.Kind, e.Words).Attributes, e.Palette
		spotted(e.Kind, attributes, e.Words)
	}
	all, _ := finished(e.Kind, attributes, int64(e.Seed), palette)
	return all, palette
}

// stage is the ground on which elements stand: the first location among them in
// the light and weather of the prompt, else the place that the prompt names,
// else a picture of the prompt.
func stage(in *kit.Call, seed int64, width, height int) (*image.RGBA, string) {
	said := phrase.Attributes(figure.Location, in.Text("prompt")).Attributes
	for i := range in.Refs.Elements {
		e := &in.Refs.Elements[i]
		if e.Kind != figure.Location {
			continue
		}
		attributes, _ := look(e)
		for _, name := range []string{"timeOfDay", "weather"} {
			if said[name] != "" {
				attributes[name] = said[name]
			}
		}
		return figure.Place(attributes, int64(e.Seed), width, height), "place"
	}
	if known, _ := figure.Understand(figure.Location, said); known["place"] != "" || known["setting"] != "" {
		return figure.Place(known, seed, width, height), "place"
	}
	return paint.Picture(paint.Brief{Prompt: in.Text("prompt"), Avoid: in.Text("negativePrompt"), Seed: seed, Width: width, Height: height})
}
