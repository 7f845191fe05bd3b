package paint

import (
	"image"
	"math"
)

func copied(img *image.RGBA) *image.RGBA {
	c := image.NewRGBA(img.Bounds())
	copy(c.Pix, img.Pix)
	return c
}

// oil lays brush strokes along the outlines, large ones first.
func oil(s *sheet) {
	s.soften(s.step(0.004))
	source := &sheet{RGBA: copied(s.RGBA), w: s.w, h: s.h, unit: s.unit}
	greys := source.greys()
	c := &canvas{RGBA: s.RGBA, w: s.w, h: s.h, unit: s.unit}
	reach := s.step(0.008)
	for _, pass := range []struct {
		count         int
		length, width float64
	}{{2600, 0.085, 0.024}, {9000, 0.045, 0.012}, {12000, 0.022, 0.006}} {
		spread := math.Sqrt(float64(s.w*s.h)) / s.unit
		for range int(float64(pass.count) * spread) {
			x, y := s.rng.IntN(s.w), s.rng.IntN(s.h)
			left, right := max(0, x-reach), min(s.w-1, x+reach)
			up, down := max(0, y-reach), min(s.h-1, y+reach)
			dx, dy := float64(greys[y*s.w+right]-greys[y*s.w+left]), float64(greys[down*s.w+x]-greys[up*s.w+x])
			px, py := s.at(x, y)
			angle := math.Atan2(dx, -dy)
			if math.Hypot(dx, dy) < 0.02 {
				angle = s.texture(px*2.5, py*2.5, 2) * 7
			}
			sin, cos := math.Sincos(angle + (s.rng.Float64()-0.5)*0.5)
			half := pass.length / 2 * (0.6 + 0.8*s.rng.Float64())
			v := source.get(x, y).rich(1.35).scale(0.88 + 0.26*s.rng.Float64())
			c.segment(px-cos*half, py-sin*half, px+cos*half, py+sin*half, pass.width, v, 0.88)
			off := pass.width * 0.3
			c.segment(px-cos*half-sin*off, py-sin*half+cos*off, px+cos*half-sin*off, py+sin*half+cos*off, pass.width*0.18, v.scale(0.8), 0.4)
			c.segment(px-cos*half+sin*off, py-sin*half-cos*off, px+cos*half+sin*off, py+sin*half-cos*off, pass.width*0.15, v.over(rgb{1, 1, 1}, 0.3), 0.35)
		}
	}
	s.each(func(x, y int, v rgb) rgb { // the weave of the canvas
		weave := math.Sin(float64(x)/s.unit*1100) * math.Sin(float64(y)/s.unit*1100)
		return v.scale(0.985 + 0.025*weave)
	})
}

// photo blurs what lies away from the middle, deepens contrasts, and adds grain.
func photo(s *sheet) {
	sharp := copied(s.RGBA)
	s.soften(s.step(0.009))
	w, h := float64(s.w)/s.unit, float64(s.h)/s.unit
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		away := math.Hypot((px-w/2)*0.75, (py-h*0.56)*1.15)
		i := y*s.Stride + x*4
		clear := rgb{float64(sharp.Pix[i]) / 255, float64(sharp.Pix[i+1]) / 255, float64(sharp.Pix[i+2]) / 255}
		v = clear.over(v, smooth(0.2, 0.5, away))
		curve := func(c float64) float64 { return c + 0.22*(smooth(0, 1, c)-c) }
		v = rgb{curve(v.R) * 1.02, curve(v.G), curve(v.B) * 0.97}.scale(1.04 - 0.34*smooth(0.35, 0.95, away))
		grain := (s.texture(px*310, py*310, 2) - 0.5) * 0.07
		return rgb{v.R + grain, v.G + grain, v.B + grain}
	})
}
