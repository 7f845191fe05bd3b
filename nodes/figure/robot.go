package figure

// robot has a screen for a face.
func (b *beast) robot(p *pen, mood string, side, behind bool) {
	coat, trim := b.coat(), of(b.second)
	joint := of(hex(0x5a5f6b))
	if b.wings != "none" && !behind {
		b.wingsFront(p)
	}
	if b.tail != "none" {
		b.tailFront(p)
	}
	if side {
		p.limb(joint, 4.4, at(-1, -16, -1, -5))
		p.box(trim, -6.4, -5, 14, 5, 2.4)
		p.box(coat, -9.6, -33, 18.4, 19, 4)
		p.box(of(b.body.lift(-0.1)), -13.6, -30, 4.4, 12, 1.6)
		p.limb(joint, 4.2, at(0, -28, -1, -20, 3, -14))
		p.oval(trim, 0, -28, 3.8, 3.8)
		p.oval(trim, 3.4, -12.6, 3.2, 3.2)
		p.limb(joint, 4, at(0, -36, 0, -33))
		p.within(0, -45, b.head, 0, func() {
			b.antenna(p)
			p.box(coat, -12, -10.6, 23.6, 20.6, 5)
			p.box(of(hex(0x27313f)), 5, -7.4, 6.8, 14.6, 2)
			b.screenEye(p, mood, 1, 8.4, -1.6, 2)
			p.oval(trim, -3, 0, 3.8, 3.8)
			p.oval(joint, -3, 0, 1.6, 1.6)
			if b.horns != "none" {
				p.plate(trim, 0.8, at(2, -10, 8, -20, 9, -10))
			}
		})
		return
	}
	for _, s := range []float64{-1, 1} {
		p.limb(joint, 4.4, at(s*6, -15, s*6.4, -5))
		p.box(trim, s*6.6-5.2, -5.2, 10.4, 5.2, 2.4)
		raised := s > 0 && b.tuft == 0
		hand := pt{s * 19.4, -13.4}
		elbow := pt{s * 19, -21}
		if raised {
			elbow, hand = pt{20.6, -27}, pt{22.6, -38}
		}
		p.limb(joint, 4.2, []pt{{s * 12, -28.6}, elbow, hand})
		p.oval(trim, hand.x, hand.y, 3.5, 3.5)
		p.soft(b.second.lift(0.1), 0.7, hand.x-1, hand.y-1.2, 1.2, 0.9)
	}
	p.limb(joint, 5, at(0, -36, 0, -32))
	p.box(coat, -13, -33.4, 26, 19.4, 5)
	for _, s := range []float64{-1, 1} {
		p.oval(trim, s*13, -28.6, 3.7, 3.7)
	}
	if behind {
		p.box(of(b.body.lift(-0.1)), -8, -30.6, 16, 13, 2.4)
		for _, y := range []float64{-27.6, -24.4, -21.2} {
			p.stroke(b.body.ink(), 0.8, 1.3, at(-5.4, y, 5.4, y))
		}
	} else {
		p.box(of(b.body.lift(0.07)), -8, -29.6, 16, 11.6, 2.6)
		p.oval(of(hex(0xe2574e)), -4.4, -25.4, 1.7, 1.7)
		p.oval(of(hex(0xf5cf45)), 0, -25.4, 1.7, 1.7)
		p.oval(of(hex(0x57b874)), 4.4, -25.4, 1.7, 1.7)
		p.stroke(b.second, 1, 1.7, at(-5.4, -21, -2, -21, -0.6, -22.6, 0.8, -19.6, 2.2, -21, 5.4, -21))
	}
	p.within(0, -45, b.head, 0, func() {
		b.antenna(p)
		for _, s := range []float64{-1, 1} {
			p.box(trim, s*16.4-2.6, -4.4, 5.2, 9, 1.8)
		}
		p.box(coat, -16, -11, 32, 21.4, 6)
		if behind {
			p.box(of(b.body.lift(-0.1)), -6, -5, 12, 10, 2)
			b.hornsFront(p)
			return
		}
		p.box(of(hex(0x27313f)), -12.6, -7.6, 25.2, 14.8, 4)
		for _, s := range []float64{-1, 1} {
			b.screenEye(p, mood, s, s*6, -1.6, 2.6)
		}
		b.screenMouth(p, mood)
		p.haze(hex(0xffffff), 0.1, at(-11.6, -6.6, -4, -6.6, -9, 5.6, -11.6, 5))
		b.hornsFront(p)
	})
	if b.wings != "none" && behind {
		b.wingsFront(p)
	}
}

func (b *beast) antenna(p *pen) {
	p.limb(of(hex(0x5a5f6b)), 2, at(0, -11, 0, -16))
	p.oval(of(b.second), 0, -17.6, 2.6, 2.6)
}

var glow = hex(0x7df0e0)

func (b *beast) screenEye(p *pen, mood string, side, x, y, r float64) {
	switch mood {
	case "happy":
		p.stroke(glow, 1, 1.6, at(x-r, y+0.8, x, y-1.4, x+r, y+0.8))
	case "sad":
		p.stroke(glow, 1, 1.6, at(x-side*r, y-1, x+side*r, y+0.8))
		p.soft(glow, 1, x, y+1.8, r*0.5, r*0.6)
	case "angry":
		p.stroke(glow, 1, 1.6, at(x-side*r, y+0.4, x+side*r, y-1.6))
		p.soft(glow, 1, x, y+1.4, r*0.6, r*0.6)
	case "surprised":
		p.soft(glow, 1, x, y, r*1.15, r*1.4)
		p.soft(hex(0x27313f), 1, x, y, r*0.55, r*0.75)
	default:
		p.soft(glow, 1, x, y, r*0.85, r*1.1)
		p.soft(hex(0xffffff), 0.9, x-r*0.25, y-r*0.4, r*0.25, r*0.3)
	}
}

func (b *beast) screenMouth(p *pen, mood string) {
	switch mood {
	case "happy":
		p.blob(bare(glow), at(-3, 3, 0, 3.4, 3, 3, 1.6, 5.6, -1.6, 5.6))
	case "sad":
		p.stroke(glow, 1, 1.3, at(-2.6, 5, 0, 3.8, 2.6, 5))
	case "surprised":
		p.soft(glow, 1, 0, 4.2, 1.4, 1.6)
	case "angry":
		p.stroke(glow, 1, 1.3, at(-3, 5, -1.4, 3.8, 0, 5, 1.4, 3.8, 3, 5))
	case "neutral":
		p.stroke(glow, 1, 1.3, at(-2.4, 4.2, 2.4, 4.2))
	default:
		p.stroke(glow, 1, 1.3, at(-3, 3.2, 0, 4.8, 3, 3.2))
	}
}
