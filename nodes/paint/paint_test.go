//go:build !race

package paint

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestStyles paints every style at an odd size, twice.
func TestStyles(t *testing.T) {
	for _, s := range styles {
		t.Run(s.name, func(t *testing.T) {
			brief := Brief{Prompt: s.words[0], Seed: 3, Width: 151, Height: 97}
			img, name := Picture(brief)
			again, _ := Picture(brief)
			if name != s.name {
				t.Fatalf("%q chose %s", s.words[0], name)
			}
			if !bytes.Equal(img.Pix, again.Pix) {
				t.Fatal("the same brief gave another picture")
			}
			colors := map[[3]byte]bool{}
			for i := 0; i < len(img.Pix); i += 4 {
				if img.Pix[i+3] != 255 {
					t.Fatal("a hole in the picture")
				}
				colors[[3]byte(img.Pix[i:i+3])] = true
			}
			if len(colors) < 200 {
				t.Fatalf("only %d colours", len(colors))
			}
		})
	}
}

func TestAvoidedStyleIsNotChosen(t *testing.T) {
	for seed := range int64(30) {
		if _, name := Picture(Brief{Prompt: "mountain", Avoid: "hills", Seed: seed, Width: 16, Height: 16}); name == "hills" {
			t.Fatal("painted hills")
		}
	}
}

func TestPaletteGoesFromDarkToLight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range moods {
		p := m.palette()
		if p.at(0).lightness() > 0.5 || p.at(1).lightness() < 0.75 {
			t.Errorf("%s: %v to %v", m.words[0], p.at(0), p.at(1))
		}
	}
	for range 50 {
		p := harmony(rng.Float64()*360, rng)
		if p.at(0).lightness() > 0.4 || p.at(1).lightness() < 0.9 {
			t.Errorf("%v to %v", p.at(0), p.at(1))
		}
	}
}

func BenchmarkPicture(b *testing.B) {
	for _, s := range styles {
		b.Run(s.name, func(b *testing.B) {
			for i := range b.N {
				Picture(Brief{Prompt: s.words[0], Seed: int64(i), Width: 1024, Height: 1024})
			}
		})
	}
}

// TestPlaceLeadsSubject wants a fox in the snow to be white, not a forest's green.
func TestPlaceLeadsSubject(t *testing.T) {
	palette := func(words ...string) Palette { return choosePalette(words, nil, rand.New(rand.NewPCG(1, 2))) }
	if palette("fox", "snow", "sunset") != palette("snow", "sunset", "fox") || palette("fox", "snow") == palette("fox") {
		t.Error("the subject leads")
	}
	if palette("fox") != palette("forest") {
		t.Error("a subject alone brings no colours")
	}
}
