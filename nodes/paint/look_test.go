//go:build !race

package paint

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func TestLooksChangeAPictureVisibly(t *testing.T) {
	brief := Brief{Prompt: "a fox in the mountains at sunset", Seed: 7, Width: 320, Height: 240}
	plain, _ := Picture(brief)
	seen := map[string]string{}
	for prompt, want := range map[string]string{
		"watercolour painting": "watercolour", "an ink drawing": "ink", "storybook illustration": "storybook", "blueprint": "blueprint", "paper-cut art": "paper-cut",
		"pixel art": "pixel", "comic book panel": "comic", "poster, screen print": "poster", "oil painting": "oil", "chalk drawing on a blackboard": "chalk",
		"isometric view": "isometric", "photo, natural light": "photo", "a quiet lake": "",
	} {
		img, again := copied(plain), copied(plain)
		if got := Look(img, "a fox, "+prompt, 7); got != want {
			t.Errorf("%s looks like %q", prompt, got)
		}
		Look(again, "a fox, "+prompt, 7)
		if !bytes.Equal(img.Pix, again.Pix) {
			t.Errorf("%s is not the same twice", prompt)
		}
		if far := difference(img, plain); want != "" && far < 6 || want == "" && far != 0 {
			t.Errorf("%s differs by %.1f of 255", prompt, far)
		}
		if other := seen[string(img.Pix)]; other != "" {
			t.Errorf("%s looks like %s", prompt, other)
		}
		seen[string(img.Pix)] = prompt
		if dir := os.Getenv("LOOKS"); dir != "" {
			var b bytes.Buffer
			if png.Encode(&b, img) == nil {
				_ = os.WriteFile(filepath.Join(dir, "look-"+want+".png"), b.Bytes(), 0o600)
			}
		}
	}
}

func TestLooksOfTinyPictures(t *testing.T) {
	for _, l := range looks {
		for _, size := range []image.Point{{1, 1}, {3, 40}, {64, 9}} {
			img := image.NewRGBA(image.Rectangle{Max: size})
			if got := Look(img, l.phrases[0], 1); got != l.name {
				t.Errorf("%s: %q", l.name, got)
			}
		}
	}
}

// difference is the mean distance of two pictures' channels.
func difference(a, b *image.RGBA) float64 {
	sum := 0.0
	for i := range a.Pix {
		d := float64(a.Pix[i]) - float64(b.Pix[i])
		sum += max(d, -d)
	}
	return sum / float64(len(a.Pix))
}
