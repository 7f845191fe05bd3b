package phrase

import (
	"fmt"
	"regexp"
	"strings"
)

// colors are the names of colors that a description may use.
var colors = map[string]uint32{
	"red": 0xc8322b, "crimson": 0xb3123c, "scarlet": 0xd62718, "maroon": 0x7a1f2b, "burgundy": 0x6d1630, "pink": 0xf29ab8, "rose": 0xe36f8f, "magenta": 0xc83296,
	"orange": 0xe8822e, "peach": 0xf6bd97, "coral": 0xf0785f, "yellow": 0xf2cf3b, "gold": 0xd4a627, "amber": 0xe0a020, "mustard": 0xc99a2b,
	"green": 0x3f8f4f, "lime": 0x9acb3c, "olive": 0x7b7f3a, "mint": 0x9bd8b9, "emerald": 0x1f9e6d, "teal": 0x1f8a8a, "turquoise": 0x35b8b4, "cyan": 0x3cc5d8,
	"blue": 0x3567b5, "navy": 0x1f2d5a, "azure": 0x3d9be0, "indigo": 0x42389d, "purple": 0x7a44a8, "violet": 0x8453c4, "lavender": 0xb7a3e0, "lilac": 0xc3a5d8,
	"brown": 0x7a4e2e, "chestnut": 0x80452a, "tan": 0xc79c6d, "beige": 0xdcc9a6, "cream": 0xf3e7c9, "ivory": 0xf4efdd, "khaki": 0xa39a66, "bronze": 0xa8722f, "copper": 0xb5653a,
	"black": 0x23232a, "white": 0xf4f4f0, "grey": 0x8c9096, "silver": 0xbfc4ca, "blond": 0xe3c16f, "ginger": 0xc4622d, "auburn": 0x85382a, "hazel": 0x8a6a34,
}

// colorNames are other words for them.
var colorNames = map[string]string{
	"gray": "grey", "golden": "gold", "blonde": "blond", "fair": "blond", "reddish": "red", "greenish": "green", "bluish": "blue", "brownish": "brown",
	"silvery": "silver", "redheaded": "ginger", "purplish": "purple", "yellowish": "yellow", "pinkish": "pink", "whitish": "white", "blackish": "black",
	"greyish": "grey", "grayish": "grey", "raven": "black", "snowy": "white",
}

// shades are said before a color; the number is how much lighter (towards
// white) or darker (towards black) they make it.
var shades = map[string]float64{"dark": -0.35, "deep": -0.25, "light": 0.4, "pale": 0.5, "bright": 0.12, "pastel": 0.45}

// ambiguous are names of colors that stand for something else before anything but a noun.
var ambiguous = map[string]bool{"fair": true, "rose": true, "raven": true, "snowy": true, "coral": true, "ginger": true}

// colorAt is the color that a row of words begins with, such as "dark blue",
// and how many words name it.
func colorAt(words []token) (string, int) {
	if len(words) == 0 {
		return "", 0
	}
	if hexColor.MatchString(words[0].text) {
		return words[0].text, 1
	}
	if _, ok := shades[words[0].text]; ok && len(words) > 1 {
		if name, ok := colorName(words[1].text); ok {
			return words[0].text + " " + name, 2
		}
		return "", 0
	}
	name, ok := colorName(words[0].text)
	switch {
	case !ok, ambiguous[words[0].text] && (len(words) < 2 || breaks[words[1].text]):
		return "", 0
	}
	return name, 1
}

func colorName(word string) (string, bool) {
	if other, ok := colorNames[word]; ok {
		word = other
	}
	_, ok := colors[word]
	return word, ok
}

var hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// Color is a named color ("dark blue", "#3567b5") as #rrggbb; false for what is none.
func Color(name string) (string, bool) {
	words := strings.Fields(strings.ToLower(strings.TrimSpace(name)))
	if len(words) == 1 && hexColor.MatchString(words[0]) {
		return words[0], true
	}
	shade := 0.0
	if len(words) == 2 {
		s, ok := shades[words[0]]
		if !ok {
			return "", false
		}
		shade, words = s, words[1:]
	}
	if len(words) != 1 {
		return "", false
	}
	known, ok := colorName(words[0])
	if !ok {
		return "", false
	}
	value := colors[known]
	part := func(shift uint) uint32 {
		v := float64(value >> shift & 255)
		if shade > 0 {
			v += (255 - v) * shade
		} else {
			v += v * shade
		}
		return uint32(v + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", part(16), part(8), part(0)), true
}
