package face

import (
	"math"
	"slices"
)

// Track is one face through the frames of a video: Boxes[i] is where it is in frame First+i.
type Track struct {
	First int
	Boxes []Box
}

// Last is the last frame in which the face is.
func (t *Track) Last() int { return t.First + len(t.Boxes) - 1 }

// At is where the face is in a frame; false where it is not.
func (t *Track) At(frame int) (Box, bool) {
	if frame < t.First || frame > t.Last() {
		return Box{}, false
	}
	return t.Boxes[frame-t.First], true
}

// Area is how much of the pictures the face takes, over all of its frames.
func (t *Track) Area() (sum float64) {
	for _, b := range t.Boxes {
		sum += b.Width * b.Height
	}
	return sum
}

// Follow joins what was found frame after frame to faces, in the order in which they appear. Between findings
// of one face at most gap frames may have none; there it moves evenly from the one to the other.
func Follow(frames [][]Box, gap int) []*Track {
	var all, open []*Track
	for n, boxes := range frames {
		open = slices.DeleteFunc(open, func(t *Track) bool { return n-t.Last() > gap+1 })
		type pair struct {
			t     *Track
			box   int
			apart float64
		}
		var pairs []pair
		for _, t := range open {
			for i, b := range boxes {
				if d := apartness(t.Boxes[len(t.Boxes)-1], b); d < farthest {
					pairs = append(pairs, pair{t, i, d})
				}
			}
		}
		slices.SortStableFunc(pairs, func(a, b pair) int {
			if a.apart < b.apart {
				return -1
			}
			return 1
		})
		taken, moved := make([]bool, len(boxes)), map[*Track]bool{}
		for _, p := range pairs {
			if !taken[p.box] && !moved[p.t] {
				taken[p.box], moved[p.t] = true, true
				p.t.reach(n, boxes[p.box])
			}
		}
		for i, b := range boxes {
			if !taken[i] {
				t := &Track{First: n, Boxes: []Box{b}}
				all, open = append(all, t), append(open, t)
			}
		}
	}
	return all
}

// farthest is how far a face may have moved, in widths of it.
const farthest = 0.8

// apartness is how far two boxes are from each other, in widths of the larger; faces of
// very different sizes are never one.
func apartness(a, b Box) float64 {
	large, small := max(a.Width, b.Width), min(a.Width, b.Width)
	if small <= 0 || large/small > 1.8 {
		return math.Inf(1)
	}
	dx, dy := a.X+a.Width/2-b.X-b.Width/2, a.Y+a.Height/2-b.Y-b.Height/2
	high := max(a.Height, b.Height) // parts of the other side of the picture
	return math.Hypot(dx/large, dy/high)
}

// reach brings the track to a frame, evenly over those between.
func (t *Track) reach(frame int, b Box) {
	from, last := t.Boxes[len(t.Boxes)-1], t.Last()
	for n := last + 1; n <= frame; n++ {
		part := float64(n-last) / float64(frame-last)
		mix := func(a, b float64) float64 { return a + (b-a)*part }
		t.Boxes = append(t.Boxes, Box{
			X: mix(from.X, b.X), Y: mix(from.Y, b.Y), Width: mix(from.Width, b.Width), Height: mix(from.Height, b.Height), Score: b.Score,
		})
	}
}

// Holds tells whether a point of the picture lies in the box.
func (b Box) Holds(p Point) bool { return b.holds(p.X, p.Y) }
