package scene

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var letters = func() *sfnt.Font {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return f
}()

// em is the size of letters in the units of their outlines.
const em = 1024

// letter is the form of one, and how far it takes the line.
type letter struct {
	parts   []flatShape
	advance float64
}

// forms are the letters that were drawn before, by their number in the font.
var forms known[sfnt.GlyphIndex, letter]

// letterOf is the form of a character; false for what the font does not have.
func letterOf(buffer *sfnt.Buffer, r rune) (letter, bool) {
	glyph, err := letters.GlyphIndex(buffer, r)
	if err != nil || glyph == 0 {
		return letter{}, false
	}
	if drawn, ok := forms.load(glyph); ok {
		return drawn, true
	}
	segments, err := letters.LoadGlyph(buffer, glyph, fixed.I(em), nil)
	if err != nil {
		return letter{}, false
	}
	l := letter{parts: partsOf(ringsOf(segments))}
	if advance, err := letters.GlyphAdvance(buffer, glyph, fixed.I(em), font.HintingNone); err == nil {
		l.advance = float64(advance) / 64
	}
	forms.store(glyph, l)
	return l, true
}

// write writes a line of solid letters that stands on foot, one metre high by capital letters.
func (p *pen) write(foot Vec, text string, height, depth float64) {
	type placed struct {
		letter
		x float64
	}
	var all []placed
	var buffer sfnt.Buffer
	x := 0.0
	for _, r := range text {
		if l, ok := letterOf(&buffer, r); ok {
			all = append(all, placed{l, x})
			x += l.advance
		}
	}
	size := height / (0.72 * em)
	for _, l := range all {
		for _, part := range l.parts {
			p.solid(foot, depth, part.mapped(func(v [2]float64) [2]float64 { return [2]float64{(v[0] + l.x - x/2) * size, v[1] * size} }))
		}
	}
}

// partsOf are the shapes of rings: those that run one way are solid, the others are holes in them.
func partsOf(rings [][][2]float64) (all []flatShape) {
	for _, ring := range rings {
		if area(ring) >= 0 { // outlines of fonts run clockwise with y up
			continue
		}
		var holes [][][2]float64
		for _, other := range rings {
			if area(other) > 0 && holds(ring, other[0]) {
				holes = append(holes, other)
			}
		}
		all = append(all, flatOf(ring, holes))
	}
	return all
}

// holds tells whether a ring goes round a point.
func holds(ring [][2]float64, p [2]float64) (in bool) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if a[1] > p[1] != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

// ringsOf walks the outlines of a letter, with y upwards.
func ringsOf(segments sfnt.Segments) (rings [][][2]float64) {
	var ring [][2]float64
	point := func(f fixed.Point26_6) [2]float64 { return [2]float64{float64(f.X) / 64, -float64(f.Y) / 64} }
	add := func(p [2]float64) {
		if len(ring) == 0 || ring[len(ring)-1] != p {
			ring = append(ring, p)
		}
	}
	end := func() {
		if len(ring) > 1 && ring[0] == ring[len(ring)-1] {
			ring = ring[:len(ring)-1]
		}
		if len(ring) > 2 {
			rings = append(rings, ring)
		}
		ring = nil
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			end()
			add(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			add(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			a, b, c := ring[len(ring)-1], point(s.Args[0]), point(s.Args[1])
			for i := 1; i <= 5; i++ {
				t := float64(i) / 5
				u := 1 - t
				add([2]float64{u*u*a[0] + 2*u*t*b[0] + t*t*c[0], u*u*a[1] + 2*u*t*b[1] + t*t*c[1]})
			}
		}
	}
	end()
	return rings
}
