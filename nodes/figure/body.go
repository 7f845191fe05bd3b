package figure

import "math"

var (
	paper = hex(0xf7f6f2)
	dark  = hex(0x35323d)
	brass = hex(0xe3b341)
	steel = hex(0xc3c8cf)
)

// seatHeight is where a person in a wheelchair sits.
const seatHeight = -25

// sink is how far the upper body comes down to sit.
func (f *person) sink() float64 {
	if f.has("wheelchair") {
		return seatHeight - f.hip()
	}
	return 0
}

// front draws the whole person from the front, or from behind.
func (f *person) front(p *pen, mood string, behind bool) {
	n, h := f.neck(), f.hip()
	if f.has("wheelchair") {
		f.chairBack(p)
	}
	if f.has("backpack") && !behind {
		p.blob(of(f.bag()), move(sym(0, n+2, f.shoulder*0.9, n+1, f.shoulder+2.6, n+8, f.shoulder+2, h-2, 0, h), 0, f.sink(), 1, 1))
	}
	if !f.has("wheelchair") {
		f.standing(p, behind)
	}
	p.within(0, f.sink(), 1, 0, func() {
		if !behind {
			f.atHead(p, func() { f.hairBehind(p) })
		}
		if f.outfit == "hoodie" && !behind {
			p.blob(of(f.cloth.lift(-0.05)), sym(0, n-5.5, 7, n-3.5, 8.6, n+1.5, 0, n+3))
		}
		f.arms(p, behind)
	})
	if f.has("wheelchair") {
		f.sitting(p, behind)
	}
	p.within(0, f.sink(), 1, 0, func() {
		neck := f.head * 0.33
		if behind {
			f.trunk(p, true)
			p.limb(of(f.skin), neck*2, at(0, n-4, 0, n+0.6))
		} else {
			p.limb(of(f.skin), neck*2, at(0, n-4, 0, n+1.2))
			p.soft(f.skin.lift(-0.1), 1, 0, n-1.2, neck-0.5, 2)
			f.trunk(p, false)
		}
		if f.has("backpack") {
			f.straps(p, behind)
		}
		if f.has("scarf") {
			f.scarf(p)
		}
		f.atHead(p, func() {
			if behind {
				f.headBehind(p)
				return
			}
			f.headFront(p, mood)
		})
	})
	if f.has("wheelchair") {
		f.chairFront(p, behind)
	}
}

// atHead draws in units of the head: its middle is 0, 0, its chin at 12.
func (f *person) atHead(p *pen, draw func()) {
	p.within(0, f.crown()+f.head, f.head/12, 0, draw)
}

func (f *person) bag() rgb { return contrast(f.cloth, f.accent) }

// standing draws legs and shoes.
func (f *person) standing(p *pen, behind bool) {
	h := f.hip()
	x := f.waist * 0.5
	spread := 0.6
	if f.pose == poseCheer {
		spread = 2.4
	}
	for i, s := range []float64{-1, 1} {
		foot := 0.0
		if f.pose == poseWalk && i == 0 {
			foot = -3.2
		}
		f.leg(p, s, at(s*x, h+1, s*(x+spread*0.5), h/2, s*(x+spread), foot-3.2), behind)
	}
	f.seat(p, h)
}

// skirted tells whether a skirt takes the place of trousers.
func (f *person) skirted() bool {
	return f.gender == "female" && f.legs == 3 && (f.outfit == "t-shirt" || f.outfit == "shirt" || f.outfit == "hoodie")
}

// legCover tells how far down the clothes reach: 1 is to the ankles.
func (f *person) legCover() float64 {
	switch {
	case f.outfit == "uniform", f.outfit == "armour", f.outfit == "robe", f.outfit == "lab-coat", f.outfit == "coat":
		return 1
	case f.outfit == "dress", f.skirted():
		return 0
	case f.legs == 0 && f.age != "old":
		return 0.52
	}
	return 1
}

func (f *person) legColor() cloth {
	switch f.outfit {
	case "uniform":
		return of(f.cloth.lift(-0.06))
	case "armour":
		return cloth{rgb: f.cloth.lift(-0.05), metal: true}
	}
	return of(f.lower)
}

// leg goes through three points from the hip to the ankle.
func (f *person) leg(p *pen, side float64, line []pt, behind bool) {
	ankle := line[2]
	if f.legCover() < 1 {
		p.limb(of(f.skin), f.legW*0.86, line)
		sock := at(ankle.x, ankle.y-4, ankle.x, ankle.y)
		p.limb(of(paper), f.legW*0.9, sock)
	}
	if cover := f.legCover(); cover > 0 {
		end := line
		if cover < 1 {
			knee := pt{line[0].x + (ankle.x-line[0].x)*cover, line[0].y + (ankle.y-line[0].y)*cover}
			end = []pt{line[0], knee}
			p.limb(f.legColor(), f.legW*1.22, end)
		} else {
			p.limb(f.legColor(), f.legW, end)
			p.stroke(f.legColor().line(), 0.35, p.ink*0.7, at(ankle.x-f.legW*0.4, ankle.y-1.6, ankle.x+f.legW*0.4, ankle.y-1.6))
		}
	}
	shoe := of(f.shoe)
	if f.outfit == "armour" {
		shoe = cloth{rgb: f.cloth.lift(-0.12), metal: true}
	}
	w := f.legW * 0.78
	x := ankle.x + side*0.9
	p.blob(shoe, at(x-w, ankle.y+2.6, x-w*0.9, ankle.y-1, x, ankle.y-2.2, x+w*0.9, ankle.y-1, x+w, ankle.y+2.6, x, ankle.y+3.2))
	if !behind {
		p.stroke(paper, 0.9, 0.7, at(x-w*0.45, ankle.y-0.4, x+w*0.45, ankle.y-0.4))
	}
}

// seat joins the legs.
func (f *person) seat(p *pen, h float64) {
	if f.outfit == "dress" || f.outfit == "robe" {
		return
	}
	c := f.legColor()
	if f.skirted() {
		w, hem := f.waist, h+f.legLength()*0.4
		p.blob(c, sym(0, h-2, w, h-1.6, w*1.2, h+3, w*1.75, hem-1, w*1.4, hem+0.6, 0, hem+1.2))
		for _, x := range []float64{-0.7, -0.2, 0.3, 0.8} {
			p.stroke(c.line(), 0.4, p.ink*0.8, at(x*w*1.05, h+3, x*w*1.5, hem-1.4))
		}
		return
	}
	w := f.waist*0.5 + f.legW*0.5
	c.bare = true
	p.blob(c, sym(0, h-3, w-0.4, h-2, w-0.4, h+3.4, f.waist*0.3, h+4.6, 0, h+3.6))
}

// sleeve says how long and wide sleeves are, and what they are made of.
func (f *person) sleeve() (reach, wide float64, c cloth) {
	switch f.outfit {
	case "t-shirt":
		return 0.36, 1.42, of(f.cloth)
	case "dress":
		if f.legs%2 == 0 {
			return 0.3, 1.5, of(f.cloth)
		}
		return 0.93, 1.12, of(f.cloth)
	case "robe":
		return 0.9, 1.75, of(f.cloth)
	case "armour":
		return 0.97, 1.16, cloth{rgb: f.cloth.lift(-0.05), metal: true}
	case "hoodie", "coat", "lab-coat":
		return 0.94, 1.3, of(f.cloth)
	}
	return 0.94, 1.14, of(f.cloth)
}

// arms lie behind the trunk, so that the shoulders are one with it.
func (f *person) arms(p *pen, behind bool) {
	n, s, l := f.neck(), f.shoulder, f.arm
	for _, side := range []float64{-1, 1} {
		from := pt{side * (s - f.armW*0.36), n + 3.4}
		elbow, hand := pt{side * (s + 1.4), n + l*0.52}, pt{side * (s + 1.2), n + l}
		raised := side > 0
		if behind {
			raised = side < 0
		}
		switch pose := f.pose; {
		case f.has("wheelchair") && !(pose == poseWave && raised):
			elbow, hand = pt{side * (s + 3), n + l*0.5}, pt{side * (s + 2.6), n + l*0.9}
		case pose == poseWave && raised:
			elbow, hand = pt{side * (s + 6.4), n + 7.5}, pt{side * (s + 8.6), n - l*0.36}
		case pose == poseCheer:
			elbow, hand = pt{side * (s + 6), n + 2}, pt{side * (s + 8.8), n - l*0.44}
		case pose == poseHip:
			elbow, hand = pt{side * (s + 5.4), n + l*0.54}, pt{side * (f.waist + 1.4), n + l*0.86}
		case pose == poseOpen:
			elbow, hand = pt{side * (s + 2.8), n + l*0.5}, pt{side * (s + 8), n + l*0.74}
		case pose == poseWalk:
			elbow.x, hand.x, hand.y = side*(s+2.4), side*(s+0.6)+1.5, n+l*(0.96-0.05*side)
		}
		f.armAlong(p, from, elbow, hand)
	}
}

func (f *person) armAlong(p *pen, from, elbow, hand pt) {
	reach, wide, c := f.sleeve()
	line := []pt{from, elbow, hand}
	skin := of(f.skin)
	if f.outfit == "armour" {
		skin = cloth{rgb: f.cloth.lift(-0.16)}
	}
	p.limb(skin, f.armW*0.82, line)
	r := f.armW * 0.6
	dx, dy := hand.x-elbow.x, hand.y-elbow.y
	d := math.Max(0.1, math.Hypot(dx, dy))
	dx, dy = dx/d, dy/d
	thumb := 1.0
	if hand.x > 0 {
		thumb = -1
	}
	p.oval(skin, hand.x+dx*r*0.8-dy*thumb*r*-0.75, hand.y+dy*r*0.4+dx*thumb*r*-0.75, r*0.5, r*0.5)
	p.oval(skin, hand.x+dx*r*0.8, hand.y+dy*r*0.8, r, r)
	p.soft(skin.rgb, 1, hand.x, hand.y, r*0.7, r*0.7)
	p.limb(c, f.armW*wide, along(line, reach))
	if reach > 0.5 && f.outfit != "robe" {
		cuff := along(line, reach)
		end := cuff[len(cuff)-1]
		w := f.armW * wide * 0.42
		p.stroke(c.line(), 0.5, p.ink*0.8, at(end.x-dy*w-dx*0.6, end.y+dx*w-dy*0.6, end.x+dy*w-dx*0.6, end.y-dx*w-dy*0.6))
	}
}

// along is the first part of a bent line of three points.
func along(line []pt, share float64) []pt {
	if share <= 0.5 {
		t := share * 2
		return []pt{line[0], {line[0].x + (line[1].x-line[0].x)*t, line[0].y + (line[1].y-line[0].y)*t}}
	}
	t := share*2 - 1
	return []pt{line[0], line[1], {line[1].x + (line[2].x-line[1].x)*t, line[1].y + (line[2].y-line[1].y)*t}}
}

// straps of a backpack in front; the bag itself behind.
func (f *person) straps(p *pen, behind bool) {
	n, h, s := f.neck(), f.hip(), f.shoulder
	c := f.bag()
	if !behind {
		for _, side := range []float64{-1, 1} {
			p.limb(of(c.lift(-0.06)), 2.6, at(side*s*0.56, n+1.2, side*s*0.74, n+6, side*s*0.8, h-7))
		}
		return
	}
	p.blob(of(c), sym(0, n+0.5, s*0.8, n+1.6, s*1.04, n+9, s*0.98, h-2.5, 0, h-1))
	p.blob(of(c.lift(-0.06)), sym(0, n+f.torso*0.52, s*0.66, n+f.torso*0.54, s*0.7, h-4.5, 0, h-3.5))
	p.stroke(c.ink(), 1, p.ink, at(-s*0.66, n+6, 0, n+7.4, s*0.66, n+6))
	p.oval(of(brass), 0, n+7.2, 1, 1.2)
}

func (f *person) scarf(p *pen) {
	n := f.neck()
	c := cloth{rgb: f.bag(), second: f.bag().lift(0.16), weave: "striped", size: 4}
	p.plate(c, 1.4, at(2, n+1, 6.4, n+1, 7, n+13, 2.8, n+13.4))
	w := math.Max(6.2, f.shoulder*0.72)
	p.blob(c, sym(0, n-2.6, w*0.8, n-2.8, w, n, w*0.72, n+2.6, 0, n+3.6))
}
