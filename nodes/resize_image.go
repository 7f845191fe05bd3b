package nodes

import (
	"context"
	"image"

	"atelier/models"
)

var resizeImageNode = &Node{
	Type: "resize-image", Label: "Resize image", Category: "image", OutputType: "image",
	Description:  "Makes an image of another size.",
	Capabilities: []string{"image-to-image", "resize"},
	InputSchema: object(
		address("imageUrl", "Image", "The image to resize.", "image").required(),
		integer("width", "Width", "In pixels; empty keeps the proportions.", 1, 8192),
		integer("height", "Height", "In pixels; empty keeps the proportions.", 1, 8192),
		choice("fit", "Fit", "cover fills the size and cuts off what hangs over, contain fits all of it on a transparent ground, fill distorts, inside keeps the proportions within the size.",
			"cover", "contain", "fill", "inside"),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: Media,
	Run: resizeImage,
}

func resizeImage(ctx context.Context, in *Call) (Output, error) {
	src, err := in.readImage(ctx, in.text("imageUrl"))
	if err != nil {
		return nil, err
	}
	width, height, err := targetSize(in.integer("width"), in.integer("height"), src.Bounds())
	if err != nil {
		return nil, err
	}
	in.progress(40)
	dst := fitImage(src, width, height, in.text("fit"))
	in.progress(80)
	return in.saveImage(ctx, "resized", dst)
}

// targetSize fills in the side that was left out, by proportion.
func targetSize(width, height int, src image.Rectangle) (int, int, error) {
	switch {
	case width == 0 && height == 0:
		return 0, 0, failf("Neither width nor height is given").hint("Give a width, a height or both.")
	case width == 0:
		width = scaled(src.Dx(), height, src.Dy())
	case height == 0:
		height = scaled(src.Dy(), width, src.Dx())
	}
	return width, height, checkPixels(width, height)
}
