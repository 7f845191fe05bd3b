package paint

import (
	"image"
	"math"
	"math/rand/v2"
	"strings"
)

// look is a way to make a finished picture look as if it were made by other
// means, and the phrases that call for it.
type look struct {
	name    string
	phrases []string
	make    func(*sheet)
}

// looks are all of them; the first whose phrase stands in a prompt is taken.
var looks = []look{
	{"watercolour", []string{"watercolour", "watercolor", "aquarelle"}, watercolor},
	{"paper-cut", []string{"paper cut", "papercut", "cut paper", "paper collage"}, paperCut},
	{"blueprint", []string{"blueprint", "technical plan"}, blueprint},
	{"pixel", []string{"pixel", "pixels", "pixel art", "pixelated", "8 bit"}, pixels},
	{"comic", []string{"comic", "comics", "comic book", "manga", "cartoon"}, comic},
	{"chalk", []string{"chalk", "chalkboard", "blackboard"}, chalk},
	{"isometric", []string{"isometric"}, isometric},
	{"oil", []string{"oil painting", "oil on canvas", "impressionist", "brush strokes"}, oil},
	{"ink", []string{"ink drawing", "pen drawing", "in ink", "pencil drawing", "sketch", "line drawing", "cross hatching"}, ink},
	{"storybook", []string{"storybook", "picture book", "children s book"}, storybook},
	{"poster", []string{"poster", "screen print", "screenprint"}, poster},
	{"photo", []string{"photo", "photograph", "photographic", "photorealistic"}, photo},
}

// Look changes a picture in place into the look that the words of a prompt call
// for, and names it; "" when they call for none. The same picture, prompt and
// seed yield the same pixels.
func Look(img *image.RGBA, prompt string, seed int64) string {
	text := " " + strings.Join(wordsOf(prompt), " ") + " "
	for _, l := range looks {
		for _, phrase := range l.phrases {
			if strings.Contains(text, " "+phrase+" ") {
				s := newSheet(img, seed)
				l.make(s)
				return l.name
			}
		}
	}
	return ""
}

// sheet is a picture that a look works on. unit is the length of its shorter
// side in pixels.
type sheet struct {
	*image.RGBA
	w, h  int
	unit  float64
	rng   *rand.Rand
	noise *noise
}

func newSheet(img *image.RGBA, seed int64) *sheet {
	rng := rand.New(rand.NewPCG(uint64(seed), 0x100c))
	b := img.Bounds()
	return &sheet{RGBA: img, w: b.Dx(), h: b.Dy(), unit: float64(min(b.Dx(), b.Dy())), rng: rng, noise: newNoise(rng)}
}

func (s *sheet) get(x, y int) rgb {
	i := y*s.Stride + x*4
	return rgb{float64(s.Pix[i]) / 255, float64(s.Pix[i+1]) / 255, float64(s.Pix[i+2]) / 255}
}

func (s *sheet) put(x, y int, v rgb) {
	i := y*s.Stride + x*4
	s.Pix[i], s.Pix[i+1], s.Pix[i+2], s.Pix[i+3] = channel(v.R), channel(v.G), channel(v.B), 255
}

// each changes every pixel by itself.
func (s *sheet) each(f func(x, y int, v rgb) rgb) {
	for y := range s.h {
		for x := range s.w {
			s.put(x, y, f(x, y, s.get(x, y)))
		}
	}
}

// grey is how light a color looks, from 0 to 1.
func (a rgb) grey() float64 { return 0.299*a.R + 0.587*a.G + 0.114*a.B }

// rich moves a color away from its grey.
func (a rgb) rich(by float64) rgb {
	g := a.grey()
	return rgb{g + (a.R-g)*by, g + (a.G-g)*by, g + (a.B-g)*by}
}

// greys are all pixels as lightness, row by row.
func (s *sheet) greys() []float32 {
	all := make([]float32, s.w*s.h)
	for y := range s.h {
		for x := range s.w {
			all[y*s.w+x] = float32(s.get(x, y).grey())
		}
	}
	return all
}

// soften blurs the picture by a box of a radius in pixels, twice.
func (s *sheet) soften(radius int) {
	line := make([]byte, max(s.w, s.h)*4)
	for range 2 {
		for y := range s.h {
			blurLine(s.Pix[y*s.Stride:], line, s.w, 4, radius)
		}
		for x := range s.w {
			blurLine(s.Pix[x*4:], line, s.h, s.Stride, radius)
		}
	}
}

// blurLine blurs n pixels that stand step bytes apart.
func blurLine(pix, line []byte, n, step, radius int) {
	for k := range 3 {
		for i := range n {
			line[i] = pix[i*step+k]
		}
		sum, count := 0, 0
		for i := 0; i < min(radius, n); i++ {
			sum, count = sum+int(line[i]), count+1
		}
		for i := range n {
			if i+radius < n {
				sum, count = sum+int(line[i+radius]), count+1
			}
			if i-radius-1 >= 0 {
				sum, count = sum-int(line[i-radius-1]), count-1
			}
			pix[i*step+k] = byte(sum / count)
		}
	}
}

// edges are how sharply lightness changes at each pixel, from 0 to 1, measured
// over a step in pixels.
func edges(greys []float32, w, h, step int) []float32 {
	found := make([]float32, len(greys))
	for y := range h {
		up, down := max(0, y-step)*w, min(h-1, y+step)*w
		for x := range w {
			left, right := max(0, x-step), min(w-1, x+step)
			dx := greys[y*w+right] - greys[y*w+left]
			dy := greys[down+x] - greys[up+x]
			found[y*w+x] = float32(min(1, math.Sqrt(float64(dx*dx+dy*dy))*3))
		}
	}
	return found
}

// step is a length in parts of the shorter side, as pixels, at least one.
func (s *sheet) step(parts float64) int { return max(1, int(s.unit*parts+0.5)) }

// at is a place in units of the shorter side.
func (s *sheet) at(x, y int) (float64, float64) {
	return (float64(x) + 0.5) / s.unit, (float64(y) + 0.5) / s.unit
}

// texture is noise from 0 to 1 at a place in units.
func (s *sheet) texture(x, y float64, octaves int) float64 {
	return clamp(0.5 + 0.4*s.noise.fractal(x, y, octaves))
}
