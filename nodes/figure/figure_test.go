//go:build !race

package figure

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"testing"
)

var kinds = []string{Character, Creature, Object, Location}

// pixels of some views of a figure, one after the other.
func pixels(b Brief, views ...string) string {
	var all strings.Builder
	for _, v := range views {
		b.View = v
		all.Write(Draw(b).Pix)
	}
	return all.String()
}

func TestTheSameBriefGivesTheSamePixels(t *testing.T) {
	for _, kind := range kinds {
		for _, view := range Views(kind) {
			b := Brief{Kind: kind, Seed: 41, View: view, Background: Plain, Size: 90}
			if !bytes.Equal(Draw(b).Pix, Draw(b).Pix) {
				t.Errorf("%s %s differs from itself", kind, view)
			}
		}
	}
}

func TestViewsOfAFigureDiffer(t *testing.T) {
	for _, kind := range kinds {
		seen := map[string]string{}
		for _, view := range Views(kind) {
			got := pixels(Brief{Kind: kind, Seed: 5, Size: 120}, view)
			if other, twice := seen[got]; twice {
				t.Errorf("%s: %s looks like %s", kind, view, other)
			}
			seen[got] = view
		}
	}
}

func TestSeedsGiveDifferentFigures(t *testing.T) {
	for _, kind := range []string{Character, Creature} {
		seen := map[string]int64{}
		for seed := range int64(50) {
			got := pixels(Brief{Kind: kind, Seed: seed, Size: 100}, "front")
			if other, twice := seen[got]; twice {
				t.Errorf("%s: seed %d looks like %d", kind, seed, other)
			}
			seen[got] = seed
		}
	}
}

// distinct expects every option of a trait to draw something of its own.
func distinct(t *testing.T, b Brief, name string, options []string, views ...string) {
	t.Helper()
	seen := map[string]string{}
	for _, option := range options {
		c := b
		c.Attributes = map[string]string{name: option}
		for k, v := range b.Attributes {
			c.Attributes[k] = v
		}
		got := pixels(c, views...)
		if other, twice := seen[got]; twice {
			t.Errorf("%s %v: %s %q looks like %q", b.Kind, b.Attributes, name, option, other)
		}
		seen[got] = option
	}
}

var someColors = []string{"red", "dark blue", "#22cc88", "light brown", "white", "black"}

func TestEveryWordOfAPersonIsDrawn(t *testing.T) {
	for seed := range int64(3) {
		b := Brief{Kind: Character, Seed: seed, Size: 150}
		for _, trait := range personTraits {
			switch {
			case trait.free:
				distinct(t, b, trait.name, []string{"waving", "walking", "dancing", "proud", "curious", "shy"}, "front")
			case trait.color:
				b := Brief{Kind: Character, Seed: seed, Size: 150, Attributes: map[string]string{"hairStyle": "long", "accessory": "none"}}
				distinct(t, b, trait.name, someColors, "portrait")
			case trait.skin:
				distinct(t, b, trait.name, []string{"porcelain", "fair", "light", "peach", "tan", "olive", "golden", "brown", "dark brown", "deep", "ebony", "#77cc99"}, "portrait")
			default:
				distinct(t, b, trait.name, trait.options, "front", "side")
			}
		}
		distinct(t, b, "accessory", []string{"hat", "glasses", "hat, glasses", "hat, glasses, backpack", "wheelchair, scarf", "crown and headphones"}, "front")
	}
}

func TestEveryWordOfACreatureIsDrawn(t *testing.T) {
	for _, species := range beastTraits[0].options {
		b := Brief{Kind: Creature, Seed: 8, Size: 110, Attributes: map[string]string{"species": species}}
		for _, trait := range beastTraits[1:] {
			switch {
			case trait.free:
			case trait.color:
				distinct(t, b, trait.name, someColors, "front", "side")
			default:
				distinct(t, b, trait.name, trait.options, "front", "side")
			}
		}
	}
	distinct(t, Brief{Kind: Creature, Seed: 8, Size: 110}, "species", beastTraits[0].options, "front")
}

func TestEveryWordOfAThingIsDrawn(t *testing.T) {
	distinct(t, Brief{Kind: Object, Seed: 8, Size: 90}, "shape", thingTraits[0].options, "three-quarter")
	for _, shape := range []string{"chair", "cup", "house"} {
		b := Brief{Kind: Object, Seed: 8, Size: 90, Attributes: map[string]string{"shape": shape}}
		distinct(t, b, "color", someColors, "front")
		distinct(t, b, "secondColor", someColors, "front")
		distinct(t, b, "size", thingTraits[4].options, "front")
		b.Attributes["color"] = "teal"
		distinct(t, b, "material", thingTraits[1].options, "three-quarter")
	}
}

func TestEveryWordOfAPlaceIsDrawn(t *testing.T) {
	distinct(t, Brief{Kind: Location, Seed: 8, Size: 160}, "place", placeTraits[1].options, "day")
	for _, trait := range placeTraits {
		switch trait.name {
		case "weather", "season", "mood":
			b := Brief{Kind: Location, Seed: 8, Size: 160, Attributes: map[string]string{"place": "park"}}
			if trait.name == "season" {
				b.Attributes["weather"] = "clear"
			}
			distinct(t, b, trait.name, trait.options, "day")
		case "setting":
			distinct(t, Brief{Kind: Location, Seed: 8, Size: 160}, trait.name, trait.options, "day")
		}
	}
}

// A whole figure lies within its picture, whatever it wears or has.
func TestFiguresFitIntoTheirPictures(t *testing.T) {
	inside := func(b Brief, name string) {
		img := Draw(b)
		w, h := img.Bounds().Dx(), img.Bounds().Dy()
		for y := range h {
			for x := range w {
				if (x == 0 || y == 0 || x == w-1 || y == h-1) && img.Pix[img.PixOffset(x, y)+3] > 0 {
					t.Errorf("%s %s %s touches the edge at %d, %d of %d × %d", b.Kind, name, b.View, x, y, w, h)
					return
				}
			}
		}
	}
	for _, view := range []string{"front", "side", "back"} {
		for _, age := range personTraits[0].options {
			for i, style := range personTraits[3].options {
				a := map[string]string{"age": age, "hairStyle": style, "movement": []string{"dancing", "waving", "walking", "still"}[i%4], "accessory": []string{"hat", "crown", "wheelchair, hat", "backpack"}[i%4]}
				inside(Brief{Kind: Character, Attributes: a, Seed: int64(i), View: view, Size: 160}, age+" "+style)
			}
		}
		for _, species := range beastTraits[0].options {
			for _, size := range []string{"tiny", "medium", "huge"} {
				a := map[string]string{"species": species, "size": size, "wings": kins[species].wings, "horns": "one"}
				inside(Brief{Kind: Creature, Attributes: a, Seed: 1, View: view, Size: 160}, species+" "+size)
			}
		}
	}
	for _, shape := range thingTraits[0].options {
		for _, view := range Views(Object) {
			inside(Brief{Kind: Object, Attributes: map[string]string{"shape": shape, "size": "huge"}, Seed: 1, View: view, Size: 120}, shape)
		}
	}
}

// near counts the pixels of about a color.
func near(img *image.RGBA, c rgb) int {
	n, l := 0, c.lab()
	for i := 0; i+3 < len(img.Pix); i += 4 {
		if img.Pix[i+3] == 255 {
			k := rgb{float64(img.Pix[i]) / 255, float64(img.Pix[i+1]) / 255, float64(img.Pix[i+2]) / 255}.lab()
			if dl, da, db := k.l-l.l, k.a-l.a, k.b-l.b; dl*dl*0.4+da*da+db*db < 0.004 {
				n++
			}
		}
	}
	return n
}

func TestEveryViewShowsTheSameColors(t *testing.T) {
	a := map[string]string{"skin": "#44aa66", "hairStyle": "long", "hairColor": "#cc2299", "outfit": "hoodie", "outfitColor": "#e0a000", "accessory": "none"}
	for _, view := range Views(Character) {
		img := Draw(Brief{Kind: Character, Attributes: a, Seed: 2, View: view, Size: 200})
		for _, name := range []string{"skin", "hairColor", "outfitColor"} {
			c, _ := parseColor(a[name])
			if n := near(img, c); n < 12 {
				t.Errorf("%s shows %d pixels of %s", view, n, name)
			}
		}
	}
}

func TestBackgrounds(t *testing.T) {
	for _, kind := range []string{Character, Creature, Object} {
		seen := map[string]bool{}
		for _, background := range []string{Transparent, Plain, Scene} {
			img := Draw(Brief{Kind: kind, Seed: 3, View: "front", Background: background, Size: 100})
			seen[string(img.Pix)] = true
			if clear := img.Pix[3] == 0; clear != (background == Transparent) {
				t.Errorf("%s on %s: corner see-through: %v", kind, background, clear)
			}
		}
		if len(seen) != 3 {
			t.Errorf("%s: %d backgrounds of 3", kind, len(seen))
		}
	}
}

func TestSizesAreBounded(t *testing.T) {
	if w, h := Draw(Brief{Kind: Character, Size: -5}).Bounds().Dx(), Draw(Brief{Kind: Character, View: "front", Size: 100}).Bounds().Dx(); w != MinSize || h != 75 {
		t.Errorf("sizes %d, %d", w, h)
	}
	if got := Draw(Brief{Kind: "nothing", Size: 40}); got.Bounds().Dx() != 40 {
		t.Errorf("an unknown kind: %v", got.Bounds())
	}
}

// TestShapesStay compares what figures cover, eight by eight, with what they did.
func TestShapesStay(t *testing.T) {
	got := map[string]string{}
	for name, b := range map[string]Brief{
		"child": {Kind: Character, Seed: 1, View: "front", Attributes: map[string]string{"age": "child", "hairStyle": "short", "accessory": "none", "movement": "still", "gender": "male", "outfit": "hoodie"}},
		"cat":   {Kind: Creature, Seed: 1, View: "front", Attributes: map[string]string{"species": "cat"}},
		"house": {Kind: Object, Seed: 1, View: "front", Attributes: map[string]string{"shape": "house"}},
	} {
		b.Size = 160
		img := Draw(b)
		var rows []string
		for y := range 8 {
			row := ""
			for x := range 8 {
				p := image.Pt((2*x+1)*img.Bounds().Dx()/16, (2*y+1)*img.Bounds().Dy()/16)
				row += map[bool]string{true: "#", false: "."}[img.Pix[img.PixOffset(p.X, p.Y)+3] > 128]
			}
			rows = append(rows, row)
		}
		got[name] = strings.Join(rows, "\n")
	}
	for name, shape := range shapesThatStay {
		if got[name] != strings.TrimSpace(shape) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got[name], strings.TrimSpace(shape))
		}
	}
}

var shapesThatStay = map[string]string{
	"child": `
........
........
...##...
..####..
...##...
..####..
...##...
...##...
`,
	"cat": `
........
........
...##...
..####..
...##...
...##.#.
..#####.
..####..
`,
	"house": `
........
........
...##...
.######.
..####..
..####..
..####..
........
`,
}

func TestSceneShowsEveryPart(t *testing.T) {
	ground := func() *image.RGBA { return Place(map[string]string{"place": "meadow"}, 4, 320, 180) }
	parts := []Part{
		{Kind: Character, Attributes: map[string]string{"outfitColor": "#ff00ff", "outfit": "coat"}, Seed: 1}, {Kind: Creature, Attributes: map[string]string{"species": "bear", "bodyColor": "#ff0000"}, Seed: 2},
		{Kind: Object, Attributes: map[string]string{"shape": "ball", "color": "#0000ff"}, Seed: 3}, {Kind: Object, Attributes: map[string]string{"shape": "castle", "color": "#ffff00"}, Seed: 3},
	}
	all := ground()
	Onto(all, parts)
	for i, c := range []uint32{0xff00ff, 0xff0000, 0x0000ff, 0xffff00} {
		if n := near(all, hex(c)); n < 20 {
			t.Errorf("part %d shows %d pixels", i, n)
		}
	}
	again := ground()
	Onto(again, parts)
	if !bytes.Equal(all.Pix, again.Pix) {
		t.Error("the same scene differs")
	}
	Onto(ground(), nil)
	many := make([]Part, 16)
	for i := range many {
		many[i] = Part{Kind: []string{Character, Creature, Object}[i%3], Seed: int64(i)}
	}
	Onto(ground(), many)
}

func TestPaletteIsOfThePicture(t *testing.T) {
	img := Draw(Brief{Kind: Character, Seed: 3, Size: 200})
	got := Palette(img)
	if len(got) == 0 || len(got) > maxColors {
		t.Fatalf("palette %v", got)
	}
	for _, c := range got {
		if _, ok := parseColor(c); !ok || len(c) != 7 {
			t.Errorf("%q is no colour", c)
		}
	}
	if got := Palette(image.NewRGBA(image.Rect(0, 0, 9, 9))); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	if fmt.Sprint(got) != fmt.Sprint(Palette(img)) {
		t.Error("the palette changes")
	}
}
