package nodes

import (
	"context"
	"image"
	"math"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/raster"
)

var filterImageNode = &kit.Node{
	Type: "filter-image", Label: "Filter image", Category: "image", OutputType: "image",
	Description:  "Changes the look of an image.",
	Capabilities: []string{"image-to-image", "filter"},
	InputSchema: kit.Object(
		kit.Address("imageUrl", "Image", "The image to change.", "image").Required(),
		kit.Choice("filter", "Filter", "What is done to the image.", "grayscale", "sepia", "invert", "brightness", "contrast", "saturation", "blur", "sharpen", "flip", "mirror"),
		kit.Number("intensity", "Intensity", "In percent; for brightness, contrast and saturation below 0 takes away.", -100, 100).Or(50.0).As("slider"),
	),
	Cost: models.Credit / 2, MainInput: "imageUrl", MainOutput: "imageUrl", Pool: kit.Media,
	Run: filterImage,
}

func filterImage(ctx context.Context, in *kit.Call) (kit.Output, error) {
	src, err := in.ReadImage(ctx, in.Text("imageUrl"))
	if err != nil {
		return nil, err
	}
	img := kit.AsNRGBA(src)
	in.Report(40)
	amount := in.Number("intensity") / 100
	switch name := in.Text("filter"); name {
	case "blur":
		img = kit.Blurred(img, kit.BlurRadius(img, amount))
	case "sharpen":
		kit.Sharpen(img, math.Abs(amount))
	case "flip", "mirror":
		img = raster.Turned(img, map[string]int{"mirror": 2, "flip": 4}[name])
	default:
		eachPixel(img, toneFilters[name](amount))
	}
	in.Report(80)
	return in.SaveImage(ctx, "filtered", img)
}

// tone changes one pixel; channels go from 0 to 1.
type tone func(r, g, b float64) (float64, float64, float64)

// toneFilters make a tone of an amount from -1 to 1, which the first three do
// not need.
var toneFilters = map[string]func(amount float64) tone{
	"grayscale": func(float64) tone {
		return func(r, g, b float64) (float64, float64, float64) { v := luma(r, g, b); return v, v, v }
	},
	"sepia": func(float64) tone {
		return func(r, g, b float64) (float64, float64, float64) {
			return .393*r + .769*g + .189*b, .349*r + .686*g + .168*b, .272*r + .534*g + .131*b
		}
	},
	"invert": func(float64) tone {
		return func(r, g, b float64) (float64, float64, float64) { return 1 - r, 1 - g, 1 - b }
	},
	"brightness": func(a float64) tone {
		return perChannel(func(v float64) float64 { return v + a*0.5 })
	},
	"contrast": func(a float64) tone {
		f := math.Tan((a*0.98 + 1) * math.Pi / 4)
		return perChannel(func(v float64) float64 { return (v-0.5)*f + 0.5 })
	},
	"saturation": func(a float64) tone {
		return func(r, g, b float64) (float64, float64, float64) {
			v := luma(r, g, b)
			return v + (r-v)*(1+a), v + (g-v)*(1+a), v + (b-v)*(1+a)
		}
	},
}

func luma(r, g, b float64) float64 { return 0.2126*r + 0.7152*g + 0.0722*b }

func perChannel(f func(float64) float64) tone {
	return func(r, g, b float64) (float64, float64, float64) { return f(r), f(g), f(b) }
}

// eachPixel applies a tone; transparency stays.
func eachPixel(img *image.NRGBA, f tone) {
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+3 : i+3]
		r, g, b := f(float64(p[0])/255, float64(p[1])/255, float64(p[2])/255)
		p[0], p[1], p[2] = kit.ByteOf(r), kit.ByteOf(g), kit.ByteOf(b)
	}
}
