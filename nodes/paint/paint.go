// Package paint composes pictures without any model: a palette and a style
// follow the words of a prompt, everything else follows the seed. The same
// brief always yields the same pixels.
package paint

import (
	"hash/fnv"
	"image"
	"math/rand/v2"
	"strings"
)

// Brief is what to paint. Width and Height are in pixels.
type Brief struct {
	Prompt, Avoid string
	Seed          int64
	Width, Height int
}

// canvas is what a style paints on; every length is in units of the shorter
// side, so that a picture looks the same at every resolution.
type canvas struct {
	*image.RGBA
	w, h    int
	unit    float64
	palette Palette
	rng     *rand.Rand
	noise   *noise
}

// Picture paints the brief, and names the style that it chose.
func Picture(b Brief) (*image.RGBA, string) {
	words := wordsOf(b.Prompt)
	key := fnv.New64a()
	key.Write([]byte(strings.Join(words, " ") + "\x00" + strings.ToLower(strings.TrimSpace(b.Avoid))))
	rng := rand.New(rand.NewPCG(key.Sum64(), uint64(b.Seed)))
	avoid := wordsOf(b.Avoid)
	s := chooseStyle(words, avoid, rng)
	c := &canvas{
		RGBA: image.NewRGBA(image.Rect(0, 0, b.Width, b.Height)), w: b.Width, h: b.Height,
		unit: float64(min(b.Width, b.Height)), palette: choosePalette(words, avoid, rng), rng: rng, noise: newNoise(rng),
	}
	s.paint(c)
	c.finish()
	return c.RGBA, s.name
}

// wordsOf are the lower-case words of a text, singular where that is easy.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 0x80
	})
}
