package nodes

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/fogleman/gg"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"atelier/models"
)

var textCardNode = &Node{
	Type: "text-card", Label: "Text card", Category: "image", OutputType: "image",
	Description:  "Sets a text as a picture, as large as fits, on a ground of two colours or on an image.",
	Capabilities: []string{"text-to-image", "typography"},
	InputSchema: object(
		area("text", "Text", "The words on the card (Latin, Greek or Cyrillic letters).").required(),
		line("caption", "Caption", "A small line below.").or(""),
		choice("aspectRatio", "Aspect ratio", "Width to height of the card.", "1:1", "16:9", "9:16", "4:3", "3:4"),
		tint("background", "Background", "Colour at the top.", "#1d2b53"),
		tint("background2", "Background below", "Colour at the bottom.", "#7e2553"),
		tint("textColor", "Text colour", "Colour of text and caption.", "#ffffff"),
		choice("align", "Align", "Where the lines of the text begin.", "center", "left"),
		address("imageUrl", "Image", "Lies below the text, darkened.", "image"),
	),
	Cost: models.Credit / 2, MainInput: "text", MainOutput: "imageUrl", Pool: Media,
	Check: checkCard,
	Run:   textCard,
}

// maxCardText is how many characters still make a readable card.
const maxCardText = 2_000

func textCard(ctx context.Context, in *Call) (Output, error) {
	text, missing := cardText(in.text("text"))
	if utf8.RuneCountInString(text) > maxCardText {
		return nil, failf("The text is too long for a card").hint("At most %d characters fit.", maxCardText)
	}
	caption, more := cardText(in.text("caption"))
	width, height := frame(in.text("aspectRatio"), 1080)
	dc := gg.NewContext(width, height)
	if err := in.cardGround(ctx, dc); err != nil {
		return nil, err
	}
	ink, err := in.color("textColor")
	if err != nil {
		return nil, err
	}
	dc.SetColor(ink)
	if err := setCardText(dc, text, in.text("align")); err != nil {
		return nil, err
	}
	if caption != "" {
		if err := setFace(dc, goregular.TTF, float64(min(width, height))*0.032); err != nil {
			return nil, err
		}
		dc.DrawStringAnchored(caption, float64(width)/2, float64(height)*0.94, 0.5, 0)
	}
	out, err := in.saveImage(ctx, "card", dc.Image())
	if missing = append(missing, more...); err == nil && len(missing) > 0 {
		out["missing"] = missing
	}
	return out, err
}

// cardGround paints the two colours, or the image with a dark veil.
func (in *Call) cardGround(ctx context.Context, dc *gg.Context) error {
	top, err := in.color("background")
	if err != nil {
		return err
	}
	bottom, err := in.color("background2")
	if err != nil {
		return err
	}
	w, h := float64(dc.Width()), float64(dc.Height())
	gradient := gg.NewLinearGradient(0, 0, w*0.3, h)
	gradient.AddColorStop(0, top)
	gradient.AddColorStop(1, bottom)
	dc.SetFillStyle(gradient)
	if url := in.text("imageUrl"); url != "" {
		img, err := in.readImage(ctx, url)
		if err != nil {
			return err
		}
		dc.DrawImage(fitImage(img, dc.Width(), dc.Height(), "cover"), 0, 0)
		dc.SetRGBA(0, 0, 0, 0.45)
	}
	dc.DrawRectangle(0, 0, w, h)
	dc.Fill()
	return nil
}

// setCardText looks for the largest size at which the wrapped text fits.
func setCardText(dc *gg.Context, text, align string) error {
	w, h := float64(dc.Width()), float64(dc.Height())
	boxW, boxH, spacing := w*0.82, h*0.74, 1.25
	side := min(w, h)
	for size := side * 0.16; ; size *= 0.92 {
		if err := setFace(dc, gobold.TTF, size); err != nil {
			return err
		}
		lines := dc.WordWrap(text, boxW)
		if !fits(dc, lines, boxW, boxH, spacing) && size > side*0.018 {
			continue
		}
		step := dc.FontHeight() * spacing
		y := h/2 - step*float64(len(lines)-1)/2
		for i, l := range lines {
			x, anchor := w/2, 0.5
			if align == "left" {
				x, anchor = (w-boxW)/2, 0
			}
			dc.DrawStringAnchored(strings.TrimRight(l, " "), x, y+step*float64(i), anchor, 0.35)
		}
		return nil
	}
}

func fits(dc *gg.Context, lines []string, width, height, spacing float64) bool {
	for _, l := range lines {
		if w, _ := dc.MeasureString(l); w > width {
			return false
		}
	}
	return dc.FontHeight()*spacing*float64(len(lines)) <= height
}

func setFace(dc *gg.Context, ttf []byte, size float64) error {
	font, err := opentype.Parse(ttf)
	if err != nil {
		return err
	}
	face, err := opentype.NewFace(font, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return err
	}
	dc.SetFontFace(face)
	return nil
}
