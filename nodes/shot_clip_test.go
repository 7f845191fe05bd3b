//go:build !race

package nodes

import (
	"testing"
)

func TestShotClip(t *testing.T) {
	s := newShelf()
	image := picture(t, s, 320, 180)
	settings := map[string]any{"imageUrl": image, "resolution": "480p", "duration": 1.0, "movement": "pan-right", "caption": "Anna: “Nobody came today.”"}
	out := must(t, s, "shot-clip", settings)
	first := seen(t, s, must(t, s, "extract-frame", map[string]any{"videoUrl": out["videoUrl"]}))
	wantSize(t, first, 852, 480)
	if d, _ := out["duration"].(float64); d < 0.9 || d > 1.1 {
		t.Error(out)
	}
	// The caption's ground is dark at the foot, the picture is not above.
	if _, _, b, _ := first.At(830, 100).RGBA(); b>>8 < 200 {
		t.Errorf("the right side is blue above: %v", first.At(830, 100))
	}
	dark := false
	for x := 300; x < 554; x++ {
		r, g, b, _ := first.At(x, 446).RGBA()
		dark = dark || r>>8 < 140 && g>>8 < 140 && b>>8 < 140 || r>>8 > 180 && g>>8 > 180 && b>>8 > 180
	}
	if !dark {
		t.Error("no caption at the foot")
	}

	sound := must(t, s, "text-to-speech", map[string]any{"text": "Nobody."})
	spoken, _ := sound["duration"].(float64)
	out = must(t, s, "shot-clip", map[string]any{"imageUrl": image, "resolution": "480p", "audioUrl": sound["audioUrl"], "caption": "猫"})
	if d, _ := out["duration"].(float64); d < spoken+0.5 || d > spoken+0.7 || out["warnings"] == nil {
		t.Error(out)
	}
}

func TestShotLength(t *testing.T) {
	for _, c := range [][3]float64{{0, 0, 4}, {0, 2, 2.6}, {1, 2, 2}, {3, 2, 3}, {3, 0, 3}} {
		if got := shotLength(c[0], c[1]); got != c[2] {
			t.Errorf("asked %v, sound %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}
