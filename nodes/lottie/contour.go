package lottie

import (
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// contour is a closed curve: its points, and where the curve leads to them from
// and on to, relative to them.
type contour struct{ v, in, out [][2]float64 }

// traced are the curves of a letter of a font, divided by the size of its square.
func traced(segments sfnt.Segments, em float64) []contour {
	var all []contour
	var c contour
	at := func(p fixed.Point26_6) [2]float64 { return [2]float64{float64(p.X) / em, float64(p.Y) / em} }
	for _, s := range segments {
		p := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			all = c.closed(all)
			c = contour{}
			c.add(p)
		case sfnt.SegmentOpLineTo:
			c.add(p)
		case sfnt.SegmentOpQuadTo:
			from, to := c.v[len(c.v)-1], at(s.Args[1])
			c.curve(toward(from, p, 2.0/3), toward(to, p, 2.0/3), to)
		case sfnt.SegmentOpCubeTo:
			c.curve(p, at(s.Args[1]), at(s.Args[2]))
		}
	}
	return c.closed(all)
}

func toward(from, to [2]float64, share float64) [2]float64 {
	return [2]float64{from[0] + (to[0]-from[0])*share, from[1] + (to[1]-from[1])*share}
}

func (c *contour) add(p [2]float64) {
	c.v, c.in, c.out = append(c.v, p), append(c.in, [2]float64{}), append(c.out, [2]float64{})
}

// curve goes on to a point by two others that draw it.
func (c *contour) curve(first, second, to [2]float64) {
	last := len(c.v) - 1
	c.out[last] = [2]float64{first[0] - c.v[last][0], first[1] - c.v[last][1]}
	c.add(to)
	c.in[last+1] = [2]float64{second[0] - to[0], second[1] - to[1]}
}

// closed adds a contour that encloses something; where it ends at its first
// point, that is one point.
func (c contour) closed(all []contour) []contour {
	if last := len(c.v) - 1; last > 0 && c.v[last] == c.v[0] {
		c.in[0] = c.in[last]
		c.v, c.in, c.out = c.v[:last], c.in[:last], c.out[:last]
	}
	if len(c.v) < 2 {
		return all
	}
	return append(all, c)
}

// placed is the contour as Lottie writes a path, of a size and at a place.
func (c contour) placed(size, x, y float64) map[string]any {
	points := func(from [][2]float64, x, y float64) []any {
		all := make([]any, len(from))
		for i, p := range from {
			all[i] = []any{thousandths(p[0]*size + x), thousandths(p[1]*size + y)}
		}
		return all
	}
	return map[string]any{"c": true, "v": points(c.v, x, y), "i": points(c.in, 0, 0), "o": points(c.out, 0, 0)}
}

func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

// ownContours are the paths among the shapes of a letter that a document brings
// along, which is drawn for a size of 100.
func ownContours(shapes any, all []contour) []contour {
	for _, item := range list(shapes) {
		fields := object(item)
		if inner := list(fields["it"]); inner != nil {
			all = ownContours(inner, all)
			continue
		}
		path := object(object(fields["ks"])["k"])
		v, in, out := list(path["v"]), list(path["i"]), list(path["o"])
		if len(v) < 2 || len(in) != len(v) || len(out) != len(v) {
			continue
		}
		var c contour
		for i := range v {
			c.v, c.in, c.out = append(c.v, hundredth(v[i])), append(c.in, hundredth(in[i])), append(c.out, hundredth(out[i]))
		}
		all = append(all, c)
	}
	return all
}

func hundredth(point any) [2]float64 {
	p := list(point)
	if len(p) < 2 {
		return [2]float64{}
	}
	return [2]float64{bounded(number(p[0]), maxFar) / 100, bounded(number(p[1]), maxFar) / 100}
}
