package paint

import "math"

// layered is which of several tones each pixel has, and the mean color of each.
func (s *sheet) layered(levels int) ([]uint8, []rgb) {
	var histogram [256]int
	for y := range s.h {
		for x := range s.w {
			histogram[int(clamp(s.get(x, y).grey())*255)]++
		}
	}
	var bound [256]uint8 // each tone takes as many pixels as the others
	seen, total := 0, s.w*s.h
	for g, n := range histogram {
		bound[g] = uint8(min(levels-1, (seen+n/2)*levels/total))
		seen += n
	}
	of, sums, counts := make([]uint8, total), make([]rgb, levels), make([]float64, levels)
	for y := range s.h {
		for x := range s.w {
			v := s.get(x, y)
			k := bound[int(clamp(v.grey())*255)]
			of[y*s.w+x] = k
			sums[k] = rgb{sums[k].R + v.R, sums[k].G + v.G, sums[k].B + v.B}
			counts[k]++
		}
	}
	for k := range sums {
		sums[k] = sums[k].scale(1 / max(1, counts[k]))
	}
	return of, sums
}

// paperCut makes layers of one color each, which throw shadows on those below.
func paperCut(s *sheet) {
	s.soften(s.step(0.012))
	of, tones := s.layered(6)
	away := s.step(0.011)
	s.each(func(x, y int, _ rgb) rgb {
		k := of[y*s.w+x]
		px, py := s.at(x, y)
		v := tones[k].rich(1.35).scale(0.965 + 0.07*s.texture(px*70, py*70, 2))
		shade := 0.0
		for i := 1; i <= 4; i++ {
			d := away * i / 4
			if x >= d && y >= d && of[(y-d)*s.w+x-d] < k { // the darker layer lies on top
				shade = max(shade, 1-float64(i)/5)
			}
		}
		return v.scale(1 - 0.38*shade)
	})
}

// pixels are large and of few colors.
func pixels(s *sheet) {
	size := s.step(1.0 / 72)
	for by := 0; by < s.h; by += size {
		for bx := 0; bx < s.w; bx += size {
			v := s.mean(bx, by, size, size).rich(1.25)
			spread := (float64((bx/size+by/size)%2) - 0.5) * 0.05
			few := func(c float64) float64 { return math.Floor(clamp(c+spread)*6+0.5) / 6 }
			v = rgb{few(v.R), few(v.G), few(v.B)}
			for y := by; y < min(s.h, by+size); y++ {
				for x := bx; x < min(s.w, bx+size); x++ {
					s.put(x, y, v)
				}
			}
		}
	}
}

// mean is the color of a box.
func (s *sheet) mean(x0, y0, w, h int) rgb {
	var sum rgb
	n := 0.0
	step := max(1, w/6)
	for y := max(0, y0); y < min(s.h, y0+h); y += step {
		for x := max(0, x0); x < min(s.w, x0+w); x += step {
			v := s.get(x, y)
			sum, n = rgb{sum.R + v.R, sum.G + v.G, sum.B + v.B}, n+1
		}
	}
	return sum.scale(1 / max(1, n))
}

// comic has flat colors, black outlines, and dots where it is half dark.
func comic(s *sheet) {
	s.soften(s.step(0.004))
	lines := edges(s.greys(), s.w, s.h, s.step(0.0026))
	of, tones := s.layered(5)
	cell := s.unit * 0.0125
	s.each(func(x, y int, v rgb) rgb {
		k := of[y*s.w+x]
		v = v.over(tones[k], 0.7).rich(1.7)
		v = v.scale(0.55+0.17*float64(k)).over(rgb{1, 0.98, 0.9}, 0.05*float64(k))
		fx, fy := (float64(x)+float64(y))*math.Sqrt2/2, (float64(x)-float64(y))*math.Sqrt2/2
		dx, dy := math.Mod(fx+1e4*cell, cell)/cell-0.5, math.Mod(fy+1e4*cell, cell)/cell-0.5
		if k == 1 || k == 2 {
			v = v.over(rgb{0.1, 0.06, 0.16}, 0.55*(1-smooth(0.22, 0.32, math.Hypot(dx, dy)*[]float64{0, 0.75, 1.15, 0, 0}[k])))
		}
		return v.over(rgb{0.04, 0.03, 0.06}, smooth(0.2, 0.42, float64(lines[y*s.w+x])))
	})
}

// poster has four strong flat colors.
func poster(s *sheet) {
	s.soften(s.step(0.01))
	of, tones := s.layered(4)
	chroma, hue := tones[2].chromaHue()
	chroma = max(0.15, chroma)
	strong := []rgb{lch(0.24, 0.07, hue+200), lch(0.5, chroma, hue-25), lch(0.72, chroma, hue+20), lch(0.95, 0.035, hue+50)}
	s.each(func(x, y int, _ rgb) rgb {
		px, py := s.at(x, y)
		v := strong[of[y*s.w+x]]
		return v.scale(0.985 + 0.03*s.texture(px*110, py*110, 2))
	})
}

// isometric builds the picture out of blocks, higher where it is lighter.
func isometric(s *sheet) {
	side := s.unit / 30 // half the width of a block
	source := &sheet{RGBA: copied(s.RGBA), w: s.w, h: s.h, unit: s.unit}
	ground := source.mean(0, 0, s.w, s.h)
	s.each(func(x, y int, v rgb) rgb { return ground.over(rgb{0.96, 0.95, 0.93}, 0.75) })
	rows := int(float64(s.h)/(side/2)) + 8
	for row := -4; row < rows; row++ {
		shift := 0.0
		if row%2 != 0 {
			shift = side
		}
		for cx := shift - side; cx < float64(s.w)+side; cx += 2 * side {
			cy := float64(row) * side / 2
			v := source.mean(int(cx-side/2), int(cy-side/4), int(side), int(side/2))
			if cy < 0 || cy >= float64(s.h) || cx < 0 || cx >= float64(s.w) {
				v = source.mean(clampInt(int(cx), s.w-8), clampInt(int(cy), s.h-8), 8, 8)
			}
			s.block(cx, cy, side, side*(0.35+1.5*v.grey()), v.rich(1.3))
		}
	}
}

func clampInt(v, most int) int { return max(0, min(v, most)) }

// block draws a block whose top has its middle at x, y minus its height.
func (s *sheet) block(x, y, side, height float64, v rgb) {
	top := y - height*0.5
	for py := max(0, int(top-side/2)); py <= min(s.h-1, int(y+side/2+height*0.5)); py++ {
		for px := max(0, int(x-side)); px <= min(s.w-1, int(x+side)); px++ {
			dx, dy := math.Abs(float64(px)+0.5-x)/side, float64(py)+0.5-top
			rim := (1 - dx) * side / 2
			switch {
			case dx > 1:
			case math.Abs(dy) <= rim:
				s.put(px, py, v.scale(1.12))
			case dy > rim && dy <= rim+height && float64(px) < x:
				s.put(px, py, v.scale(0.8))
			case dy > rim && dy <= rim+height:
				s.put(px, py, v.scale(0.6))
			}
		}
	}
}
