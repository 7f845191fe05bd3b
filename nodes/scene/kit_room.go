package scene

import (
	"math"
	"slices"
)

func (p *pen) legs(w, d, h, low, high float64) {
	for _, x := range []float64{-w / 2, w / 2} {
		for _, z := range []float64{-d / 2, d / 2} {
			p.taper(Vec{x, 0, z}, low, h, low, high/low, high/low)
		}
	}
}

func drawTable(p *pen, _ *Object) {
	p.own(1).box(Vec{0, 0.7, 0}, 1.6, 0.06, 0.9)
	p.own(0.85).box(Vec{0, 0.6, 0}, 1.42, 0.1, 0.72)
	p.own(0.92).legs(1.4, 0.7, 0.62, 0.06, 0.09)
}

func drawChair(p *pen, _ *Object) {
	p.own(0.9).legs(0.38, 0.38, 0.44, 0.035, 0.05)
	p.own(1).box(Vec{0, 0.43, 0}, 0.48, 0.05, 0.48)
	for _, x := range []float64{-0.2, 0.2} {
		p.own(0.9).box(Vec{x, 0.46, -0.21}, 0.045, 0.52, 0.045)
	}
	for _, y := range []float64{0.6, 0.74, 0.88} {
		p.own(1).box(Vec{0, y, -0.21}, 0.4, 0.08, 0.03)
	}
}

func drawLamp(p *pen, _ *Object) {
	p.in("#55504c").shiny(0.7, 0.35).lathe(Vec{}, 32, false, [2]float64{0, 0}, [2]float64{0.2, 0}, [2]float64{0.2, 0.03}, [2]float64{0.05, 0.06}, [2]float64{0, 0.06})
	p.rod(Vec{0, 0.05, 0}, Vec{0, 1.35, 0}, 0.018, 12)
	p.in("#fff1c2").light(1.2).ball(Vec{0, 1.32, 0}, 0.08, 0.1, 0.08)
	p.own(1).glass(0.9).light(0.35)
	p.lathe(Vec{0, 1.2, 0}, 40, false, [2]float64{0.3, 0}, [2]float64{0.18, 0.36}, [2]float64{0.17, 0.36}, [2]float64{0.285, 0}, [2]float64{0.3, 0})
}

func drawBed(p *pen, _ *Object) {
	p.in("#8a5a3a").box(Vec{0, 0.18, 0}, 1.1, 0.16, 2)
	p.legs(1, 1.9, 0.2, 0.08, 0.08)
	p.box(Vec{0, 0.1, -1.02}, 1.16, 0.85, 0.07)
	p.box(Vec{0, 0.1, 1.02}, 1.16, 0.45, 0.07)
	p.in("#f7f5f0").box(Vec{0, 0.34, 0}, 1.04, 0.16, 1.94)
	p.own(1).box(Vec{0, 0.36, 0.3}, 1.1, 0.18, 1.36)
	p.own(1.3).box(Vec{0, 0.37, -0.32}, 1.11, 0.18, 0.2)
	p.in("#ffffff").round(Vec{0, 0.56, -0.72}, 0.38, 0.1, 0.2, 32, 16)
}

func drawBookshelf(p *pen, _ *Object) {
	p.own(0.75).box(Vec{0, 0, -0.15}, 1.2, 1.9, 0.03)
	for _, x := range []float64{-0.585, 0.585} {
		p.own(1).box(Vec{x, 0, 0}, 0.04, 1.9, 0.32)
	}
	colors := []string{"#b23a48", "#2a6f97", "#e9c46a", "#588157", "#6d597a", "#e07a5f", "#f4f1de", "#3d405b"}
	for i := range 5 {
		y := 0.02 + 0.46*float64(i)
		p.own(1).box(Vec{0, y, 0}, 1.16, 0.03, 0.31)
		if i == 4 {
			break
		}
		for x := -0.53; x < 0.5; {
			w := 0.04 + 0.05*p.dice.Float64()
			h := 0.27 + 0.13*p.dice.Float64()
			if p.dice.Float64() > 0.1 {
				p.in(colors[p.dice.IntN(len(colors))]).box(Vec{x + w/2, y + 0.03, -0.01}, w*0.92, h, 0.22)
			}
			x += w
		}
	}
}

func drawBlackboard(p *pen, o *Object) {
	p.in("#8a5a3a").box(Vec{0, 0.75, 0}, 2.5, 1.4, 0.06)
	p.own(1).box(Vec{0, 0.82, 0.01}, 2.36, 1.26, 0.06)
	p.in("#8a5a3a").box(Vec{0, 0.7, 0.08}, 2.4, 0.05, 0.16)
	p.in("#ffffff").box(Vec{-0.4, 0.75, 0.1}, 0.14, 0.03, 0.03)
	p.in("#f4d35e").box(Vec{-0.2, 0.75, 0.1}, 0.12, 0.03, 0.03)
	p.in("#9aa0a6").box(Vec{0.5, 0.75, 0.1}, 0.2, 0.06, 0.08)
	for _, x := range []float64{-1, 1} {
		p.in("#6f7378").box(Vec{x, 0, -0.06}, 0.07, 1.4, 0.05)
		p.box(Vec{x, 0, -0.02}, 0.1, 0.05, 0.6)
	}
	text := o.Text
	if text == "" {
		text = "1 + 2 = 3"
	}
	size := math.Min(0.3, 2.9/float64(len([]rune(text))))
	p.in("#f7f7f2").write(Vec{0, 1.45 - size/2, 0.045}, text, size, 0.012)
}

func drawBook(p *pen, _ *Object) {
	p.in("#f5efdf").box(Vec{0.005, 0.012, 0}, 0.2, 0.036, 0.285)
	p.own(1).box(Vec{0, 0, 0}, 0.22, 0.012, 0.3)
	p.own(1).box(Vec{0, 0.048, 0}, 0.22, 0.012, 0.3)
	p.own(0.85).box(Vec{-0.108, 0, 0}, 0.014, 0.06, 0.3)
	p.in("#e9c46a").shiny(0.8, 0.35).box(Vec{0.005, 0.058, -0.06}, 0.12, 0.004, 0.03)
	p.box(Vec{0.005, 0.058, 0.0}, 0.08, 0.004, 0.015)
	p.in("#f2c14e").box(Vec{0.05, 0.024, 0.15}, 0.016, 0.004, 0.05)
}

func drawBall(p *pen, _ *Object) {
	for i := range 6 {
		p.own(1).shiny(0, 0.35)
		if i%2 == 1 {
			p.in("#fbfaf5").shiny(0, 0.35)
		}
		p.gore(Vec{0, 0.25, 0}, 0.25, float64(i)*60, 60)
	}
	p.in("#fbfaf5").ball(Vec{0, 0.495, 0}, 0.045, 0.012, 0.045)
}

// gore is the part of a ball between two meridians.
func (p *pen) gore(middle Vec, r, from, wide float64) {
	const sides, rings = 8, 20
	m := p.mesh()
	first := uint32(len(m.Points))
	for i := 0; i <= rings; i++ {
		sin, cos := math.Sincos(math.Pi * float64(i) / rings)
		if i == 0 || i == rings {
			sin = 0
		}
		for k := 0; k <= sides; k++ {
			s, c := math.Sincos((from + wide*float64(k)/sides) * math.Pi / 180)
			d := Vec{sin * s, -cos, sin * c}
			m.Points, m.Normals = append(m.Points, p.to.point(middle.add(d.times(r)))), append(m.Normals, p.to.normal(d.unit()))
		}
	}
	for i := range uint32(rings) {
		for k := range uint32(sides) {
			a := first + i*(sides+1) + k
			p.triangle(m, a, a+1, a+sides+2)
			p.triangle(m, a, a+sides+2, a+sides+1)
		}
	}
}

func drawApple(p *pen, _ *Object) {
	p.own(1).shiny(0, 0.3)
	var profile [][2]float64
	for i := range 25 {
		t := math.Pi * float64(i) / 24
		sin, cos := math.Sincos(t)
		r := 0.042 * (1 + 0.12*cos*-1) * sin
		profile = append(profile, [2]float64{r, 0.04 - 0.04*cos + 0.012*math.Exp(-r*r/0.0002)*math.Copysign(1, cos)})
	}
	profile[0][0], profile[24][0] = 0, 0
	low := profile[0][1]
	for _, q := range profile {
		low = math.Min(low, q[1])
	}
	for i := range profile {
		profile[i][1] -= low
	}
	p.latheWith(Vec{}, 40, true, func(a float64) float64 { return 1 + 0.02*math.Cos(5*a) }, profile...)
	p.in("#5b3a1e").spike(Vec{0, 0.06, 0}, Vec{0.006, 0.096, 0}, 0.003, 0.004, 8)
	p.in("#5d9c3f").at(Vec{0.004, 0.085, 0}, Vec{0, 0, 25}, 1, func() { p.ball(Vec{0.02, 0, 0}, 0.02, 0.003, 0.01) })
}

func drawCup(p *pen, _ *Object) {
	p.own(1).shiny(0, 0.25).lathe(Vec{}, 48, false, [2]float64{0, 0}, [2]float64{0.034, 0}, [2]float64{0.042, 0.012}, [2]float64{0.042, 0.095}, [2]float64{0.038, 0.095},
		[2]float64{0.037, 0.014}, [2]float64{0, 0.012})
	p.in("#6b4026").shiny(0, 0.15).post(Vec{0, 0.02, 0}, 0.0375, 0.0375, 0.058, 48)
	p.own(1).shiny(0, 0.25)
	p.at(Vec{0.046, 0.05, 0}, Vec{90, 0, 0}, 1, func() { p.torus(Vec{}, 0.024, 0.006, 32, 12) })
	p.own(0.7).shiny(0, 0.25).lathe(Vec{0, 0.07, 0}, 48, false, [2]float64{0.0424, 0}, [2]float64{0.0426, 0.002}, [2]float64{0.0426, 0.006}, [2]float64{0.0424, 0.008})
}

// arrange puts values between 0 and 1, from the least of them or zero.
func arrange(values []float64) []float64 {
	low, high := math.Min(0, slices.Min(values)), math.Max(0, slices.Max(values))
	if high == low {
		high = low + 1
	}
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = (v - low) / (high - low)
	}
	return scaled
}

func drawChart(p *pen, o *Object) {
	values := o.Values
	if len(values) == 0 {
		values = []float64{3, 5, 2, 7, 4}
	}
	n := float64(len(values))
	colors := []string{"#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#9c755f"}
	zero := arrange(append([]float64{0}, values...))[0] * 1.5
	heights := arrange(append([]float64{0}, values...))[1:]
	wide := n*0.3 + 0.3
	p.in("#eceff1").box(Vec{}, wide, 0.05, 0.6)
	for i := range 5 {
		p.in("#cfd8dc").box(Vec{0, 0.05 + 1.5*float64(i)/4, -0.29}, wide, 0.012, 0.012)
	}
	for i, h := range heights {
		x := -n*0.15 + 0.15 + 0.3*float64(i)
		if p.in(colors[i%len(colors)]); p.chosen {
			p.own(0.85 + 0.25*float64(i%2))
		}
		low, high := math.Min(zero, h*1.5), math.Max(zero, h*1.5)
		p.box(Vec{x, 0.05 + low, 0}, 0.22, math.Max(0.008, high-low), 0.22)
		label := short(values[i])
		size := math.Min(0.09, 0.4/float64(len(label)))
		p.in("#37474f").write(Vec{x, 0.09 + high, 0.0}, label, size, 0.02)
	}
	p.in("#90a4ae").box(Vec{-wide/2 + 0.015, 0.05, -0.29}, 0.03, 1.6, 0.03)
}

func drawGlobe(p *pen, _ *Object) {
	p.in("#7a5230").lathe(Vec{}, 40, false, [2]float64{0, 0}, [2]float64{0.17, 0}, [2]float64{0.17, 0.02}, [2]float64{0.05, 0.05}, [2]float64{0.02, 0.1}, [2]float64{0, 0.1})
	middle := Vec{0, 0.33, 0}
	p.at(middle, Vec{0, 0, -23.4}, 1, func() {
		p.own(1).shiny(0, 0.3).round(Vec{}, 0.2, 0.2, 0.2, 48, 28)
		p.continents(0.2)
		p.in("#d4a94e").shiny(1, 0.3).rod(Vec{0, -0.235, 0}, Vec{0, -0.19, 0}, 0.008, 10)
		p.rod(Vec{0, 0.19, 0}, Vec{0, 0.235, 0}, 0.008, 10)
		var last Vec
		for i := range 25 {
			s, c := math.Sincos(math.Pi * float64(i) / 24)
			here := Vec{0.232 * s, -0.232 * c, 0}
			if i > 0 {
				p.rod(last, here, 0.009, 8)
			}
			last = here
		}
	})
	p.in("#d4a94e").shiny(1, 0.3).rod(Vec{0, 0.08, 0}, Vec{0.02, 0.112, 0}, 0.016, 12)
}

// continents are rough outlines of land, drawn as raised patches in degrees.
func (p *pen) continents(r float64) {
	for _, land := range earth {
		for lat := -84.0; lat < 84; lat += 6 {
			for lon := -180.0; lon < 180; lon += 6 {
				if holds(land, [2]float64{lon + 3, lat + 3}) {
					p.in("#6aa84f").shiny(0, 0.8).face(onBall(r*1.012, lon, lat), onBall(r*1.012, lon+6, lat), onBall(r*1.012, lon+6, lat+6), onBall(r*1.012, lon, lat+6))
				}
			}
		}
	}
	p.in("#f4f7fa").lathe(Vec{}, 36, true, [2]float64{r * 1.013 * math.Cos(1.31), r * 1.013 * math.Sin(1.31)}, [2]float64{r * 1.013 * math.Cos(1.44), r * 1.013 * math.Sin(1.44)}, [2]float64{0, r * 1.013})
	p.lathe(Vec{}, 36, true, [2]float64{0, -r * 1.013}, [2]float64{r * 1.013 * math.Cos(1.4), -r * 1.013 * math.Sin(1.4)}, [2]float64{r * 1.013 * math.Cos(1.25), -r * 1.013 * math.Sin(1.25)})
}

// onBall has longitude 0 in front and east to the right.
func onBall(r, lon, lat float64) Vec {
	s, c := math.Sincos(lon * math.Pi / 180)
	sl, cl := math.Sincos(lat * math.Pi / 180)
	return Vec{r * cl * s, r * sl, r * cl * c}
}

// earth are the coasts of the continents by longitude and latitude, roughly.
var earth = [][][2]float64{
	{{-17, 15}, {-16, 28}, {-6, 36}, {10, 37}, {20, 32}, {32, 31}, {43, 12}, {51, 11}, {40, -4}, {40, -15}, {33, -27}, {27, -34}, {18, -34}, {12, -17}, {9, 3}, {-8, 5}},
	{{-10, 36}, {-9, 44}, {-2, 48}, {6, 53}, {9, 57}, {6, 62}, {16, 69}, {28, 71}, {45, 67}, {70, 73}, {100, 77}, {140, 73}, {180, 69}, {179, 65}, {162, 58}, {156, 52},
		{150, 59}, {137, 54}, {130, 42}, {127, 36}, {120, 37}, {121, 29}, {110, 20}, {108, 11}, {104, 1}, {99, 10}, {93, 21}, {80, 8}, {73, 19}, {66, 25}, {57, 26}, {59, 21},
		{45, 12}, {35, 28}, {36, 36}, {27, 37}, {23, 37}, {13, 44}, {16, 39}, {8, 44}, {0, 39}},
	{{-168, 66}, {-156, 71}, {-125, 70}, {-95, 70}, {-82, 68}, {-94, 59}, {-80, 52}, {-70, 61}, {-56, 52}, {-66, 44}, {-75, 37}, {-81, 27}, {-90, 30}, {-97, 26}, {-96, 18}, {-88, 20},
		{-84, 10}, {-78, 8}, {-94, 15}, {-106, 22}, {-115, 31}, {-124, 41}, {-130, 54}, {-150, 60}, {-164, 55}},
	{{-78, 7}, {-62, 10}, {-50, 1}, {-35, -7}, {-40, -21}, {-48, -27}, {-58, -37}, {-66, -47}, {-69, -55}, {-75, -48}, {-71, -25}, {-81, -5}},
	{{114, -23}, {122, -17}, {131, -12}, {137, -15}, {142, -11}, {146, -19}, {153, -27}, {149, -37}, {139, -36}, {131, -32}, {116, -35}},
	{{-55, 60}, {-45, 60}, {-22, 70}, {-20, 81}, {-50, 82}, {-70, 77}},
}
