package scene

import "math"

// lump is a ball whose surface is faceted and uneven.
func (p *pen) lump(middle Vec, rx, ry, rz, rough float64, sides, rings int) {
	at := make([][]Vec, rings+1)
	for i := range at {
		at[i] = make([]Vec, sides)
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(rings))
		pole := 1 + rough*(p.dice.Float64()-0.5)
		for k := range at[i] {
			f := pole
			if i > 0 && i < rings {
				f = 1 + rough*(p.dice.Float64()-0.5)
			}
			s, c := math.Sincos(2 * math.Pi * (float64(k) + 0.5*float64(i%2)) / float64(sides))
			at[i][k] = middle.add(Vec{rx * sin * s * f, -ry * cos * f, rz * sin * c * f})
		}
	}
	for i := range rings {
		for k := range sides {
			n := (k + 1) % sides
			a, b, c, d := at[i][k], at[i][n], at[i+1][n], at[i+1][k]
			if i%2 == 0 {
				p.facet(a, b, d)
				p.facet(b, c, d)
			} else {
				p.facet(a, b, c)
				p.facet(a, c, d)
			}
		}
	}
}

func (p *pen) facet(a, b, c Vec) {
	if b.sub(a).cross(c.sub(a)).length() > 1e-9 {
		p.face(a, b, c)
	}
}

func drawTree(p *pen, _ *Object) {
	p.in("#7a5230").lathe(Vec{}, 14, false, [2]float64{0, 0}, [2]float64{0.34, 0}, [2]float64{0.2, 0.35}, [2]float64{0.15, 1.5}, [2]float64{0.11, 2.1}, [2]float64{0, 2.1})
	p.spike(Vec{0, 1.2, 0}, Vec{0.6, 2, 0.15}, 0.09, 0.05, 10)
	p.spike(Vec{0, 1.35, 0}, Vec{-0.6, 2.1, -0.15}, 0.08, 0.05, 10)
	for i, b := range [][4]float64{{0, 2.75, 0, 0.95}, {0.68, 2.35, 0.2, 0.68}, {-0.68, 2.4, -0.1, 0.7}, {0.05, 2.3, -0.65, 0.62}, {-0.05, 2.25, 0.65, 0.64}, {0.1, 3.35, 0.05, 0.62}} {
		p.own(0.9+0.06*float64(i)).lump(Vec{b[0], b[1], b[2]}, b[3], b[3]*0.9, b[3], 0.16, 13, 8)
	}
}

func drawPine(p *pen, _ *Object) {
	p.in("#6b4a2f").post(Vec{}, 0.2, 0.12, 0.9, 12)
	for i := range 5 {
		f := float64(i)
		r := 1.15 - 0.2*f
		p.own(0.9+0.08*f).latheWith(Vec{0, 0.55 + 0.62*f, 0}, 32, false, func(a float64) float64 { return 1 + 0.07*math.Cos(8*a+f) },
			[2]float64{0, 0.18}, [2]float64{r, 0}, [2]float64{r * 0.45, 0.55}, [2]float64{0, 1.15})
	}
}

func drawBush(p *pen, _ *Object) {
	for i, b := range [][4]float64{{0, 0.5, 0, 0.55}, {0.5, 0.38, 0.1, 0.4}, {-0.48, 0.4, 0.05, 0.42}, {0.1, 0.36, 0.42, 0.38}, {-0.1, 0.36, -0.4, 0.4}} {
		p.own(0.9+0.07*float64(i)).lump(Vec{b[0], b[1], b[2]}, b[3], b[3]*0.9, b[3], 0.16, 12, 8)
	}
	for range 7 {
		a, up := p.dice.Float64()*2*math.Pi, p.dice.Float64()
		p.in("#e86a92").round(Vec{0.72 * math.Sin(a), 0.35 + 0.45*up, 0.62 * math.Cos(a)}, 0.055, 0.055, 0.055, 10, 6)
	}
}

func drawFlower(p *pen, _ *Object) {
	p.in("#4c9a4a").spike(Vec{}, Vec{0.03, 0.75, 0}, 0.03, 0.022, 10)
	for _, l := range [][2]float64{{35, 0.22}, {215, 0.34}} {
		p.at(Vec{0.01, l[1], 0}, Vec{0, l[0], 0}, 1, func() { p.at(Vec{}, Vec{0, 0, 35}, 1, func() { p.ball(Vec{0.16, 0, 0}, 0.16, 0.015, 0.06) }) })
	}
	p.at(Vec{0.03, 0.78, 0}, Vec{38, 0, 0}, 1, func() {
		for i := range 8 {
			p.at(Vec{}, Vec{0, float64(i) * 45, 0}, 1, func() {
				p.own(1+0.12*float64(i%2)).round(Vec{0, 0.02 + 0.012*float64(i%2), 0.17}, 0.075, 0.025, 0.12, 16, 10)
			})
		}
		p.in("#f2c230").round(Vec{0, 0.03, 0}, 0.1, 0.06, 0.1, 20, 12)
	})
}

func drawRock(p *pen, _ *Object) {
	p.own(1).shiny(0, 0.95).lump(Vec{0, 0.36, 0}, 0.62, 0.4, 0.5, 0.34, 9, 6)
	p.own(0.85).shiny(0, 0.95).lump(Vec{0.55, 0.18, 0.25}, 0.26, 0.2, 0.24, 0.34, 8, 5)
}

func drawMountain(p *pen, _ *Object) {
	peaks := [][4]float64{{0, 0, 3.6, 2.6}, {1.8, -0.4, 2.3, 1.8}, {-1.9, 0.3, 2.0, 1.8}}
	phase := p.dice.Float64() * 6
	rock, snow, grass := p.main, hex("#f6f8fb"), hex("#6f8f5a")
	p.land(8, 44, func(x, z float64) float64 {
		h := 0.02
		for _, k := range peaks {
			d := math.Hypot(x-k[0], z-k[1]) / k[3]
			ridge := 1 + 0.13*math.Sin(5*math.Atan2(z-k[1], x-k[0])+phase) + 0.05*math.Sin(11*x+7*z)
			h = math.Max(h, k[2]*math.Pow(math.Max(0, 1-d/ridge), 1.15))
		}
		edge := math.Max(math.Abs(x), math.Abs(z)) / 4
		return 0.02 + h*math.Min(1, 6*(1.001-edge))
	}, func(h float64) Vec {
		switch {
		case h > 2.2:
			return snow
		case h < 0.35:
			return grass
		}
		return mixed(rock, Vec{}, math.Round((2.2-h)*3)/24)
	})
}

func drawCrystal(p *pen, _ *Object) {
	shard := func(r, h float64) {
		p.own(1.1).glass(0.72).lathe(Vec{}, 6, false, [2]float64{0, 0}, [2]float64{r * 0.8, 0}, [2]float64{r, h * 0.7}, [2]float64{0, h})
	}
	shard(0.24, 1.5)
	for i, s := range [][3]float64{{0.17, 1.0, 24}, {0.15, 0.85, 30}, {0.13, 0.9, 20}, {0.12, 0.65, 36}} {
		p.at(Vec{}, Vec{0, float64(i)*88 + 20, 0}, 1, func() {
			p.at(Vec{0, 0, 0.14}, Vec{s[2], 0, 0}, 1, func() { shard(s[0], s[1]) })
		})
	}
	p.in("#6f6a72").lump(Vec{0, 0.06, 0}, 0.5, 0.14, 0.5, 0.3, 10, 6)
}

func drawMoon(p *pen, _ *Object) {
	p.own(1).shiny(0, 1)
	p.round(Vec{0, 0.5, 0}, 0.5, 0.5, 0.5, 56, 32)
	for i := range 16 {
		y := 1 - 2*(float64(i)+0.5)/16
		s, c := math.Sincos(2.399963 * float64(i))
		d := Vec{math.Sqrt(1-y*y) * s, y, math.Sqrt(1-y*y) * c}
		r := 0.045 + 0.075*p.dice.Float64()
		x := d.across()
		kept := p.to
		p.to = p.to.then(matrix{x, d, x.cross(d), Vec{0, 0.5, 0}})
		level := math.Sqrt(0.25 - r*r)
		p.own(0.82).shiny(0, 1).lathe(Vec{0, level, 0}, 22, false, [2]float64{r * 1.12, -0.012}, [2]float64{r, 0.014}, [2]float64{r * 0.8, 0.008 + 0.5 - level - 0.005}, [2]float64{0, 0.5 - level + 0.003})
		p.to = kept
	}
}

func drawPlanet(p *pen, _ *Object) {
	p.own(1).shiny(0, 0.9)
	bands := []float64{0, 0.16, 0.3, 0.4, 0.52, 0.62, 0.74, 0.86, 1}
	for i := range len(bands) - 1 {
		p.own([]float64{0.88, 1.12, 0.96, 1.22, 0.9, 1.06, 0.82, 1.1}[i]).shiny(0, 0.9)
		var part [][2]float64
		for k := range 7 {
			sin, cos := math.Sincos(math.Pi * (bands[i] + (bands[i+1]-bands[i])*float64(k)/6))
			part = append(part, [2]float64{0.5 * sin, -0.5 * cos})
		}
		p.curved(Vec{0, 0.5, 0}, 48, part)
	}
}

// curved is a zone of a ball about its middle: its normals lead away from there.
func (p *pen) curved(middle Vec, sides int, part [][2]float64) {
	m := p.mesh()
	first := uint32(len(m.Points))
	for _, r := range part {
		for k := 0; k <= sides; k++ {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
			d := Vec{r[0] * sin, r[1], r[0] * cos}
			m.Points, m.Normals = append(m.Points, p.to.point(middle.add(d))), append(m.Normals, p.to.normal(d.unit()))
		}
	}
	row := uint32(sides + 1)
	for i := range uint32(len(part) - 1) {
		for k := range uint32(sides) {
			a := first + i*row + k
			p.triangle(m, a, a+1, a+row+1)
			p.triangle(m, a, a+row+1, a+row)
		}
	}
}

func drawRing(p *pen, _ *Object) {
	for i, r := range []float64{0.62, 0.72, 0.84, 0.9} {
		w := []float64{0.09, 0.11, 0.05, 0.09}[i]
		p.own([]float64{0.85, 1.1, 0.75, 1}[i]).lathe(Vec{}, 80, false, [2]float64{r, 0}, [2]float64{r + w, 0}, [2]float64{r + w, 0.012}, [2]float64{r, 0.012}, [2]float64{r, 0})
	}
}

func drawStar(p *pen, _ *Object) {
	var outline [][2]float64
	for i := range 10 {
		r := 0.5
		if i%2 == 1 {
			r = 0.21
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / 5)
		outline = append(outline, [2]float64{r * sin, 0.405 + r*cos})
	}
	front, back := Vec{0, 0.405, 0.13}, Vec{0, 0.405, -0.13}
	p.own(1).light(0.35).shiny(0.2, 0.4)
	for i, a := range outline {
		b := outline[(i+1)%10]
		va, vb := Vec{a[0], a[1], 0}, Vec{b[0], b[1], 0}
		p.face(vb, va, front)
		p.face(va, vb, back)
	}
}
