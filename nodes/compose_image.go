package nodes

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/raster"
)

// positions are the nine places of something small on something large.
var positions = []string{
	"center", "top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right",
}

var composeImageNode = &kit.Node{
	Type: "compose-image", Label: "Compose images", Category: "image", OutputType: "image",
	Description:  "Lays an image, such as a logo, over another one.",
	Capabilities: []string{"image-to-image", "overlay"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image below.", "image").Required(),
		kit.Address("overlayUrl", "Overlay", "The image on top.", "image").Required(),
		kit.Choice("position", "Position", "Where on the image the overlay lies.", positions...),
		kit.Number("scale", "Scale", "Width of the overlay in percent of the image.", 1, 100).Or(30.0).As("slider"),
		kit.Number("opacity", "Opacity", "In percent.", 0, 100).Or(100.0).As("slider"),
		kit.Number("margin", "Margin", "Distance from the edge in percent of the shorter side.", 0, 50).Or(4.0),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: composeImage,
}

func composeImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	below, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	above, err := in.ReadImage(ctx, in.Text("overlayUrl"))
	if err != nil {
		return nil, err
	}
	dst := below
	b := dst.Bounds()
	width := max(1, int(float64(b.Dx())*in.Number("scale")/100))
	height := min(b.Dy(), kit.Scaled(above.Bounds().Dy(), width, above.Bounds().Dx()))
	width = min(width, kit.Scaled(above.Bounds().Dx(), height, above.Bounds().Dy()))
	margin := int(float64(min(b.Dx(), b.Dy())) * in.Number("margin") / 100)
	at := placed(b, width, height, margin, in.Text("position"))
	opacity := image.NewUniform(color.Alpha{A: uint8(in.Number("opacity") / 100 * 255)})
	laid := raster.Scale(above, above.Rect, at.Dx(), at.Dy())
	draw.DrawMask(dst, at, laid, image.Point{}, opacity, image.Point{}, draw.Over)
	return in.SaveImage(ctx, "composed", dst)
}

// placed is a box of the size at one of the positions, with a margin to the edges it touches.
func placed(outer image.Rectangle, width, height, margin int, position string) image.Rectangle {
	box := kit.Centered(outer, width, height)
	left, top := outer.Min.X+margin-box.Min.X, outer.Min.Y+margin-box.Min.Y
	var move image.Point
	switch position {
	case "top-left", "left", "bottom-left":
		move.X = left
	case "top-right", "right", "bottom-right":
		move.X = -left
	}
	switch position {
	case "top-left", "top", "top-right":
		move.Y = top
	case "bottom-left", "bottom", "bottom-right":
		move.Y = -top
	}
	return box.Add(move)
}
