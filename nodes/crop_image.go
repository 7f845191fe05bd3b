package nodes

import (
	"context"
	"image"
	"image/draw"

	"atelier/models"
)

var cropImageNode = &Node{
	Type: "crop-image", Label: "Crop image", Category: "image", OutputType: "image",
	Description:  "Cuts a part out of an image.",
	Capabilities: []string{"image-to-image", "crop"},
	InputSchema: object(
		address("imageUrl", "Image", "The image to cut.", "image").required(),
		choice("aspectRatio", "Aspect ratio", "free cuts the box below, the others the largest part from the middle.", "free", "1:1", "16:9", "9:16", "4:3", "3:4"),
		integer("x", "Left", "In pixels from the left.", 0, 65_535).or(0.0),
		integer("y", "Top", "In pixels from the top.", 0, 65_535).or(0.0),
		integer("width", "Width", "In pixels; empty reaches to the right edge.", 1, 65_535),
		integer("height", "Height", "In pixels; empty reaches to the bottom.", 1, 65_535),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: Media,
	Run: cropImage,
}

func cropImage(ctx context.Context, in *Call) (Output, error) {
	src, err := in.readImage(ctx, in.text("imageUrl"))
	if err != nil {
		return nil, err
	}
	box := cropBox(in, src.Bounds())
	if box.Empty() {
		return nil, failf("The box lies outside the image of %d × %d pixels", src.Bounds().Dx(), src.Bounds().Dy()).
			hint("Choose a smaller left and top.")
	}
	dst := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	draw.Draw(dst, dst.Bounds(), src, box.Min, draw.Src)
	return in.saveImage(ctx, "cropped", dst)
}

// cropBox is the part to keep, within the picture.
func cropBox(in *Call, b image.Rectangle) image.Rectangle {
	if ratio := in.text("aspectRatio"); ratio != "free" {
		w, h := frame(ratio, 10_000)
		if b.Dx()*h > w*b.Dy() {
			return centered(b, scaled(w, b.Dy(), h), b.Dy())
		}
		return centered(b, b.Dx(), scaled(h, b.Dx(), w))
	}
	box := b
	box.Min = b.Min.Add(image.Pt(in.integer("x"), in.integer("y")))
	if in.has("width") {
		box.Max.X = box.Min.X + in.integer("width")
	}
	if in.has("height") {
		box.Max.Y = box.Min.Y + in.integer("height")
	}
	return box.Intersect(b)
}
