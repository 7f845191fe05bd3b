package figure

import (
	"slices"
	"strings"
)

// person is a character with every trait decided.
type person struct {
	seed                                   int64
	age, gender, hairStyle, outfit, mood   string
	skin, hair, eye, cloth, lower, shoe    rgb
	accent                                 rgb
	wears                                  []string
	head, headW, tall, shoulder, waist     float64
	torso, arm, armW, legW                 float64
	fringe, beard, print, legs, pose, nose int
	freckles, earrings, dimples            bool
	stout                                  float64
}

func (f *person) has(accessory string) bool { return slices.Contains(f.wears, accessory) }

// completePerson fills in what is not said; said words are already known ones.
func completePerson(said map[string]string, seed int64, palette []string) map[string]string {
	set := func(name, value string) {
		if said[name] == "" {
			said[name] = value
		}
	}
	mainColor, hairColor, _ := dress(palette)
	set("age", pick(seed, "age", "child", "child", "child", "teen", "teen", "adult", "adult", "adult", "old"))
	set("gender", pick(seed, "gender", "female", "female", "female", "female", "male", "male", "male", "male", "nonbinary"))
	if said["skin"] == "" {
		said["skin"] = skins[dice(seed, "skin").IntN(len(skins))].name
	}
	styles := []string{"short", "short", "long", "curly", "curly", "braids", "bun", "ponytail", "long"}
	if said["gender"] == "male" {
		styles = []string{"short", "short", "short", "short", "curly", "curly", "long", "short", "bun"}
		if said["age"] == "old" || said["age"] == "adult" {
			styles[6] = "bald"
		}
	} else if said["gender"] == "female" {
		styles[0] = "headscarf"
	}
	set("hairStyle", styles[dice(seed, "hairStyle").IntN(len(styles))])
	set("hairColor", hairColor)
	if said["age"] == "old" {
		set("hairColor", pick(seed, "hairColor", "silver", "white", "gray", "silver"))
	}
	skin, _ := parseSkin(said["skin"])
	if skin.light() < 0.68 && dice(seed, "hairDark").IntN(14) > 0 {
		set("hairColor", pick(seed, "hairColor", "black", "ebony", "black", "chocolate"))
	}
	set("hairColor", pick(seed, "hairColor", "black", "chocolate", "brown", "chestnut", "auburn", "ginger", "blonde", "honey", "black", "ebony", "blonde"))
	if skin.light() < 0.7 {
		set("eyeColor", pick(seed, "eyeColor", "chocolate", "ebony", "brown", "hazel"))
	}
	set("eyeColor", pick(seed, "eyeColor", "brown", "chocolate", "hazel", "teal", "blue", "olive", "denim"))
	wear := []string{"t-shirt", "t-shirt", "shirt", "hoodie", "hoodie", "coat", "dress", "shirt"}
	if said["gender"] == "male" {
		wear[6] = "uniform"
	}
	set("outfit", wear[dice(seed, "outfit").IntN(len(wear))])
	set("outfitColor", mainColor)
	if said["outfit"] == "lab-coat" {
		set("outfitColor", "white")
	}
	if said["outfit"] == "armour" {
		set("outfitColor", "silver")
	}
	set("outfitColor", pick(seed, "outfitColor", "coral", "teal", "mustard", "navy", "lavender", "mint", "crimson", "sky", "rose", "green", "orange", "purple", "yellow", "turquoise", "blue", "cream", "salmon"))
	set("accessory", pick(seed, "accessory", "none", "none", "none", "none", "none", "glasses", "glasses", "scarf", "hat", "backpack", "headphones"))
	set("expression", pick(seed, "expression", "smile", "smile", "smile", "smile", "neutral"))
	return said
}

// newPerson measures a character whose attributes are complete.
func newPerson(a map[string]string, seed int64, palette []string) *person {
	f := &person{seed: seed, age: a["age"], gender: a["gender"], hairStyle: a["hairStyle"], outfit: a["outfit"], mood: a["expression"]}
	f.skin, _ = parseSkin(a["skin"])
	f.hair, _ = parseColor(a["hairColor"])
	f.eye, _ = parseColor(a["eyeColor"])
	f.cloth, _ = parseColor(a["outfitColor"])
	_, _, accent := dress(palette)
	if c, ok := parseColor(accent); ok {
		f.accent = c
	} else {
		f.accent = contrast(f.cloth, hex(pick[uint32](seed, "accent", 0xf5cf45, 0xf37b62, 0x3fbfb9, 0xf7f6f2, 0x27396e, 0xe2718d, 0x9fdcc0, 0xe3b341)))
	}
	f.lower = contrast(f.cloth, hex(pick[uint32](seed, "lower", 0x48628f, 0x3a4a6b, 0x55545e, 0xa98a5e, 0x6b7a52, 0x3f4148, 0x7d4a3f, 0x5d7fa8, 0xcdb98f)))
	f.shoe = hex(pick[uint32](seed, "shoe", 0xd8433f, 0x3f4148, 0x6e3b26, 0xf2efe6, 0x2b8f90, 0xe3b341, 0x4a45a8))
	f.wears = slices.DeleteFunc(strings.Split(a["accessory"], ", "), func(w string) bool { return w == "none" || w == "" })
	f.fringe = dice(seed, "fringe").IntN(4)
	f.print = dice(seed, "print").IntN(6)
	f.legs = dice(seed, "legs").IntN(4)
	f.pose = poseOf(a["movement"], a["personality"], seed)
	f.nose = dice(seed, "nose").IntN(3)
	f.freckles = dice(seed, "freckles").IntN(6) == 0 && f.skin.light() > 0.72
	f.dimples = dice(seed, "dimples").IntN(4) == 0
	f.earrings = f.gender == "female" && f.age != "child" && dice(seed, "earrings").IntN(2) == 0
	if f.gender == "male" && (f.age == "adult" || f.age == "old") {
		f.beard = pick(seed, "beard", 0, 0, 0, 1, 2, 3)
	}
	f.measure()
	return f
}

// contrast moves a color away from another that it can hardly be told from.
func contrast(from, c rgb) rgb {
	p, q := from.lab(), c.lab()
	d := (p.l-q.l)*(p.l-q.l)*1.4 + (p.a-q.a)*(p.a-q.a)*3 + (p.b-q.b)*(p.b-q.b)*3
	if d > 0.016 {
		return c
	}
	if p.l > 0.55 {
		return c.lift(-0.24)
	}
	return c.lift(0.26)
}

func (f *person) measure() {
	r := dice(f.seed, "build")
	f.stout = 0.92 + 0.24*r.Float64()*r.Float64()
	tall := 0.97 + 0.06*r.Float64()
	f.head, f.headW = 12, 1
	switch f.age {
	case "child":
		f.tall, f.torso, f.shoulder, f.waist, f.armW, f.legW = 63, 15.5, 7.6, 7.4, 5.2, 6.4
		f.head = 11.8
	case "teen":
		f.tall, f.torso, f.shoulder, f.waist, f.armW, f.legW = 82, 21.5, 9.0, 7.6, 5.4, 6.6
	case "old":
		f.tall, f.torso, f.shoulder, f.waist, f.armW, f.legW = 86, 25, 10.2, 10, 5.9, 7.2
		f.stout += 0.06
	default:
		f.tall, f.torso, f.shoulder, f.waist, f.armW, f.legW = 97, 26.5, 11, 9, 6.2, 7.8
	}
	if f.age != "child" {
		switch f.gender {
		case "female":
			f.shoulder, f.waist, f.armW, f.legW, f.tall = f.shoulder*0.92, f.waist*0.9, f.armW*0.9, f.legW*0.92, f.tall*0.97
		case "male":
			f.shoulder, f.armW = f.shoulder*1.12, f.armW*1.08
		}
	}
	f.tall *= tall
	f.shoulder *= 0.5 + 0.5*f.stout
	f.waist *= f.stout
	f.headW = 0.97 + 0.06*r.Float64()
	if f.gender == "male" && f.age != "child" {
		f.headW += 0.02
	}
	f.arm = f.torso*0.98 + 2
}

// The heights of a person above the ground, growing downward as everything.
func (f *person) chin() float64  { return -f.tall + 2*f.head }
func (f *person) neck() float64  { return f.chin() + f.drop() }
func (f *person) hip() float64   { return f.neck() + f.torso }
func (f *person) crown() float64 { return -f.tall }

// drop is the free length of the neck.
func (f *person) drop() float64 {
	if f.age == "child" {
		return 0.9
	}
	return 1.8
}

// Poses of the arms.
const (
	poseCalm = iota
	poseWave
	poseHip
	poseOpen
	poseWalk
	poseCheer
)

// poseOf follows the words for how a person moves or is, else the seed.
func poseOf(movement, personality string, seed int64) int {
	words := strings.FieldsFunc(strings.ToLower(movement+" "+personality), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, w := range words {
		switch w {
		case "waving", "wave", "waves", "friendly", "greeting", "outgoing":
			return poseWave
		case "walking", "walk", "walks", "running", "run", "runs", "marching", "fast", "quick":
			return poseWalk
		case "jumping", "jump", "dancing", "dance", "cheering", "cheerful", "energetic", "playful", "lively":
			return poseCheer
		case "proud", "brave", "bold", "confident", "strong", "strict", "bossy":
			return poseHip
		case "curious", "kind", "warm", "generous", "helpful":
			return poseOpen
		case "standing", "still", "shy", "quiet", "calm", "slow", "serious", "timid":
			return poseCalm
		}
	}
	return pick(seed, "pose", poseCalm, poseCalm, poseWave, poseHip, poseOpen, poseCalm)
}

// dress is what a palette gives to a person: the clothes' color, the hair's
// where it may be hair, and one that stands out. Empty: the palette has none.
func dress(palette []string) (main, hair, accent string) {
	var vivid []rgb
	for _, s := range palette {
		c, ok := parseColor(s)
		if !ok {
			continue
		}
		if l := c.light(); hair == "" && l < 0.45 && c.chroma() < 0.12 {
			hair = c.String()
			continue
		}
		vivid = append(vivid, c)
	}
	slices.SortStableFunc(vivid, func(a, b rgb) int {
		switch d := b.chroma() - a.chroma(); {
		case d > 0.02:
			return 1
		case d < -0.02:
			return -1
		}
		return 0
	})
	if len(vivid) > 0 {
		main = vivid[0].String()
	}
	if len(vivid) > 1 {
		accent = vivid[1].String()
	}
	return main, hair, accent
}
