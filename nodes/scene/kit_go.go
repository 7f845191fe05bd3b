package scene

import "math"

// wheel stands upright, its axle from left to right.
func (p *pen) wheel(middle Vec, r, wide float64) {
	p.at(middle, Vec{0, 0, 90}, 1, func() {
		p.in("#2b2d31").shiny(0, 0.9).lathe(Vec{0, -wide / 2, 0}, 32, false, [2]float64{0, 0}, [2]float64{r * 0.9, 0}, [2]float64{r, wide * 0.15}, [2]float64{r, wide * 0.85}, [2]float64{r * 0.9, wide}, [2]float64{0, wide})
		p.in("#c9ced3").shiny(0.9, 0.3).post(Vec{0, -wide/2 - 0.01, 0}, r*0.55, r*0.55, wide+0.02, 24)
		p.in("#8b9097").shiny(0.9, 0.3).post(Vec{0, -wide/2 - 0.02, 0}, r*0.16, r*0.16, wide+0.04, 12)
	})
}

// profiled is a body seen from the side: z runs forward, y up; it is wide from left to right.
func (p *pen) profiled(wide float64, outline ...[2]float64) {
	// seen from its right side the front is to the left, so z is the negative of the outline's x
	p.at(Vec{}, Vec{0, 90, 0}, 1, func() {
		flipped := make([][2]float64, len(outline))
		for i, o := range outline {
			flipped[i] = [2]float64{-o[0], o[1]}
		}
		p.prism(Vec{}, wide, flipped...)
	})
}

func drawCar(p *pen, _ *Object) {
	p.own(1).shiny(0.35, 0.25).profiled(1.7, [2]float64{-2, 0.35}, [2]float64{2, 0.35}, [2]float64{2.05, 0.6}, [2]float64{1.95, 0.85}, [2]float64{0.95, 0.97}, [2]float64{-1.6, 1}, [2]float64{-2, 0.92})
	p.own(1).shiny(0.35, 0.25).profiled(1.5, [2]float64{1, 0.95}, [2]float64{0.3, 1.45}, [2]float64{-1, 1.48}, [2]float64{-1.6, 0.98})
	p.in("#2f4858").shiny(0.2, 0.08)
	p.profiled(1.52, [2]float64{0.76, 1.02}, [2]float64{0.26, 1.38}, [2]float64{-0.3, 1.4}, [2]float64{-0.3, 1.02})
	p.profiled(1.52, [2]float64{-0.4, 1.02}, [2]float64{-0.4, 1.4}, [2]float64{-0.95, 1.41}, [2]float64{-1.4, 1.03})
	p.face(Vec{-0.66, 1.0, 0.97}, Vec{0.66, 1.0, 0.97}, Vec{0.64, 1.4, 0.405}, Vec{-0.64, 1.4, 0.405})
	p.face(Vec{0.66, 1.04, -1.56}, Vec{-0.66, 1.04, -1.56}, Vec{-0.64, 1.42, -1.1}, Vec{0.64, 1.42, -1.1})
	for _, x := range []float64{-0.8, 0.8} {
		p.wheel(Vec{x, 0.34, 1.25}, 0.34, 0.24)
		p.wheel(Vec{x, 0.34, -1.25}, 0.34, 0.24)
	}
	p.mirrored(func(s float64) {
		p.in("#fff6d8").light(0.6).ball(Vec{s * 0.6, 0.72, 2}, 0.16, 0.1, 0.06)
		p.in("#b3202a").light(0.4).box(Vec{s * 0.62, 0.7, -2}, 0.28, 0.14, 0.06)
		p.in("#dfe3e6").shiny(0.8, 0.3).box(Vec{s * 0.86, 0.8, 0.35}, 0.03, 0.04, 0.2)
		p.own(0.85).ball(Vec{s * 0.92, 1.05, 0.75}, 0.1, 0.07, 0.05)
	})
	p.in("#3a3d42").box(Vec{0, 0.38, 2.02}, 1.5, 0.16, 0.1)
	p.box(Vec{0, 0.38, -2}, 1.5, 0.16, 0.1)
	p.in("#f5f5f0").box(Vec{0, 0.42, 2.07}, 0.5, 0.11, 0.02)
}

func drawBus(p *pen, _ *Object) {
	p.own(1).shiny(0.15, 0.35).profiled(2.3, [2]float64{-4, 0.45}, [2]float64{4, 0.45}, [2]float64{4.1, 1.3}, [2]float64{3.95, 2.85}, [2]float64{3.75, 3}, [2]float64{-3.9, 3}, [2]float64{-4, 2.9})
	p.own(0.8).shiny(0.15, 0.35).box(Vec{0, 1.12, 0}, 2.32, 0.12, 7.9)
	p.mirrored(func(s float64) {
		for i := range 6 {
			p.in("#31495c").shiny(0.2, 0.08).box(Vec{s * 1.13, 1.5, -3.1 + 1.12*float64(i)}, 0.06, 0.95, 0.92)
		}
		p.in("#fff6d8").light(0.6).ball(Vec{s * 0.85, 0.85, 4.06}, 0.15, 0.13, 0.07)
		p.in("#b3202a").light(0.4).box(Vec{s * 0.95, 0.8, -4}, 0.2, 0.35, 0.06)
		p.in("#33363b").box(Vec{s * 1.3, 1.9, 3.95}, 0.14, 0.4, 0.1)
		p.wheel(Vec{s * 1.02, 0.5, 2.55}, 0.5, 0.32)
		p.wheel(Vec{s * 1.02, 0.5, -2.4}, 0.5, 0.32)
	})
	p.in("#31495c").shiny(0.2, 0.08).face(Vec{-1, 1.45, 4.1}, Vec{1, 1.45, 4.1}, Vec{1, 2.55, 4.0}, Vec{-1, 2.55, 4.0})
	p.in("#1f2227").box(Vec{0, 2.62, 3.96}, 1.7, 0.26, 0.05)
	p.in("#ffb703").light(0.8).write(Vec{0, 2.68, 3.99}, "SCHOOL", 0.14, 0.02)
	p.in("#3a3d42").box(Vec{0, 0.42, 4.08}, 2.2, 0.22, 0.12)
	p.in("#31495c").shiny(0.2, 0.08).box(Vec{1.14, 0.7, 3.35}, 0.05, 1.75, 0.75)
}

func drawBicycle(p *pen, _ *Object) {
	for _, z := range []float64{-0.55, 0.55} {
		p.at(Vec{0, 0.35, z}, Vec{0, 0, 90}, 1, func() {
			p.in("#2b2d31").torus(Vec{}, 0.325, 0.025, 48, 12)
			p.in("#c9ced3").shiny(0.9, 0.3).torus(Vec{}, 0.295, 0.008, 48, 8)
			p.rod(Vec{0, -0.05, 0}, Vec{0, 0.05, 0}, 0.02, 12)
			for i := range 12 {
				s, c := math.Sincos(float64(i) * math.Pi / 6)
				p.rod(Vec{}, Vec{0.295 * s, 0, 0.295 * c}, 0.003, 5)
			}
		})
	}
	back, front, crank, seat, head, neck := Vec{0, 0.35, -0.55}, Vec{0, 0.35, 0.55}, Vec{0, 0.32, -0.08}, Vec{0, 0.8, -0.25}, Vec{0, 0.85, 0.36}, Vec{0, 0.7, 0.41}
	p.own(1).shiny(0.4, 0.3)
	for _, l := range [][2]Vec{{crank, seat}, {crank, neck}, {seat.add(Vec{0, -0.06, 0.02}), head.add(Vec{0, -0.05, 0})}, {head, neck}} {
		p.rod(l[0], l[1], 0.022, 12)
	}
	p.mirrored(func(s float64) {
		o := Vec{s * 0.04, 0, 0}
		p.own(1).shiny(0.4, 0.3).rod(crank, back.add(o), 0.012, 10)
		p.rod(seat.add(Vec{0, -0.08, 0.02}), back.add(o), 0.012, 10)
		p.rod(neck, front.add(o), 0.014, 10)
		p.in("#44474c").shiny(0.8, 0.3).rod(crank.add(Vec{s * 0.08, 0, 0}), crank.add(Vec{s * 0.08, -s * 0.1, s * 0.1}), 0.01, 8)
		p.in("#2b2d31").box(crank.add(Vec{s * 0.13, -s*0.1 - 0.01, s * 0.1}), 0.1, 0.025, 0.08)
	})
	p.in("#44474c").shiny(0.8, 0.3).rod(seat, seat.add(Vec{0, 0.12, -0.04}), 0.014, 10)
	p.at(crank, Vec{0, 0, 90}, 1, func() { p.torus(Vec{0, -0.04, 0}, 0.08, 0.01, 28, 8) })
	p.rod(head, head.add(Vec{0, 0.12, -0.03}), 0.014, 10)
	bar := head.add(Vec{0, 0.12, -0.03})
	p.rod(bar.add(Vec{-0.22, 0.02, 0}), bar.add(Vec{0.22, 0.02, 0}), 0.012, 10)
	p.mirrored(func(s float64) {
		p.in("#44474c").shiny(0.8, 0.3).rod(bar.add(Vec{s * 0.22, 0.02, 0}), bar.add(Vec{s * 0.25, 0.02, -0.12}), 0.012, 10)
		p.in("#2b2d31").rod(bar.add(Vec{s * 0.235, 0.02, -0.06}), bar.add(Vec{s * 0.255, 0.02, -0.16}), 0.02, 10)
	})
	p.in("#2b2d31").ball(seat.add(Vec{0, 0.14, -0.1}), 0.09, 0.035, 0.09)
	p.ball(seat.add(Vec{0, 0.14, 0.03}), 0.035, 0.03, 0.11)
}

func drawBoat(p *pen, _ *Object) {
	// the hull, by cuts from stern to bow: half width above and below, keel
	cuts := [][4]float64{{-1.5, 0.55, 0.4, 0.12}, {-0.9, 0.68, 0.5, 0.02}, {0, 0.72, 0.5, 0}, {0.8, 0.55, 0.34, 0.03}, {1.4, 0.28, 0.12, 0.14}, {1.8, 0.02, 0.01, 0.32}}
	corner := func(c [4]float64, i int, s float64) Vec {
		return [3]Vec{{0, c[3], c[0]}, {s * c[2], c[3] + 0.12, c[0]}, {s * c[1], 0.62 + 0.06*c[0]*c[0], c[0]}}[i]
	}
	for k := range len(cuts) - 1 {
		a, b := cuts[k], cuts[k+1]
		p.mirrored(func(s float64) {
			for i := range 2 {
				q := []Vec{corner(a, i, s), corner(b, i, s), corner(b, i+1, s), corner(a, i+1, s)}
				if s > 0 {
					q[1], q[3] = q[3], q[1]
				}
				p.own([]float64{0.75, 1}[i]).shiny(0, 0.5).face(q[0], q[1], q[2])
				p.face(q[0], q[2], q[3])
			}
		})
		p.in("#c89f6d").face(corner(a, 2, -1).add(Vec{0.04, -0.08, 0}), corner(a, 2, 1).add(Vec{-0.04, -0.08, 0}), corner(b, 2, 1).add(Vec{-0.01, -0.08, 0}))
		p.face(corner(a, 2, -1).add(Vec{0.04, -0.08, 0}), corner(b, 2, 1).add(Vec{-0.01, -0.08, 0}), corner(b, 2, -1).add(Vec{0.01, -0.08, 0}))
		p.mirrored(func(s float64) { p.in("#f4efe6").rod(corner(a, 2, s), corner(b, 2, s), 0.035, 8) })
	}
	first := cuts[0]
	p.own(0.9).face(corner(first, 2, -1), corner(first, 1, -1), corner(first, 0, 1), corner(first, 1, 1), corner(first, 2, 1))
	p.in("#f4efe6").rod(corner(first, 2, -1), corner(first, 2, 1), 0.035, 8)
	p.in("#8a5a3a").post(Vec{0, 0.4, 0.2}, 0.05, 0.035, 2.9, 14)
	p.rod(Vec{0, 0.98, 0.2}, Vec{0, 0.95, -1.35}, 0.03, 10)
	sail := func(a, b, c Vec) {
		p.in("#fbf7ec").shiny(0, 0.9).face(a, b, c)
		p.face(c.add(Vec{0.012, 0, 0}), b.add(Vec{0.012, 0, 0}), a.add(Vec{0.012, 0, 0}))
	}
	sail(Vec{0, 1.05, 0.12}, Vec{0, 3.15, 0.17}, Vec{0, 1.02, -1.3})
	sail(Vec{0, 0.98, 1.62}, Vec{0, 2.9, 0.28}, Vec{0, 1.0, 0.35})
	p.in("#e4572e").prism(Vec{}, 0.001, [2]float64{0, 0}, [2]float64{0.001, 0}, [2]float64{0, 0.001})
	p.at(Vec{0, 3.2, 0.2}, Vec{0, 90, 0}, 1, func() {
		p.in("#e4572e").prism(Vec{}, 0.02, [2]float64{0, 0}, [2]float64{0.4, 0.09}, [2]float64{0, 0.18})
	})
}

func drawRocket(p *pen, _ *Object) {
	p.own(1).shiny(0.1, 0.3).lathe(Vec{0, 0.7, 0}, 40, true, [2]float64{0, 0}, [2]float64{0.42, 0}, [2]float64{0.52, 0.5}, [2]float64{0.55, 1.2}, [2]float64{0.5, 2.2}, [2]float64{0.42, 2.7})
	p.in("#d62839").shiny(0.1, 0.3).lathe(Vec{0, 0.7, 0}, 40, true, [2]float64{0.42, 2.7}, [2]float64{0.3, 3.15}, [2]float64{0.12, 3.55}, [2]float64{0, 3.72})
	p.lathe(Vec{0, 0.7, 0}, 40, true, [2]float64{0.525, 0.48}, [2]float64{0.54, 0.5}, [2]float64{0.55, 0.68}, [2]float64{0.535, 0.7})
	p.in("#4a4e57").shiny(0.7, 0.35).lathe(Vec{}, 32, false, [2]float64{0.38, 0.3}, [2]float64{0.26, 0.72}, [2]float64{0, 0.72}, [2]float64{0.22, 0.7}, [2]float64{0.34, 0.3}, [2]float64{0.38, 0.3})
	p.in("#ff9f1c").light(0.9).lathe(Vec{}, 24, true, [2]float64{0, 0}, [2]float64{0.16, 0.25}, [2]float64{0.2, 0.45}, [2]float64{0, 0.65})
	for i := range 4 {
		p.at(Vec{}, Vec{0, float64(i)*90 + 45, 0}, 1, func() {
			p.in("#d62839").shiny(0.1, 0.35).prism(Vec{}, 0.07, [2]float64{0.44, 0.75}, [2]float64{0.95, 0.1}, [2]float64{0.98, 0.55}, [2]float64{0.5, 1.6})
		})
	}
	for _, y := range []float64{2.3, 1.65} {
		r := 0.54
		if y > 2 {
			r = 0.525
		}
		p.at(Vec{0, y, r}, Vec{90, 0, 0}, 1, func() {
			p.in("#c9ced3").shiny(0.9, 0.25).torus(Vec{}, 0.17, 0.04, 32, 12)
			p.in("#4fa3d1").shiny(0.2, 0.08).ball(Vec{}, 0.15, 0.05, 0.15)
		})
	}
}

func drawAeroplane(p *pen, _ *Object) {
	p.at(Vec{0, 1.1, 0}, Vec{90, 0, 0}, 1, func() { // its axis forward
		p.own(1).shiny(0.2, 0.3).lathe(Vec{}, 36, true, [2]float64{0, -3.4}, [2]float64{0.14, -3.2}, [2]float64{0.4, -1.8}, [2]float64{0.52, -0.6}, [2]float64{0.52, 1.8}, [2]float64{0.44, 2.5}, [2]float64{0.24, 2.95}, [2]float64{0, 3.1})
	})
	flat := func(y, thick float64, outline ...[2]float64) { // x to the right, z forward
		p.at(Vec{0, y, 0}, Vec{90, 0, 0}, 1, func() { p.prism(Vec{}, thick, outline...) })
	}
	p.mirrored(func(s float64) {
		p.own(0.92).shiny(0.3, 0.35)
		flat(0.95, 0.1, [2]float64{s * 0.3, 0.9}, [2]float64{s * 3.6, -0.7}, [2]float64{s * 3.6, -1.1}, [2]float64{s * 0.3, -0.7})
		flat(1.25, 0.07, [2]float64{s * 0.1, -2.5}, [2]float64{s * 1.3, -3.15}, [2]float64{s * 1.3, -3.4}, [2]float64{s * 0.1, -3.15})
		p.in("#1d6fa5").shiny(0.2, 0.3).box(Vec{s * 3.62, 0.9, -0.9}, 0.06, 0.4, 0.42)
		p.at(Vec{s * 1.5, 0.66, 0.35}, Vec{90, 0, 0}, 1, func() {
			p.in("#d5dade").shiny(0.6, 0.3).lathe(Vec{}, 28, false, [2]float64{0.14, -0.6}, [2]float64{0.24, -0.3}, [2]float64{0.26, 0.3}, [2]float64{0.22, 0.42}, [2]float64{0.19, 0.3}, [2]float64{0, 0.28})
			p.in("#3a3d42").post(Vec{0, 0.26, 0}, 0.19, 0.19, 0.05, 24)
			p.post(Vec{0, -0.62, 0}, 0.12, 0.14, 0.05, 20)
		})
		for i := range 9 {
			p.in("#24506e").shiny(0.2, 0.1).ball(Vec{s * 0.5, 1.24, 1.6 - 0.36*float64(i)}, 0.035, 0.09, 0.07)
		}
		p.wheel(Vec{s * 0.55, 0.18, -0.3}, 0.18, 0.14)
		p.in("#9aa0a6").rod(Vec{s * 0.5, 0.2, -0.3}, Vec{s * 0.4, 0.9, -0.3}, 0.04, 10)
	})
	p.in("#1d6fa5").shiny(0.2, 0.3).profiled(0.1, [2]float64{-2.2, 1.35}, [2]float64{-3.1, 2.5}, [2]float64{-3.5, 2.5}, [2]float64{-3.3, 1.2})
	p.in("#24506e").shiny(0.2, 0.08).at(Vec{0, 1.36, 2.55}, Vec{24, 0, 0}, 1, func() { p.ball(Vec{}, 0.3, 0.1, 0.28) })
	p.wheel(Vec{0, 0.16, 2.1}, 0.16, 0.12)
	p.in("#9aa0a6").rod(Vec{0, 0.2, 2.1}, Vec{0, 0.8, 2.1}, 0.04, 10)
}
