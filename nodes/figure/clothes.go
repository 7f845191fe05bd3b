package figure

// trunk draws what is worn over the upper body, and the long clothes' skirts.
func (f *person) trunk(p *pen, behind bool) {
	n, h, s, w := f.neck(), f.hip(), f.shoulder, f.waist
	c := of(f.cloth)
	torso := sym(0, n-0.2, s*0.42, n-0.4, s*0.86, n+0.9, s, n+4.2, w*1.02, n+f.torso*0.62, w*1.04, h+1, w*0.7, h+2.1, 0, h+2.3)
	switch f.outfit {
	case "dress":
		hem := f.hem(h + f.legLength()*0.42)
		p.blob(c, sym(0, n-0.2, s*0.42, n-0.3, s*0.84, n+0.9, s*0.96, n+4.4, w*0.92, n+f.torso*0.55, w*1.25, h+1, w*1.95, hem-1.2, w*1.6, hem+0.8, 0, hem+1.6))
		p.stroke(f.accent, 1, 2, at(-w*0.93, n+f.torso*0.58, 0, n+f.torso*0.62, w*0.93, n+f.torso*0.58))
		for _, x := range []float64{-0.75, -0.25, 0.25, 0.75} {
			p.stroke(c.line(), 0.4, p.ink*0.8, at(x*w*0.9, h-1, x*w*1.5, hem-2.2))
		}
		if !behind {
			p.stroke(f.accent, 1, 1.5, at(-s*0.42, n+0.2, 0, n+2.2, s*0.42, n+0.2))
		}
	case "robe":
		hem := f.hem(-1.6)
		p.blob(c, sym(0, n-0.4, s*0.42, n-0.4, s*0.88, n+0.9, s, n+4.4, w*1.1, n+f.torso*0.6, w*1.3, h+4, w*1.85, hem-2, w*1.5, hem+0.4, 0, hem+1.2))
		if !behind {
			p.stroke(f.accent, 1, 2.2, at(-s*0.4, n, 0, n+f.torso*0.56, s*0.4, n))
		}
		p.stroke(f.accent, 1, 2.6, at(-w*1.12, h-f.torso*0.36, 0, h-f.torso*0.33, w*1.12, h-f.torso*0.36))
		p.stroke(f.accent, 1, 1.7, at(-w*1.6, hem-2.4, 0, hem-0.9, w*1.6, hem-2.4))
		if !behind {
			p.stroke(f.accent, 1, 1.8, at(2, h-f.torso*0.32, 3.2, h, 2.6, h+5))
		}
	case "coat", "lab-coat":
		f.coat(p, behind)
	case "armour":
		c.metal = true
		p.blob(c, torso)
		if !behind {
			p.stroke(c.line(), 0.6, p.ink, at(0, n+3, 0, h-5))
			p.stroke(c.line(), 0.5, p.ink, at(-s*0.8, n+f.torso*0.4, 0, n+f.torso*0.52, s*0.8, n+f.torso*0.4))
			p.oval(of(f.accent), 0, n+f.torso*0.32, 2.1, 2.1)
		}
		p.plate(of(f.accent), 0.8, at(-w*1.05, h-3.2, w*1.05, h-3.2, w*1.05, h-0.4, -w*1.05, h-0.4))
		for _, side := range []float64{-1, 1} {
			p.oval(c, side*s*0.98, n+3.2, f.armW*0.95, f.armW*0.82)
			p.stroke(c.line(), 0.5, p.ink, at(side*s*0.98-f.armW*0.7, n+5, side*s*0.98, n+6, side*s*0.98+f.armW*0.7, n+5))
			p.plate(c, 2, at(side*0.6, h, side*w*1.12, h, side*w*1.1, h+7, side*1.6, h+6.4))
		}
		p.blob(c, sym(0, n-2, 5, n-2.4, 6, n+0.2, 0, n+2.4))
	default:
		p.blob(c, torso)
		f.details(p, behind)
	}
}

// legLength is from the hip to the ground.
func (f *person) legLength() float64 { return -f.hip() }

// hem is where a long garment ends, shorter for who sits.
func (f *person) hem(y float64) float64 {
	if f.has("wheelchair") {
		return min(y, f.hip()+6)
	}
	return y
}

// details are what makes a shirt, a hoodie or a uniform of a trunk.
func (f *person) details(p *pen, behind bool) {
	n, h, s, w := f.neck(), f.hip(), f.shoulder, f.waist
	c := of(f.cloth)
	line := c.line()
	switch f.outfit {
	case "t-shirt":
		p.stroke(line, 0.5, p.ink*0.8, at(-w*0.98, h-0.2, 0, h+0.9, w*0.98, h-0.2))
		if !behind {
			p.stroke(line, 0.8, p.ink, at(-s*0.42, n-0.2, 0, n+2.4, s*0.42, n-0.2))
			f.motif(p, 0, n+f.torso*0.46, s*0.44)
		}
	case "hoodie":
		p.plate(of(f.cloth.lift(-0.05)), 1.2, at(-w*1.02, h-0.6, w*1.02, h-0.6, w*0.98, h+2.2, -w*0.98, h+2.2))
		if behind {
			p.blob(of(f.cloth.lift(-0.05)), sym(0, n-1.5, s*0.6, n-0.5, s*0.62, n+4, 0, n+9))
			return
		}
		p.blob(of(f.cloth.lift(-0.035)), sym(0, h-f.torso*0.34, w*0.46, h-f.torso*0.33, w*0.78, h-2.4, w*0.5, h-1.4, 0, h-1.4))
		p.blob(of(f.cloth.lift(-0.05)), append(at(-s*0.66, n+0.2, 0, n+2.2, s*0.66, n+0.2), at(s*0.5, n+2.8, 0, n+5, -s*0.5, n+2.8)...))
		for _, side := range []float64{-1, 1} {
			p.stroke(paper, 1, 0.85, at(side*1.9, n+3.6, side*2.1, n+6, side*1.8, n+9))
			p.oval(of(paper), side*1.8, n+9.2, 0.6, 0.8)
		}
	case "uniform":
		gold := of(brass)
		p.plate(of(f.cloth.lift(-0.13)), 0.6, at(-w*1.03, h-4.4, w*1.03, h-4.4, w*1.03, h-1.6, -w*1.03, h-1.6))
		for _, side := range []float64{-1, 1} {
			p.box(gold, side*s*0.82-2.3, n+0.2, 4.6, 2, 0.9)
		}
		if behind {
			return
		}
		p.box(gold, -1.6, h-4.7, 3.2, 3.4, 0.6)
		p.stroke(line, 0.6, p.ink*0.8, at(0, n+2.6, 0, h-4.4))
		for y := n + 5.5; y < h-6; y += 4.6 {
			p.oval(gold, 0, y, 0.95, 0.95)
		}
		p.plate(gold, 0.4, star(s*0.52, n+f.torso*0.3, 2, 0.45))
		p.plate(of(paper), 0.5, at(-0.2, n+2.6, -s*0.44, n-1, 0, n-0.2))
		p.plate(of(paper), 0.5, at(0.2, n+2.6, s*0.44, n-1, 0, n-0.2))
	case "shirt":
		if behind {
			p.stroke(line, 0.4, p.ink*0.8, at(-s*0.8, n+4.6, 0, n+5.6, s*0.8, n+4.6))
			return
		}
		p.stroke(line, 0.6, p.ink*0.8, at(0, n+2.6, 0, h+1.6))
		for y := n + 6; y < h; y += 4.8 {
			p.oval(of(paper), 0, y, 0.7, 0.7)
		}
		light := of(f.cloth.lift(0.07))
		p.plate(light, 0.7, at(-0.1, n+2.4, -s*0.2, n+4.4, -s*0.52, n-0.4, -s*0.3, n-1.4))
		p.plate(light, 0.7, at(0.1, n+2.4, s*0.2, n+4.4, s*0.52, n-0.4, s*0.3, n-1.4))
		p.box(of(f.cloth.lift(0.02)), s*0.25, n+f.torso*0.34, s*0.42, s*0.44, 0.7)
	}
}

// coat is open over a shirt when it is a lab coat, else buttoned.
func (f *person) coat(p *pen, behind bool) {
	n, h, s, w := f.neck(), f.hip(), f.shoulder, f.waist
	hem := f.hem(h + f.legLength()*0.5)
	c := of(f.cloth)
	whole := sym(0, n-0.2, s*0.44, n-0.4, s*0.9, n+0.8, s*1.04, n+4.2, w*1.1, n+f.torso*0.6, w*1.2, h+2, w*1.42, hem-1, w*1.2, hem+0.5, 0, hem+0.8)
	if behind {
		p.blob(c, whole)
		p.stroke(c.line(), 0.5, p.ink*0.8, at(0, h, 0, hem))
		p.plate(of(f.cloth.lift(-0.06)), 0.7, at(-w*0.5, h-5, w*0.5, h-5, w*0.5, h-2.4, -w*0.5, h-2.4))
		return
	}
	p.blob(c, whole)
	line := c.line()
	if f.outfit == "lab-coat" {
		inner := of(f.accent)
		p.plate(inner, 1, at(-s*0.34, n-0.2, s*0.34, n-0.2, w*0.2, h*0.2+n*0.8+4, w*0.26, h-1, -w*0.26, h-1, -w*0.2, h*0.2+n*0.8+4))
		low := f.legColor()
		p.plate(low, 0.8, at(-w*0.26, h-1, w*0.26, h-1, w*0.34, hem, -w*0.34, hem))
		for _, side := range []float64{-1, 1} {
			p.plate(of(f.cloth.lift(-0.03)), 0.7, at(side*s*0.3, n-1, side*s*0.6, n+3.6, side*s*0.34, n+f.torso*0.46, side*w*0.22, n+f.torso*0.3))
			p.box(c, side*w*0.78-2.2, h-1, 4.4, 4.6, 0.6)
		}
		p.box(c, s*0.42, n+f.torso*0.4, 4, 3.8, 0.5)
		p.stroke(hex(0x3f74cf), 1, 0.9, at(s*0.42+1.2, n+f.torso*0.4-2, s*0.42+1.2, n+f.torso*0.4+0.6))
		p.stroke(hex(0xd8433f), 1, 0.9, at(s*0.42+2.6, n+f.torso*0.4-1.6, s*0.42+2.6, n+f.torso*0.4+0.6))
		return
	}
	p.stroke(line, 0.8, p.ink, at(0.6, n+f.torso*0.4, 0.8, h, 1.2, hem-0.4))
	for y := n + f.torso*0.48; y < hem-6; y += 6 {
		p.oval(of(f.cloth.lift(-0.2)), -2.4, y, 1, 1)
		p.oval(of(f.cloth.lift(-0.2)), 3.6, y, 1, 1)
	}
	for _, side := range []float64{-1, 1} {
		p.plate(of(f.cloth.lift(0.05)), 0.8, at(side*s*0.26, n-1.4, side*s*0.62, n+0.6, side*s*0.6, n+5, side*0.6, n+f.torso*0.42))
		p.plate(of(f.cloth.lift(-0.03)), 0.6, at(side*w*0.5, h+0.4, side*w*1.05, h-0.6, side*w*1.08, h+1.6, side*w*0.52, h+2.6))
	}
	p.plate(of(f.accent), 1, at(-s*0.26, n-0.6, s*0.26, n-0.6, 0.4, n+f.torso*0.36, -0.4, n+f.torso*0.36))
}

// motif is the print of a t-shirt.
func (f *person) motif(p *pen, x, y, r float64) {
	c := bare(f.accent)
	switch f.print {
	case 0:
		p.plate(c, 0.8, star(x, y, r, 0.5))
	case 1:
		p.blob(c, at(x, y+r, x-r*0.95, y-r*0.1, x-r*0.55, y-r*0.75, x, y-r*0.35, x+r*0.55, y-r*0.75, x+r*0.95, y-r*0.1))
	case 2:
		for i := range 3 {
			dy := float64(i-1) * r * 0.75
			p.stroke(f.accent, 1, r*0.36, at(-f.waist*0.86, y+dy, 0, y+dy+0.8, f.waist*0.86, y+dy))
		}
	case 3:
		p.oval(c, x, y, r*0.8, r*0.8)
		p.soft(f.cloth, 1, x+r*0.3, y-r*0.15, r*0.62, r*0.62)
	case 4:
		for i := range 5 {
			o := star(x, y, r*0.62, 1)[i*2]
			p.soft(f.accent, 1, o.x, o.y, r*0.4, r*0.4)
		}
		p.soft(paper, 1, x, y, r*0.34, r*0.34)
	}
}

// chairBack and chairFront are the wheelchair around a person who faces us.
func (f *person) chairBack(p *pen) {
	w := f.shoulder + 1.5
	for _, side := range []float64{-1, 1} {
		p.limb(of(dark), 1.8, at(side*w*0.8, seatHeight-f.torso*0.7, side*w*0.8, seatHeight))
		p.limb(of(f.shoe), 2.4, at(side*w*0.8, seatHeight-f.torso*0.72, side*(w*0.8+3), seatHeight-f.torso*0.74))
	}
	p.box(of(f.bag().lift(-0.1)), -w*0.82, seatHeight-f.torso*0.6, w*1.64, f.torso*0.7, 2)
}

func (f *person) chairFront(p *pen, behind bool) {
	w := f.shoulder + 4.2
	if behind {
		p.box(of(f.bag().lift(-0.1)), -w*0.62, seatHeight-f.torso*0.46, w*1.24, f.torso*0.58, 2)
	}
	for _, side := range []float64{-1, 1} {
		p.oval(of(dark), side*w, -14.5, 2.6, 14.5)
		p.oval(of(f.shoe), side*w, -14.5, 1.4, 11)
		p.oval(of(steel), side*w, -14.5, 0.9, 2)
	}
}

// sitting draws the seat and the legs on it.
func (f *person) sitting(p *pen, behind bool) {
	w := f.shoulder + 1.5
	p.box(of(dark), -w, seatHeight+2, 2*w, 4, 1.6)
	if behind {
		return
	}
	p.box(of(steel), -8, -3.6, 16, 2.6, 1.2)
	for _, side := range []float64{-1, 1} {
		x := side * (f.waist*0.42 + 0.6)
		f.leg(p, side, at(x, seatHeight+3, x*1.04, seatHeight/2, x*1.08, -6.4), false)
		c := f.legColor()
		if f.legCover() < 0.5 {
			c = of(f.skin)
		}
		p.oval(c, x, seatHeight+3, f.legW*0.66, f.legW*0.6)
	}
}
