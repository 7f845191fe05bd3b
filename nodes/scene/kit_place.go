package scene

import "math"

func (p *pen) window(x, y, z, w, h float64) {
	p.in("#ffffff").box(Vec{x, y, z}, w, h, 0.06)
	p.in("#7fb7d9").shiny(0.1, 0.15).box(Vec{x, y + 0.06, z + 0.01}, w-0.12, h-0.12, 0.06)
	p.in("#ffffff").box(Vec{x, y + 0.06, z + 0.015}, 0.04, h-0.12, 0.06)
	p.box(Vec{x, y + h/2 - 0.02, z + 0.015}, w-0.12, 0.04, 0.06)
}

func drawHouse(p *pen, _ *Object) {
	p.in("#9a8f85").box(Vec{}, 4.2, 0.15, 3.4)
	p.own(1).box(Vec{0, 0.15, 0}, 4, 2.4, 3.2)
	p.at(Vec{0, 2.55, 0}, Vec{}, 1, func() { // gables left and right
		p.at(Vec{}, Vec{0, 90, 0}, 1, func() { p.own(1).prism(Vec{}, 3.98, [2]float64{-1.6, 0}, [2]float64{1.6, 0}, [2]float64{0, 1.45}) })
		p.in("#b5523b")
		p.at(Vec{}, Vec{0, 90, 0}, 1, func() {
			p.prism(Vec{}, 4.5, [2]float64{-1.95, -0.32}, [2]float64{-1.87, -0.14}, [2]float64{0, 1.62}, [2]float64{1.87, -0.14}, [2]float64{1.95, -0.32}, [2]float64{0, 1.46})
		})
	})
	p.in("#8f5f4c").box(Vec{1.1, 3.2, -0.5}, 0.45, 1.3, 0.45)
	p.in("#6d4638").box(Vec{1.1, 4.45, -0.5}, 0.55, 0.12, 0.55)
	p.in("#ffffff").box(Vec{0, 0.15, 1.6}, 0.95, 1.75, 0.08)
	p.in("#6b4226").box(Vec{0, 0.15, 1.62}, 0.8, 1.65, 0.1)
	p.in("#e8c468").shiny(1, 0.3).ball(Vec{0.28, 0.95, 1.7}, 0.05, 0.05, 0.05)
	p.in("#a9a198").box(Vec{0, 0, 1.95}, 1.2, 0.12, 0.6)
	p.window(-1.25, 0.95, 1.6, 0.85, 0.95)
	p.window(1.25, 0.95, 1.6, 0.85, 0.95)
	for _, turn := range []float64{90, -90, 180} {
		p.at(Vec{}, Vec{0, turn, 0}, 1, func() {
			z := 2.0
			if turn == 180 {
				z = 1.6
			}
			p.window(-0.7, 0.95, z, 0.8, 0.95)
			p.window(0.7, 0.95, z, 0.8, 0.95)
		})
	}
}

// turret is a round tower with teeth, or with a pointed roof.
func (p *pen) turret(x, z, r, h float64, roof string) {
	p.at(Vec{x, 0, z}, Vec{}, 1, func() {
		p.own(1).lathe(Vec{}, 32, false, [2]float64{0, 0}, [2]float64{r * 1.12, 0}, [2]float64{r, r * 0.35}, [2]float64{r, h}, [2]float64{r * 1.18, h + r*0.2},
			[2]float64{r * 1.18, h + r*0.45}, [2]float64{0, h + r*0.45})
		if roof != "" {
			p.in(roof).post(Vec{0, h + r*0.45, 0}, r*1.28, 0, r*2.3, 32)
			p.in("#5c4433").post(Vec{0, h + r*2.6, 0}, 0.03, 0.03, r, 8)
			p.in("#e4b63a").prism(Vec{0, h + r*3.1, 0}, 0.03, [2]float64{0, 0}, [2]float64{r * 0.9, r * 0.22}, [2]float64{0, r * 0.45})
		} else {
			for i := range 10 {
				a := float64(i) * 36
				p.at(Vec{0, h + r*0.45, 0}, Vec{0, a, 0}, 1, func() { p.own(0.96).box(Vec{0, 0, r * 1.04}, r*0.36, r*0.4, r*0.26) })
			}
		}
		for i, a := range []float64{20, -50, 140, 230} {
			p.at(Vec{0, h * (0.45 + 0.13*float64(i%3)), 0}, Vec{0, a, 0}, 1, func() { p.in("#3d3a38").box(Vec{0, 0, r * 0.98}, r*0.16, r*0.55, r*0.08) })
		}
	})
}

func drawTower(p *pen, _ *Object) {
	p.turret(0, 0, 1, 4.6, "")
	p.in("#5a3d28").box(Vec{0, 0, 1.02}, 0.6, 1.15, 0.2)
	p.in("#3e3833").post(Vec{0, 0, 0}, 1.2, 1.2, 0.08, 32)
}

func drawCastle(p *pen, _ *Object) {
	wall := func() {
		p.own(0.97).box(Vec{0, 0, 0}, 5, 2.1, 0.5)
		for i := range 9 {
			p.own(0.93).box(Vec{-2 + 0.5*float64(i), 2.1, 0}, 0.26, 0.3, 0.5)
		}
	}
	for _, turn := range []float64{0, 90, 180, 270} {
		p.at(Vec{}, Vec{0, turn, 0}, 1, func() { p.at(Vec{0, 0, 2.6}, Vec{}, 1, wall) })
	}
	for i, c := range [][2]float64{{-2.6, 2.6}, {2.6, 2.6}, {2.6, -2.6}, {-2.6, -2.6}} {
		p.turret(c[0], c[1], 0.72, 3.1+0.2*float64(i%2), "#3f6a8a")
	}
	p.own(1.12).box(Vec{0, 0, -0.6}, 2.3, 3.5, 2)
	p.in("#3f6a8a").taper(Vec{0, 3.5, -0.6}, 2.6, 1.3, 2.3, 0.3, 0.2)
	p.window(-0.5, 2.4, 0.4, 0.45, 0.7)
	p.window(0.5, 2.4, 0.4, 0.45, 0.7)
	p.own(1.05).box(Vec{0, 0, 2.75}, 1.7, 2.6, 0.6)
	for _, x := range []float64{-0.65, 0, 0.65} {
		p.own(0.9).box(Vec{x, 2.6, 2.75}, 0.35, 0.3, 0.6)
	}
	p.in("#5a3d28").prism(Vec{0, 0, 3.05}, 0.12, arch(0.9, 1.6)...)
	for i := range 5 {
		p.in("#3b2a1c").box(Vec{-0.36 + 0.18*float64(i), 0, 3.08}, 0.03, 1.3, 0.12)
	}
	p.in("#a58b6c").box(Vec{0, 0, 3.6}, 1.1, 0.1, 1.2)
}

// arch is a door with a round top.
func arch(w, h float64) [][2]float64 {
	points := [][2]float64{{-w / 2, 0}, {w / 2, 0}}
	for i := range 13 {
		sin, cos := math.Sincos(math.Pi * float64(i) / 12)
		points = append(points, [2]float64{w / 2 * cos, h - w/2 + w/2*sin})
	}
	return points
}

func drawRoad(p *pen, _ *Object) {
	p.own(1).shiny(0, 0.95).box(Vec{}, 3, 0.06, 12)
	for _, x := range []float64{-1.35, 1.35} {
		p.in("#f3f1ea").box(Vec{x, 0.06, 0}, 0.1, 0.01, 12)
	}
	for i := range 6 {
		p.in("#f3f1ea").box(Vec{0, 0.06, -5 + 2*float64(i)}, 0.13, 0.01, 1.1)
	}
	for _, x := range []float64{-1.85, 1.85} {
		p.in("#b9b6ae").box(Vec{x, 0, 0}, 0.7, 0.14, 12)
	}
}

func drawBridge(p *pen, _ *Object) {
	var under, over [][2]float64
	for i := range 25 {
		x := -4 + float64(i)/3
		over = append(over, [2]float64{x, 1.5 + 0.55*math.Cos(x*math.Pi/8)})
	}
	for i := range 21 {
		sin, cos := math.Sincos(math.Pi * float64(i) / 20)
		under = append(under, [2]float64{-2.3 * cos, 1.45 * sin})
	}
	outline := [][2]float64{{-4, 0}}
	outline = append(outline, under...)
	outline = append(outline, [2]float64{4, 0})
	for i := len(over) - 1; i >= 0; i-- {
		outline = append(outline, over[i])
	}
	p.own(1).prism(Vec{}, 2, outline...)
	for _, z := range []float64{-0.92, 0.92} {
		for i := range 24 {
			a, b := over[i], over[i+1]
			p.own(1.25).prism(Vec{0, 0, z}, 0.16, a, b, [2]float64{b[0], b[1] + 0.45}, [2]float64{a[0], a[1] + 0.45})
		}
		for _, x := range []float64{-3.9, 3.9} {
			p.own(0.85).box(Vec{x, 0, z}, 0.34, 2.3, 0.3)
			p.own(1.3).taper(Vec{x, 2.3, z}, 0.42, 0.2, 0.38, 0.3, 0.3)
		}
	}
}

func drawFence(p *pen, _ *Object) {
	for i := range 9 {
		x := -1.6 + 0.4*float64(i)
		p.own(1).prism(Vec{x, 0, 0}, 0.05, [2]float64{-0.11, 0}, [2]float64{0.11, 0}, [2]float64{0.11, 0.85}, [2]float64{0, 1}, [2]float64{-0.11, 0.85})
	}
	for _, y := range []float64{0.25, 0.62} {
		p.own(0.92).box(Vec{0, y, -0.05}, 3.6, 0.1, 0.05)
	}
}
