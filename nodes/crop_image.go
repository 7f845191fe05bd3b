package nodes

import (
	"context"
	"image"
	"image/draw"

	"atelier/models"
	"atelier/nodes/kit"
)

var cropImageNode = &kit.Node{
	Type: "crop-image", Label: "Crop image", Category: "image", OutputType: "image",
	Description:  "Cuts a part out of an image.",
	Capabilities: []string{"image-to-image", "crop"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image to cut.", "image").Required(),
		kit.Choice("aspectRatio", "Aspect ratio", "free cuts the box below, the others the largest part from the middle.", "free", "1:1", "16:9", "9:16", "4:3", "3:4"),
		kit.Integer("x", "Left", "In pixels from the left.", 0, 65_535).Or(0.0),
		kit.Integer("y", "Top", "In pixels from the top.", 0, 65_535).Or(0.0),
		kit.Integer("width", "Width", "In pixels; empty reaches to the right edge.", 1, 65_535),
		kit.Integer("height", "Height", "In pixels; empty reaches to the bottom.", 1, 65_535),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: cropImage,
}

func cropImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	src, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	box := cropBox(in, src.Bounds())
	if box.Empty() {
		return nil, kit.Failf("The box lies outside the image of %d × %d pixels", src.Bounds().Dx(), src.Bounds().Dy()).
			WithHint("Choose a smaller left and top.")
	}
	dst := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	draw.Draw(dst, dst.Bounds(), src, box.Min, draw.Src)
	return in.SaveImage(ctx, "cropped", dst)
}

// cropBox is the part to keep, within the picture.
func cropBox(in *kit.Call, b image.Rectangle) image.Rectangle {
	if ratio := in.Text("aspectRatio"); ratio != "free" {
		w, h := kit.FrameSize(ratio, 10_000)
		if b.Dx()*h > w*b.Dy() {
			return kit.Centered(b, kit.Scaled(w, b.Dy(), h), b.Dy())
		}
		return kit.Centered(b, b.Dx(), kit.Scaled(h, b.Dx(), w))
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
