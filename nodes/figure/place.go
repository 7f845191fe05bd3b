package figure

import (
	"image"
	"image/draw"
	"math"
	"math/rand/v2"

	"git.sr.ht/~sbinet/gg"
)

// place is a location while it is painted, in units of which its picture is 100 high.
type place struct {
	a     map[string]string
	seed  int64
	dc    *gg.Context // what stands in the light
	p     *pen
	w     float64
	unit  float64
	rng   *rand.Rand
	lamps []lampAt
}

// lampAt is a light that shines when it is dark.
type lampAt struct{ x, y, r float64 }

// spot is a kind of place: where it is, and what is painted there.
type spot struct {
	indoor bool
	paint  func(*place)
}

var places = map[string]spot{
	"meadow": {false, meadow}, "forest": {false, forest}, "beach": {false, beach}, "mountains": {false, mountains}, "desert": {false, desert},
	"city": {false, city}, "village": {false, village}, "park": {false, park}, "garden": {false, garden}, "farm": {false, farm}, "lake": {false, lake},
	"castle": {false, castleYard}, "playground": {false, playground}, "jungle": {false, jungle}, "space": {false, space}, "underwater": {false, underwater},
	"room": {true, livingRoom}, "classroom": {true, classroom}, "kitchen": {true, kitchen}, "bedroom": {true, bedroom}, "library": {true, library},
	"laboratory": {true, laboratory}, "hall": {true, hall}, "shop": {true, shop},
}

var placeWords = map[string]string{
	"field": "meadow", "grass": "meadow", "hills": "meadow", "countryside": "meadow", "prairie": "meadow", "woods": "forest", "wood": "forest", "sea": "beach", "ocean": "beach", "coast": "beach",
	"island": "beach", "harbour": "beach", "mountain": "mountains", "alps": "mountains", "cliff": "mountains", "canyon": "desert", "dunes": "desert", "sahara": "desert", "town": "city", "street": "city",
	"downtown": "city", "skyline": "city", "road": "city", "square": "city", "market": "village", "river": "lake", "pond": "lake", "palace": "castle", "fortress": "castle", "ruin": "castle", "schoolyard": "playground", "yard": "playground",
	"rainforest": "jungle", "moon": "space", "mars": "space", "planet": "space", "galaxy": "space", "spaceship": "space", "reef": "underwater", "school": "classroom", "lab": "laboratory",
	"home": "room", "house": "room", "livingroom": "room", "living": "room", "office": "room", "attic": "bedroom", "nursery": "bedroom", "store": "shop", "cafe": "shop", "restaurant": "shop", "bakery": "shop", "museum": "hall", "throne": "hall", "church": "hall", "gym": "hall", "cave": "hall",
	"orchard": "garden", "backyard": "garden", "barn": "farm", "ranch": "farm",
}

// completePlace fills in what is not said of a location.
func completePlace(said map[string]string, seed int64) map[string]string {
	set := func(name, value string) {
		if said[name] == "" {
			said[name] = value
		}
	}
	if said["place"] == "" {
		var fitting []string
		for _, name := range placeTraits[1].options {
			if said["setting"] == "" && !places[name].indoor && name != "space" && name != "underwater" || said["setting"] == "indoor" && places[name].indoor || said["setting"] == "outdoor" && !places[name].indoor {
				fitting = append(fitting, name)
			}
		}
		said["place"] = fitting[dice(seed, "place").IntN(len(fitting))]
	}
	if places[said["place"]].indoor != (said["setting"] == "indoor") && said["setting"] != "" {
		// a garden within a house is a garden: the place says more than the setting
		said["setting"] = ""
	}
	set("setting", map[bool]string{true: "indoor", false: "outdoor"}[places[said["place"]].indoor])
	set("timeOfDay", "day")
	set("season", pick(seed, "season", "summer", "spring", "summer", "autumn"))
	if said["weather"] == "snow" && said["season"] != "winter" {
		said["season"] = "winter"
	}
	set("weather", pick(seed, "weather", "clear", "clear", "cloudy", "clear"))
	set("mood", "calm")
	return said
}

func newPlace(a map[string]string, seed int64) *place {
	return &place{a: a, seed: seed, rng: dice(seed, "place "+a["place"])}
}

func (l *place) time() string     { return l.a["timeOfDay"] }
func (l *place) night() bool      { return l.time() == "night" }
func (l *place) winter() bool     { return l.a["season"] == "winter" }
func (l *place) indoor() bool     { return places[l.a["place"]].indoor }
func (l *place) is(m string) bool { return l.a["mood"] == m }

// draw paints the place over a whole picture.
func (l *place) draw(dc *gg.Context) {
	l.unit = float64(dc.Height()) / 100
	l.w = float64(dc.Width()) / l.unit
	l.dc = gg.NewContext(dc.Width(), dc.Height())
	l.dc.Scale(l.unit, l.unit)
	l.p = newPen(l.dc, l.unit)
	l.p.ink = 0.42
	l.sky(dc)
	places[l.a["place"]].paint(l)
	l.grade()
	target := dc.Image().(*image.RGBA)
	draw.Draw(target, target.Bounds(), l.dc.Image(), image.Point{}, draw.Over)
	l.shine(dc)
	l.weather(dc)
}

// skies are the colors above and at the horizon.
var skies = map[string][2]uint32{"dawn": {0x8fa8d8, 0xffd9b8}, "day": {0x6db8ee, 0xd9f0fb}, "dusk": {0x5b4a8e, 0xf9a26c}, "night": {0x121b3e, 0x3a4a86}}

func (l *place) skyColors() (top, low rgb) {
	s := skies[l.time()]
	top, low = hex(s[0]), hex(s[1])
	switch l.a["weather"] {
	case "cloudy", "rain", "snow", "fog":
		top, low = top.mix(hex(0xa9b3bf), 0.5), low.mix(hex(0xd3d9de), 0.5)
	case "storm":
		top, low = top.mix(hex(0x39424f), 0.7), low.mix(hex(0x7d8791), 0.6)
	}
	if l.night() && l.a["weather"] != "clear" {
		top, low = top.lift(-0.22), low.lift(-0.2)
	}
	return top, low
}

func (l *place) sky(dc *gg.Context) {
	top, low := l.skyColors()
	switch l.a["place"] {
	case "space":
		top, low = hex(0x0b0d26), hex(0x2b2558)
	case "underwater":
		deep := map[string][2]uint32{"dawn": {0x86c8d8, 0x2b6f96}, "day": {0x5ec8e8, 0x1f7ab8}, "dusk": {0xd79ab0, 0x3b4a8e}, "night": {0x234a86, 0x0b1c44}}[l.time()]
		top, low = hex(deep[0]), hex(deep[1])
	}
	img := dc.Image().(*image.RGBA)
	w, h := dc.Width(), dc.Height()
	for y := range h {
		t := math.Min(1, float64(y)/float64(h)/0.66)
		c := top.mix(low, t*t*(1.6-0.6*t)).RGBA()
		row := img.Pix[y*img.Stride:]
		for x := range w {
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, 255
		}
	}
	if l.a["place"] == "underwater" || l.indoor() {
		return
	}
	dc.Push()
	defer dc.Pop()
	dc.Scale(l.unit, l.unit)
	p := newPen(dc, l.unit)
	r := dice(l.seed, "sky")
	x := l.w * (0.18 + 0.64*r.Float64())
	if l.night() || l.a["place"] == "space" {
		for range 130 {
			b := r.Float64()
			p.soft(hex(0xfff6dd), 0.35+0.6*b, r.Float64()*l.w, r.Float64()*60, 0.12+0.22*b*b, 0.12+0.22*b*b)
		}
	}
	switch {
	case l.a["weather"] == "storm":
	case l.a["place"] == "space":
		p.halo(hex(0x6ea8e8), 0.3, x, 20, 11, 21)
		p.oval(of(hex(0x4f8fd8)), x, 20, 11, 11)
		p.haze(hex(0x5fae6a), 0.9, at(x-7, 14, x-1, 12, x+2, 17, x-3, 21, x-8, 19))
		p.haze(hex(0x5fae6a), 0.9, at(x+2, 22, x+8, 19, x+8, 25, x+3, 28))
	case l.night():
		p.halo(hex(0xf6f0cf), 0.34, x, 18, 6, 24)
		p.soft(hex(0xfbf6dc), 1, x, 18, 6, 6)
		p.soft(hex(0xe9e1bb), 1, x-1.8, 16.6, 1.3, 1.3)
		p.soft(hex(0xe9e1bb), 1, x+2, 19.6, 1.7, 1.7)
	default:
		y, c := 16.0, hex(0xfff3b8)
		if l.time() == "dawn" {
			y, c = 47, hex(0xffeec0)
		} else if l.time() == "dusk" {
			y, c = 50, hex(0xffd27a)
		}
		p.halo(c, 0.62, x, y, 6, 36)
		p.soft(c.lift(0.03), 1, x, y, 6, 6)
	}
	if l.a["place"] == "space" {
		return
	}
	clouds := 3
	tone, alpha := hex(0xffffff).mix(hex(skies[l.time()][1]), 0.35), 0.85
	if l.a["weather"] != "clear" {
		clouds, tone, alpha = 10, tone.mix(hex(0x9aa4b0), 0.5), 0.92
	}
	if l.night() {
		tone, alpha = hex(0x4a5788), 0.6
	}
	if l.a["weather"] == "storm" {
		tone = tone.mix(hex(0x3b4350), 0.7)
	}
	for range clouds {
		cx, cy, k := r.Float64()*l.w, 6+r.Float64()*26, 0.7+0.8*r.Float64()
		for _, o := range [][3]float64{{-6, 0, 3}, {-2, -1.6, 4}, {3, -0.6, 3.6}, {7, 0.4, 2.4}} {
			p.soft(tone, alpha, cx+o[0]*k, cy+o[1]*k, o[2]*k*1.25, o[2]*k*0.8)
		}
		p.soft(tone, alpha, cx, cy+1.6*k, 9.6*k, 1.7*k)
	}
}

// grade puts what stands there into the light of its hour and mood.
func (l *place) grade() {
	f := map[string][3]float64{"dawn": {1.0, 0.9, 0.88}, "day": {1, 1, 1}, "dusk": {0.97, 0.76, 0.74}, "night": {0.36, 0.43, 0.68}}[l.time()]
	if l.indoor() {
		f = map[string][3]float64{"dawn": {1, 0.95, 0.9}, "day": {1, 1, 1}, "dusk": {0.96, 0.84, 0.76}, "night": {0.66, 0.6, 0.68}}[l.time()]
	}
	by := [3]float64{1, 1, 1}
	switch {
	case l.is("scary"):
		by = [3]float64{0.62, 0.66, 0.72}
	case l.is("mysterious"):
		by = [3]float64{0.8, 0.76, 0.96}
	case l.is("magical"):
		by = [3]float64{1, 0.9, 1.06}
	case l.is("sad"):
		by = [3]float64{0.8, 0.86, 0.93}
	case l.is("cheerful"):
		by = [3]float64{1.06, 1.05, 1}
	}
	if w := l.a["weather"]; !l.indoor() && (w == "rain" || w == "storm" || w == "cloudy" || w == "fog") {
		by[0], by[1], by[2] = by[0]*0.88, by[1]*0.91, by[2]*0.95
	}
	var lut [3][256]uint8
	for k := range lut {
		for v := range lut[k] {
			lut[k][v] = uint8(math.Min(255, float64(v)*f[k]*by[k]))
		}
	}
	pix := l.dc.Image().(*image.RGBA).Pix
	for i := 0; i+3 < len(pix); i += 4 {
		a := pix[i+3]
		pix[i], pix[i+1], pix[i+2] = min(a, lut[0][pix[i]]), min(a, lut[1][pix[i+1]]), min(a, lut[2][pix[i+2]])
	}
}

// shine lights lamps and windows where it is dark.
func (l *place) shine(dc *gg.Context) {
	if l.time() == "day" || l.time() == "dawn" {
		return
	}
	dc.Push()
	defer dc.Pop()
	dc.Scale(l.unit, l.unit)
	p := newPen(dc, l.unit)
	for _, o := range l.lamps {
		p.halo(hex(0xffd98a), 0.55, o.x, o.y, o.r*0.8, o.r*4.2)
		p.soft(hex(0xffe9b0), 0.95, o.x, o.y, o.r*0.42, o.r*0.42)
	}
}

// weather falls before everything.
func (l *place) weather(dc *gg.Context) {
	dc.Push()
	defer dc.Pop()
	dc.Scale(l.unit, l.unit)
	p := newPen(dc, l.unit)
	r := dice(l.seed, "weather")
	if !l.indoor() && l.a["place"] != "space" && l.a["place"] != "underwater" {
		switch l.a["weather"] {
		case "storm":
			x := l.w * (0.25 + 0.5*r.Float64())
			p.plate(bare(hex(0xfff2a8)), 0.1, at(x, 4, x+5, 4, x+1.4, 22, x+5, 22, x-4, 48, x-1.4, 27, x-5, 27))
			fallthrough
		case "rain":
			for range 240 {
				x, y, k := r.Float64()*l.w*1.1, r.Float64()*100, 2.4+2*r.Float64()
				p.stroke(hex(0xdcecf8), 0.5, 0.22, at(x, y, x-k*0.32, y+k))
			}
		case "snow":
			for range 230 {
				k := 0.25 + 0.55*r.Float64()
				p.soft(hex(0xffffff), 0.9, r.Float64()*l.w, r.Float64()*100, k, k)
			}
		case "fog":
			for i := range 9 {
				y := 38 + float64(i)*7
				p.soft(hex(0xe8edf0), 0.2, r.Float64()*l.w, y, l.w*0.55, 7)
				p.soft(hex(0xe8edf0), 0.16, l.w/2, y, l.w, 8)
			}
		}
	}
	switch {
	case l.is("magical"):
		for range 46 {
			x, y, k := r.Float64()*l.w, 20+r.Float64()*76, 0.4+0.9*r.Float64()
			p.plate(bare(pick(int64(x*100), "sparkle", hex(0xfff3b0), hex(0xffc8ec), hex(0xc8f0ff))), 0, star4(x, y, k))
		}
	case l.is("cheerful"):
		for i := range 15 {
			x := float64(i) * l.w / 14
			y := 5 + 5*math.Sin(math.Mod(float64(i), 5)/5*math.Pi)
			p.plate(bare(hex(brights[i%len(brights)])), 0.2, at(x-2.2, y, x+2.2, y, x, y+5.4))
		}
	case l.is("scary"):
		for range 7 {
			x, y, k := r.Float64()*l.w, 6+r.Float64()*30, 0.7+0.7*r.Float64()
			p.plate(bare(hex(0x1d1a26)), 0, move(at(-4, -1.6, -2.4, 0.4, -1.2, -0.6, -0.5, -1.6, 0, -0.9, 0.5, -1.6, 1.2, -0.6, 2.4, 0.4, 4, -1.6, 2.6, 1.8, 1, 0.8, 0, 2, -1, 0.8, -2.6, 1.8), x, y, k, k))
		}
	case l.is("mysterious"):
		for range 5 {
			p.soft(hex(0xcfc6ee), 0.13, r.Float64()*l.w, 60+r.Float64()*34, 40, 6)
		}
	case l.is("sad"):
		p.dc.DrawRectangle(0, 0, l.w, 100)
		p.dc.SetRGBA(0.5, 0.56, 0.65, 0.16)
		p.dc.Fill()
	}
}

func star4(x, y, r float64) []pt {
	return at(x, y-r*1.5, x+r*0.28, y-r*0.28, x+r, y, x+r*0.28, y+r*0.28, x, y+r*1.5, x-r*0.28, y+r*0.28, x-r, y, x-r*0.28, y-r*0.28)
}

// prop sets a thing of the kit on the ground, so many units high at most.
func (l *place) prop(shape string, x, y, size float64, view, tint, second string) {
	a := completeThing(map[string]string{"shape": shape, "color": tint, "secondColor": second}, l.seed+int64(x*7), nil)
	k := l.unit
	box := image.Rect(int((x-size)*k), int((y-size)*k), int((x+size)*k), int(y*k))
	newThing(a, l.seed+int64(x*7)).render(l.dc.Image().(*image.RGBA), box, view, 1, false)
}
