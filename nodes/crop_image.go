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
	InputSchema: Object(
		Address("imageUrl", "Image", "The image to cut.", "image").Required(),
		Choice("aspectRatio", "Aspect ratio", "free cuts the box below, the others the largest part from the middle.", "free", "1:1", "16:9", "9:16", "4:3", "3:4"),
		Integer("x", "Left", "In pixels from the left.", 0, 65_535).Or(0.0),
		Integer("y", "Top", "In pixels from the top.", 0, 65_535).Or(0.0),
		Integer("width", "Width", "In pixels; empty reaches to the right edge.", 1, 65_535),
		Integer("height", "Height", "In pixels; empty reaches to the bottom.", 1, 65_535),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: Media,
	Run: cropImage,
}

func cropImage(ctx context.Context, in *Call) (Output, error) {
	src, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	box := cropBox(in, src.Bounds())
	if box.Empty() {
		return nil, Failf("The box lies outside the image of %d × %d pixels", src.Bounds().Dx(), src.Bounds().Dy()).
			WithHint("Choose a smaller left and top.")
	}
	dst := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	draw.Draw(dst, dst.Bounds(), src, box.Min, draw.Src)
	return in.SaveImage(ctx, "cropped", dst)
}

// cropBox is the part to keep, within the picture.
func cropBox(in *Call, b image.Rectangle) image.Rectangle {
	if ratio := in.Text("aspectRatio"); ratio != "free" {
		w, h := FrameSize(ratio, 10_000)
		if b.Dx()*h > w*b.Dy() {
			return Centered(b, Scaled(w, b.Dy(), h), b.Dy())
		}
		return Centered(b, b.Dx(), Scaled(h, b.Dx(), w))
	}
	box := b
	box.Min = b.Min.Add(image.Pt(in.Integer("x"), in.Integer("y")))
	if in.Has("width") {
		box.Max.X = box.Min.X + in.Integer("width")
	}
	if in.Has("height") {
		box.Max.Y = box.Min.Y + in.Integer("height")
	}
	return box.Intersect(b)
}
