package figure

// hairSideBack is what hangs behind a head in profile.
func (f *person) hairSideBack(p *pen) {
	c := of(f.hair.lift(-0.045))
	switch f.hairStyle {
	case "long":
		long := 21.0
		if f.fringe%2 == 0 {
			long = 15
		}
		p.blob(c, at(-2, -13, -9, -11.6, -13, -4, -13.4, 6, -13, long-3, -9, long, -4, long-2, -2.6, 6))
	case "ponytail":
		p.blob(c, at(-8, -10, -14, -11, -18.6, -5, -18.4, 4, -15.4, 12.6, -14.4, 5, -13, -1, -9, -4))
	case "bun":
		p.oval(of(f.hair), -9.4, -12, 5.6, 5.4)
	case "braids":
		for i := range 5 {
			p.oval(c, -6.4-float64(i)*0.4, 5.6+float64(i)*3.6, 2.9, 2.5)
		}
		p.box(of(f.accent), -9.6, 21.6, 3.6, 2, 0.8)
	case "headscarf":
		p.blob(of(f.scarfColor().lift(-0.04)), at(0, -13, -9, -10, -13.4, 0, -12, 10, -13, 19, -4, 20, 6, 16, 7, 10))
	case "curly":
		low := 4.0
		if f.gender == "female" {
			low = 8.5
		}
		p.cluster(c, [][3]float64{{-9, low, 5}, {-12.4, low - 5, 5}, {-13, -4, 5}, {-10, -10, 5.2}, {-4.6, -13.6, 5}, {1, -14.6, 4.6}, {-5, low + 2, 4}})
	}
}

// hairSide lies over a head in profile.
func (f *person) hairSide(p *pen) {
	c := of(f.hair)
	switch f.hairStyle {
	case "bald":
		if f.age == "old" {
			p.blob(c, at(-2.6, -1, -7, -3, -10.8, -2.4, -11.2, 3, -8, 7.6, -4, 7, -3.4, 3))
		}
		p.soft(hex(0xffffff), 0.2, -1, -8.4, 3, 1.6)
		return
	case "headscarf":
		scarf := of(f.scarfColor())
		p.blob(scarf, at(7.6, -10.6, 2, -14, -6, -12.6, -12, -6, -13, 3, -10.6, 11, -4, 15.6, 5, 16, 8.2, 12.6, 4, 9.4, 3, 3, 4.4, -4, 7, -8))
		p.stroke(scarf.line(), 0.4, 0.8, at(-8, 7, -2, 12, 5, 13.4))
		return
	case "curly":
		p.cluster(c, [][3]float64{{7.4, -8.6, 3.6}, {3, -10.8, 4.4}, {-3, -8, 5.4}, {-7.6, -4, 5.4}, {-5.4, 1.4, 5}, {-8, 5, 4}, {-1.8, -3, 4}})
		return
	}
	top := at(8.8, -9.4, 4.6, -13.2, -1.6, -14.2, -8, -12.2, -12, -6.4, -12.6, 1, -10.4, 7.2, -6.6, 9, -4.2, 6.4, -3.6, 1, -1.6, -1.2, 0.8, 0.6, 1.8, -3.4, 5, -5, 9.4, -4)
	if f.fringe == 1 {
		top = append(top, at(10.8, -3.4, 10.9, -6.6)...)
	}
	p.blob(c, top)
	p.stroke(f.hair.lift(0.09), 0.55, 1.3, at(-7, -10, -2, -12.2, 3, -11.6))
	switch f.hairStyle {
	case "ponytail":
		p.oval(of(f.accent), -10.4, -8.2, 1.7, 2.6)
	case "long":
		long := 19.0
		if f.fringe%2 == 0 {
			long = 13.6
		}
		p.blob(c, at(-3, 0, -9, -3, -12.6, 4, -12.6, long-3, -8.6, long, -4.2, long-2, -3.4, 8))
	case "short":
		if f.fringe == 3 {
			p.blob(c, at(9, -8, 10, -13.4, 6, -12.6, 4, -16, 0.6, -13.6, -3, -15.6, -4, -12, 3, -10.6))
		}
	}
}

func (f *person) headwearSide(p *pen) {
	_, ey, r := f.eyes()
	if f.has("glasses") {
		frame := contrast(f.skin, pick(f.seed, "frame", dark, f.accent.lift(-0.15), hex(0x7d2435), hex(0x27396e)))
		p.stroke(frame, 1, 1.05, at(5.4, ey-0.6, -1, ey-0.4))
		p.dc.DrawEllipse(7.8, ey+0.2, 2.5*r, 3.6*r)
		p.dc.SetColor(frame.RGBA())
		p.dc.SetLineWidth(1.05 * p.unit)
		p.dc.Stroke()
	}
	if f.has("headphones") {
		c := f.bag()
		p.limb(of(c), 2.4, at(-1, 0, -1.4, -8, -0.6, -14.6))
		p.oval(of(dark), -1, 2.6, 4, 4.6)
		p.oval(of(c), -1, 2.6, 2.8, 3.4)
	}
	if f.has("hat") {
		p.blob(of(f.bag()), at(8.6, -7, 8, -13, 3, -17.8, -4, -17.6, -9.6, -13, -11, -6.6, -1, -5.4))
		p.blob(of(f.bag().lift(-0.07)), at(14.4, -5, 8, -8, -1, -8.4, -10, -7.8, -14.6, -5.2, -8, -4.4, 6, -4.2))
		p.stroke(f.cloth, 1, 2, at(-10.4, -8.4, -1, -9.4, 8.6, -8.6))
	}
	if f.has("crown") {
		y := -9.0
		if f.has("hat") {
			y = -15
		}
		p.plate(cloth{rgb: brass, metal: true}, 0.7, at(-8.6, y+0.4, -9.8, y-6.6, -5.4, y-3.6, -1.4, y-8.4, 2.6, y-3.8, 7.4, y-7, 7, y))
		p.oval(of(hex(0x3f74cf)), -1, y-2.2, 1.1, 1.1)
	}
}
