package figure

import "math"

// star is a star of five points; depth 1 makes it a pentagon's corners twice.
func star(x, y, r, depth float64) []pt {
	out := make([]pt, 10)
	for i := range out {
		d := r
		if i%2 == 1 {
			d = r * depth
		}
		s, c := math.Sincos(float64(i)*math.Pi/5 - math.Pi/2)
		out[i] = pt{x + c*d, y + s*d}
	}
	return out
}

// headFront draws head, face, hair and what is worn there.
func (f *person) headFront(p *pen, mood string) {
	w := f.headW
	skin := of(f.skin)
	if f.hairStyle != "headscarf" {
		for _, side := range []float64{-1, 1} {
			p.oval(skin, side*11*w, 2.4, 2.5, 3.1)
			p.soft(f.skin.lift(-0.1), 0.8, side*11.3*w, 2.5, 1.1, 1.6)
			if f.earrings {
				p.oval(of(brass), side*11.4*w, 6.4, 0.9, 1.1)
			}
		}
	}
	jaw := 1.0
	switch {
	case f.gender == "male" && f.age != "child":
		jaw = 1.09
	case f.age == "child":
		jaw = 1.05
	}
	p.blob(skin, sym(0, -12, 6.6*w, -10.6, 10.6*w, -4.6, 11*w, 1.6, 9.3*w*jaw, 7.4, 5.2*jaw, 10.9, 0, 12))
	if f.beard > 0 {
		f.beardFront(p)
	}
	f.face(p, mood)
	f.hairFront(p)
	f.headwear(p, false)
}

// eyes are set lower and larger the younger a person is.
func (f *person) eyes() (x, y, r float64) {
	switch f.age {
	case "child":
		return 4.9, 2.6, 1.12
	case "teen":
		return 4.7, 2.0, 1.03
	case "old":
		return 4.5, 1.4, 0.88
	}
	return 4.6, 1.6, 0.96
}

func (f *person) face(p *pen, mood string) {
	ex, ey, r := f.eyes()
	line := f.skin.ink()
	blush := f.skin.mix(hex(0xe8545c), 0.5)
	for _, side := range []float64{-1, 1} {
		p.soft(blush, 0.34, side*(ex+2.1), ey+4.5, 2.5, 1.7)
		f.oneEye(p, mood, side, side*ex, ey, r)
	}
	if f.freckles {
		for _, q := range at(-5.6, 5.2, -4.1, 5.9, -6.9, 6, 5.6, 5.2, 4.1, 5.9, 6.9, 6) {
			p.soft(f.skin.lift(-0.16), 0.75, q.x, q.y+ey-1.4, 0.42, 0.42)
		}
	}
	if f.age == "old" {
		for _, side := range []float64{-1, 1} {
			p.stroke(line, 0.3, 0.6, at(side*7.6, ey+0.4, side*8.9, ey-0.6))
			p.stroke(line, 0.3, 0.6, at(side*7.7, ey+1.5, side*9.1, ey+1.6))
			p.stroke(line, 0.3, 0.65, at(side*3, ey+4.2, side*4.4, ey+5.6, side*4.6, ey+7))
		}
		p.stroke(line, 0.22, 0.6, at(-4, -6.2, 0, -6.7, 4, -6.2))
	}
	shade := f.skin.lift(-0.13)
	switch f.nose {
	case 0:
		p.stroke(shade, 1, 1.2, at(-1, ey+3.2, 0, ey+3.9, 1, ey+3.2))
	case 1:
		p.soft(shade, 0.9, 0, ey+3.2, 1.35, 1)
	default:
		p.stroke(shade, 1, 1.1, at(0.2, ey+0.9, 1.2, ey+3.1, -0.5, ey+3.6))
	}
	f.mouth(p, mood, ey+6.1)
}

func (f *person) oneEye(p *pen, mood string, side, x, y, r float64) {
	line := dark.mix(f.hair.ink(), 0.25)
	brow := f.hair.mix(f.hair.ink(), 0.45)
	if f.hair.light() > 0.8 {
		brow = f.hair.lift(-0.2)
	}
	if f.hairStyle == "headscarf" || f.hairStyle == "bald" {
		brow = hex(0x4a3328).mix(f.hair.ink(), 0.5)
	}
	if f.skin.light() < 0.5 {
		brow = brow.mix(hex(0x17110f), 0.7)
		if f.hair.light() > 0.5 {
			brow = f.hair.lift(-0.16)
		}
	}
	wide, tall := 2.35*r, 2.95*r
	if mood == "surprised" {
		tall, wide = tall*1.16, wide*1.08
	}
	if mood == "happy" { // closed with joy
		p.stroke(line, 1, 1.15, at(x-2.3*r, y+1, x-1.2*r, y-0.9, x, y-1.5, x+1.2*r, y-0.9, x+2.3*r, y+1))
		f.lashes(p, line, side, x, y-0.2, r)
		p.stroke(brow, 1, f.browWidth(), at(x-side*2, y-5.3*r, x, y-6*r, x+side*2.4, y-5.2*r))
		return
	}
	p.dc.ClearPath()
	p.dc.DrawEllipse(x, y, wide, tall)
	p.finish(bare(hex(0xfffdfa)), at(x-wide, y-tall, x+wide, y+tall))
	iris := 1.95 * r
	if mood == "surprised" {
		iris = 1.6 * r
	}
	p.soft(f.eye.lift(-0.12), 1, x, y+0.2, iris, iris*1.2)
	p.soft(f.eye.lift(0.08), 1, x, y+0.75*r, iris*0.72, iris*0.72)
	p.soft(hex(0x1f1b22), 1, x, y+0.15, iris*0.58, iris*0.72)
	p.soft(hex(0xffffff), 1, x-0.62*r, y-0.85*r, 0.74*r, 0.8*r)
	p.soft(hex(0xffffff), 0.85, x+0.75*r, y+1.15*r, 0.36*r, 0.36*r)
	lid := tall * 0.62
	switch mood {
	case "angry":
		p.haze(f.skin, 1, at(x-wide-0.6, y-tall-1, x+wide+0.6, y-tall-1, x+side*(wide+0.3), y-tall*0.75, x-side*(wide+0.3), y-tall*0.12))
		p.stroke(line, 1, 1.15, at(x+side*wide, y-tall*0.7, x-side*wide, y-tall*0.12))
		p.stroke(brow, 1, f.browWidth()*1.12, at(x+side*2.7, y-4.6*r, x, y-4*r, x-side*2.2, y-2.7*r))
		return
	case "sad":
		p.haze(f.skin, 1, at(x-wide-0.6, y-tall-1, x+wide+0.6, y-tall-1, x+side*(wide+0.3), y-tall*0.12, x-side*(wide+0.3), y-tall*0.7))
		p.stroke(line, 1, 1.1, at(x+side*wide, y-tall*0.08, x-side*wide*0.9, y-tall*0.66))
		p.stroke(brow, 1, f.browWidth(), at(x+side*2.6, y-4.1*r, x, y-5.1*r, x-side*1.9, y-6.1*r))
		return
	}
	p.stroke(line, 1, 1.1, at(x-wide*1.02, y-lid*0.45, x-wide*0.6, y-tall*0.86, x, y-tall*1.04, x+wide*0.6, y-tall*0.86, x+wide*1.02, y-lid*0.45))
	f.lashes(p, line, side, x, y-lid*0.3, r)
	rise := 0.0
	if mood == "surprised" {
		rise = 1.9
	}
	p.stroke(brow, 1, f.browWidth(), at(x-side*2, y-4.8*r-rise, x, y-5.6*r-rise, x+side*2.5, y-4.7*r-rise*0.7))
}

func (f *person) browWidth() float64 {
	switch {
	case f.gender == "male" && f.age != "child":
		return 1.7
	case f.gender == "female":
		return 1.0
	}
	return 1.3
}

func (f *person) lashes(p *pen, line rgb, side, x, y, r float64) {
	if f.gender != "female" {
		return
	}
	p.stroke(line, 1, 0.85, at(x+side*2.2*r, y-0.6, x+side*3.3*r, y-1.7))
	p.stroke(line, 1, 0.85, at(x+side*2.4*r, y+0.4, x+side*3.6*r, y-0.2))
}

func (f *person) mouth(p *pen, mood string, y float64) {
	line := f.mouthLine()
	inside := hex(0x7c2838)
	lip := f.skin.mix(hex(0xc24a55), 0.55)
	if f.skin.light() < 0.5 {
		lip = line
	}
	switch mood {
	case "happy":
		p.blob(cloth{rgb: inside}, at(-4, y-1.2, 0, y-0.7, 4, y-1.2, 2.7, y+2, 0, y+3.1, -2.7, y+2))
		p.blob(bare(paper), at(-3.1, y-0.9, 0, y-0.4, 3.1, y-0.9, 2.6, y+0.3, 0, y+0.65, -2.6, y+0.3))
		p.haze(hex(0xe0707a), 1, at(-1.9, y+2, 0, y+1.3, 1.9, y+2, 0, y+2.8))
	case "sad":
		p.stroke(line, 1, 1.05, at(-2.6, y+1.5, 0, y+0.1, 2.6, y+1.5))
		p.blob(cloth{rgb: hex(0x8fd0f0), bare: true}, at(6.3, y-2.6, 7.3, y-0.3, 6.3, y+0.7, 5.3, y-0.3))
	case "surprised":
		p.oval(cloth{rgb: inside}, 0, y+1, 1.7, 2.3)
		p.soft(hex(0xe0707a), 1, 0, y+2.1, 1.1, 0.8)
	case "angry":
		p.stroke(line, 1, 1.1, at(-2.7, y+1.4, -1.1, y+0.4, 1.2, y+0.5, 2.7, y+1.3))
	case "neutral":
		p.stroke(line, 1, 1.05, at(-2, y+0.2, 0, y+0.5, 2, y+0.2))
	default:
		p.stroke(line, 1, 1.1, at(-3.1, y-0.6, -1.6, y+0.75, 0, y+1.15, 1.6, y+0.75, 3.1, y-0.6))
		if f.dimples {
			p.stroke(line, 0.6, 0.8, at(-3.5, y-1.1, -3, y-0.3))
			p.stroke(line, 0.6, 0.8, at(3.5, y-1.1, 3, y-0.3))
		}
	}
	if f.gender == "female" && f.age != "child" && mood != "happy" && mood != "surprised" {
		p.stroke(lip, 0.6, 1, at(-1.2, y+2, 0, y+2.3, 1.2, y+2))
	}
}

func (f *person) beardFront(p *pen) {
	c := of(f.hair.lift(-0.02))
	switch f.beard {
	case 1: // full
		p.blob(c, at(-10.4, 2.5, -8.6, 5.6, -4.6, 6.6, 0, 5.9, 4.6, 6.6, 8.6, 5.6, 10.4, 2.5, 10.2, 7.6, 6.4, 12.6, 0, 14.4, -6.4, 12.6, -10.2, 7.6))
		p.haze(f.skin, 1, at(-3.4, 7, 0, 6.6, 3.4, 7, 2.2, 9.5, 0, 10.2, -2.2, 9.5))
	case 2: // moustache
		_, ey, _ := f.eyes()
		y := ey + 5
		p.blob(c, at(0, y-0.9, 3, y-1, 5.4, y+1.3, 2.6, y+0.9, 0, y+0.2, -2.6, y+0.9, -5.4, y+1.3, -3, y-1))
	case 3: // stubble
		p.haze(f.hair, 0.24, at(-10, 4, -6, 6.2, 0, 5.7, 6, 6.2, 10, 4, 9, 8.4, 5, 11.3, 0, 11.8, -5, 11.3, -9, 8.4))
	}
}

// headwear draws glasses, hat, crown and headphones; from behind what shows there.
func (f *person) headwear(p *pen, behind bool) {
	ex, ey, r := f.eyes()
	if f.has("glasses") && !behind {
		frame := contrast(f.skin, pick(f.seed, "frame", dark, f.accent.lift(-0.15), hex(0x7d2435), hex(0x27396e)))
		for _, side := range []float64{-1, 1} {
			p.dc.DrawEllipse(side*ex, ey+0.2, 3.7*r, 3.7*r)
			p.dc.SetRGBA(1, 1, 1, 0.16)
			p.dc.FillPreserve()
			p.dc.SetColor(frame.RGBA())
			p.dc.SetLineWidth(1.05 * p.unit)
			p.dc.Stroke()
			p.stroke(frame, 1, 1.05, at(side*(ex+3.6*r), ey-0.5, side*10.8, ey-0.9))
		}
		p.stroke(frame, 1, 1.05, at(-ex+3.6*r, ey-0.3, 0, ey-0.9, ex-3.6*r, ey-0.3))
	}
	if f.has("headphones") {
		c := f.bag()
		p.stroke(c.ink(), 1, 2.4+p.ink, at(-12, 1, -11.8, -7, -7.5, -13, 0, -15, 7.5, -13, 11.8, -7, 12, 1))
		p.stroke(c, 1, 2.4-p.ink, at(-12, 1, -11.8, -7, -7.5, -13, 0, -15, 7.5, -13, 11.8, -7, 12, 1))
		for _, side := range []float64{-1, 1} {
			p.oval(of(dark), side*11.6, 2.6, 2.2, 4.2)
			p.oval(of(c), side*12.8, 2.6, 2, 3.8)
		}
	}
	if f.has("hat") {
		c := of(f.bag())
		p.blob(c, sym(0, -18.4, 6.4, -17.4, 9.8, -12.6, 10.8, -6.6, 0, -5))
		p.blob(of(f.bag().lift(-0.07)), sym(0, -9, 10, -8, 14.6, -5.6, 10, -4.5, 0, -4.8))
		p.stroke(f.cloth, 1, 2, at(-10.3, -8.6, 0, -9.8, 10.3, -8.6))
	}
	if f.has("crown") {
		y := -9.5
		if f.has("hat") {
			y = -15
		}
		p.plate(cloth{rgb: brass, metal: true}, 0.7, at(-8, y, -8.8, y-7.6, -4.6, y-4, 0, y-9, 4.6, y-4, 8.8, y-7.6, 8, y))
		p.oval(of(hex(0xd8433f)), 0, y-2.4, 1.25, 1.25)
		p.oval(of(hex(0x3f74cf)), -4.8, y-2, 0.95, 0.95)
		p.oval(of(hex(0x2f9b6b)), 4.8, y-2, 0.95, 0.95)
	}
}

// mouthLine is dark on light skin and light on dark.
func (f *person) mouthLine() rgb {
	if f.skin.light() < 0.5 {
		return f.skin.mix(hex(0xd9828a), 0.62)
	}
	return f.skin.ink().mix(hex(0x8a2f3a), 0.45)
}
