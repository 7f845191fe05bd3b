package paint

import "math"

// watercolor lets the colors run, darkens the rims of washes and leaves paper white.
func watercolor(s *sheet) {
	s.soften(s.step(0.009))
	greys := s.greys()
	for i, g := range greys {
		greys[i] = float32(math.Floor(float64(g)*6+0.5) / 6)
	}
	rims := edges(greys, s.w, s.h, s.step(0.0022))
	paper := rgb{0.985, 0.975, 0.95}
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		wash := 0.72 + 0.28*s.texture(px*5, py*5, 4)
		grain := s.texture(px*90, py*90, 2)
		v = v.mix(paper, 0.30+0.25*(1-wash)).rich(1.15)
		v = v.scale(1 - 0.22*float64(rims[y*s.w+x])).scale(0.965 + 0.05*grain)
		return v.over(paper, s.margin(px, py, 0.05, 0.035))
	})
}

// margin is how much of the paper shows at a ragged rim of a width, in units.
func (s *sheet) margin(px, py, width, ragged float64) float64 {
	w, h := float64(s.w)/s.unit, float64(s.h)/s.unit
	d := min(px, py, w-px, h-py) + ragged*(s.texture(px*7+3, py*7, 4)-0.5)*2
	return 1 - smooth(width*0.55, width, d)
}

// ink draws outlines and hatches what is dark, on paper.
func ink(s *sheet) {
	s.soften(s.step(0.0015))
	greys := s.greys()
	lines := edges(greys, s.w, s.h, s.step(0.0016))
	spacing := s.unit * 0.0085
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		fx, fy := float64(x), float64(y)
		wobble := (s.texture(px*14, py*14, 2) - 0.5) * spacing * 2
		dark := smooth(0.12, 0.42, float64(lines[y*s.w+x]))
		g := v.grey()
		for i, level := range []float64{0.68, 0.47, 0.27} {
			angle := []float64{0.8, -0.7, 0.15}[i]
			sin, cos := math.Sincos(angle)
			at := math.Mod(fx*cos+fy*sin+wobble+1e6*spacing, spacing) / spacing
			thick := 0.16 + 0.34*clamp((level-g)*2.5)
			if g < level {
				dark = max(dark, 1-smooth(thick*0.6, thick, math.Abs(at-0.5)*2))
			}
		}
		return rgb{0.97, 0.955, 0.92}.over(rgb{0.08, 0.08, 0.11}, dark*0.94)
	})
}

// storybook warms the colors, draws brown outlines, and fades into cream.
func storybook(s *sheet) {
	s.soften(s.step(0.003))
	lines := edges(s.greys(), s.w, s.h, s.step(0.002))
	cream := rgb{0.995, 0.965, 0.88}
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		v = rgb{v.R*1.06 + 0.03, v.G + 0.015, v.B * 0.9}.rich(1.12).over(cream, 0.14)
		v = v.over(rgb{0.33, 0.2, 0.12}, 0.7*smooth(0.22, 0.6, float64(lines[y*s.w+x])))
		v = v.scale(0.97 + 0.06*s.texture(px*60, py*60, 2))
		return v.over(cream, s.margin(px, py, 0.09, 0.02))
	})
}

// blueprint shows outlines in white on blue, over a grid.
func blueprint(s *sheet) {
	s.soften(s.step(0.002))
	lines := edges(s.greys(), s.w, s.h, s.step(0.0016))
	cell := s.unit / 24
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		ground := rgb{0.06, 0.23, 0.5}.over(rgb{0.12, 0.36, 0.68}, v.grey()*0.55).scale(0.96 + 0.08*s.texture(px*8, py*8, 3))
		grid := max(onLine(float64(x), cell, s.unit*0.0008), onLine(float64(y), cell, s.unit*0.0008))*0.16 +
			max(onLine(float64(x), cell*6, s.unit*0.0014), onLine(float64(y), cell*6, s.unit*0.0014))*0.2
		return ground.over(rgb{0.92, 0.97, 1}, max(grid, smooth(0.08, 0.4, float64(lines[y*s.w+x]))*0.95))
	})
}

// onLine tells whether a place lies on one of the lines that stand apart by a distance.
func onLine(at, apart, thick float64) float64 {
	d := math.Abs(math.Mod(at+apart/2, apart) - apart/2)
	if d <= max(0.5, thick) {
		return 1
	}
	return 0
}

// chalk draws dusty colored lines on a dark board.
func chalk(s *sheet) {
	s.soften(s.step(0.0025))
	lines := edges(s.greys(), s.w, s.h, s.step(0.003))
	s.each(func(x, y int, v rgb) rgb {
		px, py := s.at(x, y)
		dust := s.texture(px*120, py*120, 2)
		smear := s.texture(px*4+9, py*9, 4)
		board := rgb{0.13, 0.19, 0.17}.over(rgb{0.55, 0.6, 0.57}, 0.10*smear)
		tone := v.rich(1.3).over(rgb{1, 1, 0.97}, 0.35)
		fill := 0.5 * smooth(0.25, 0.95, v.grey()) * smooth(0.3, 0.75, dust)
		line := smooth(0.05, 0.28, float64(lines[y*s.w+x])) * (0.45 + 0.55*smooth(0.25, 0.6, dust))
		return board.over(tone, max(fill, line*0.95))
	})
}
