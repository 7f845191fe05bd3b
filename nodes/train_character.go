package nodes

import (
	"context"
	"image"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/kit"
)

// trainCharacterNode learns an element of the library from its pictures, the first of
// its Refs. It runs for the library alone.
var trainCharacterNode = &kit.Node{
	Type: "train-character", Label: "Train a character", Category: "image", OutputType: "data", Internal: true,
	Description:  "Learns an element from its pictures. The local one learns its colours, not a likeness.",
	Providers:    []string{"local"},
	Capabilities: []string{"image-to-data", "training"},
	InputSchema: kit.Object(
		kit.Line("triggerWord", "Trigger word", "The word that stands for it in prompts."),
		kit.Integer("steps", "Steps", "How long a provider trains; empty leaves it to the model.", 1, 10_000),
		kit.Choice("provider", "Provider", "Who trains.", "local"),
	),
	Cost: models.Credit, MainInput: "triggerWord", MainOutput: "data", Pool: kit.Media,
	Run:    trainCharacter,
	Remote: map[string]kit.RemoteRun{kit.ReplicateName: trainByReplicate},
}

// trainCharacter fits what the drawing of an element is made of to its pictures.
func trainCharacter(ctx context.Context, in *kit.Call) (kit.Output, error) {
	if in.Refs == nil || len(in.Refs.Elements) == 0 || len(in.Refs.Elements[0].Pictures) == 0 {
		return nil, kit.Failf("There are no pictures to learn from").WithHint("Add pictures, and train again.")
	}
	ref := in.Refs.Elements[0]
	learned := &learner{kind: ref.Kind}
	for i, picture := range ref.Pictures {
		img, err := in.ReadImage(ctx, picture.Address)
		if err != nil {
			return nil, err
		}
		learned.see(img)
		in.Report(90 * (i + 1) / len(ref.Pictures))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	attributes := map[string]any{}
	for name, value := range learned.attributes() {
		attributes[name] = value
	}
	palette := []any{}
	for _, color := range learned.palette() {
		palette = append(palette, color)
	}
	return kit.Output{"provider": kit.LocalName, "attributes": attributes, "palette": palette, "used": len(ref.Pictures), "learned": "colours"}, nil
}

// learner gathers the colors of pictures of one thing.
type learner struct {
	kind                string
	hair, skin, clothes []string
	small               []image.Image
}

func (l *learner) see(img image.Image) {
	l.small = append(l.small, kit.FitImage(img, 96, 96, "contain"))
	if l.kind != "character" {
		return
	}
	if boxes := face.Find(img, 0); len(boxes) == 1 {
		look := face.Colors(img, boxes[0])
		l.hair, l.skin, l.clothes = append(l.hair, look.Hair), append(l.skin, look.Skin), append(l.clothes, look.Clothes)
	}
}

func (l *learner) palette() []string { return face.Palette(6, l.small...) }

// attributes are those that the colors stand for, by the kind of the element.
func (l *learner) attributes() map[string]string {
	found := map[string]string{}
	set := func(name, color string) {
		if color != "" {
			found[name] = color
		}
	}
	palette := append(l.palette(), "", "")
	switch l.kind {
	case "character":
		set("hairColor", face.Middle(l.hair...))
		set("skin", face.Middle(l.skin...))
		set("outfitColor", face.Middle(l.clothes...))
	case "creature":
		set("bodyColor", palette[0])
		set("secondColor", palette[1])
	case "object":
		set("color", palette[0])
	}
	return found
}
