package paint

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// Palette is a row of colors from the darkest to the lightest, and an accent
// that stands out from them.
type Palette struct {
	ramp   [256]rgb
	accent rgb
	dark   bool // a night: the ground is the dark end
}

// newPalette makes a palette of a few stops, from dark to light.
func newPalette(dark bool, accent rgb, stops ...rgb) Palette {
	p := Palette{accent: accent, dark: dark}
	for i := range p.ramp {
		at := float64(i) / 255 * float64(len(stops)-1)
		k := min(int(at), len(stops)-2)
		p.ramp[i] = stops[k].mix(stops[k+1], at-float64(k))
	}
	return p
}

// at is the color at t from 0 (darkest) to 1 (lightest).
func (p *Palette) at(t float64) rgb { return p.ramp[int(clamp(t)*255)] }

// light is the accent as a sun or a moon would show it: bright, and never
// bluish by day.
func (p *Palette) light() rgb {
	if p.accent.B > p.accent.R && !p.dark {
		return rgb{1, 0.95, 0.84}
	}
	l, a, b := colorful.Color(p.accent).OkLab()
	return rgb(colorful.OkLab(max(l, 0.9), a, b).Clamped()).over(rgb{1, 0.97, 0.9}, 0.25)
}

// mixed is a palette halfway between two, with the accent of the other.
func (p Palette) mixed(q Palette) Palette {
	for i := range p.ramp {
		p.ramp[i] = p.ramp[i].mix(q.ramp[i], 0.42)
	}
	p.accent, p.dark = q.accent, p.dark || q.dark
	return p
}

// mood is a palette that some words call for.
type mood struct {
	words  []string
	dark   bool
	accent uint32
	stops  []uint32
}

// moods are in the order in which they win when several words match equally early.
var moods = []mood{
	{[]string{"sunset", "dusk", "evening", "romantic", "love", "heart"}, false, 0xfff1c9, []uint32{0x2b1744, 0x6c2a6a, 0xc6426e, 0xf4845f, 0xf9c784, 0xfdf0d5}},
	{[]string{"sunrise", "dawn", "morning", "hope", "breakfast"}, false, 0xfff6d8, []uint32{0x2e3a5f, 0x6a6f9e, 0xd58ca3, 0xf7b28f, 0xfbd9a5, 0xfff4e0}},
	{[]string{"ocean", "sea", "water", "wave", "waves", "lake", "river", "fish", "whale", "beach", "coast", "underwater"}, false, 0xffd9a0, []uint32{0x04202e, 0x0b4f6c, 0x127991, 0x3fb8af, 0xa3e0d1, 0xf2fbf4}},
	{[]string{"forest", "tree", "trees", "wood", "woods", "jungle", "leaf", "leaves", "nature", "green", "moss", "frog", "dinosaur", "fox", "dragon"}, false, 0xf6d77a, []uint32{0x0d2018, 0x1c4433, 0x2f6f4e, 0x6aa66e, 0xbfd69a, 0xf4f3d9}},
	{[]string{"night", "moon", "midnight", "star", "stars", "dark", "owl", "sleep", "mystery"}, true, 0xfdf3c4, []uint32{0x070b1f, 0x121a45, 0x27347a, 0x4d5fb0, 0x93a4dc, 0xe6ebfb}},
	{[]string{"space", "galaxy", "nebula", "cosmos", "cosmic", "universe", "planet", "rocket", "astronaut", "alien", "magic", "wizard"}, true, 0xffe3b3, []uint32{0x05030f, 0x1c0f3f, 0x4a1e78, 0x9a3b9c, 0xe8749a, 0xffd9c2}},
	{[]string{"desert", "sand", "dune", "dunes", "camel", "earth", "canyon", "clay", "coffee", "lion"}, false, 0x3c7a89, []uint32{0x3a1c14, 0x7a3b22, 0xb8623a, 0xdc9a5f, 0xefcb94, 0xfbf0d9}},
	{[]string{"winter", "snow", "ice", "frost", "cold", "arctic", "penguin", "polar", "glacier"}, false, 0xff9f80, []uint32{0x14263d, 0x34557a, 0x6b93b8, 0xa9c8de, 0xd8e8f0, 0xfafdff}},
	{[]string{"spring", "flower", "flowers", "blossom", "cherry", "garden", "tulip", "bloom", "butterfly", "easter", "bunny"}, false, 0xffe38a, []uint32{0x2f3b35, 0x5d8a66, 0xd66d8f, 0xf39fb4, 0xf9cfd4, 0xfff7f2}},
	{[]string{"autumn", "fall", "harvest", "pumpkin", "maple", "october", "hedgehog"}, false, 0x7fb7a3, []uint32{0x2a1512, 0x6a2318, 0xb5431f, 0xe0812d, 0xf2b958, 0xfbecc8}},
	{[]string{"fire", "flame", "lava", "volcano", "hot", "burning", "phoenix"}, true, 0xfff3b0, []uint32{0x120406, 0x4c0b12, 0xa31621, 0xe8501d, 0xfca311, 0xffe9a8}},
	{[]string{"neon", "cyber", "cyberpunk", "party", "disco", "techno", "electric", "robot", "retro", "game", "arcade"}, true, 0x3ff5e0, []uint32{0x0b0620, 0x2a0f5e, 0x6d1fb0, 0xd92bb7, 0xff6fa8, 0xffd0f0}},
	{[]string{"candy", "sweet", "cake", "unicorn", "kawaii", "cute", "birthday", "pastel", "icecream", "kitten", "baby"}, false, 0x6ec6ca, []uint32{0x5b3d6b, 0xa66cae, 0xf08fb4, 0xf9b9c6, 0xfde0d9, 0xfffaf3}},
	{[]string{"summer", "sun", "sunny", "lemon", "tropical", "holiday", "happy", "joy", "fruit", "bee"}, false, 0xff5d5d, []uint32{0x0e4d64, 0x1c8a8f, 0x63c5a8, 0xf4d35e, 0xfbe89a, 0xfffbe6}},
	{[]string{"rain", "storm", "cloud", "clouds", "fog", "mist", "rainy", "sad", "quiet", "calm", "wolf"}, false, 0xf2c57c, []uint32{0x1a2129, 0x37454f, 0x5f7480, 0x94a7ad, 0xc6d1d1, 0xf1f3ef}},
	{[]string{"aurora", "northern", "polarlight", "fairy", "dream", "dreamy", "mermaid"}, true, 0xf7d6ff, []uint32{0x050d1c, 0x0b2b40, 0x0e6b63, 0x2fbf8f, 0x9be7b0, 0xecfbe5}},
	{[]string{"vintage", "old", "paper", "history", "antique", "sepia", "castle", "map", "book", "school"}, false, 0x2f6f73, []uint32{0x2b2118, 0x5c4630, 0x93714d, 0xc6a477, 0xe4cfa8, 0xf8eedb}},
	{[]string{"black", "white", "gray", "grey", "monochrome", "minimal", "ink", "zen"}, false, 0xd1495b, []uint32{0x111214, 0x34373b, 0x6c7075, 0xa5a8ab, 0xd7d8d6, 0xf7f6f2}},
	{[]string{"city", "street", "building", "skyline", "urban", "car", "train", "bridge"}, true, 0xffd37a, []uint32{0x0d1326, 0x25305a, 0x5b4b8a, 0xb0628f, 0xf0937d, 0xfde2b8}},
}

// hues are color words by their angle in OKLCH.
var hues = map[string]float64{
	"red": 27, "crimson": 20, "scarlet": 30, "orange": 55, "amber": 75, "gold": 88, "golden": 88, "yellow": 102,
	"lime": 125, "olive": 115, "emerald": 160, "mint": 165, "teal": 190, "turquoise": 195, "cyan": 205, "azure": 240,
	"blue": 258, "navy": 265, "indigo": 280, "violet": 298, "purple": 308, "lavender": 300, "magenta": 330, "pink": 355, "rose": 5, "brown": 60,
}

// subjects are words for who or what is in a picture. They bring colors of
// their own only where nothing says what light, weather or place it is: a fox
// in the snow is a picture of snow.
var subjects = []string{
	"fox", "frog", "dinosaur", "dragon", "wolf", "bee", "kitten", "baby", "unicorn", "mermaid", "robot", "penguin", "phoenix", "car", "train", "book", "map",
}

// choosePalette finds the moods and colors that the words call for; the first
// leads and the second tints it. Without any, the seed chooses a harmony.
func choosePalette(words, avoid []string, rng *rand.Rand) Palette {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b string) int {
		return cmp.Compare(slices.Index(subjects, a)+1, 0) - cmp.Compare(slices.Index(subjects, b)+1, 0)
	})
	var found []Palette
	for _, word := range words {
		if slices.Contains(avoid, word) {
			continue
		}
		if hue, ok := hues[word]; ok {
			found = append(found, harmony(hue, rng))
		} else if i := slices.IndexFunc(moods, func(m mood) bool { return slices.Contains(m.words, word) }); i >= 0 {
			found = append(found, moods[i].palette())
		}
	}
	switch len(found) {
	case 0:
		if rng.IntN(3) == 0 {
			return harmony(rng.Float64()*360, rng)
		}
		return moods[rng.IntN(len(moods))].palette()
	case 1:
		return found[0]
	}
	return found[0].mixed(found[1])
}

func (m mood) palette() Palette {
	var stops []rgb
	for _, s := range m.stops {
		stops = append(stops, hex(s))
	}
	return newPalette(m.dark, hex(m.accent), stops...)
}

// harmony is a palette around a hue: neighbours on the color circle from dark
// to light, and an accent from across.
func harmony(hue float64, rng *rand.Rand) Palette {
	turn := 18 + rng.Float64()*30
	if rng.IntN(2) == 0 {
		turn = -turn
	}
	return newPalette(rng.IntN(4) == 0, lch(0.86, 0.13, hue+180+turn/2),
		lch(0.18, 0.06, hue-turn*1.4), lch(0.36, 0.12, hue-turn*0.7), lch(0.55, 0.17, hue),
		lch(0.72, 0.14, hue+turn*0.6), lch(0.87, 0.08, hue+turn), lch(0.97, 0.025, hue+turn*1.3))
}
