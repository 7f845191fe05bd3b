//go:build !race

package face_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"atelier/nodes/face"
)

func TestFollow(t *testing.T) {
	at := func(x float64) face.Box { return face.Box{X: x, Y: 0.2, Width: 0.2, Height: 0.3} }
	frames := [][]face.Box{{at(0.1), at(0.7)}, {at(0.12), at(0.7)}, {at(0.7)}, {}, {at(0.18), at(0.7)}, {}, {}, {}, {at(0.18)}}
	tracks := face.Follow(frames, 2)
	if len(tracks) != 3 {
		t.Fatalf("%d faces", len(tracks))
	}
	first := tracks[0]
	if first.First != 0 || first.Last() != 4 {
		t.Errorf("%+v", first)
	}
	if b, ok := first.At(2); !ok || math.Abs(b.X-0.14) > 1e-9 {
		t.Errorf("between: %+v", b)
	}
	if b, ok := tracks[1].At(3); !ok || b.X != 0.7 {
		t.Errorf("the other: %+v", b)
	}
	if tracks[2].First != 8 || tracks[1].Area() <= 0 {
		t.Errorf("a new face: %+v", tracks[2])
	}
	if _, ok := first.At(5); ok || first.Boxes[0].Holds(face.Point{X: 0.5, Y: 0.3}) || !first.Boxes[0].Holds(face.Point{X: 0.2, Y: 0.3}) {
		t.Error("At and Holds")
	}
}

// Whatever is found lies in exactly one face, at its place.
func TestFollowKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Float64Range(0, 0.8)
		box := rapid.Custom(func(t *rapid.T) face.Box {
			return face.Box{X: part.Draw(t, "x"), Y: part.Draw(t, "y"), Width: 0.05 + part.Draw(t, "w")/4, Height: 0.05 + part.Draw(t, "h")/4}
		})
		frames := rapid.SliceOfN(rapid.SliceOfN(box, 0, 3), 0, 12).Draw(t, "frames")
		tracks := face.Follow(frames, rapid.IntRange(0, 4).Draw(t, "gap"))
		for n, boxes := range frames {
			for _, b := range boxes {
				there := 0
				for _, track := range tracks {
					if got, ok := track.At(n); ok && math.Abs(got.X-b.X)+math.Abs(got.Y-b.Y)+math.Abs(got.Width-b.Width) < 1e-9 {
						there++
					}
				}
				if there == 0 {
					t.Fatalf("frame %d: %+v is in no face", n, b)
				}
			}
		}
	})
}
