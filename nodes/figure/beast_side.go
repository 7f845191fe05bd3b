package figure

// beastSide draws an animal that stands and looks to the right.
func (b *beast) beastSide(p *pen, mood string) {
	l := b.k.legs
	y := -l - 10.0 // middle of the body
	coat := b.coat()
	far := of(b.body.lift(-0.08))
	legW := 6.6
	if b.k.mane {
		legW = 5.8
	}
	foot := func(x float64, c cloth, paw cloth) {
		p.limb(c, legW, at(x-0.6, y+4, x-0.4, -l/2, x, -3.2))
		p.blob(paw, at(x-3.6, -0.6, x-3.4, -3.6, x, -4.8, x+4, -3.4, x+4.8, -0.8, x, -0.2))
	}
	farPaw := of(b.paw().rgb.lift(-0.08))
	b.tailSide(p, y)
	if b.wings != "none" {
		b.wing(p, -1, -1, y-5, 0.92)
	}
	foot(-9.4, far, farPaw)
	foot(9.4, far, farPaw)
	hx, hy := 17.5, y-17.0
	if b.k.mane {
		hx, hy = 19.5, y-21
		p.blob(of(b.maneColor().lift(-0.04)), at(hx-4, hy-11, hx-9, hy-6, hx-13, hy+6, hx-15, hy+16, hx-8, hy+17, hx-2, hy+4))
	}
	neck := 12.0
	p.limb(b.plain(), neck, at(8, y-1, hx-7, hy+9, hx-2.4, hy+3))
	p.blob(coat, at(-16.4, y-6.4, -8, y-9, 3, y-8.2, 12.6, y-9.4, 17.4, y-3, 15.4, y+6, 8, y+9.2, -4, y+9, -13, y+8.6, -17.6, y+2))
	p.limb(bare(b.body), neck-1.4, at(9, y-2, hx-6.6, hy+8, hx-2.4, hy+3))
	if !b.k.mane {
		p.haze(b.second, 1, at(-8, y+8.4, 2, y+6.4, 11, y+6.2, 13, y+7.4, 8, y+8.9, -3, y+8.8))
	}
	foot(-12.6, b.plain(), b.paw())
	foot(12.4, b.plain(), b.paw())
	if b.species == "dragon" {
		for i := range 5 {
			x := -13 + float64(i)*5.4
			p.plate(of(b.second.lift(-0.1)), 0.6, at(x, y-7.6, x+1.2, y-13, x+4.6, y-7.8))
		}
	}
	if b.wings != "none" {
		b.wing(p, -1, 3, y-6, 1)
	}
	p.within(hx, hy, b.head, 0, func() { b.headSide(p, mood) })
}

func (b *beast) headSide(p *pen, mood string) {
	coat := b.coat()
	ear := func() {
		inner := bare(b.body.mix(hex(0xf29aa0), 0.6))
		c := b.plain()
		if b.species == "fox" {
			c = of(b.body.lift(-0.1))
		}
		switch b.k.ears {
		case "pointed":
			p.plate(c, 2.4, at(-9, -6, -4.6, -20.6, 3.4, -10))
			p.plate(inner, 1.6, at(-5.8, -8.6, -4, -16.4, 0, -10.4))
		case "floppy":
			p.blob(of(b.earColor()), at(-6, -11.4, -0.6, -11, 0.4, -3, -1.4, 6, -6, 8.6, -8.6, 2, -8.4, -6))
		case "round":
			p.oval(c, -5, -10.6, 5, 5)
			p.oval(inner, -4.6, -10, 2.8, 2.8)
		case "long":
			p.blob(c, at(-7, -8, -10, -20, -9.4, -29, -5.6, -30, -2.6, -20, -1, -9.6))
			p.blob(inner, at(-5.6, -12, -7.4, -21, -6.8, -26, -4.4, -20, -3.4, -12))
		case "upright":
			p.blob(c, at(-6, -10, -6.4, -18, -3.4, -21.6, -0.6, -16.6, 0.4, -11))
			p.blob(inner, at(-4, -12, -3.4, -18, -1.6, -12.6))
		case "fin":
			p.plate(of(b.second.lift(-0.08)), 1.4, at(-4, -6, -14, -12, -11.6, -5.4, -15.6, -1.6, -10.6, 0, -12, 5, -4, 3))
		}
	}
	if b.k.ears != "floppy" {
		ear()
	}
	mx, my := 12.0, 6.0 // the mouth
	switch b.k.muzzle {
	case "wide":
		p.blob(coat, at(-8, -9, 0, -12.4, 7, -9.4, 12, -1, 18.4, 3.6, 19.4, 9, 15, 12, 7, 10.6, -2, 11, -8.6, 6.4, -10.6, -2))
		p.blob(of(b.muzzleColor()), at(13.4, 0.8, 18.6, 3.4, 19.6, 9, 15, 12, 10.4, 11, 10.4, 5))
		p.soft(b.muzzleColor().ink(), 0.8, 17, 5, 0.9, 1.2)
		mx, my = 14, 8.6
	case "long":
		p.blob(coat, at(-9, -8, 0, -11.6, 7.4, -8, 12, -0.6, 19.6, 3.6, 19, 6.4, 12, 9.6, 3, 11, -6, 9.8, -11.6, 4, -11, -3))
		p.haze(b.second, 1, at(6, 4, 12, 3.4, 18.6, 5.4, 12, 9.2, 3, 10.6, -4, 9.4, -2, 6))
		p.oval(of(b.nose), 19, 3.9, 1.8, 1.6)
		mx, my = 13.6, 7
	case "broad":
		p.blob(coat, at(-9, -8.4, 0, -12, 8, -8.6, 11.6, -1, 16.4, 1.6, 17.4, 6, 13.6, 10.4, 4, 11.4, -6, 10, -11.8, 4, -11.4, -3))
		p.haze(b.second, 1, at(9.6, 0.6, 15.8, 1.9, 17, 6, 13.4, 10, 7.6, 10.8, 7, 4.6))
		p.blob(of(b.nose), at(14, 0.8, 17.4, 0.6, 18.2, 2.6, 16, 4.2, 14.2, 3))
		mx, my = 13, 7
	default:
		p.blob(coat, at(-9, -8.4, 0, -11.8, 8, -8.4, 11.8, -1.6, 14, 3.6, 12.6, 8, 6, 11, -4, 10.8, -11.4, 6, -12, -2))
		p.haze(b.second, 1, at(9, 3, 13, 3, 13, 6.4, 10, 9.4, 5.6, 9.4, 6, 5.4))
		p.oval(of(b.nose), 13.6, 3, 1.3, 1.1)
		mx, my = 11, 6.4
	}
	p.soft(b.body.mix(hex(0xf0626c), 0.55), 0.36, 4, 5, 2.6, 1.8)
	b.eyeAt(p, mood, 1, 6.2, -1.8, 2.6)
	b.mouthAt(p, mood, mx-1, my, 2.6, b.second)
	if b.species == "cat" {
		p.stroke(b.body.ink(), 0.55, 0.6, at(8, 6, 0, 5))
		p.stroke(b.body.ink(), 0.55, 0.6, at(8, 7.4, 0.4, 8.4))
	}
	if b.k.mane {
		p.blob(of(b.maneColor()), at(3.6, -10, 1, -15.4, -5, -14, -8.6, -8, -10.4, 0, -10, 8, -6, 3, -4, -4, 0, -8))
	}
	if b.k.ears == "floppy" {
		ear()
	}
	switch b.horns {
	case "one":
		p.plate(cloth{rgb: hex(0xf3cf73), second: hex(0xfff0c0), weave: "striped", size: 3.6}, 0.8, at(2.6, -10.6, 13.6, -24.6, 7.4, -8.2))
	case "two":
		p.blob(of(hex(0xf4e6c4)), at(-4, -10, -6.6, -18, -12.6, -22.4, -12.8, -20, -9.6, -13.6, -8, -7.6))
	}
}

func (b *beast) tailSide(p *pen, y float64) {
	switch b.tail {
	case "long":
		p.limb(b.plain(), 4.4, at(-14, y-2, -22, y-1, -27, y-8, -25.6, y-16, -28.4, y-21))
		if b.species == "dragon" {
			p.plate(of(b.second.lift(-0.1)), 1, at(-32.6, y-20.4, -29, y-30, -24, y-20.6, -28.4, y-22))
		}
	case "bushy":
		if b.k.mane {
			p.blob(of(b.maneColor()), at(-14, y-5, -20, y-6, -25, y+2, -26.4, y+13, -24, y+20, -20, y+14, -18, y+6))
			return
		}
		p.blob(b.plain(), at(-13, y-1, -19, y-7, -27, y-9, -34, y-16, -35, y-8, -31, y+1, -23, y+5))
		p.blob(of(b.second), at(-29.6, y-11, -34, y-16, -35, y-8, -32.4, y-2, -30, y-5))
	case "curly":
		p.limb(b.plain(), 4.8, at(-14, y-4, -21, y-8, -23, y-15, -18.4, y-17.4, -17, y-13.6))
	case "short":
		if b.species == "rabbit" || b.species == "bear" {
			p.cluster(of(b.second), [][3]float64{{-17.6, y - 2, 3.6}, {-20, y - 3.4, 3}})
		} else {
			p.limb(b.plain(), 4.4, at(-14, y-3, -21, y-8))
		}
	}
}
