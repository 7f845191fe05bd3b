package scene

import (
	"math"
	"slices"
)

// area is twice the area of a ring, positive when it runs counterclockwise.
func area(ring [][2]float64) (sum float64) {
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		sum += a[0]*b[1] - b[0]*a[1]
	}
	return sum
}

func wound(ring [][2]float64, counterclockwise bool) [][2]float64 {
	if area(ring) > 0 == counterclockwise {
		return ring
	}
	turned := slices.Clone(ring)
	slices.Reverse(turned)
	return turned
}

func turn(a, b, c [2]float64) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

// flatShape is a polygon with holes, cut into triangles: rings are its outline and the holes.
type flatShape struct {
	rings     [][][2]float64
	points    [][2]float64
	triangles [][3]int
}

func flatOf(outline [][2]float64, holes [][][2]float64) flatShape {
	rings := [][][2]float64{wound(outline, true)}
	for _, hole := range holes {
		rings = append(rings, wound(hole, false))
	}
	points, triangles := triangulate(rings[0], rings[1:])
	return flatShape{rings, points, triangles}
}

// mapped is the shape with its points elsewhere, in the same order.
func (s flatShape) mapped(f func([2]float64) [2]float64) flatShape {
	all := func(points [][2]float64) [][2]float64 {
		moved := make([][2]float64, len(points))
		for i, v := range points {
			moved[i] = f(v)
		}
		return moved
	}
	c := flatShape{points: all(s.points), triangles: s.triangles}
	for _, ring := range s.rings {
		c.rings = append(c.rings, all(ring))
	}
	return c
}

// triangulate cuts a polygon with holes into triangles: holes are joined to the outline by
// bridges, then ears are cut off. The outline runs counterclockwise, holes clockwise.
func triangulate(outline [][2]float64, holes [][][2]float64) (points [][2]float64, triangles [][3]int) {
	ring := slices.Clone(outline)
	holes = slices.Clone(holes)
	slices.SortStableFunc(holes, func(a, b [][2]float64) int {
		switch ra, rb := rightmost(a), rightmost(b); {
		case a[ra][0] > b[rb][0]:
			return -1
		case a[ra][0] < b[rb][0]:
			return 1
		}
		return 0
	})
	for i, hole := range holes {
		ring = bridged(ring, hole, holes[i:])
	}
	left := make([]int, len(ring))
	for i := range left {
		left[i] = i
	}
	for len(left) > 3 {
		ear := earOf(ring, left)
		n := len(left)
		triangles = append(triangles, [3]int{left[(ear+n-1)%n], left[ear], left[(ear+1)%n]})
		left = slices.Delete(left, ear, ear+1)
	}
	return ring, append(triangles, [3]int{left[0], left[1], left[2]})
}

func rightmost(ring [][2]float64) (best int) {
	for i, p := range ring {
		if p[0] > ring[best][0] {
			best = i
		}
	}
	return best
}

// bridged is the ring with a hole joined where nothing lies between.
func bridged(ring, hole [][2]float64, walls [][][2]float64) [][2]float64 {
	start := rightmost(hole)
	from := hole[start]
	order := make([]int, len(ring))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		da, db := math.Hypot(ring[a][0]-from[0], ring[a][1]-from[1]), math.Hypot(ring[b][0]-from[0], ring[b][1]-from[1])
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	meet := order[0]
	for _, i := range order {
		if sees(from, ring[i], append([][][2]float64{ring}, walls...)) && within(ring, i, from) {
			meet = i
			break
		}
	}
	joined := slices.Clone(ring[:meet+1])
	for k := 0; k <= len(hole); k++ {
		joined = append(joined, hole[(start+k)%len(hole)])
	}
	return append(joined, ring[meet:]...)
}

// within tells whether p lies in the inner angle of a ring's corner.
func within(ring [][2]float64, i int, p [2]float64) bool {
	n := len(ring)
	before, here, after := ring[(i+n-1)%n], ring[i], ring[(i+1)%n]
	if turn(before, here, after) >= 0 {
		return turn(before, here, p) > 0 && turn(here, after, p) > 0
	}
	return turn(before, here, p) > 0 || turn(here, after, p) > 0
}

func sees(a, b [2]float64, walls [][][2]float64) bool {
	for _, ring := range walls {
		for i, c := range ring {
			d := ring[(i+1)%len(ring)]
			if c == a || c == b || d == a || d == b {
				continue
			}
			if turn(a, b, c)*turn(a, b, d) <= 0 && turn(c, d, a)*turn(c, d, b) <= 0 {
				return false
			}
		}
	}
	return true
}

// earOf is a corner that can be cut off; of a ring with none, the first that is no hollow.
func earOf(ring [][2]float64, left []int) int {
	n, fallback := len(left), 0
	for i := range left {
		a, b, c := ring[left[(i+n-1)%n]], ring[left[i]], ring[left[(i+1)%n]]
		bend := turn(a, b, c)
		if bend < 0 {
			continue
		}
		if bend == 0 {
			return i
		}
		if fallback = i; clearOf(ring, left, i, a, b, c) {
			return i
		}
	}
	return fallback
}

func clearOf(ring [][2]float64, left []int, i int, a, b, c [2]float64) bool {
	n := len(left)
	for k, j := range left {
		if k == i || k == (i+n-1)%n || k == (i+1)%n {
			continue
		}
		p := ring[j]
		if p == a || p == b || p == c {
			continue
		}
		if turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 {
			return false
		}
	}
	return true
}
