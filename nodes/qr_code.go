package nodes

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"

	"rsc.io/qr"

	"atelier/models"
	"atelier/nodes/kit"
)

var qrCodeNode = &kit.Node{
	Type: "qr-code", Label: "QR code", Category: "image", OutputType: "image",
	Description:  "Draws a text or an address as a QR code.",
	Capabilities: []string{"text-to-image", "qr"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "What a phone reads, such as an address.").Required(),
		kit.Integer("size", "Size", "In pixels.", 64, 4096).Or(512.0),
		kit.Choice("correction", "Correction", "How much of the code may be hidden.", "medium", "low", "quartile", "high"),
		kit.Tint("foreground", "Foreground", "Colour of the code; dark is read best.", "#000000"),
		kit.Tint("background", "Background", "Colour behind the code; light is read best.", "#ffffff"),
	),
	Cost: models.Credit / 10, MainInput: "text", MainOutput: "imageUrl", Pool: kit.Media,
	Check: checkQRColors,
	Run:   qrCode,
}

// quiet is the empty border, in modules, that readers need.
const quiet = 4

var corrections = map[string]qr.Level{"low": qr.L, "medium": qr.M, "quartile": qr.Q, "high": qr.H}

func qrCode(ctx context.Context, in *kit.Call) (kit.Output, error) {
	code, err := qr.Encode(in.Text("text"), corrections[in.Text("correction")])
	if err != nil {
		return nil, kit.Failf("The text is too long for a QR code").WithHint("Shorten it, or choose less correction.")
	}
	ink, err := in.Color("foreground")
	if err != nil {
		return nil, err
	}
	paper, err := in.Color("background")
	if err != nil {
		return nil, err
	}
	size := in.Integer("size")
	modules := code.Size + 2*quiet
	if size < modules {
		return nil, kit.Failf("The code needs at least %d pixels", modules).WithHint("Choose a larger size, or a shorter text.")
	}
	return in.SaveImage(ctx, "qr", drawQR(code, size, size/modules, ink, paper))
}

// minContrast is the difference of brightness, of 255, that readers need.
const minContrast = 60

// checkQRColors refuses a code that nothing could read.
func checkQRColors(prefix string, input map[string]any) error {
	brightness := func(name, standard string) float64 {
		s, ok := input[name].(string)
		if !ok {
			s = standard
		}
		c, _ := kit.ParseColor(s)
		light := 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
		return (light*float64(c.A) + 255*float64(255-c.A)) / 255 // on white
	}
	if math.Abs(brightness("foreground", "#000000")-brightness("background", "#ffffff")) < minContrast {
		return models.Invalid(prefix+"foreground", "must be much darker or lighter than background, or nothing can read the code")
	}
	return nil
}

// drawQR draws modules of whole pixels, for only these stay sharp, and leaves
// the rest to the border.
func drawQR(code *qr.Code, size, module int, ink, paper color.Color) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{paper, ink})
	start := (size - code.Size*module) / 2
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				at := image.Pt(start+x*module, start+y*module)
				box := image.Rectangle{Min: at, Max: at.Add(image.Pt(module, module))}
				draw.Draw(img, box, image.NewUniform(ink), image.Point{}, draw.Src)
			}
		}
	}
	return img
}
