package scene

func drawPerson(p *pen, _ *Object) {
	skin := []string{"#f1c9a5", "#c98d62", "#8d5a3b", "#e0ac7e"}[p.dice.IntN(4)]
	hair := []string{"#3b2a20", "#1f1a17", "#8a5a2b", "#c9a24a"}[p.dice.IntN(4)]
	p.mirrored(func(s float64) {
		p.in("#3a3f4b").box(Vec{s * 0.11, 0, 0.04}, 0.15, 0.09, 0.28)
		p.in("#3b4a6b").spike(Vec{s * 0.11, 0.06, 0}, Vec{s * 0.1, 0.82, 0}, 0.075, 0.105, 16)
		p.own(0.92).spike(Vec{s * 0.23, 1.3, 0}, Vec{s * 0.33, 0.98, 0.02}, 0.075, 0.062, 14)
		p.ball(Vec{s * 0.225, 1.3, 0}, 0.08, 0.08, 0.08)
		p.in(skin).spike(Vec{s * 0.33, 1.0, 0.02}, Vec{s * 0.36, 0.78, 0.08}, 0.05, 0.042, 14)
		p.ball(Vec{s * 0.365, 0.74, 0.09}, 0.055, 0.07, 0.055)
	})
	p.own(1).lathe(Vec{0, 0.76, 0}, 32, true, [2]float64{0, 0}, [2]float64{0.2, 0.02}, [2]float64{0.215, 0.15}, [2]float64{0.2, 0.3}, [2]float64{0.24, 0.5}, [2]float64{0.2, 0.6}, [2]float64{0.08, 0.66}, [2]float64{0, 0.66})
	p.in(skin).post(Vec{0, 1.38, 0}, 0.07, 0.065, 0.12, 16)
	p.round(Vec{0, 1.62, 0}, 0.17, 0.19, 0.17, 32, 20)
	p.mirrored(func(s float64) {
		p.in(skin).ball(Vec{s * 0.17, 1.61, 0}, 0.03, 0.045, 0.03)
		p.in("#ffffff").ball(Vec{s * 0.062, 1.64, 0.148}, 0.032, 0.036, 0.02)
		p.in("#22242a").ball(Vec{s * 0.06, 1.64, 0.163}, 0.016, 0.02, 0.012)
	})
	p.in(skin).ball(Vec{0, 1.595, 0.17}, 0.022, 0.028, 0.025)
	p.in("#a8443f").at(Vec{0, 1.54, 0.148}, Vec{-15, 0, 0}, 1, func() { p.ball(Vec{}, 0.05, 0.013, 0.014) })
	p.in(hair).round(Vec{0, 1.68, -0.025}, 0.185, 0.165, 0.18, 28, 16)
	p.ball(Vec{0.05, 1.79, 0.1}, 0.11, 0.05, 0.07)
	p.ball(Vec{-0.07, 1.785, 0.095}, 0.09, 0.045, 0.07)
}

func drawCat(p *pen, _ *Object) {
	p.mirrored(func(s float64) {
		for _, z := range []float64{0.13, -0.14} {
			p.own(1).spike(Vec{s * 0.065, 0.02, z}, Vec{s * 0.06, 0.2, z}, 0.032, 0.045, 14)
			p.own(1.5).ball(Vec{s * 0.065, 0.025, z + 0.015}, 0.038, 0.025, 0.05)
		}
	})
	p.own(1).round(Vec{0, 0.24, 0}, 0.11, 0.115, 0.23, 32, 20)
	p.own(1.5).round(Vec{0, 0.2, 0.11}, 0.08, 0.085, 0.1, 24, 14)
	p.own(0.78)
	for i := range 4 { // stripes
		z := 0.08 - 0.09*float64(i)
		p.at(Vec{0, 0.243, z}, Vec{}, 1, func() { p.round(Vec{0, 0.022, 0}, 0.098-0.006*float64(i), 0.1-0.006*float64(i), 0.014, 24, 12) })
	}
	head := Vec{0, 0.42, 0.2}
	p.own(1).round(head, 0.125, 0.108, 0.105, 32, 20)
	p.mirrored(func(s float64) {
		p.own(1).at(head.add(Vec{s * 0.078, 0.07, 0}), Vec{0, 0, -s * 18}, 1, func() { p.taper(Vec{}, 0.085, 0.1, 0.05, 0.02, 0.02) })
		p.in("#e8a0a0").at(head.add(Vec{s * 0.078, 0.078, 0.014}), Vec{0, 0, -s * 18}, 1, func() { p.taper(Vec{}, 0.05, 0.065, 0.035, 0.02, 0.02) })
		p.in("#9ccf5a").ball(head.add(Vec{s * 0.05, 0.018, 0.088}), 0.026, 0.03, 0.018)
		p.in("#15171a").ball(head.add(Vec{s * 0.05, 0.018, 0.102}), 0.009, 0.024, 0.008)
		p.own(1.5).ball(head.add(Vec{s * 0.028, -0.036, 0.088}), 0.038, 0.03, 0.032)
		for _, tilt := range []float64{-0.02, 0.005, 0.03} {
			p.in("#f8f8f8").rod(head.add(Vec{s * 0.05, -0.035, 0.105}), head.add(Vec{s * 0.18, -0.045 + tilt, 0.09}), 0.002, 5)
		}
		p.own(0.78).at(head.add(Vec{s * 0.03, 0.09, 0.05}), Vec{0, 0, -s * 12}, 1, func() { p.ball(Vec{}, 0.01, 0.028, 0.03) })
	})
	p.in("#d9707e").ball(head.add(Vec{0, -0.016, 0.116}), 0.016, 0.011, 0.012)
	p.in("#3f7cac").at(Vec{0, 0.335, 0.17}, Vec{28, 0, 0}, 1, func() { p.torus(Vec{}, 0.082, 0.012, 32, 10) })
	p.in("#f2c230").shiny(0.8, 0.3).ball(Vec{0, 0.29, 0.255}, 0.022, 0.024, 0.02)
	// the tail, in parts
	path := []Vec{{0, 0.26, -0.21}, {0, 0.3, -0.3}, {0, 0.38, -0.35}, {0.02, 0.47, -0.34}, {0.05, 0.54, -0.29}, {0.08, 0.58, -0.25}}
	for i := range len(path) - 1 {
		if p.own(1); i == 4 {
			p.own(1.5)
		}
		p.rod(path[i], path[i+1], 0.027, 12)
		p.ball(path[i+1], 0.027, 0.027, 0.027)
	}
}
