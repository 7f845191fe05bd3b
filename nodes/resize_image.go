package nodes

import (
	"context"
	"image"

	"atelier/models"
	"atelier/nodes/kit"
)

var resizeImageNode = &kit.Node{
	Type: "resize-image", Label: "Resize image", Category: "image", OutputType: "image",
	Description:  "Makes an image of another size.",
	Capabilities: []string{"image-to-image", "resize"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image to resize.", "image").Required(),
		kit.Integer("width", "Width", "In pixels; empty keeps the proportions.", 1, 8192),
		kit.Integer("height", "Height", "In pixels; empty keeps the proportions.", 1, 8192),
		kit.Choice("fit", "Fit", "cover fills the size and cuts off what hangs over, contain fits all of it on a transparent ground, fill distorts, inside keeps the proportions within the size.",
			"cover", "contain", "fill", "inside"),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: resizeImage,
}

func resizeImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	src, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	width, height, err := targetSize(in.Integer("width"), in.Integer("height"), src.Bounds())
	if err != nil {
		return nil, err
	}
	in.Report(40)
	dst := kit.FitImage(src, width, height, in.Text("fit"))
	in.Report(80)
	return in.SaveImage(ctx, "resized", dst)
}

// targetSize fills in the side that was left out, by proportion.
func targetSize(width, height int, src image.Rectangle) (int, int, error) {
	switch {
	case width == 0 && height == 0:
		return 0, 0, kit.Failf("Neither width nor height is given").WithHint("Give a width, a height or both.")
	case width == 0:
		width = kit.Scaled(src.Dx(), height, src.Dy())
	case height == 0:
		height = kit.Scaled(src.Dy(), width, src.Dx())
	}
	return width, height, kit.CheckPixels(width, height)
}
