package figure

// beastFront draws an animal that sits and faces us, or turns its back.
func (b *beast) beastFront(p *pen, mood string, behind bool) {
	coat := b.coat()
	if !behind {
		b.tailFront(p)
		b.wingsFront(p)
	}
	if b.k.mane && !behind {
		p.blob(of(b.maneColor().lift(-0.05)), sym(0, -60, 9, -57, 13, -46, 13.5, -30, 9, -21, 0, -20))
	}
	for _, side := range []float64{-1, 1} {
		p.oval(b.plain(), side*12, -7.4, 6.6, 7.2)
		p.oval(b.paw(), side*13, -2.6, 5.6, 3)
	}
	p.blob(coat, sym(0, -34, 8, -32, 12, -21, 14.4, -8, 10, -1.2, 0, -0.4))
	if !behind {
		belly := sym(0, -29, 5.4, -27, 8, -17, 8.4, -7, 5, -2, 0, -1.6)
		if b.k.mane {
			belly = sym(0, -21, 4, -18, 6, -11, 5, -3, 0, -2)
			p.haze(b.body.mix(paper, 0.4), 0.55, belly)
		} else {
			p.haze(b.second, 1, belly)
		}
		if b.species == "dragon" {
			for i := range 5 {
				y := -24 + float64(i)*4.6
				p.stroke(b.second.ink(), 0.45, 0.8, at(-6.6, y, 0, y+1.4, 6.6, y))
			}
		}
		for _, side := range []float64{-1, 1} {
			p.limb(b.plain(), 6.4, at(side*5.2, -19, side*5.6, -11, side*5.3, -3.4))
			p.oval(b.paw(), side*5.4, -2.6, 4.4, 3)
			for _, x := range []float64{-1.3, 1.3} {
				p.stroke(b.paw().line(), 0.6, 0.7, at(side*5.4+x, -2.4, side*5.4+x, -0.8))
			}
		}
		if b.species == "dog" {
			p.stroke(b.collar(), 1, 2.6, at(-9.4, -30.4, 0, -27.6, 9.4, -30.4))
			p.oval(of(brass), 0, -26.4, 1.9, 1.9)
		}
	} else {
		if b.species == "dragon" {
			for i := range 4 {
				y := -30 + float64(i)*7
				p.plate(of(b.second.lift(-0.1)), 0.6, at(-2.4, y+5, 0, y, 2.4, y+5))
			}
		}
	}
	p.within(0, -43, b.head, 0, func() { b.headFront(p, mood, behind) })
	if behind {
		b.wingsFront(p)
		b.tailFront(p)
	}
}

func (b *beast) collar() rgb {
	return contrast(b.body, hex(pick[uint32](b.seed, "collar", 0xd8433f, 0x3f74cf, 0x2b8f90, 0x8a4fb5)))
}

// paw is the color of the feet: socks or hooves of some, the coat of most.
func (b *beast) paw() cloth {
	switch {
	case b.k.mane:
		return of(hex(0x5a463c).mix(b.second, 0.25))
	case b.species == "fox", b.tuft == 1 && b.species != "dragon":
		if b.species == "fox" {
			return of(hex(0x4a3430))
		}
		return of(b.second)
	}
	return b.plain()
}

func (b *beast) maneColor() rgb { return contrast(b.body, b.second) }

// headFront is the head of an animal; its middle is 0, 0.
func (b *beast) headFront(p *pen, mood string, behind bool) {
	coat := b.coat()
	if !behind {
		b.ears(p, false)
	}
	long := b.k.muzzle == "wide"
	switch {
	case b.k.mane:
		p.blob(coat, sym(0, -13.6, 7.6, -12.4, 11.4, -5, 10, 3.4, 10.2, 10, 7.4, 15, 0, 16.4))
	case long:
		p.blob(coat, sym(0, -13, 8.6, -11.6, 13, -4, 11.8, 4, 11.6, 10, 8, 14, 0, 15))
	case b.species == "bear":
		p.blob(coat, sym(0, -13.4, 10, -11, 15.6, -1, 14, 8, 8, 12.8, 0, 13.6))
	default:
		p.blob(coat, sym(0, -12.6, 9, -11, 14.6, -3.4, 16, 4.4, 10.4, 10.6, 4, 12.4, 0, 12.6))
	}
	if behind {
		b.ears(p, true)
		if b.k.mane {
			p.blob(of(b.maneColor()), sym(0, -16, 5, -15, 7.6, -4, 7, 10, 4, 20, 0, 24))
		}
		b.hornsFront(p)
		return
	}
	blush := b.body.mix(hex(0xf0626c), 0.55)
	switch b.k.muzzle {
	case "wide":
		p.blob(of(b.muzzleColor()), sym(0, 4.4, 6, 5.2, 9.6, 9.4, 8, 14.4, 0, 16))
		for _, side := range []float64{-1, 1} {
			p.soft(b.muzzleColor().ink(), 0.8, side*4, 8.6, 1.1, 1.4)
		}
	case "long":
		for _, side := range []float64{-1, 1} {
			p.haze(b.second, 1, at(0, 1, side*5, 1.4, side*12, -0.6, side*14.6, 5, side*9, 10, side*3, 12, 0, 12))
		}
		p.blob(bare(b.second), sym(0, 0, 4.6, 2.4, 5.4, 7.4, 3, 11, 0, 11.8))
	case "broad":
		p.blob(cloth{rgb: b.second, bare: true}, sym(0, -0.6, 6, 1.2, 8, 6.4, 5.4, 11, 0, 12))
	default:
		p.haze(b.second, 1, sym(0, 2.4, 4, 3.2, 7.4, 6.6, 4.6, 10.8, 0, 11))
	}
	if b.tuft == 2 && b.species != "fox" && !long {
		p.haze(b.second, 1, sym(0, -12, 2.6, -11.8, 2.2, -4, 0, -0.6))
	}
	ex, ey, r := 6.8, -0.8, 3.1
	if long {
		ex, ey, r = 7.1, -3.4, 2.8
	}
	if b.species == "dog" && b.tuft != 1 {
		p.haze(b.body.lift(-0.14), 1, at(ex-4, ey-1, ex, ey-5.2, ex+4.6, ey-1.6, ex+4, ey+4, ex-1, ey+4.4))
	}
	for _, side := range []float64{-1, 1} {
		p.soft(blush, 0.36, side*(ex+2.6), ey+6, 2.7, 1.8)
		b.eyeAt(p, mood, side, side*ex, ey, r)
	}
	switch b.k.muzzle {
	case "wide":
		b.mouthAt(p, mood, 0, 11.6, 3.8, b.muzzleColor())
	case "broad":
		p.blob(of(b.nose), sym(0, 0.6, 2.4, 0.9, 2.9, 2.4, 1.2, 4, 0, 4.3))
		p.soft(hex(0xffffff), 0.5, -0.9, 1.6, 0.8, 0.5)
		p.stroke(b.second.ink(), 1, 1, at(0, 4, 0, 6.2))
		b.mouthAt(p, mood, 0, 6.4, 3.8, b.second)
	default:
		p.blob(of(b.nose), sym(0, 3, 1.7, 3.1, 1.9, 4, 0.8, 5.1, 0, 5.3))
		b.mouthAt(p, mood, 0, 6, 3, b.second)
		if b.species == "cat" || b.species == "rabbit" {
			for _, side := range []float64{-1, 1} {
				p.stroke(b.body.ink(), 0.55, 0.6, at(side*8, 6, side*17.6, 4.4))
				p.stroke(b.body.ink(), 0.55, 0.6, at(side*8, 7.6, side*17.2, 8.4))
			}
		}
		if b.species == "rabbit" && mood != "sad" && mood != "angry" {
			p.box(of(paper), -1.3, 6.8, 2.6, 2.6, 0.5)
			p.stroke(b.dark, 0.6, 0.5, at(0, 7, 0, 9.2))
		}
	}
	if b.species == "dragon" && mood != "happy" && mood != "surprised" {
		for _, side := range []float64{-1, 1} {
			p.plate(of(paper), 0.3, at(side*3-0.9, 12.4, side*3+0.9, 12.4, side*3, 14.8))
		}
	}
	if b.k.mane {
		p.blob(of(b.maneColor()), at(-6, -14.4, 0, -17.6, 6, -14.6, 5.6, -8, 2.6, -4.4, 1, -8.6, -1.4, -4, -4, -9))
	}
	if b.species == "cat" && b.weave == "striped" {
		for _, x := range []float64{-2.6, 0, 2.6} {
			p.stroke(b.coat().second, 1, 1.4, at(x*1.2, -11.2, x, -7.6))
		}
	}
	b.hornsFront(p)
}

func (b *beast) muzzleColor() rgb {
	if b.k.mane {
		return b.body.mix(hex(0xf2c4b8), 0.5)
	}
	return b.second
}

func (b *beast) ears(p *pen, behind bool) {
	c, inner := b.plain(), of(b.body.mix(hex(0xf29aa0), 0.6))
	inner.bare = true
	if b.species == "fox" || b.tuft == 2 && b.species == "cat" {
		c = of(b.body.lift(-0.1))
	}
	for _, side := range []float64{-1, 1} {
		flip := func(v ...float64) []pt { return move(at(v...), 0, 0, side, 1) }
		switch b.k.ears {
		case "pointed":
			p.plate(c, 2.6, flip(2.6, -10, 12.4, -22.6, 15.4, -3))
			if !behind {
				p.plate(inner, 1.8, flip(6, -10.6, 11.8, -18.6, 13.4, -6.4))
			}
		case "floppy":
			p.blob(of(b.earColor()), flip(6, -12, 12.4, -12.4, 18, -4, 19.4, 5, 16, 9.6, 12.6, 5, 11, -3))
		case "round":
			p.oval(c, side*11.6, -10.8, 5.4, 5.4)
			if !behind {
				p.oval(inner, side*11.2, -10.2, 3, 3)
			}
		case "long":
			p.blob(c, flip(2, -9, 3, -22, 6.4, -31.6, 10, -29, 10.6, -19, 8.6, -8))
			if !behind {
				p.blob(inner, flip(4.6, -12, 5.4, -22, 7, -28, 8.6, -22, 7.6, -12))
			}
		case "upright":
			p.blob(c, flip(3.6, -11, 5, -18.4, 7.8, -22, 10.2, -17, 9.8, -9.4))
			if !behind {
				p.blob(inner, flip(5.8, -12, 7.6, -18.6, 8.4, -11.4))
			}
		case "fin":
			p.plate(of(b.second.lift(-0.08)), 1.4, flip(10.6, -6, 20.6, -11, 17.6, -5, 20.8, -1.4, 16.4, 0, 17.6, 4.4, 10.6, 3))
		}
	}
}

func (b *beast) earColor() rgb {
	if b.tuft == 0 {
		return b.body.lift(-0.14)
	}
	return contrast(b.body, b.second).mix(b.body, 0.25).lift(-0.06)
}

func (b *beast) hornsFront(p *pen) {
	horn := of(hex(0xf4e6c4))
	switch b.horns {
	case "one":
		gold := cloth{rgb: hex(0xf3cf73), second: hex(0xfff0c0), weave: "striped", size: 3.6}
		p.plate(gold, 0.8, at(-2.9, -11, 0, -28.4, 2.9, -11))
	case "two":
		for _, side := range []float64{-1, 1} {
			p.blob(horn, move(at(4.4, -11, 5.8, -18, 10.4, -24, 12, -23.4, 10.6, -16.4, 9.4, -9.6), 0, 0, side, 1))
		}
	}
}

// tailFront is the tail beside a sitting animal.
func (b *beast) tailFront(p *pen) {
	tip := of(b.second)
	switch b.tail {
	case "long":
		p.limb(b.plain(), 4.6, at(10, -4, 19, -3.4, 24, -10, 22.6, -18, 25.4, -23))
		if b.species == "dragon" {
			p.plate(of(b.second.lift(-0.1)), 1, at(21, -22, 25.8, -32, 30.4, -21.6, 25.6, -23.6))
		} else if b.species == "cat" {
			p.limb(tip, 4.6, at(23.6, -19.6, 25.4, -23))
		}
	case "bushy":
		c := b.plain()
		if b.k.mane {
			c = of(b.maneColor())
		}
		p.blob(c, at(9, -3, 17, -2, 25, -7, 28, -17, 25.6, -27, 22.4, -29.6, 19, -22, 16.6, -13, 11, -8))
		if !b.k.mane {
			p.blob(of(b.second), at(27.6, -19, 25.6, -27, 22.4, -29.6, 19.6, -23.4, 22, -21.6, 24.2, -22))
		}
	case "curly":
		p.limb(b.plain(), 4.8, at(10, -7, 18, -8, 22, -14, 18.6, -19, 15, -16, 17, -13))
	case "short":
		if b.species == "rabbit" || b.species == "bear" {
			p.cluster(of(b.second), [][3]float64{{15, -7, 4}, {18, -8.6, 3.4}, {17, -5, 3.4}})
		} else {
			p.limb(b.plain(), 4.4, at(11, -6, 18, -9, 20, -12))
		}
	}
}

// wingsFront are spread on both sides.
func (b *beast) wingsFront(p *pen) {
	for _, side := range []float64{-1, 1} {
		b.wing(p, side, side*8, -29, 1)
	}
}

func (b *beast) wing(p *pen, side, x, y, scale float64) {
	flip := func(v ...float64) []pt { return move(at(v...), x, y, side*scale, scale) }
	switch b.wings {
	case "leathery":
		p.plate(of(b.second.lift(-0.06)), 1.6, flip(0, 0, 10, -15, 20, -19, 26, -10, 22.4, -6.6, 25, 0, 19, 1, 18, 8, 12, 5, 6, 10))
		p.stroke(b.body, 1, 2, flip(1, 1, 10, -14, 19.6, -18))
		p.stroke(b.body, 1, 1.2, flip(10, -14, 17, -7, 24, 0))
		p.stroke(b.body, 1, 1.2, flip(10, -14, 13, -4, 17.4, 7))
	case "feathered":
		c := of(b.second.mix(paper, 0.35))
		if b.k.form == "bird" {
			c = of(b.body.lift(-0.07))
		}
		for i, v := range [][4]float64{{21, 3, 9.4, 3.6}, {22.4, -3.4, 10.4, 3.8}, {21.4, -10.4, 11, 4}} {
			turn := -12.0 - 14*float64(i)
			p.within(x+side*v[0]*0.62*scale, y+v[1]*scale*0.8, scale, side*turn, func() { p.oval(c, 0, 0, v[2], v[3]) })
		}
		p.blob(c, flip(-1, 4, 1, -8, 8, -14.4, 15, -12.6, 13, -4, 7, 4))
	}
}
