package nodes

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"io"

	"atelier/models"
	"atelier/nodes/kit"
)

var convertImageNode = &kit.Node{
	Type: "convert-image", Label: "Convert image", Category: "image", OutputType: "image",
	Description:  "Saves an image (PNG, JPEG, GIF or WebP) in another format.",
	Capabilities: []string{"image-to-image", "convert"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image to convert.", "image").Required(),
		kit.Choice("format", "Format", "Of the file that comes out.", "png", "jpeg", "gif"),
		kit.Integer("quality", "Quality", "Of a JPEG, in percent.", 1, 100).Or(90.0).As("slider"),
		kit.Tint("background", "Background", "Stands for transparency in a JPEG.", "#ffffff"),
	),
	Cost: models.Credit / 5, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: convertImage,
}

func convertImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	src, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	in.Report(50)
	size := src.Bounds().Size()
	switch in.Text("format") {
	case "jpeg":
		ground, err := in.Color("background")
		if err != nil {
			return nil, err
		}
		return in.SaveWritten(ctx, "converted.jpg", "image/jpeg", size, func(w io.Writer) error {
			return jpeg.Encode(w, onGround(src, ground), &jpeg.Options{Quality: in.Integer("quality")})
		})
	case "gif":
		return in.SaveWritten(ctx, "converted.gif", "image/gif", size, func(w io.Writer) error { return gif.Encode(w, src, nil) })
	}
	return in.SaveImage(ctx, "converted", src)
}

// onGround lays a picture on a color, for formats without transparency.
func onGround(src image.Image, ground color.NRGBA) *image.RGBA {
	ground.A = 255
	dst := image.NewRGBA(image.Rectangle{Max: src.Bounds().Size()})
	draw.Draw(dst, dst.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Over)
	return dst
}
