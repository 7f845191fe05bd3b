package figure

// crownHair covers the top of a head that faces us; the fringe is one of four.
func (f *person) crownHair() []pt {
	outer := at(-10.9, 3.2, -12.2, -1.5, -11.4, -8, -6.6, -12.9, 0, -14.2, 6.6, -12.9, 11.4, -8, 12.2, -1.5, 10.9, 3.2)
	switch f.fringe {
	case 0: // parted at the side
		return append(outer, at(9.9, -1.2, 8.2, -4.4, 3, -6.4, -3.6, -8.6, -7.6, -4.6, -9.9, -0.8)...)
	case 1: // straight across
		return append(outer, at(9.9, -0.6, 8.9, -3.4, 4.4, -3.9, 0, -4.3, -4.4, -3.9, -8.9, -3.4, -9.9, -0.6)...)
	case 2: // parted in the middle
		return append(outer, at(10, -0.4, 7.8, -4, 3, -6.9, 0, -10.4, -3, -6.9, -7.8, -4, -10, -0.4)...)
	}
	return append(outer, at(10, -1, 8.4, -5, 5.6, -4, 4.4, -6.6, 1, -3.9, -0.8, -6.6, -4, -4.2, -5.6, -6.6, -8.6, -3.6, -10, -1)...)
}

func (f *person) hairCloth() cloth { return of(f.hair) }

// curls are circles around a head; low is how far down they hang.
func curls(low float64) [][3]float64 {
	out := [][3]float64{{-12.4, low, 4.2}, {12.4, low, 4.2}, {-13.4, low - 6, 4.8}, {13.4, low - 6, 4.8}, {-12.2, low - 12, 5}, {12.2, low - 12, 5}}
	return append(out, [][3]float64{{-8.4, -12.2, 5}, {8.4, -12.2, 5}, {-3, -14.6, 5}, {3.4, -14.6, 5}, {0, -8, 8}}...)
}

// hairBehind is what lies behind the head and the shoulders.
func (f *person) hairBehind(p *pen) {
	c := of(f.hair.lift(-0.045))
	switch f.hairStyle {
	case "long":
		long := 21.0
		if f.fringe%2 == 0 {
			long = 15
		}
		p.blob(c, sym(0, -13.6, 9, -11.6, 12.9, -3, 13.2, 6, 13.6, long-4, 10.6, long, 5, long-1.4, 0, long-2.4))
	case "curly":
		low := 4.0
		if f.gender == "female" {
			low = 8.5
		}
		p.cluster(c, curls(low))
	case "ponytail":
		p.blob(c, at(6, -11, 13, -11.4, 17.4, -6, 17.8, 1, 15.4, 8, 13.2, 11.6, 12.6, 5, 12.4, -1))
	case "bun":
		p.oval(of(f.hair), 0, -15.6, 5.6, 5.2)
		p.stroke(c.line(), 0.45, 0.8, at(-3.4, -17.4, 0, -15.6, 3.6, -17))
	case "headscarf":
		p.blob(of(f.scarfColor().lift(-0.04)), sym(0, -13.8, 9.4, -11.6, 13, -3, 13, 6, 12, 13, 9, 17, 0, 18))
	}
}

func (f *person) scarfColor() rgb { return contrast(f.cloth, f.accent) }

// hairFront is what lies over the forehead and beside the face.
func (f *person) hairFront(p *pen) {
	c := f.hairCloth()
	switch f.hairStyle {
	case "bald":
		if f.age == "old" {
			for _, side := range []float64{-1, 1} {
				p.cluster(c, [][3]float64{{side * 11, -0.5, 2}, {side * 11.3, -3, 2}})
			}
		}
		p.soft(hex(0xffffff), 0.22, -4, -8.6, 2.6, 1.5)
		return
	case "headscarf":
		scarf := of(f.scarfColor())
		p.dc.ClearPath()
		ring := sym(0, -14, 8.4, -12.2, 12.6, -5, 12.9, 3, 11, 10.4, 6, 15.4, 0, 16.6)
		hole := sym(0, -9.2, 5.6, -8.2, 8.9, -3.4, 9.1, 2, 7.6, 7.4, 4.4, 10.4, 0, 11.4)
		p.ring(scarf, ring, hole)
		p.stroke(scarf.line(), 0.4, 0.8, at(-10.6, 7, -6, 12.4, 2, 14.4))
		p.stroke(scarf.line(), 0.35, 0.8, at(10.4, 9, 7, 13, 1, 14.8))
		return
	case "curly":
		p.cluster(c, [][3]float64{{-10.6, -4.4, 3.2}, {10.6, -4.4, 3.2}, {-8.4, -8.4, 3.8}, {8.4, -8.4, 3.8}, {-3.6, -10.4, 4}, {4, -10.4, 4}, {0, -9.2, 3.6}})
		return
	}
	p.blob(c, f.crownHair())
	shine := f.hair.lift(0.09)
	p.stroke(shine, 0.55, 1.3, at(-7.6, -9, -4, -11.6, 0.5, -12.2))
	switch f.hairStyle {
	case "long":
		for _, side := range []float64{-1, 1} {
			p.blob(c, at(side*9.6, -3, side*12.4, -2, side*13.2, 6, side*12.6, 13.5, side*10.2, 16, side*10.2, 9, side*10.6, 3))
		}
	case "braids":
		for _, side := range []float64{-1, 1} {
			for i := range 5 {
				t := float64(i)
				p.oval(c, side*(11.6+t*0.35), 4.8+t*3.6, 2.9-t*0.14, 2.5)
			}
			p.box(of(f.accent), side*13.4-1.8, 20.8, 3.6, 2, 0.8)
			p.blob(c, at(side*13.4-1.4, 22.6, side*13.4+1.4, 22.6, side*13.6+1.9, 25.4, side*13.6, 26.8, side*13.6-1.9, 25.4))
		}
	case "ponytail":
		p.oval(of(f.accent), 10.6, -9.4, 1.7, 2.4)
	case "bun":
		p.stroke(f.accent, 1, 1.4, at(-3.9, -13.4, 0, -12.6, 3.9, -13.4))
	case "short":
		if f.fringe == 3 {
			p.blob(c, at(-5, -12.6, -4, -16, -0.6, -14, 1.6, -16.6, 4, -13.6, 6.4, -14.6, 7, -11.6, 0, -10.6))
			p.stroke(shine, 0.55, 1.3, at(-6.6, -10, -3, -11.6, 1, -12))
		}
	}
}

// ring is a shape with a hole.
func (p *pen) ring(c cloth, outer, hole []pt) {
	p.trace(outer, true)
	p.dc.NewSubPath()
	n := len(hole)
	for i := range n { // backwards, so that either rule of filling leaves it open
		b, a := hole[n-1-i], hole[(2*n-2-i)%n]
		z, e := hole[(n-i)%n], hole[(2*n-3-i)%n]
		if i == 0 {
			p.dc.MoveTo(b.x, b.y)
		}
		p.dc.CubicTo(b.x+(a.x-z.x)/6, b.y+(a.y-z.y)/6, a.x-(e.x-b.x)/6, a.y-(e.y-b.y)/6, a.x, a.y)
	}
	p.dc.ClosePath()
	p.dc.SetFillRuleEvenOdd()
	p.finish(c, outer)
	p.dc.SetFillRuleWinding()
}

// headBehind is the head from behind.
func (f *person) headBehind(p *pen) {
	skin, c := of(f.skin), f.hairCloth()
	if f.hairStyle != "headscarf" {
		for _, side := range []float64{-1, 1} {
			p.oval(skin, side*11*f.headW, 2.4, 2.3, 3.1)
		}
	}
	skull := sym(0, -12, 6.8, -10.6, 10.7, -4.4, 11, 2, 9.2, 8, 5.4, 11, 0, 11.8)
	p.blob(skin, skull)
	cap := sym(0, -14.2, 6.8, -12.9, 11.6, -7.6, 12.2, -0.8, 10.8, 5.4, 7.6, 9.4, 3.6, 8.4, 0, 9.6)
	shine := f.hair.lift(0.09)
	switch f.hairStyle {
	case "bald":
		if f.age == "old" {
			p.blob(c, sym(0, 2.6, 7, 1.4, 10.8, -1.6, 11.2, 4, 8, 8.6, 0, 9.4))
		}
		p.soft(hex(0xffffff), 0.2, -4, -7.6, 2.8, 1.8)
	case "curly":
		low := 4.0
		if f.gender == "female" {
			low = 8.5
		}
		p.cluster(c, append(curls(low), [][3]float64{{-6, -6, 6}, {6, -6, 6}, {-6, 1, 6}, {6, 1, 6}, {0, -2, 6}, {-5, low + 1.5, 5}, {5, low + 1.5, 5}, {0, low + 2.5, 5}}...))
	case "long":
		long := 21.0
		if f.fringe%2 == 0 {
			long = 15
		}
		p.blob(c, sym(0, -14.2, 8.4, -12.4, 12.8, -4, 13.2, 6, 13.6, long-4, 10, long, 5, long-1, 0, long))
		for _, x := range []float64{-6, 0.5, 6.5} {
			p.stroke(c.line(), 0.3, 0.8, at(x*0.7, -2, x, 8, x*1.1, long-3))
		}
		p.stroke(shine, 0.5, 1.4, at(-8, -8, -3, -11, 2, -11.4))
	case "braids":
		p.blob(c, cap)
		p.stroke(c.line(), 0.5, 0.8, at(0, -13, 0.4, -2, 0, 9))
		for _, side := range []float64{-1, 1} {
			for i := range 5 {
				p.oval(c, side*(9.6+float64(i)*0.3), 6+float64(i)*3.6, 2.9-float64(i)*0.14, 2.5)
			}
			p.box(of(f.accent), side*11-1.8, 22, 3.6, 2, 0.8)
		}
	case "ponytail":
		p.blob(c, cap)
		p.blob(c, sym(0, -8.6, 4.2, -6.6, 5, 2, 4.6, 11, 2.2, 17.4, 0, 19.4))
		p.oval(of(f.accent), 0, -7.6, 3, 1.7)
		p.stroke(c.line(), 0.4, 0.8, at(-1.4, -4, -1.8, 5, -0.8, 14))
	case "bun":
		p.blob(c, cap)
		p.oval(c, 0, -13, 6, 5.6)
		p.stroke(c.line(), 0.5, 0.8, at(-3.6, -13, 0, -15.4, 3.6, -13, 0.8, -10.6, -1.2, -12.6))
		p.stroke(f.accent, 1, 1.4, at(-4.6, -8.2, 0, -7, 4.6, -8.2))
	case "headscarf":
		scarf := of(f.scarfColor())
		p.blob(scarf, sym(0, -14, 8.6, -12.2, 12.8, -5, 13.2, 4, 12, 13, 7, 20, 0, 23))
		p.stroke(scarf.line(), 0.4, 0.8, at(-8, 6, -3, 12, 0, 20))
		p.stroke(scarf.line(), 0.4, 0.8, at(9, 3, 6, 10, 2, 15))
	default:
		p.blob(c, cap)
		p.stroke(shine, 0.5, 1.4, at(-7.6, -8, -3, -11, 2, -11.4))
	}
	f.headwear(p, true)
}
