package figure

// side draws the whole person from the side, looking to the right.
func (f *person) side(p *pen, mood string) {
	n, h := f.neck(), f.hip()
	if f.has("wheelchair") {
		f.chairSideBack(p)
	}
	p.within(0, f.sink(), 1, 0, func() {
		f.armSide(p, false)
		if f.has("backpack") {
			p.blob(of(f.bag()), at(-3, n+1, -9, n+2, -12.4, n+8, -12, h-4, -6, h-1.4, -3, h-3))
		}
	})
	f.legsSide(p)
	p.within(0, f.sink(), 1, 0, func() {
		p.limb(of(f.skin), f.head*0.6, at(-1, n-5, -1.2, n+1.4))
		f.trunkSide(p)
		if f.has("backpack") {
			p.limb(of(f.bag().lift(-0.06)), 2.2, at(-3, n+1.4, 1.6, n+4, 1.8, n+f.torso*0.5, -3, h-6))
		}
		f.armSide(p, true)
		if f.has("scarf") {
			c := cloth{rgb: f.bag(), second: f.bag().lift(0.16), weave: "striped", size: 4}
			p.plate(c, 1.4, at(-5.4, n+1, -9.4, n+11, -5.8, n+12.6, -2.6, n+2))
			p.blob(c, at(-6, n-2.4, 4, n-2.8, 5.6, n+0.4, 3, n+3, -5, n+3, -7, n))
		}
		p.within(0.6, f.crown()+f.head, f.head/12, 0, func() { f.headSide(p, mood) })
	})
	if f.has("wheelchair") {
		f.chairSideFront(p)
	}
}

// depth is half of how thick the trunk is.
func (f *person) depth() float64 { return f.waist*0.62 + f.shoulder*0.18 }

func (f *person) legsSide(p *pen) {
	h, d := f.hip(), 0.7
	if f.has("wheelchair") {
		f.leg(p, 0, at(0, seatHeight+1.5, 14, seatHeight+1.5, 15, -6), false)
		return
	}
	step := 1.2
	if f.pose == poseWalk {
		step = 6.5
	}
	far := *f
	far.lower, far.skin, far.shoe = f.lower.lift(-0.06), f.skin.lift(-0.05), f.shoe.lift(-0.06)
	if f.outfit == "uniform" || f.outfit == "armour" {
		far.cloth = f.cloth.lift(-0.06)
	}
	far.legSide(p, at(-d, h+1, -d-step*0.2, h/2, -d-step, -3.2))
	f.legSide(p, at(d*0.4, h+1, d+step*0.4, h/2, d+step*0.6, -3.2))
}

func (f *person) legSide(p *pen, line []pt) {
	foot := line[2]
	f.leg(p, 0, line, true)
	w := f.legW * 0.78
	shoe := of(f.shoe)
	if f.outfit == "armour" {
		shoe = cloth{rgb: f.cloth.lift(-0.12), metal: true}
	}
	p.blob(shoe, at(foot.x-w*0.8, foot.y+2.8, foot.x-w*0.9, foot.y-1.2, foot.x+w*0.3, foot.y-2, foot.x+w*1.3, foot.y, foot.x+w*1.6, foot.y+2.4, foot.x+w*0.4, foot.y+3.1))
}

func (f *person) armSide(p *pen, near bool) {
	n, l := f.neck(), f.arm
	elbow, hand := pt{-1.4, n + l*0.52}, pt{1.4, n + l*0.98}
	switch {
	case f.has("wheelchair"):
		elbow, hand = pt{-2, n + l*0.5}, pt{5, n + l*0.84}
	case f.pose == poseWave && !near, f.pose == poseCheer:
		elbow, hand = pt{6.5, n + 7}, pt{10.5, n - l*0.3}
	case f.pose == poseHip:
		elbow, hand = pt{-5, n + l*0.5}, pt{1, n + l*0.84}
	case f.pose == poseOpen:
		elbow, hand = pt{1, n + l*0.52}, pt{8.6, n + l*0.72}
	case f.pose == poseWalk && near:
		elbow, hand = pt{-4, n + l*0.48}, pt{-3, n + l*0.94}
	case f.pose == poseWalk:
		elbow, hand = pt{3, n + l*0.5}, pt{8.4, n + l*0.8}
	}
	g := *f
	if !near {
		g.cloth, g.skin = f.cloth.lift(-0.06), f.skin.lift(-0.05)
	}
	g.armAlong(p, pt{-1, n + 3.6}, elbow, hand)
}

func (f *person) trunkSide(p *pen) {
	n, h, d := f.neck(), f.hip(), f.depth()
	c := of(f.cloth)
	if f.outfit == "armour" {
		c.metal = true
	}
	bust := 0.0
	if f.gender == "female" && f.age != "child" {
		bust = 0.9
	}
	switch f.outfit {
	case "dress", "robe", "coat", "lab-coat":
		hem, wide := f.hem(h+f.legLength()*0.44), 1.9
		if f.outfit == "robe" {
			hem = f.hem(-1.6)
		} else if f.outfit != "dress" {
			hem, wide = f.hem(h+f.legLength()*0.5), 1.4
		}
		p.blob(c, at(-2, n-0.4, 2.4, n-0.2, d*0.9+bust, n+f.torso*0.26, d, n+f.torso*0.6, d*1.1, h, d*wide, hem-1, d*wide*0.7, hem+0.4, -d*wide*0.7, hem+0.4, -d*wide, hem-1, -d*1.1, h, -d*0.95, n+f.torso*0.55, -d, n+f.torso*0.2))
		switch f.outfit {
		case "robe", "dress":
			p.stroke(f.accent, 1, 2.2, at(-d*0.98, n+f.torso*0.6, 0, n+f.torso*0.64, d*0.98, n+f.torso*0.6))
		default:
			p.stroke(c.line(), 0.7, p.ink, at(d*0.8, n+4, d*0.86, h, d*1.1, hem-1))
			p.box(of(f.cloth.lift(-0.03)), -1.4, h-0.4, 5, 4.4, 0.6)
		}
		return
	}
	if f.skirted() {
		hem := h + f.legLength()*0.4
		p.blob(of(f.lower), at(-d*0.9, h-2, d*0.9, h-2, d*1.2, h+3, d*1.7, hem-1, d, hem+0.8, -d, hem+0.8, -d*1.7, hem-1, -d*1.2, h+3))
	}
	if f.legCover() > 0 {
		low := f.legColor()
		low.bare = true
		p.blob(low, at(-d*0.9, h-3, d*0.8, h-3, d*0.9, h+3, 0, h+5, -d*0.9, h+3))
	}
	p.blob(c, at(-2, n-0.4, 2.4, n-0.2, d*0.9+bust, n+f.torso*0.26, d*0.98, n+f.torso*0.62, d, h+1, 0, h+2, -d, h+1, -d*0.92, n+f.torso*0.55, -d, n+f.torso*0.2))
	switch f.outfit {
	case "hoodie":
		p.plate(of(f.cloth.lift(-0.05)), 1, at(-d, h-0.6, d, h-0.6, d*0.95, h+2.2, -d*0.95, h+2.2))
		p.blob(of(f.cloth.lift(-0.05)), at(2.6, n-0.6, -2, n-2.4, -7.6, n-1.6, -9, n+3, -5.6, n+6, 1, n+3))
	case "uniform":
		p.plate(of(f.cloth.lift(-0.13)), 0.6, at(-d, h-4.4, d, h-4.4, d, h-1.6, -d, h-1.6))
	case "armour":
		p.plate(of(f.accent), 0.8, at(-d, h-3.2, d, h-3.2, d, h-0.4, -d, h-0.4))
	case "shirt":
		p.plate(of(f.cloth.lift(0.07)), 0.6, at(-3, n-1, 3, n-1.4, 4, n+2.2, 1, n+1.6, -3, n+1.2))
	}
}

// headSide is the head in profile, in its own units.
func (f *person) headSide(p *pen, mood string) {
	_, ey, r := f.eyes()
	line := f.skin.ink()
	c := of(f.hair)
	f.hairSideBack(p)
	tip := 12.5
	if f.age == "child" {
		tip = 11.9
	}
	p.blob(of(f.skin), at(0, -12, 6, -10.7, 9.8, -5.6, 10.5, -0.6, 10.8, ey+1.6, tip, ey+3.1, 11.2, ey+4.6, 10.6, ey+6.2, 9.9, 10, 7.2, 12, 2, 11.4, -3, 8.6, -8, 7.6, -11, 1, -9.4, -7.8, -5, -11.2))
	p.soft(f.skin.mix(hex(0xe8545c), 0.5), 0.34, 6, ey+4.6, 2.4, 1.7)
	f.oneEyeSide(p, mood, 7.4, ey, r)
	my := ey + 6.4
	mouth := at(7.2, my-0.3, 8.6, my+0.6, 10, my-0.2)
	switch mood {
	case "sad", "angry":
		mouth = at(7.4, my+1, 8.7, my+0.1, 10, my+0.4)
	case "surprised", "happy":
		p.oval(cloth{rgb: hex(0x7c2838)}, 9, my+0.5, 1.2, 1.6)
		mouth = nil
	}
	if mouth != nil {
		p.stroke(f.mouthLine(), 1, 1.05, mouth)
	}
	if f.beard == 1 {
		p.blob(c, at(-1.4, 2.4, 2, 5.4, 6.4, ey+4.6, 10.4, ey+5, 8, my+1.4, 10.6, my+2.4, 9.6, 13, 5.6, 14, 0.4, 10.4))
	} else if f.beard == 2 {
		p.blob(c, at(11, ey+4.6, 8, ey+4.9, 6.2, my, 8.6, my-0.2, 11, my-0.6))
	} else if f.beard == 3 {
		p.haze(f.hair, 0.22, at(0, 4, 5, 7, 10, my+1, 9.4, 10.6, 7, 11.7, 2, 11))
	}
	if f.hairStyle != "headscarf" && f.hairStyle != "curly" {
		defer func() {
			p.oval(of(f.skin), -1.2, 2.6, 2.2, 3.1)
			p.stroke(line, 0.5, 0.8, at(-1.6, 1.2, -0.2, 1.6, -0.6, 3.6))
			if f.earrings {
				p.oval(of(brass), -1, 6.2, 0.9, 1.1)
			}
			f.headwearSide(p)
		}()
	} else {
		defer f.headwearSide(p)
	}
	f.hairSide(p)
}

func (f *person) oneEyeSide(p *pen, mood string, x, y, r float64) {
	brow := f.hair.mix(f.hair.ink(), 0.45)
	if f.hairStyle == "headscarf" || f.hairStyle == "bald" {
		brow = hex(0x4a3328)
	}
	line := dark.mix(f.hair.ink(), 0.25)
	if mood == "happy" {
		p.stroke(line, 1, 1.15, at(x-1.6, y+0.8, x, y-1.2, x+1.6, y+0.6))
	} else {
		p.soft(hex(0xfffdfa), 1, x, y, 1.7*r, 2.9*r)
		p.soft(f.eye.lift(-0.12), 1, x+0.5, y+0.2, 1.25*r, 2.2*r)
		p.soft(hex(0x1f1b22), 1, x+0.65, y+0.2, 0.8*r, 1.4*r)
		p.soft(hex(0xffffff), 1, x+0.35, y-0.8, 0.5*r, 0.75*r)
		p.stroke(line, 1, 1.1, at(x-1.6*r, y-1.6*r, x, y-3*r, x+1.7*r, y-1.8*r))
		f.lashes(p, line, 1, x-0.7*r, y-1.2, r*0.8)
	}
	switch mood {
	case "angry":
		p.stroke(brow, 1, f.browWidth(), at(x-2.2, y-5, x, y-4.4, x+2.4, y-3))
	case "sad":
		p.stroke(brow, 1, f.browWidth(), at(x-2.2, y-4, x, y-4.9, x+2.2, y-5.8))
	default:
		p.stroke(brow, 1, f.browWidth(), at(x-2.2, y-4.6, x, y-5.5, x+2.3, y-4.8))
	}
}

func (f *person) chairSideBack(p *pen) {
	p.limb(of(dark), 1.8, at(-8.4, seatHeight-f.torso*0.72, -8, seatHeight, -6, -12))
	p.limb(of(f.shoe), 2.4, at(-12.4, seatHeight-f.torso*0.74, -8.4, seatHeight-f.torso*0.72))
	p.box(of(f.bag().lift(-0.1)), -9.6, seatHeight-f.torso*0.6, 3, f.torso*0.64, 1.2)
	p.limb(of(dark), 1.8, at(8, seatHeight+5, 12, -16, 16, -3))
	p.limb(of(steel), 2, at(12, -2.4, 20, -2.4))
}

func (f *person) chairSideFront(p *pen) {
	p.box(of(dark), -8, seatHeight+3.6, 18, 3.2, 1.4)
	p.limb(of(dark), 1.6, at(-7, seatHeight-6, 7, seatHeight-6, 7.6, seatHeight+4))
	for _, wheel := range [][3]float64{{-3, -14, 14}, {12, -4, 4}} {
		p.dc.DrawCircle(wheel[0], wheel[1], wheel[2]-1)
		p.dc.SetColor(dark.RGBA())
		p.dc.SetLineWidth(2 * p.unit)
		p.dc.Stroke()
		p.dc.DrawCircle(wheel[0], wheel[1], wheel[2]*0.8)
		p.dc.SetColor(f.shoe.RGBA())
		p.dc.SetLineWidth(1 * p.unit)
		p.dc.Stroke()
		p.oval(of(steel), wheel[0], wheel[1], 1.6, 1.6)
		if wheel[2] > 8 {
			for _, q := range star(wheel[0], wheel[1], wheel[2]*0.8, 1) {
				p.stroke(steel.ink(), 0.5, 0.45, at(wheel[0], wheel[1], q.x, q.y))
			}
		}
	}
}
