package figure

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// rgb is a color with channels from 0 to 1 as a screen wants them (sRGB).
type rgb colorful.Color

func hex(v uint32) rgb {
	return rgb{float64(v>>16&255) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}
}

func (a rgb) RGBA() color.NRGBA {
	return color.NRGBA{channel(a.R), channel(a.G), channel(a.B), 255}
}

func channel(v float64) uint8 { return uint8(math.Max(0, math.Min(1, v))*255 + 0.5) }

// String is #rrggbb.
func (a rgb) String() string { return colorful.Color(a).Clamped().Hex() }

// mix returns the color between two that looks like it.
func (a rgb) mix(b rgb, t float64) rgb {
	return rgb(colorful.Color(a).BlendOkLab(colorful.Color(b), t).Clamped())
}

// lift makes a color lighter, or darker below 0, and keeps its hue.
func (a rgb) lift(by float64) rgb {
	c := a.lab()
	c.l = math.Max(0.03, math.Min(0.99, c.l+by))
	return c.rgb()
}

// ink returns the line around something of this color: deep, warm, never black.
func (a rgb) ink() rgb {
	c := a.lab()
	c.l = math.Max(0.16, c.l*0.5-0.02)
	c.a, c.b = c.a*0.8+0.008, c.b*0.8
	return c.rgb()
}

func (a rgb) light() float64 { return a.lab().l }

// chroma is how colorful it is, 0 to about 0.3.
func (a rgb) chroma() float64 {
	c := a.lab()
	return math.Hypot(c.a, c.b)
}

// lab is a color in OKLab, where the middle of two colors looks like it.
type lab struct{ l, a, b float64 }

func (a rgb) lab() (c lab) {
	c.l, c.a, c.b = colorful.Color(a).OkLab()
	return c
}

func (c lab) rgb() rgb { return rgb(colorful.OkLab(c.l, c.a, c.b).Clamped()) }

// names are the colors that have a word.
var names = map[string]uint32{
	"red": 0xd8433f, "crimson": 0xb3263c, "scarlet": 0xe0402c, "maroon": 0x7d2435, "burgundy": 0x7d2440, "orange": 0xf08a32, "amber": 0xf2a93b,
	"gold": 0xe3b341, "golden": 0xe3b341, "yellow": 0xf5cf45, "lemon": 0xf7e463, "mustard": 0xd2a32f, "cream": 0xf6ecd2, "beige": 0xdfcfae, "ivory": 0xf5efdd,
	"lime": 0xa5d247, "olive": 0x86873a, "green": 0x4ea45a, "emerald": 0x2f9b6b, "mint": 0x9fdcc0, "teal": 0x2b8f90, "turquoise": 0x3fbfb9, "cyan": 0x45c4d8,
	"azure": 0x4aa5e8, "sky": 0x83c5ee, "blue": 0x3f74cf, "navy": 0x27396e, "indigo": 0x4a45a8, "violet": 0x7e57c2, "purple": 0x8a4fb5, "lavender": 0xbba6e3,
	"lilac": 0xc9a7dd, "magenta": 0xcc3f9c, "pink": 0xf08fb3, "rose": 0xe2718d, "salmon": 0xf29580, "coral": 0xf37b62, "peach": 0xf8bd96, "brown": 0x85573a,
	"chestnut": 0x6e3b26, "chocolate": 0x55341f, "copper": 0xb8693c, "bronze": 0x9c7440, "tan": 0xc99a6c, "khaki": 0xb3a26c, "sand": 0xdcc591,
	"black": 0x2b2a31, "charcoal": 0x3f4148, "gray": 0x8e9197, "grey": 0x8e9197, "silver": 0xc3c8cf, "white": 0xf7f6f2,
	"denim": 0x48628f, "plum": 0x6d3564, "rust": 0xa94f2a, "ginger": 0xcf6f33, "auburn": 0x8a3b24, "blond": 0xecc872, "blonde": 0xecc872, "platinum": 0xf0e4c4,
	"hazel": 0x8d6b3a, "ebony": 0x4a2c20, "honey": 0xd9a048, "wood": 0xa5713f, "wooden": 0xa5713f, "stone": 0x9d9c98, "rainbow": 0xe8608a,
}

// skins are from light to dark; their names are not those of other colors.
var skins = []struct {
	name string
	rgb  uint32
}{
	{"porcelain", 0xfbe3d4}, {"fair", 0xf7d3bb}, {"light", 0xf1c3a3}, {"peach", 0xebb48e}, {"tan", 0xd99e73}, {"olive", 0xc58f63},
	{"golden", 0xbd8350}, {"brown", 0x9c6540}, {"dark brown", 0x7a4a2f}, {"deep", 0x6b4230}, {"ebony", 0x583626},
}

var skinWords = map[string]string{"pale": "porcelain", "white": "fair", "dark": "dark brown", "black": "deep", "medium": "tan", "rosy": "peach", "bronze": "golden", "caramel": "olive", "freckled": "fair"}

// parseColor reads #rgb, #rrggbb, or a name, also with light, dark or bright before it.
func parseColor(text string) (rgb, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		return hex(uint32(v)), err == nil && len(digits) == 6
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	for i := len(words) - 1; i >= 0; i-- {
		v, ok := names[words[i]]
		if !ok {
			continue
		}
		c := hex(v)
		for _, word := range words[:i] {
			switch word {
			case "light", "pale", "pastel", "bright":
				c = c.lift(0.11)
			case "dark", "deep":
				c = c.lift(-0.15)
			}
		}
		return c, true
	}
	return rgb{}, false
}

func parseSkin(text string) (rgb, bool) {
	word := strings.ToLower(strings.TrimSpace(text))
	word = strings.TrimSuffix(strings.TrimSuffix(word, " skinned"), " skin")
	if other, ok := skinWords[word]; ok {
		word = other
	}
	for _, s := range skins {
		if s.name == word {
			return hex(s.rgb), true
		}
	}
	return parseColor(text)
}
