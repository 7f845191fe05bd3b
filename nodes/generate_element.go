package nodes

import (
	"context"
	"slices"
	"unicode/utf8"

	"atelier/models"
	"atelier/nodes/figure"
	"atelier/nodes/kit"
)

// The bounds of what makes pictures of an element.
const (
	maxViews         = 6
	usualViews       = 3
	maxAttributes    = 20
	maxAttributeName = 40
	maxAttribute     = 200
	maxDescription   = 4_000
	maxElementName   = 100
	// elementSide is the longer side of a picture in pixels.
	elementSide = 1024
	placeSide   = 1280
)

// elementNode is the node type that makes pictures of elements of a kind.
func elementNode(kind, label, description, about string, more ...kit.Property) *kit.Node {
	views := figure.Views(kind)
	properties := kit.Properties{
		described(about).Required(),
		kit.ShortText("name", "Name", "What it is called.", maxElementName),
		kit.NamedField("attributes", "Attributes", "Traits by name, such as \"hairStyle\": \"braids\"; they win over the description.", kit.Schema{Type: "string", MaxLength: maxAttribute}),
		kit.List("views", "Views", "Which pictures to make; empty makes the first three.", kit.Schema{Type: "string", Enum: views}, maxViews),
	}
	if kind != figure.Location {
		properties = append(properties, kit.Choice("background", "Background", "What lies behind it.", figure.Transparent, figure.Plain, figure.Scene))
	}
	properties = append(properties, more...)
	properties = append(properties,
		kit.Integer("seed", "Seed", "Decides what the words leave open. The same words and seed give the same pictures; empty takes a new one each time.", 0, 2147483647),
		kit.Choice("provider", "Provider", "Who draws.", kit.LocalName),
	)
	return &kit.Node{
		Type: "generate-" + kind, Label: label, Category: "image", OutputType: "image", Description: description,
		Providers: []string{kit.LocalName}, Capabilities: []string{"text-to-image", "consistent-" + kind},
		InputSchema: kit.Object(properties...),
		Cost:        elementCost, Prices: priceOfViews, PricedBy: []string{"views"}, MainInput: "description", MainOutput: "imageUrl", Pool: kit.Media,
		Check:  checkElement,
		Run:    func(ctx context.Context, in *kit.Call) (kit.Output, error) { return drawElement(ctx, in, kind) },
		Remote: elementRemotes(kind), ModelsOf: "generate-image",
	}
}

func described(about string) kit.Property {
	p := kit.Area("description", "Description", about)
	p.Schema.MaxLength = maxDescription
	return p
}

// checkElement finds too many attributes, names that are too long, and a view
// that is named twice.
func checkElement(prefix string, input map[string]any) error {
	attributes, _ := input["attributes"].(map[string]any)
	if len(attributes) > maxAttributes {
		return models.Invalid(prefix+"attributes", "must have at most %d entries", maxAttributes)
	}
	for name := range attributes {
		if name == "" || utf8.RuneCountInString(name) > maxAttributeName {
			return models.Invalid(prefix+"attributes", "must have names of 1 to %d characters", maxAttributeName)
		}
	}
	views, _ := input["views"].([]any)
	for i, view := range views {
		if slices.Index(views, view) < i {
			return models.Invalid(prefix+"views", "must name each view once")
		}
	}
	return nil
}

// views are those that the call asks for, else the usual ones of the kind.
func views(in *kit.Call, kind string) []string {
	var views []string
	for _, v := range in.List("views") {
		if s, ok := v.(string); ok {
			views = append(views, s)
		}
	}
	if len(views) == 0 {
		views = figure.Views(kind)[:usualViews]
	}
	return views
}

// seedOrNew is the seed that was set, else one of the moment.
func seedOrNew(in *kit.Call) int64 {
	if in.Has("seed") {
		return int64(in.Integer("seed"))
	}
	return in.Now.UnixNano() / 1000 & 0x7fffffff
}

// drawElement draws every view of an element and keeps it as a picture.
func drawElement(ctx context.Context, in *kit.Call, kind string) (kit.Output, error) {
	of := understand(in, kind)
	side := elementSide
	if kind == figure.Location {
		side = placeSide
	}
	views := views(in, kind)
	images := make([]any, 0, len(views))
	var out kit.Output
	var palette []string
	for i, view := range views {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img := figure.Draw(figure.Brief{
			Kind: kind, Attributes: of.all, Seed: of.seed, Palette: of.palette, View: view, Background: in.Text("background"), Size: side,
		})
		saved, err := in.SaveImage(ctx, kind+"-"+view, img)
		if err != nil {
			return nil, err
		}
		images = append(images, map[string]any{"role": view, "url": saved["url"], "width": saved["width"], "height": saved["height"]})
		if i == 0 {
			out, palette = saved, figure.Palette(img)
		}
		in.Report(5 + 90*(i+1)/len(views))
	}
	out["images"], out["attributes"], out["prompt"] = images, anyMap(of.all), of.words
	out["seed"], out["palette"], out["notUnderstood"], out["provider"] = of.seed, anyList(palette), anyList(of.notUnderstood), kit.LocalName
	if in.Refs != nil && in.Refs.Face != nil {
		out["warnings"] = []any{"The local painter draws no likeness: the face was not used."}
	}
	return out, nil
}

func anyMap(from map[string]string) map[string]any {
	to := make(map[string]any, len(from))
	for name, value := range from {
		to[name] = value
	}
	return to
}

func anyList(from []string) []any {
	to := make([]any, len(from))
	for i, value := range from {
		to[i] = value
	}
	return to
}
