package face

import (
	"image"
	"sort"

	"github.com/lucasb-eyer/go-colorful"
	"golang.org/x/image/draw"
)

// Look are the colors of a person in a picture as #rrggbb; empty where the picture
// does not show the place.
type Look struct{ Hair, Skin, Clothes string }

// Colors reads the colors in and around the box of a face.
func Colors(img image.Image, b Box) Look {
	small := reduced(img)
	return Look{
		Hair:    middle(small, Box{X: b.X + b.Width*0.2, Y: b.Y - b.Height*0.28, Width: b.Width * 0.6, Height: b.Height * 0.22}),
		Skin:    middle(small, Box{X: b.X + b.Width*0.25, Y: b.Y + b.Height*0.42, Width: b.Width * 0.5, Height: b.Height * 0.26}),
		Clothes: middle(small, Box{X: b.X - b.Width*0.1, Y: b.Y + b.Height*1.35, Width: b.Width * 1.2, Height: b.Height * 0.45}),
	}
}

// colorSide is the longest side in pixels at which colors are read.
const colorSide = 320

func reduced(img image.Image) *image.NRGBA {
	small := image.NewNRGBA(shrunk(img, colorSide))
	draw.ApproxBiLinear.Scale(small, small.Rect, img, img.Bounds(), draw.Src, nil)
	return small
}

// lab is a color in OKLab, in which distances are as the eye sees them.
type lab struct{ l, a, b float64 }

func (p lab) apart(q lab) float64 {
	l, a, b := p.l-q.l, p.a-q.a, p.b-q.b
	return l*l + a*a + b*b
}

// middle is the middle color of a part of the picture; empty when less than half
// of the part lies within.
func middle(img *image.NRGBA, part Box) string {
	width, height := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	whole := image.Rect(int(part.X*width), int(part.Y*height), int((part.X+part.Width)*width), int((part.Y+part.Height)*height))
	seen := whole.Intersect(img.Rect)
	if whole.Empty() || seen.Dx()*seen.Dy()*2 < whole.Dx()*whole.Dy() {
		return ""
	}
	return median(labs(img, seen))
}

// Middle is the middle of some colors as #rrggbb, of which empty ones do not count.
func Middle(colors ...string) string {
	var points []lab
	for _, hex := range colors {
		if c, err := colorful.Hex(hex); err == nil {
			points = append(points, toLab(c))
		}
	}
	return median(points)
}

// median is the middle of colors in each of their three parts; empty without any.
func median(points []lab) string {
	if len(points) == 0 {
		return ""
	}
	medianOf := func(of func(lab) float64) float64 {
		values := make([]float64, len(points))
		for i, p := range points {
			values[i] = of(p)
		}
		sort.Float64s(values)
		return values[len(values)/2]
	}
	return hex(lab{medianOf(func(p lab) float64 { return p.l }), medianOf(func(p lab) float64 { return p.a }), medianOf(func(p lab) float64 { return p.b })})
}

// Palette are the colors of pictures, at most so many, the most frequent first;
// the same pictures have the same.
func Palette(most int, pictures ...image.Image) []string {
	var points []lab
	for _, img := range pictures {
		small := image.NewNRGBA(shrunk(img, 96))
		draw.ApproxBiLinear.Scale(small, small.Rect, img, img.Bounds(), draw.Src, nil)
		points = append(points, labs(small, small.Rect)...)
	}
	return groups(points, most)
}

// groups is k-means in OKLab, begun with points far from each other. Groups that
// look the same are one.
func groups(points []lab, most int) []string {
	if len(points) == 0 || most < 1 {
		return []string{}
	}
	centres := []lab{points[len(points)/2]}
	for len(centres) < most {
		far, apart := lab{}, 0.0
		for _, p := range points {
			if d := nearest(centres, p); p.apart(centres[d]) > apart {
				far, apart = p, p.apart(centres[d])
			}
		}
		if apart < 0.002 {
			break
		}
		centres = append(centres, far)
	}
	counts := make([]int, len(centres))
	for range 8 {
		sums := make([]lab, len(centres))
		clear(counts)
		for _, p := range points {
			i := nearest(centres, p)
			counts[i]++
			sums[i] = lab{sums[i].l + p.l, sums[i].a + p.a, sums[i].b + p.b}
		}
		for i, n := range counts {
			if n > 0 {
				centres[i] = lab{sums[i].l / float64(n), sums[i].a / float64(n), sums[i].b / float64(n)}
			}
		}
	}
	order := make([]int, len(centres))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return counts[order[i]] > counts[order[j]] })
	colors := make([]string, 0, most)
	for _, i := range order {
		if counts[i]*200 >= len(points) {
			colors = append(colors, hex(centres[i]))
		}
	}
	return colors
}

func nearest(centres []lab, p lab) int {
	best := 0
	for i, c := range centres {
		if p.apart(c) < p.apart(centres[best]) {
			best = i
		}
	}
	return best
}

// labs are the colors of a part of a picture that can be seen.
func labs(img *image.NRGBA, part image.Rectangle) []lab {
	points := make([]lab, 0, part.Dx()*part.Dy())
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if c := img.NRGBAAt(x, y); c.A >= 128 {
				points = append(points, toLab(colorful.Color{R: float64(c.R) / 255, G: float64(c.G) / 255, B: float64(c.B) / 255}))
			}
		}
	}
	return points
}

func toLab(c colorful.Color) (p lab) {
	p.l, p.a, p.b = c.OkLab()
	return p
}

func hex(p lab) string { return colorful.OkLab(p.l, p.a, p.b).Clamped().Hex() }
