package figure

import "math"

var beak = hex(0xf2a23c)

// bird draws birds and owls.
func (b *beast) bird(p *pen, mood string, side, behind bool) {
	coat, owl := b.coat(), b.species == "owl"
	feet := func(x float64) {
		for _, d := range []float64{-2.6, 0, 2.6} {
			p.stroke(beak.ink(), 1, 2.6, at(x, -4, x+d, -0.9))
		}
		for _, d := range []float64{-2.6, 0, 2.6} {
			p.stroke(beak, 1, 1.3, at(x, -4.4, x+d, -0.9))
		}
	}
	if side {
		b.birdSide(p, mood, feet)
		return
	}
	tail := func() {
		if b.tail != "none" {
			long := map[string]float64{"short": 4, "long": 16, "bushy": 10, "curly": 10}[b.tail]
			for _, x := range []float64{-4, 4, 0} {
				p.blob(of(b.body.lift(-0.1)), at(x-2.4, -9, x-2.8-x*0.1, -2+long*0.1, x+x*long*0.12, 0.4-long*0.4+long*0.55, x+2.8, -2, x+2.4, -9))
			}
		}
	}
	if !behind {
		tail()
	}
	feet(-6)
	feet(6)
	if owl {
		for _, s := range []float64{-1, 1} {
			p.plate(b.plain(), 1.4, move(at(6, -46, 15.4, -57.4, 16, -40), 0, 0, s, 1))
		}
	}
	h := b.head
	p.blob(coat, sym(0, -50, 9*h, -48.4, 15*h, -40, 15.6, -28, 17, -16, 11.4, -5, 0, -3.4))
	if behind {
		tail()
		b.foldedWings(p, 0.7)
		if !owl {
			p.blob(b.plain(), at(-3, -49, -4.4, -56, -1, -53, 1, -58, 2.6, -52.6, 5.4, -54, 3, -48))
		}
		return
	}
	p.haze(b.second, 1, sym(0, -28, 6, -26.6, 10.6, -18, 8, -8, 0, -5.4))
	if owl {
		for row := range 3 {
			for i := range 4 - row%2 {
				x := (float64(i) - float64(3-row%2)/2) * 4.6
				p.stroke(b.body, 0.9, 1, at(x-1.5, -22+float64(row)*4.6, x, -20.4+float64(row)*4.6, x+1.5, -22+float64(row)*4.6))
			}
		}
	}
	b.foldedWings(p, 1)
	ex, ey, r := 6.4*h, -38.0, 3.0
	if owl {
		r = 3.7
		for _, s := range []float64{-1, 1} {
			p.oval(of(b.second), s*6.7*h, -38, 6.9, 7.2)
		}
	} else {
		p.blob(b.plain(), at(-3, -49, -4.4, -56, -1, -53, 1, -58, 2.6, -52.6, 5.4, -54, 3, -48))
		p.haze(b.second, 0.9, sym(0, -36, 4, -40.6, 9.6, -41, 11, -35, 6, -30.6, 0, -30))
	}
	lid := b.body
	if owl {
		lid = b.second
	}
	for _, s := range []float64{-1, 1} {
		b.eyeOn(p, mood, s, s*ex, ey, r, lid)
		p.soft(hex(0xf0626c), 0.26, s*(ex+3.4), ey+6, 2.4, 1.6)
	}
	b.beakFront(p, mood, -34.5)
	b.hornsAt(p, -34)
}

func (b *beast) beakFront(p *pen, mood string, y float64) {
	if mood == "happy" || mood == "surprised" {
		p.blob(of(hex(0x7c2838)), sym(0, y, 2.6, y+1, 2, y+4.4, 0, y+5.6))
	}
	p.plate(of(beak), 1.2, at(-3.4, y-1.4, 0, y-2.6, 3.4, y-1.4, 0, y+4))
	switch mood {
	case "sad":
		p.stroke(beak.ink(), 1, 0.9, at(-2, y+0.4, 0, y-0.6, 2, y+0.4))
	case "smile":
		p.stroke(beak.ink(), 1, 0.9, at(-2.2, y-0.4, 0, y+0.9, 2.2, y-0.4))
	case "angry":
		p.stroke(beak.ink(), 1, 1.1, at(-2.6, y+0.6, 2.6, y+0.6))
	}
}

// hornsAt puts the horns of other animals on a head whose middle is at y.
func (b *beast) hornsAt(p *pen, y float64) {
	p.within(0, y, 1, 0, func() { b.hornsFront(p) })
}

// foldedWings lie at the sides of a bird; other wings are spread.
func (b *beast) foldedWings(p *pen, near float64) {
	for _, s := range []float64{-1, 1} {
		switch b.wings {
		case "leathery":
			b.wing(p, s, s*12, -24, 0.8)
		case "feathered":
			p.blob(of(b.body.lift(-0.09)), move(at(13*near, -31, 17.6, -29, 20, -20, 18, -11, 14.6, -7.4, 12.6*near, -15), 0, 0, s, 1))
			p.stroke(b.body.ink(), 0.5, 0.8, move(at(16.4, -22, 17.4, -16, 16, -11.6), 0, 0, s, 1))
		}
	}
}

func (b *beast) birdSide(p *pen, mood string, feet func(float64)) {
	if b.tail != "none" {
		long := map[string]float64{"short": 0, "long": 12, "bushy": 7, "curly": 6}[b.tail]
		p.blob(of(b.body.lift(-0.1)), at(-10, -18, -20-long, -17-long*0.3, -24-long, -13-long*0.2, -19-long, -10, -10, -11))
	}
	feet(-2)
	feet(4)
	owl := b.species == "owl"
	if owl {
		p.plate(b.plain(), 1.4, at(-4, -46, -3, -57.4, 6, -47))
	}
	p.blob(b.coat(), at(2, -49.4, 11, -46, 14.6, -37, 12.6, -28, 14, -18, 9, -7, 0, -4, -9, -6.6, -15, -14, -12.6, -24, -8, -34, -5.6, -45))
	p.haze(b.second, 1, at(12.4, -27, 13.4, -18, 8.6, -8, 3, -6.4, 5, -15, 7, -23))
	if b.wings == "feathered" {
		p.blob(of(b.body.lift(-0.09)), at(2, -27, 4.4, -20, 0, -13, -8, -10, -16, -10.6, -11, -17, -6, -25))
		p.stroke(b.body.ink(), 0.5, 0.8, at(-9, -13, -3, -16, 0, -19))
	} else if b.wings == "leathery" {
		b.wing(p, -1, 0, -24, 0.8)
	}
	if owl {
		p.oval(of(b.second), 7, -38, 5.4, 7)
	} else {
		p.blob(b.plain(), at(-1, -48, -5.4, -54, -0.6, -53, 1, -58, 4, -52.6, 5, -48))
	}
	p.plate(of(beak), 1.2, at(13, -39.6, 20.6, -35.4, 13, -33.6))
	p.stroke(beak.ink(), 1, 0.8, at(13.4, -36.2, 18, -35.6))
	b.eyeAt(p, mood, 1, 8, -38.4, 3)
	if b.horns != "none" {
		p.plate(of(hex(0xf4e6c4)), 0.8, at(2, -47.6, 8, -58, 8, -46))
	}
}

// fish swims a little above the ground, between bubbles.
func (b *beast) fish(p *pen, mood string, side, behind bool) {
	fin := of(b.second.mix(b.body, 0.35))
	for _, q := range [][3]float64{{21, -48, 2.2}, {24, -41, 1.4}, {18.4, -54, 1.5}} {
		p.soft(hex(0xbfe3f5), 0.75, q[0], q[1], q[2], q[2])
		p.soft(hex(0xffffff), 0.9, q[0]-q[2]*0.3, q[1]-q[2]*0.3, q[2]*0.3, q[2]*0.3)
	}
	if side {
		if b.tail != "none" {
			k := map[string]float64{"short": 0.7, "long": 1, "bushy": 1.25, "curly": 1.1}[b.tail]
			p.blob(fin, move(at(0, 0, -8, -11, -15, -12, -12.4, -3, -13, 3, -15, 12, -8, 10), -15, -28, k, k))
		}
		p.blob(fin, at(-8, -38, -4, -49, 6, -47, 9, -38))
		p.blob(fin, at(-4, -18, -6, -9, 2, -10, 5, -17))
		p.blob(b.coat(), at(22, -28, 17, -37, 6, -42, -6, -39.4, -18, -29, -6, -17, 6, -14.6, 17, -19))
		p.haze(b.second, 0.9, at(20, -23.4, 14, -17.6, 5, -15.6, -5, -18, 4, -20.4, 13, -22.6))
		p.stroke(b.body.ink(), 0.5, 0.9, at(8, -37, 5, -28, 8, -19.6))
		p.blob(fin, at(3, -26, -6, -24, -8, -18, -1, -18))
		b.eyeAt(p, mood, 1, 13.4, -31, 3.2)
		b.mouthAt(p, mood, 18, -25, 2.4, b.body)
		if b.wings != "none" {
			b.wing(p, -1, 0, -34, 0.8)
		}
		if b.horns != "none" {
			p.plate(of(hex(0xf3cf73)), 0.8, at(10, -39, 20, -52, 15, -37))
		}
		return
	}
	if b.wings != "none" {
		b.wingsFront(p)
	}
	for _, s := range []float64{-1, 1} {
		p.blob(fin, move(at(13, -29, 23, -34, 25.6, -27, 22.6, -21, 14, -23), 0, 0, s, 1))
	}
	p.blob(fin, sym(0, -54, 4, -48, 5, -40, 0, -38))
	h := b.head
	p.blob(b.coat(), sym(0, -45, 11*h, -42, 17*h, -30, 13, -17, 6, -12, 0, -11.4))
	if behind {
		if b.tail != "none" {
			p.blob(fin, sym(0, -38, 5, -44, 7, -33, 3.4, -26, 7, -17, 5, -11, 0, -18))
		}
		b.hornsAt(p, -34)
		return
	}
	p.haze(b.second, 0.9, sym(0, -24, 7, -22.6, 9, -17.4, 4, -13, 0, -12.6))
	for _, s := range []float64{-1, 1} {
		b.eyeAt(p, mood, s, s*8.6*h, -32, 3.5)
		p.soft(hex(0xf0626c), 0.3, s*10, -25.6, 2.4, 1.6)
	}
	b.mouthAt(p, mood, 0, -24.6, 3.4, b.body)
	b.hornsAt(p, -32)
}

// snake lies coiled, its head up.
func (b *beast) snake(p *pen, mood string, side, behind bool) {
	coat := b.coat()
	if b.tail != "none" {
		long := map[string]float64{"short": 0.6, "long": 1, "bushy": 1.15, "curly": 0.85}[b.tail]
		p.limb(b.plain(), 5, at(14, -5, 14+8*long, -4, 14+14*long, -8*long-2))
		if b.tail == "bushy" {
			p.cluster(of(b.second), [][3]float64{{31, -12, 2.6}, {32.4, -14.6, 2.4}})
		}
	}
	for i, w := range []float64{20, 16.4, 12.4} {
		y := -6.6 - float64(i)*7.6
		p.blob(coat, at(-w, y, -w*0.8, y-5.6, 0, y-6.8, w*0.8, y-5.6, w, y, w*0.8, y+5, 0, y+6.2, -w*0.8, y+5))
		p.haze(b.second, 0.65, at(-w*0.7, y+3, 0, y+4.2, w*0.7, y+3, w*0.5, y+4.6, 0, y+5.6, -w*0.5, y+4.6))
	}
	p.limb(b.plain(), 9.4, at(4, -25, 5.4, -33, 1, -39, 0, -44))
	if !behind && !side {
		p.limb(bare(b.second), 4.6, at(4.6, -27, 5, -33, 1, -39, 0, -42))
	}
	if b.wings != "none" {
		b.wingsFront(p)
	}
	h := b.head
	if side {
		p.within(2, -47, h, 0, func() {
			p.stroke(hex(0xd8434f), 1, 1.3, at(13, 3, 18, 3.6, 21, 2))
			p.blob(coat, at(-10, -1, -6, -8, 3, -9.6, 11, -4.4, 16, 1, 13, 5.4, 2, 7.6, -8, 6))
			b.eyeAt(p, mood, 1, 4, -2.4, 2.9)
			b.mouthAt(p, mood, 9, 3.2, 2.8, b.body)
			if b.horns != "none" {
				p.plate(of(hex(0xf4e6c4)), 0.8, at(-6, -7, -8, -16, -1, -8.6))
			}
		})
		return
	}
	p.within(0, -48, h, 0, func() {
		if !behind {
			p.stroke(hex(0xd8434f), 1, 1.3, at(0, 7, 0.4, 11, -1.4, 13.4))
			p.stroke(hex(0xd8434f), 1, 1.3, at(0.4, 11, 2.2, 13))
		}
		p.blob(coat, sym(0, -10, 7, -8.6, 11.6, -1, 9.6, 5, 4.6, 8.4, 0, 9))
		if !behind {
			for _, s := range []float64{-1, 1} {
				b.eyeAt(p, mood, s, s*5.6, -2, 3)
				p.soft(hex(0xf0626c), 0.3, s*7.8, 3, 2, 1.4)
				p.soft(b.body.ink(), 0.8, s*1.2, 2.4, 0.5, 0.6)
			}
			b.mouthAt(p, mood, 0, 4.4, 3.4, b.body)
		}
		p.within(0, 4, 1, 0, func() { b.hornsFront(p) })
	})
}

// frog squats.
func (b *beast) frog(p *pen, mood string, side, behind bool) {
	coat := b.coat()
	h := b.head
	if b.tail != "none" {
		b.tailFront(p)
	}
	if b.wings != "none" {
		b.wingsFront(p)
	}
	web := func(x, s float64) {
		p.blob(b.plain(), at(x-s*3, -0.8, x-s*2, -4, x+s*3, -4.6, x+s*8, -1.4, x+s*5.6, -0.8, x+s*3, -1.6, x+s*1.4, -0.6))
	}
	if side {
		p.blob(coat, at(-18, -4, -20, -14, -12, -24, 0, -31, 10, -32, 17, -26, 16, -17, 9, -9, 0, -4))
		p.haze(b.second, 1, at(15.4, -18, 9, -10, 2, -5.6, -4, -5.6, 2, -14, 9, -19))
		p.oval(coat, 8, -34, 5.4, 5.4)
		p.blob(b.plain(), at(-18, -3, -19, -13, -10, -16, -2, -10, -6, -4))
		web(-4, 1)
		p.limb(b.plain(), 5, at(5, -13, 8, -8, 7, -3))
		web(7, 1)
		b.eyeAt(p, mood, 1, 9.4, -34.4, 3.2)
		b.mouthAt(p, mood, 13, -23, 3, b.body)
		p.soft(hex(0xf0626c), 0.3, 7, -23, 2.4, 1.6)
		return
	}
	for _, s := range []float64{-1, 1} {
		p.blob(b.plain(), move(at(8, -4, 13, -17, 20, -18, 23.4, -9, 20, -2.4), 0, 0, s, 1))
		web(s*17, s)
	}
	p.blob(coat, sym(0, -26, 11, -24, 15.4, -13, 13, -4, 0, -1.6))
	if !behind {
		p.haze(b.second, 1, sym(0, -19, 8, -17, 10.4, -9, 7, -3.4, 0, -2.6))
	}
	for _, s := range []float64{-1, 1} {
		p.limb(b.plain(), 5, at(s*8, -13, s*9, -7, s*8, -3))
		web(s*8, s)
	}
	p.within(0, -30, h, 0, func() {
		for _, s := range []float64{-1, 1} {
			p.oval(b.plain(), s*10, -10.4, 6.4, 6.6)
		}
		p.blob(coat, sym(0, -10, 9, -9.4, 17.4, -3, 17.6, 4, 11, 9.4, 0, 10.6))
		if behind {
			b.hornsFront(p)
			return
		}
		for _, s := range []float64{-1, 1} {
			b.eyeAt(p, mood, s, s*10, -10.2, 3.9)
			p.soft(hex(0xf0626c), 0.34, s*12.6, 2.4, 2.7, 1.8)
			p.soft(b.body.ink(), 0.7, s*1.6, -1.6, 0.6, 0.7)
		}
		b.mouthAt(p, mood, 0, 2.6, 6.4, b.body)
		p.within(0, 1, 1, 0, func() { b.hornsFront(p) })
	})
}

// insect is a beetle with a shield of two wings.
func (b *beast) insect(p *pen, mood string, side, behind bool) {
	body := of(hex(0x3a3642))
	legs := func(xs ...float64) {
		for _, x := range xs {
			s := math.Copysign(1, x)
			p.limb(body, 3, at(x*0.6, -10, x+s*2, -9, x+s*4, -1.8))
		}
	}
	shield := b.coat()
	shield.size = 8.4
	antenna := func(x, y float64, d float64) {
		p.stroke(body.rgb, 1, 1.4, at(x, y, x+d*0.4, y-8, x+d, y-11))
		p.oval(of(b.second), x+d, y-11.6, 1.9, 1.9)
	}
	if b.tail != "none" {
		b.tailFront(p)
	}
	if b.wings != "none" {
		for _, s := range []float64{-1, 1} {
			b.wing(p, s, s*6, -32, 1)
		}
	}
	if side {
		legs(-14, -2, 10)
		p.blob(body, at(8, -10, 6, -24, 14, -30, 23, -26, 25, -17, 20, -9))
		p.blob(shield, at(12, -9, 13, -24, 6, -36, -8, -38, -19, -28, -22, -10))
		p.stroke(b.body.ink(), 0.7, 1, at(-21, -13, -4, -15, 12, -13))
		antenna(18, -28, 5)
		b.eyeOn(p, mood, 1, 18.6, -20.4, 3.6, body.rgb)
		b.mouthAt(p, mood, 20.4, -13.6, 2.2, body.rgb)
		if b.horns != "none" {
			p.plate(of(hex(0xf4e6c4)), 0.8, at(18, -27, 26, -37, 23, -25))
		}
		return
	}
	legs(-17, -13, 13, 17)
	if behind {
		antenna(-5, -44, -5)
		antenna(5, -44, 5)
		p.oval(body, 0, -40, 9, 8)
		p.blob(shield, sym(0, -42, 11, -38, 18, -24, 16, -10, 8, -4, 0, -3))
		p.stroke(b.body.ink(), 1, 1.1, at(0, -41.6, 0, -3.4))
		b.hornsAt(p, -36)
		return
	}
	p.blob(shield, sym(0, -46, 11, -42, 18.4, -27, 16, -10, 8, -4, 0, -3))
	p.stroke(b.body.ink(), 1, 1.1, at(0, -46, 0, -30))
	h := b.head
	p.within(0, -24, h, 0, func() {
		antenna(-5, -12, -6)
		antenna(5, -12, 6)
		p.blob(body, sym(0, -14, 8, -12.4, 13.4, -3, 11.6, 7, 6, 11.4, 0, 12.4))
		for _, s := range []float64{-1, 1} {
			b.eyeOn(p, mood, s, s*5.6, -2.4, 3.8, body.rgb)
			p.soft(hex(0xf0626c), 0.5, s*8.6, 4, 2.3, 1.6)
		}
		b.mouthAt(p, mood, 0, 4.6, 3.6, body.rgb)
		p.within(0, 1, 1, 0, func() { b.hornsFront(p) })
	})
}
