package figure

// beast is a creature with every trait decided.
type beast struct {
	seed                                           int64
	species, size, wings, horns, tail, weave, mood string
	body, second, eye, dark, nose                  rgb
	head                                           float64 // size of the head: the smaller a creature, the larger
	k                                              kin
	tuft                                           int
}

// kin is what makes a species.
type kin struct {
	ears   string // pointed, floppy, round, long, upright, fin, none
	muzzle string // small, long, wide, broad
	tail   string
	wings  string
	horns  string
	mane   bool
	// form is the kind of body: beast, bird, fish, snake, frog, insect or robot.
	form string
	// stature is its height beside a grown person's 100, legs those of a side view.
	stature, legs float64
	colors        [][2]uint32
}

var kins = map[string]kin{
	"cat":     {ears: "pointed", muzzle: "small", tail: "long", form: "beast", stature: 40, legs: 15, colors: [][2]uint32{{0xe8964a, 0xfbead0}, {0x8e9197, 0xf2efe8}, {0x3a3840, 0xf5f2ea}, {0xf3e6cf, 0xb98556}, {0xc98c58, 0xfff3de}}},
	"dog":     {ears: "floppy", muzzle: "broad", tail: "curly", form: "beast", stature: 48, legs: 17, colors: [][2]uint32{{0xc48a52, 0xf8e8cd}, {0xf4ead7, 0x8a5a38}, {0x6b4a35, 0xe9cfa6}, {0x4a474e, 0xe6b98a}, {0xe3b978, 0xfff4e0}}},
	"horse":   {ears: "upright", muzzle: "wide", tail: "bushy", mane: true, form: "beast", stature: 92, legs: 25, colors: [][2]uint32{{0x9a6238, 0x4a2c20}, {0xe9dcc4, 0xc9a36b}, {0x5a4034, 0x2b2228}, {0xc98c58, 0xf6e9cf}}},
	"fox":     {ears: "pointed", muzzle: "long", tail: "bushy", form: "beast", stature: 42, legs: 15, colors: [][2]uint32{{0xe5772f, 0xfff4e4}, {0xd9632b, 0xfbeeda}, {0xf2f1ee, 0xcfd9e6}, {0xc96a3a, 0xfff4e4}}},
	"bear":    {ears: "round", muzzle: "broad", tail: "short", form: "beast", stature: 82, legs: 14, colors: [][2]uint32{{0x8a5a3a, 0xe8c9a0}, {0xf3efe6, 0xdfe5ea}, {0x5a4238, 0xd8b48a}, {0xb98050, 0xf6e2c0}}},
	"rabbit":  {ears: "long", muzzle: "small", tail: "short", form: "beast", stature: 36, legs: 11, colors: [][2]uint32{{0xf4efe9, 0xf6c3c8}, {0xb99a7c, 0xf8efe2}, {0x9a9aa2, 0xf2f0ee}, {0xdcc2a0, 0xfff6ea}}},
	"bird":    {ears: "none", tail: "short", wings: "feathered", form: "bird", stature: 32, colors: [][2]uint32{{0x4aa5e8, 0xfdf0d0}, {0xd8433f, 0xfbe3c4}, {0xf5cf45, 0xfff8dc}, {0x4ea45a, 0xf5e663}, {0x7e57c2, 0xf3e3fb}}},
	"owl":     {ears: "none", tail: "short", wings: "feathered", form: "bird", stature: 38, colors: [][2]uint32{{0x8a6242, 0xf1ddb8}, {0xf0ece4, 0xcfd6de}, {0x6b5a72, 0xe8d8ea}, {0xb5814e, 0xf9e9c8}}},
	"fish":    {tail: "long", form: "fish", stature: 30, colors: [][2]uint32{{0xf08a32, 0xfff3df}, {0x4aa5e8, 0xf7e463}, {0xe2718d, 0xffe3d8}, {0x3fbfb9, 0xf8f0c8}, {0x8a4fb5, 0xf5cf45}}},
	"snake":   {tail: "long", form: "snake", stature: 34, colors: [][2]uint32{{0x6fae4a, 0xf0e6a0}, {0xe3a33c, 0xfbeecb}, {0x2b8f90, 0xd5f0d8}, {0xd8574a, 0xfbe3c4}}},
	"frog":    {tail: "none", form: "frog", stature: 28, colors: [][2]uint32{{0x6cbb4f, 0xf0f3b4}, {0x3fa56b, 0xe3f2c4}, {0xf0a33c, 0xfdf0c8}, {0x4aa5c8, 0xe4f5f0}}},
	"insect":  {tail: "none", form: "insect", stature: 26, colors: [][2]uint32{{0xd8433f, 0x35323d}, {0xf5cf45, 0x35323d}, {0x3fa56b, 0x274a3a}, {0x5a7bd8, 0xf5cf45}, {0xf08a32, 0x4a2c20}}},
	"dragon":  {ears: "fin", muzzle: "wide", tail: "long", wings: "leathery", horns: "two", form: "beast", stature: 96, legs: 16, colors: [][2]uint32{{0x4ea46a, 0xf3e3a0}, {0xc2444a, 0xf6cf8a}, {0x5a6fc8, 0xd9e6fb}, {0x8a5fc0, 0xf7d6e6}, {0x2b9a98, 0xf5efb8}}},
	"unicorn": {ears: "upright", muzzle: "wide", tail: "bushy", horns: "one", mane: true, form: "beast", stature: 92, legs: 25, colors: [][2]uint32{{0xfaf6f6, 0xf08fb3}, {0xf3effc, 0x9a7fe0}, {0xf6fbff, 0x6ec6ea}, {0xfff2f5, 0xf2b33b}}},
	"robot":   {tail: "none", form: "robot", stature: 80, colors: [][2]uint32{{0x9fb4c8, 0xf08a32}, {0xe6e3dc, 0x3f74cf}, {0x6fc2b8, 0xf5cf45}, {0xf0b84a, 0x3f4a66}, {0xd86a5a, 0xf2efe6}}},
}

func completeBeast(said map[string]string, seed int64, palette []string) map[string]string {
	set := func(name, value string) {
		if said[name] == "" {
			said[name] = value
		}
	}
	species := beastTraits[0].options
	set("species", species[dice(seed, "species").IntN(len(species))])
	k := kins[said["species"]]
	pair := k.colors[dice(seed, "bodyColor").IntN(len(k.colors))]
	if len(palette) > 0 {
		set("bodyColor", palette[0])
	}
	if len(palette) > 1 {
		set("secondColor", palette[1])
	}
	if body := said["bodyColor"]; body != "" && said["secondColor"] == "" {
		if c, ok := parseColor(body); ok && !k.mane && k.form != "robot" && k.form != "insect" {
			set("secondColor", c.mix(hex(0xfffaf0), 0.72).String())
		}
	}
	set("bodyColor", hex(pair[0]).String())
	set("secondColor", hex(pair[1]).String())
	set("size", "medium")
	for name, own := range map[string]string{"wings": k.wings, "horns": k.horns, "tail": k.tail} {
		if own == "" {
			own = "none"
		}
		set(name, own)
	}
	patterns := []string{"plain", "plain", "plain", "striped", "spotted"}
	switch said["species"] {
	case "insect":
		patterns = []string{"spotted", "spotted", "striped"}
	case "snake", "fish":
		patterns = []string{"plain", "striped", "spotted", "striped"}
	case "robot", "unicorn", "bear":
		patterns = patterns[:1]
	}
	set("pattern", patterns[dice(seed, "pattern").IntN(len(patterns))])
	set("expression", pick(seed, "expression", "smile", "smile", "smile", "neutral"))
	return said
}

func newBeast(a map[string]string, seed int64) *beast {
	b := &beast{seed: seed, species: a["species"], size: a["size"], wings: a["wings"], horns: a["horns"], tail: a["tail"], weave: a["pattern"], mood: a["expression"], k: kins[a["species"]]}
	b.body, _ = parseColor(a["bodyColor"])
	b.second, _ = parseColor(a["secondColor"])
	if b.weave == "plain" {
		b.weave = ""
	}
	b.eye = hex(pick[uint32](seed, "eyeColor", 0x4a2c20, 0x35323d, 0x3a6a4a, 0x2f5f9a, 0x8a5a1f, 0x5a3a7a))
	b.dark = hex(0x2c2730)
	b.nose = hex(pick[uint32](seed, "nose", 0x35303a, 0x4a3030, 0xd9737f, 0x35303a))
	b.head = map[string]float64{"tiny": 1.17, "small": 1.08, "large": 0.94, "huge": 0.88}[b.size]
	if b.head == 0 {
		b.head = 1
	}
	b.tuft = dice(seed, "tuft").IntN(3)
	return b
}

// sizeOf is how large a creature stands in its picture.
func sizeOf(size string) float64 {
	switch size {
	case "tiny":
		return 0.66
	case "small":
		return 0.83
	case "large":
		return 1.14
	case "huge":
		return 1.28
	}
	return 1
}

// coat is the creature's skin, with its pattern.
func (b *beast) coat() cloth {
	if b.weave == "" {
		return of(b.body)
	}
	mark := b.body.lift(-0.15)
	if b.body.light() < 0.42 {
		mark = b.body.lift(0.17)
	}
	if b.k.form == "insect" || b.k.form == "fish" || b.k.form == "snake" {
		mark = b.second
	}
	return cloth{rgb: b.body, second: mark, weave: b.weave, size: 6.4}
}

func (b *beast) plain() cloth { return of(b.body) }

// draw draws it standing on 0, 0; it is about 62 high.
func (b *beast) draw(p *pen, view string) {
	scale := sizeOf(b.size)
	mood := moodOf(b.mood, view)
	p.within(0, 0, scale, 0, func() {
		p.ink *= scale
		side, behind := view == "side", view == "back"
		switch b.k.form {
		case "beast":
			if side {
				b.beastSide(p, mood)
			} else {
				b.beastFront(p, mood, behind)
			}
		case "bird":
			b.bird(p, mood, side, behind)
		case "fish":
			b.fish(p, mood, side, behind)
		case "snake":
			b.snake(p, mood, side, behind)
		case "frog":
			b.frog(p, mood, side, behind)
		case "insect":
			b.insect(p, mood, side, behind)
		case "robot":
			b.robot(p, mood, side, behind)
		}
	})
}

// eyeAt draws an eye; side is -1 for the left one, 1 for the right.
func (b *beast) eyeAt(p *pen, mood string, side, x, y, r float64) {
	lid := b.body
	b.eyeOn(p, mood, side, x, y, r, lid)
}

func (b *beast) eyeOn(p *pen, mood string, side, x, y, r float64, lid rgb) {
	line := b.dark
	if mood == "happy" {
		if lid.light() < 0.4 {
			line = hex(0xfffaf0)
		}
		p.stroke(line, 1, 1.4, at(x-r*0.95, y+r*0.3, x-r*0.5, y-r*0.4, x, y-r*0.62, x+r*0.5, y-r*0.4, x+r*0.95, y+r*0.3))
		return
	}
	ry := r * 1.18
	if mood == "surprised" {
		ry, r = ry*1.22, r*1.1
	}
	if lid.light() < 0.45 {
		p.soft(hex(0xfffaf0), 1, x, y, r+0.9, ry+0.9)
	}
	p.soft(b.eye.lift(-0.06), 1, x, y, r, ry)
	p.soft(b.eye.lift(0.16), 0.9, x, y+ry*0.35, r*0.74, ry*0.58)
	p.soft(line, 1, x, y, r*0.66, ry*0.74)
	p.soft(hex(0xffffff), 1, x-r*0.3, y-ry*0.38, r*0.36, r*0.38)
	p.soft(hex(0xffffff), 0.85, x+r*0.35, y+ry*0.36, r*0.18, r*0.18)
	brow := lid.ink()
	if lid.light() < 0.4 {
		brow = lid.lift(0.3)
	}
	switch mood {
	case "angry":
		p.haze(lid, 1, at(x-r*1.2, y-ry*1.3, x+r*1.2, y-ry*1.3, x+side*r*1.2, y-ry*0.95, x-side*r*1.2, y-ry*0.15))
		p.stroke(brow, 1, 1.7, at(x+side*r*1.25, y-ry*1.1, x-side*r*1.2, y-ry*0.25))
	case "sad":
		p.haze(lid, 1, at(x-r*1.2, y-ry*1.3, x+r*1.2, y-ry*1.3, x+side*r*1.2, y-ry*0.2, x-side*r*1.2, y-ry*0.95))
		p.stroke(brow, 1, 1.5, at(x+side*r*1.2, y-ry*0.4, x-side*r*1.1, y-ry*1.25))
		if side > 0 {
			p.blob(bare(hex(0x8fd0f0)), at(x+r*0.8, y+ry*0.9, x+r*1.2, y+ry*1.6, x+r*0.8, y+ry*2, x+r*0.4, y+ry*1.6))
		}
	case "surprised":
		p.stroke(brow, 0.9, 1.3, at(x-r*0.7, y-ry*1.55, x, y-ry*1.75, x+r*0.7, y-ry*1.55))
	}
}

// mouthAt draws a mouth of some width on a ground.
func (b *beast) mouthAt(p *pen, mood string, x, y, w float64, on rgb) {
	line := on.ink()
	if on.light() < 0.4 {
		line = on.lift(0.34)
	}
	inside := hex(0x7c2838)
	switch mood {
	case "happy":
		p.blob(of(inside), at(x-w, y-0.2, x, y+0.4, x+w, y-0.2, x+w*0.6, y+w*0.75, x, y+w, x-w*0.6, y+w*0.75))
		p.haze(hex(0xe9808a), 1, at(x-w*0.45, y+w*0.72, x, y+w*0.45, x+w*0.45, y+w*0.72, x, y+w*0.9))
	case "surprised":
		p.oval(of(inside), x, y+w*0.4, w*0.36, w*0.48)
	case "sad":
		p.stroke(line, 1, 1.1, at(x-w*0.7, y+w*0.5, x, y+0.1, x+w*0.7, y+w*0.5))
	case "angry":
		p.stroke(line, 1, 1.2, at(x-w*0.8, y+w*0.5, x-w*0.3, y+0.3, x+w*0.3, y+0.3, x+w*0.8, y+w*0.5))
	case "neutral":
		p.stroke(line, 1, 1.1, at(x-w*0.55, y+0.3, x, y+0.6, x+w*0.55, y+0.3))
	default:
		if b.k.muzzle == "wide" || b.k.form != "beast" {
			p.stroke(line, 1, 1.1, at(x-w, y-0.2, x, y+w*0.42, x+w, y-0.2))
			return
		}
		p.stroke(line, 1, 1.1, at(x-w, y, x-w*0.5, y+w*0.42, x, y-0.2))
		p.stroke(line, 1, 1.1, at(x, y-0.2, x+w*0.5, y+w*0.42, x+w, y))
	}
}
