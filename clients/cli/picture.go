package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	_ "image/gif" // pictures that are shown
	_ "image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// shownWidth and shownHeight bound a picture in the terminal, in pixels.
	shownWidth, shownHeight = 640, 480
	// maxPixels is the largest picture that is decoded here.
	maxPixels = 64 << 20
)

// pictures is how the terminal shows pictures, nil when it shows none: by Kitty's protocol, by iTerm2's, or as sixels.
// ATELIERCTL_PICTURES chooses one of kitty, iterm2, sixel and off.
func (p *program) pictures() func(io.Writer, []byte) error {
	ways := map[string]func(io.Writer, []byte) error{"kitty": kitty, "iterm2": iterm2, "sixel": sixel}
	if chosen, ok := p.env("ATELIERCTL_PICTURES"); ok {
		return ways[chosen]
	}
	if p.json || !isTerminal(p.out) || p.getenv("TMUX") != "" {
		return nil
	}
	name, program := p.getenv("TERM"), p.getenv("TERM_PROGRAM")
	switch {
	case p.getenv("KITTY_WINDOW_ID") != "" || name == "xterm-kitty" || name == "xterm-ghostty" || program == "ghostty":
		return kitty
	case program == "iTerm.app" || program == "WezTerm" || program == "mintty" || p.getenv("LC_TERMINAL") == "iTerm2":
		return iterm2
	case strings.HasPrefix(name, "foot") || strings.Contains(name, "sixel") || name == "mlterm" || program == "contour":
		return sixel
	}
	return nil
}

// shrunk decodes a picture and makes it fit into a terminal.
func shrunk(content []byte) (image.Image, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if size.Width*size.Height > maxPixels {
		return nil, fmt.Errorf("a picture of %d by %d pixels", size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	w, h := size.Width, size.Height
	if scale := min(shownWidth/float64(w), shownHeight/float64(h)); scale < 1 {
		w, h = max(int(float64(w)*scale), 1), max(int(float64(h)*scale), 1)
	}
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	return small, nil
}

// kitty sends a PNG in parts of 4 KiB.
func kitty(w io.Writer, content []byte) error {
	picture, err := shrunk(content)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(file.Bytes())
	for first := true; text != ""; first = false {
		part := text[:min(len(text), 4096)]
		text = text[len(part):]
		control, more := "", 1
		if first {
			control = "a=T,f=100,"
		}
		if text == "" {
			more = 0
		}
		if _, err := fmt.Fprintf(w, "\x1b_G%sm=%d;%s\x1b\\", control, more, part); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(w)
	return err
}

// iterm2 sends the picture as it fits.
func iterm2(w io.Writer, content []byte) error {
	picture, err := shrunk(content)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\x1b]1337;File=inline=1;size=%d:%s\a\n", file.Len(), base64.StdEncoding.EncodeToString(file.Bytes()))
	return err
}

// sixel sends the picture in the 216 colors that are safe everywhere, dithered.
func sixel(w io.Writer, content []byte) error {
	picture, err := shrunk(content)
	if err != nil {
		return err
	}
	on := image.NewRGBA(picture.Bounds())
	draw.Draw(on, on.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(on, on.Bounds(), picture, image.Point{}, draw.Over)
	dots := image.NewPaletted(on.Bounds(), palette.WebSafe)
	draw.FloydSteinberg.Draw(dots, dots.Bounds(), on, image.Point{})
	var b strings.Builder
	fmt.Fprintf(&b, "\x1bPq\"1;1;%d;%d", dots.Rect.Dx(), dots.Rect.Dy())
	for i, c := range dots.Palette {
		r, g, bl, _ := c.RGBA()
		fmt.Fprintf(&b, "#%d;2;%d;%d;%d", i, r*100/65535, g*100/65535, bl*100/65535)
	}
	for top := 0; top < dots.Rect.Dy(); top += 6 {
		sixelBand(&b, dots, top)
		b.WriteByte('-')
	}
	b.WriteString("\x1b\\\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// sixelBand writes six rows, color by color; equal columns are counted.
func sixelBand(b *strings.Builder, dots *image.Paletted, top int) {
	width := dots.Rect.Dx()
	var columns [256][]byte
	for y := top; y < min(top+6, dots.Rect.Dy()); y++ {
		for x := range width {
			c := dots.ColorIndexAt(x, y)
			if columns[c] == nil {
				columns[c] = make([]byte, width)
			}
			columns[c][x] |= 1 << (y - top)
		}
	}
	for c, column := range columns {
		if column == nil {
			continue
		}
		fmt.Fprintf(b, "#%d", c)
		for x := 0; x < width; {
			same := x
			for same < width && column[same] == column[x] {
				same++
			}
			if n := same - x; n > 3 {
				fmt.Fprintf(b, "!%d%c", n, column[x]+63)
			} else {
				b.WriteString(strings.Repeat(string(rune(column[x]+63)), n))
			}
			x = same
		}
		b.WriteByte('$')
	}
}
