package library

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"golang.org/x/image/draw"
)

// maxPalette is how many colors a palette has.
const maxPalette = 6

// paletteSide is the longest side in pixels at which colors are counted.
const paletteSide = 96

// palette are the most frequent colors of a picture as #rrggbb, none of them
// close to another; what is see-through does not count.
func palette(img image.Image) []string {
	b := img.Bounds()
	width, height := b.Dx(), b.Dy()
	if longest := max(width, height); longest > paletteSide {
		width, height = max(1, width*paletteSide/longest), max(1, height*paletteSide/longest)
	}
	small := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.ApproxBiLinear.Scale(small, small.Rect, img, b, draw.Src, nil)
	// Pixels are gathered in cells of eight levels a channel, each of which
	// becomes the mean of what fell into it.
	cells := map[[3]uint8]*cell{}
	for i := 0; i < len(small.Pix); i += 4 {
		r, g, b, a := small.Pix[i], small.Pix[i+1], small.Pix[i+2], small.Pix[i+3]
		if a < 128 {
			continue
		}
		key := [3]uint8{r >> 5, g >> 5, b >> 5}
		if cells[key] == nil {
			cells[key] = &cell{}
		}
		cells[key].add(int(r), int(g), int(b), 1)
	}
	all := make([]*cell, 0, len(cells))
	for _, c := range cells {
		all = append(all, c)
	}
	return frequent(all)
}

// joinedPalette are the colors of several pictures, of which those of each come
// in the order of their palettes.
func joinedPalette(palettes ...[]string) []string {
	var all []*cell
	for _, colors := range palettes {
		for i, color := range colors {
			var r, g, b int
			if _, err := fmt.Sscanf(color, "#%02x%02x%02x", &r, &g, &b); err == nil {
				c := &cell{}
				c.add(r, g, b, maxPalette-min(i, maxPalette-1))
				all = append(all, c)
			}
		}
	}
	return frequent(all)
}

// cell is a number of pixels and the sums of their channels.
type cell struct{ r, g, b, n int }

func (c *cell) add(r, g, b, n int) { c.r, c.g, c.b, c.n = c.r+r*n, c.g+g*n, c.b+b*n, c.n+n }

func (c *cell) mean() [3]int { return [3]int{c.r / c.n, c.g / c.n, c.b / c.n} }

// apart is the square of how far two colors lie apart; closeBy is too near for
// two of one palette.
func (c *cell) apart(d *cell) int {
	p, q := c.mean(), d.mean()
	r, g, b := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return 2*r*r + 4*g*g + 3*b*b
}

const closeBy = 48 * 48 * 3

// frequent joins colors that lie close together and names the most frequent.
func frequent(all []*cell) []string {
	order := func(c, d *cell) int {
		if c.n != d.n {
			return cmp.Compare(d.n, c.n)
		}
		p, q := c.mean(), d.mean()
		return slices.Compare(p[:], q[:])
	}
	slices.SortFunc(all, order)
	var joined []*cell
	for _, c := range all {
		if i := slices.IndexFunc(joined, func(d *cell) bool { return c.apart(d) < closeBy }); i >= 0 {
			joined[i].n += c.n
			joined[i].r, joined[i].g, joined[i].b = joined[i].r+c.r, joined[i].g+c.g, joined[i].b+c.b
			continue
		}
		joined = append(joined, c)
	}
	slices.SortFunc(joined, order)
	colors := []string{}
	for _, c := range joined[:min(len(joined), maxPalette)] {
		p := c.mean()
		colors = append(colors, fmt.Sprintf("#%02x%02x%02x", p[0], p[1], p[2]))
	}
	return colors
}
