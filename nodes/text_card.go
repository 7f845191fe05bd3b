package nodes

import (
	"context"
	"image"
	"image/draw"
	"strings"
	"unicode"
	"unicode/utf8"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"atelier/models"
	"atelier/nodes/kit"
)

var textCardNode = &kit.Node{
	Type: "text-card", Label: "Text card", Category: "image", OutputType: "image",
	Description:  "Sets a text as a picture, as large as fits, on a ground of two colours or on an image.",
	Capabilities: []string{"text-to-image", "typography"},
	InputSchema: kit.Object(
		kit.Area("text", "Text", "The words on the card (Latin, Greek or Cyrillic letters).").Required(),
		kit.Line("caption", "Caption", "A small line below.").Or(""),
		kit.Choice("aspectRatio", "Aspect ratio", "Width to height of the card.", "1:1", "16:9", "9:16", "4:3", "3:4"),
		kit.Tint("background", "Background", "Colour at the top.", "#1d2b53"),
		kit.Tint("background2", "Background below", "Colour at the bottom.", "#7e2553"),
		kit.Tint("textColor", "Text colour", "Colour of text and caption.", "#ffffff"),
		kit.Choice("align", "Align", "Where the lines of the text begin.", "center", "left"),
		kit.Address("imageUrl", "Image", "Lies below the text, darkened.", "image"),
	),
	Cost: models.Credit / 2, MainInput: "text", MainOutput: "imageUrl", Pool: kit.Media,
	Check: kit.CheckCard,
	Run:   textCard,
}

// maxCardText is how many characters still make a readable card.
const maxCardText = 2_000

func textCard(ctx context.Context, in *kit.Call) (kit.Output, error) {
	text, missing := kit.CardText(in.Text("text"))
	if utf8.RuneCountInString(text) > maxCardText {
		return nil, kit.Failf("The text is too long for a card").WithHint("At most %d characters fit.", maxCardText)
	}
	caption, more := kit.CardText(in.Text("caption"))
	width, height := kit.FrameSize(in.Text("aspectRatio"), 1080)
	dc := gg.NewContext(width, height)
	if err := cardGround(ctx, in, dc); err != nil {
		return nil, err
	}
	ink, err := in.Color("textColor")
	if err != nil {
		return nil, err
	}
	dc.SetColor(ink)
	if err := setCardText(dc, text, in.Text("align")); err != nil {
		return nil, err
	}
	if caption != "" {
		if err := setCaption(dc, caption); err != nil {
			return nil, err
		}
	}
	out, err := in.SaveImage(ctx, "card", dc.Image())
	if missing = append(missing, more...); err == nil && len(missing) > 0 {
		out["missing"] = missing
	}
	return out, err
}

// cardGround paints the two colors, or the image with a dark veil.
func cardGround(ctx context.Context, in *kit.Call, dc *gg.Context) error {
	top, err := in.Color("background")
	if err != nil {
		return err
	}
	bottom, err := in.Color("background2")
	if err != nil {
		return err
	}
	w, h := float64(dc.Width()), float64(dc.Height())
	gradient := gg.NewLinearGradient(0, 0, w*0.3, h)
	gradient.AddColorStop(0, top)
	gradient.AddColorStop(1, bottom)
	dc.SetFillStyle(gradient)
	if url := in.Text("imageUrl"); url != "" {
		img, err := in.ReadImage(ctx, url)
		if err != nil {
			return err
		}
		ground := dc.Image().(*image.RGBA) // what fits is copied: drawing it would work out each pixel again
		draw.Draw(ground, ground.Bounds(), kit.FitImage(img, dc.Width(), dc.Height(), "cover"), image.Point{}, draw.Over)
		dc.SetRGBA(0, 0, 0, 0.45)
	}
	dc.DrawRectangle(0, 0, w, h)
	dc.Fill()
	return nil
}

// setCaption writes the caption at the bottom, on one line that is made smaller
// until it fits.
func setCaption(dc *gg.Context, caption string) error {
	w, h := float64(dc.Width()), float64(dc.Height())
	caption = strings.Join(strings.Fields(caption), " ")
	for size := min(w, h) * 0.032; size > min(w, h)*0.014; size *= 0.92 {
		if err := setFace(dc, goregular.TTF, size); err != nil {
			return err
		}
		if width, _ := dc.MeasureString(caption); width <= w*0.92 {
			dc.DrawStringAnchored(caption, w/2, h*0.94, 0.5, 0)
			return nil
		}
	}
	return kit.Failf("The caption is too long for a line").WithHint("Shorten it, or put it into the text.")
}

// setCardText looks for the largest size at which the wrapped text fits; only
// at the smallest are words broken that are wider than the card.
func setCardText(dc *gg.Context, text, align string) error {
	w, h := float64(dc.Width()), float64(dc.Height())
	boxW, boxH, spacing := w*0.82, h*0.74, 1.25
	side := min(w, h)
	for size := side * 0.16; ; size *= 0.92 {
		if err := setFace(dc, gobold.TTF, size); err != nil {
			return err
		}
		smallest := size <= side*0.018
		lines := dc.WordWrap(text, boxW)
		if smallest {
			lines = dc.WordWrap(broken(dc, text, boxW), boxW)
		}
		if !fits(dc, lines, boxW, boxH, spacing) {
			if smallest {
				return kit.Failf("The text is too long for a card").WithHint("Shorten it, or use several cards.")
			}
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

// broken puts a blank into words that are wider than a line.
func broken(dc *gg.Context, text string, width float64) string {
	var b strings.Builder
	start := 0
	for i, r := range text {
		if unicode.IsSpace(r) {
			start = i + utf8.RuneLen(r)
		} else if w, _ := dc.MeasureString(text[start : i+utf8.RuneLen(r)]); w > width {
			b.WriteByte(' ')
			start = i
		}
		b.WriteRune(r)
	}
	return b.String()
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
