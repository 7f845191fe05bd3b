package figure

import (
	"image"
	"maps"
	"slices"
)

// shapes are the things that can be drawn; each builds itself standing on y 0.
var shapes = map[string]func(*thing){
	"house": house, "tower": tower, "castle": castle, "tree": tree, "pine": pine, "bush": bush, "flower": flower, "rock": rock, "mountain": mountain,
	"table": table, "chair": chair, "lamp": lamp, "bed": bed, "bookshelf": bookshelf, "car": car, "bus": bus, "bicycle": bicycle, "boat": boat,
	"rocket": rocket, "aeroplane": aeroplane, "planet": planet, "star": starThing, "moon": moonThing, "crystal": crystal, "book": book, "ball": ballThing, "apple": apple,
	"cup": cup, "key": key, "sword": sword, "lantern": lantern, "box": boxThing, "mushroom": mushroom, "clock": clock, "shield": shield, "potion": potion,
	"sphere": sphere, "cylinder": cylinder, "cone": cone, "ring": ringThing, "wedge": wedge, "fence": fence, "blackboard": blackboard,
}

// stillLife is drawn for what has no shape here.
const stillLife = "still-life"

var shapeWords = map[string]string{
	"home": "house", "torus": "ring", "hut": "house", "cottage": "house", "fir": "pine", "oak": "tree", "stone": "rock", "boulder": "rock", "hill": "mountain", "desk": "table", "stool": "chair",
	"shelf": "bookshelf", "bike": "bicycle", "ship": "boat", "plane": "aeroplane", "airplane": "aeroplane", "aircraft": "aeroplane", "spaceship": "rocket", "globe": "planet", "gem": "crystal",
	"diamond": "crystal", "jewel": "crystal", "mug": "cup", "chest": "box", "crate": "box", "rose": "flower", "tulip": "flower", "football": "ball", "bottle": "potion", "flask": "potion", "automobile": "car", "watch": "clock",
}

func init() {
	thingTraits[0].options = append(slices.Sorted(maps.Keys(shapes)), stillLife)
	thingTraits[0].same = shapeWords
	placeTraits[1].options = slices.Sorted(maps.Keys(places))
	placeTraits[1].same = placeWords
}

// own are the colors of a shape where no one says others.
var own = map[string][]uint32{
	"tree": {0x5fae57, 0x7cb342, 0xe39b3c}, "pine": {0x2f7d5b, 0x3c8f63}, "bush": {0x5aa152, 0x77b255}, "rock": {0x9d9c98, 0x8a8f96}, "mountain": {0x7d8796, 0x8a7d74},
	"apple": {0xd8433f, 0x8bbf4a, 0xd8433f}, "star": {0xf5cf45}, "moon": {0xf3e6b0}, "key": {0xe3b341, 0xc3c8cf}, "sword": {0xc3c8cf}, "table": {0xa5713f, 0xc48a52}, "chair": {0xa5713f, 0xc96a4a, 0x4f8fa8},
	"bookshelf": {0x9a6238, 0xb98050}, "castle": {0xb9b4ab, 0xc9b79a}, "tower": {0xb9b4ab, 0xc98c6a}, "crystal": {0x8fd3e8, 0xc9a7dd, 0x9fdcc0}, "lantern": {0x4a474e, 0x9c7440}, "mushroom": {0xd8433f, 0xc98c58}, "box": {0xb98050, 0xc99a6c},
}

// brights are colors for what has none of its own.
var brights = []uint32{0xe2574e, 0x3f8fd0, 0xf0a33c, 0x4ea46a, 0x8a5fc0, 0x2ba6a0, 0xe8708f, 0xf5cf45}

var materialColors = map[string]uint32{"wood": 0xa5713f, "metal": 0x9aa4b0, "stone": 0x9d9c98, "glass": 0xaedbe8, "gold": 0xe3b341, "silver": 0xc9ced6, "paper": 0xf4efe2}

func completeThing(said map[string]string, seed int64, palette []string) map[string]string {
	set := func(name, value string) {
		if said[name] == "" {
			said[name] = value
		}
	}
	set("shape", stillLife)
	if len(palette) > 0 {
		set("color", palette[0])
	}
	if len(palette) > 1 {
		set("secondColor", palette[1])
	}
	if c, ok := materialColors[said["material"]]; ok {
		set("color", hex(c).String())
	}
	colors, ok := own[said["shape"]]
	if !ok {
		colors = brights
	}
	set("color", hex(colors[dice(seed, "color").IntN(len(colors))]).String())
	set("secondColor", hex(brights[dice(seed, "secondColor").IntN(len(brights))]).String())
	set("material", "plain")
	set("size", "medium")
	return said
}

// thing is an object while it is put together.
type thing struct {
	solid
	seed     int64
	material string
	main     surface
	second   surface
}

func (t *thing) of(v uint32) surface { return surface{rgb: hex(v)} }
func (t *thing) dark() surface       { return surface{rgb: t.main.lift(-0.14), material: t.material} }
func (t *thing) light() surface      { return surface{rgb: t.main.lift(0.1), material: t.material} }

func newThing(a map[string]string, seed int64) *thing {
	t := &thing{seed: seed, material: a["material"]}
	c, _ := parseColor(a["color"])
	d, _ := parseColor(a["secondColor"])
	switch t.material {
	case "gold":
		c = c.mix(brass, 0.4)
	case "silver":
		c = c.mix(steel, 0.4)
	}
	t.main, t.second = surface{c, t.material}, surface{rgb: contrast(c, d)}
	build, ok := shapes[a["shape"]]
	if !ok {
		build = arrangement
	}
	build(t)
	return t
}

// drawThing draws an object into a box, larger or smaller as its size says.
func drawThing(img *image.RGBA, box image.Rectangle, a map[string]string, seed int64, view string, afloat bool) {
	newThing(a, seed).render(img, box, view, 0.78*sizeOf(a["size"]), afloat)
}

// arrangement is a still life in the named colors.
func arrangement(t *thing) {
	t.box(t.of(0xc48a52), 0, -2, 0, 46, 2, 30)
	t.placed(func(v vec) vec { return v.add(vec{-11, 0, 2}) }, func() { cup(t) })
	t.ball(t.second, 8, 6, 5, 6, 6, 6)
	t.placed(func(v vec) vec { return v.turnY(24).add(vec{9, 0, -7}) }, func() { t.box(t.light(), 0, 0, 0, 12, 18, 10) })
	t.ball(t.dark(), 17, 3.4, 9, 3.4, 3.4, 3.4)
}
