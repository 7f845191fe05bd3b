package scene

import "math"

// Vec is a point or a direction: x to the right, y up, z towards the viewer.
type Vec [3]float64

func (a Vec) add(b Vec) Vec       { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a Vec) sub(b Vec) Vec       { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a Vec) times(f float64) Vec { return Vec{a[0] * f, a[1] * f, a[2] * f} }
func (a Vec) dot(b Vec) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a Vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a Vec) cross(b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// within tells whether no coordinate is farther off than that.
func (a Vec) within(most float64) bool {
	return math.Abs(a[0]) <= most && math.Abs(a[1]) <= most && math.Abs(a[2]) <= most
}

// unit has length 1; what has no direction points up.
func (a Vec) unit() Vec {
	l := a.length()
	if !(l > 1e-12) || math.IsInf(l, 0) {
		return Vec{0, 1, 0}
	}
	return a.times(1 / l)
}

// across is some unit vector at a right angle to a.
func (a Vec) across() Vec {
	if math.Abs(a[1]) < 0.9*a.length() {
		return Vec{0, 1, 0}.cross(a).unit()
	}
	return Vec{1, 0, 0}.cross(a).unit()
}

// matrix is an affine map: three columns and the place of the origin.
type matrix struct{ x, y, z, o Vec }

var identity = matrix{Vec{1, 0, 0}, Vec{0, 1, 0}, Vec{0, 0, 1}, Vec{}}

func (m matrix) direction(v Vec) Vec {
	return m.x.times(v[0]).add(m.y.times(v[1])).add(m.z.times(v[2]))
}
func (m matrix) point(v Vec) Vec { return m.direction(v).add(m.o) }

// normal maps a normal, which scales the other way round.
func (m matrix) normal(v Vec) Vec {
	a, b, c := m.y.cross(m.z), m.z.cross(m.x), m.x.cross(m.y)
	n := a.times(v[0]).add(b.times(v[1])).add(c.times(v[2]))
	if m.mirrors() {
		n = n.times(-1)
	}
	return n.unit()
}

func (m matrix) mirrors() bool { return m.x.cross(m.y).dot(m.z) < 0 }

// then is n first, and m after it.
func (m matrix) then(n matrix) matrix {
	return matrix{m.direction(n.x), m.direction(n.y), m.direction(n.z), m.point(n.o)}
}

func moved(v Vec) matrix { return matrix{identity.x, identity.y, identity.z, v} }
func scaled(v Vec) matrix {
	return matrix{Vec{v[0], 0, 0}, Vec{0, v[1], 0}, Vec{0, 0, v[2]}, Vec{}}
}

// turned is a turn by degrees about x, then y, then z.
func turned(degrees Vec) matrix {
	q := quaternion(degrees)
	return rotation(q)
}

// quaternion is of a turn about x, then y, then z, in the order x, y, z, w.
func quaternion(degrees Vec) [4]float64 {
	half := degrees.times(math.Pi / 360)
	sx, cx := math.Sincos(half[0])
	sy, cy := math.Sincos(half[1])
	sz, cz := math.Sincos(half[2])
	return [4]float64{
		sx*cy*cz - cx*sy*sz,
		cx*sy*cz + sx*cy*sz,
		cx*cy*sz - sx*sy*cz,
		cx*cy*cz + sx*sy*sz,
	}
}

func rotation(q [4]float64) matrix {
	x, y, z, w := q[0], q[1], q[2], q[3]
	return matrix{
		Vec{1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w)},
		Vec{2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w)},
		Vec{2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y)},
		Vec{},
	}
}

// Box is what something fills along the axes.
type Box struct{ Min, Max Vec }

func noBox() Box {
	big := math.MaxFloat64
	return Box{Vec{big, big, big}, Vec{-big, -big, -big}}
}

func (b *Box) take(v Vec) {
	for i := range v {
		b.Min[i], b.Max[i] = math.Min(b.Min[i], v[i]), math.Max(b.Max[i], v[i])
	}
}

func (b Box) empty() bool { return b.Max[0] < b.Min[0] }

// Size is the box's width, height and depth.
func (b Box) Size() Vec {
	if b.empty() {
		return Vec{}
	}
	return b.Max.sub(b.Min)
}

func (b Box) middle() Vec {
	if b.empty() {
		return Vec{}
	}
	return b.Min.add(b.Max).times(0.5)
}
