package scene

import (
	"math"
	"math/rand/v2"
)

// pen draws a shape of primitives, in metres: it stands on height 0, and its front is towards z.
type pen struct {
	all    map[Material]*Mesh
	order  []Material
	to     matrix
	main   Vec // the object's own color
	color  Vec
	metal  float64
	rough  float64
	clear  float64
	glow   float64
	dice   *rand.Rand
	chosen bool // the object names its color
}

func newPen(color Vec, words ...string) *pen {
	return &pen{all: map[Material]*Mesh{}, to: identity, main: color, color: color, rough: 0.7, clear: 1, dice: dice(words...)}
}

// penFor has the object's color, or the shape's usual one.
func penFor(o *Object) *pen {
	color := kit[o.Shape].color
	if o.Color != "" {
		color = o.Color
	}
	p := newPen(hex(color), o.Shape, o.ID)
	p.chosen = o.Color != ""
	return p
}

func (p *pen) meshes() []*Mesh {
	var all []*Mesh
	for _, m := range p.order {
		all = append(all, p.all[m])
	}
	return all
}

// in takes another color, and the dullest surface.
func (p *pen) in(color string) *pen { return p.tint(hex(color)) }

func (p *pen) tint(color Vec) *pen {
	p.color, p.metal, p.rough, p.clear, p.glow = color, 0, 0.7, 1, 0
	return p
}

// own is the object's color, lighter (above 1) or darker.
func (p *pen) own(light float64) *pen {
	c := p.main
	for i := range c {
		if light > 1 {
			c[i] += (1 - c[i]) * (light - 1)
		} else {
			c[i] *= light
		}
	}
	return p.tint(c)
}

func (p *pen) shiny(metal, rough float64) *pen { p.metal, p.rough = metal, rough; return p }
func (p *pen) glass(opacity float64) *pen      { p.clear, p.rough = opacity, 0.08; return p }
func (p *pen) light(glow float64) *pen         { p.glow = glow; return p }

// at draws f moved, turned and scaled.
func (p *pen) at(place, degrees Vec, size float64, f func()) {
	kept := p.to
	p.to = p.to.then(moved(place)).then(turned(degrees)).then(scaled(Vec{size, size, size}))
	f()
	p.to = kept
}

// mirrored draws f twice: as it is, and mirrored left to right.
func (p *pen) mirrored(f func(side float64)) {
	f(-1)
	f(1)
}

func (p *pen) mesh() *Mesh {
	m := Material{Color: p.color, Metal: p.metal, Rough: p.rough, Opacity: p.clear, Glow: p.glow}
	if p.all[m] == nil {
		p.all[m] = &Mesh{Material: m}
		p.order = append(p.order, m)
	}
	return p.all[m]
}

// face is a flat polygon that bulges outwards, seen counterclockwise.
func (p *pen) face(points ...Vec) {
	n := points[1].sub(points[0]).cross(points[len(points)-1].sub(points[0]))
	if n.length() < 1e-14 {
		return
	}
	p.fan(points, func(int) Vec { return n })
}

func (p *pen) fan(points []Vec, normal func(int) Vec) {
	m := p.mesh()
	first := uint32(len(m.Points))
	for i, v := range points {
		m.Points, m.Normals = append(m.Points, p.to.point(v)), append(m.Normals, p.to.normal(normal(i).unit()))
	}
	for i := 1; i+1 < len(points); i++ {
		p.triangle(m, first, first+uint32(i), first+uint32(i+1))
	}
}

func (p *pen) triangle(m *Mesh, a, b, c uint32) {
	pa, pb, pc := m.Points[a], m.Points[b], m.Points[c]
	if pb.sub(pa).cross(pc.sub(pa)).length() < 1e-14 {
		return
	}
	m.Indices = append(m.Indices, a, b, c)
}

// box stands on the middle of its underside.
func (p *pen) box(foot Vec, w, h, d float64) {
	p.taper(foot, w, h, d, 1, 1)
}

// taper is a box whose top is narrower, or wider, by factors.
func (p *pen) taper(foot Vec, w, h, d, topW, topD float64) {
	corner := func(x, y, z float64) Vec {
		kw, kd := 1.0, 1.0
		if y > 0 {
			kw, kd = topW, topD
		}
		return foot.add(Vec{x * w / 2 * kw, y * h, z * d / 2 * kd})
	}
	a, b, c, e := corner(-1, 0, 1), corner(1, 0, 1), corner(1, 0, -1), corner(-1, 0, -1)
	t, u, v, w4 := corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1), corner(-1, 1, -1)
	p.face(a, b, u, t)
	p.face(b, c, v, u)
	p.face(c, e, w4, v)
	p.face(e, a, t, w4)
	if topW > 0 && topD > 0 {
		p.face(t, u, v, w4)
	}
	p.face(e, c, b, a)
}

// lathe turns a profile of radius and height about the upright axis, from the bottom up;
// smooth rounds it over its edges.
func (p *pen) lathe(foot Vec, sides int, smooth bool, profile ...[2]float64) {
	p.latheWith(foot, sides, smooth, func(float64) float64 { return 1 }, profile...)
}

// latheWith is a lathe whose radius changes around the axis.
func (p *pen) latheWith(foot Vec, sides int, smooth bool, wave func(angle float64) float64, profile ...[2]float64) {
	n := len(profile)
	slope := func(i, j int) [2]float64 {
		dr, dy := profile[j][0]-profile[i][0], profile[j][1]-profile[i][1]
		l := math.Hypot(dr, dy)
		if l == 0 {
			return [2]float64{1, 0}
		}
		return [2]float64{dy / l, -dr / l}
	}
	for i := 0; i+1 < n; i++ {
		low, high := slope(i, i+1), slope(i, i+1)
		if smooth && i > 0 {
			s := slope(i-1, i)
			low = [2]float64{low[0] + s[0], low[1] + s[1]}
		}
		if smooth && i+2 < n {
			s := slope(i+1, i+2)
			high = [2]float64{high[0] + s[0], high[1] + s[1]}
		}
		m := p.mesh()
		first := uint32(len(m.Points))
		for k := 0; k <= sides; k++ {
			angle := 2 * math.Pi * float64(k) / float64(sides)
			sin, cos := math.Sincos(angle)
			f := wave(angle)
			for e, slant := range [][2]float64{low, high} {
				r, y := profile[i+e][0]*f, profile[i+e][1]
				m.Points = append(m.Points, p.to.point(foot.add(Vec{r * sin, y, r * cos})))
				m.Normals = append(m.Normals, p.to.normal(Vec{slant[0] * sin, slant[1], slant[0] * cos}.unit()))
			}
		}
		for k := 0; k < sides; k++ {
			a := first + uint32(2*k)
			p.triangle(m, a, a+2, a+3)
			p.triangle(m, a, a+3, a+1)
		}
	}
}

// post is an upright cylinder or, of two radii, a cone, closed at both ends.
func (p *pen) post(foot Vec, low, high, height float64, sides int) {
	p.lathe(foot, sides, false, [2]float64{0, 0}, [2]float64{low, 0}, [2]float64{high, height}, [2]float64{0, height})
}

// ball is an ellipsoid about its middle.
func (p *pen) ball(middle Vec, rx, ry, rz float64) { p.round(middle, rx, ry, rz, 28, 16) }

func (p *pen) round(middle Vec, rx, ry, rz float64, sides, rings int) {
	kept := p.to
	p.to = p.to.then(moved(middle)).then(scaled(Vec{rx, ry, rz}))
	profile := make([][2]float64, rings+1)
	for i := range profile {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(rings))
		profile[i] = [2]float64{sin, -cos}
	}
	profile[0][0], profile[rings][0] = 0, 0
	p.lathe(Vec{}, sides, true, profile...)
	p.to = kept
}

// rod is a cylinder from a to b.
func (p *pen) rod(a, b Vec, radius float64, sides int) { p.spike(a, b, radius, radius, sides) }

func (p *pen) spike(a, b Vec, low, high float64, sides int) {
	along := b.sub(a)
	x := along.across()
	y := along.unit()
	kept := p.to
	p.to = p.to.then(matrix{x, y, x.cross(y), a})
	p.post(Vec{}, low, high, along.length(), sides)
	p.to = kept
}

// torus lies flat about its middle.
func (p *pen) torus(middle Vec, radius, tube float64, sides, rings int) {
	profile := make([][2]float64, rings+1)
	for i := range profile {
		sin, cos := math.Sincos(2*math.Pi*float64(i)/float64(rings) - math.Pi/2)
		profile[i] = [2]float64{radius + tube*cos, tube * sin}
	}
	m := p.mesh()
	first := uint32(len(m.Points))
	for k := 0; k <= sides; k++ {
		sk, ck := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		for i := 0; i <= rings; i++ {
			s, c := math.Sincos(2*math.Pi*float64(i)/float64(rings) - math.Pi/2)
			r := profile[i]
			m.Points = append(m.Points, p.to.point(middle.add(Vec{r[0] * sk, r[1], r[0] * ck})))
			m.Normals = append(m.Normals, p.to.normal(Vec{c * sk, s, c * ck}))
		}
	}
	row := uint32(rings + 1)
	for k := range uint32(sides) {
		for i := range uint32(rings) {
			a := first + k*row + i
			p.triangle(m, a, a+row, a+row+1)
			p.triangle(m, a, a+row+1, a+1)
		}
	}
}

// prism pulls a polygon, seen from the front, to a depth about its middle.
func (p *pen) prism(foot Vec, depth float64, outline ...[2]float64) {
	p.plate(foot, depth, outline, nil)
}

// plate is a prism with holes.
func (p *pen) plate(foot Vec, depth float64, outline [][2]float64, holes [][][2]float64) {
	p.solid(foot, depth, flatOf(outline, holes))
}

// solid is a flat shape with a depth.
func (p *pen) solid(foot Vec, depth float64, shape flatShape) {
	for side, z := range []float64{depth / 2, -depth / 2} {
		m := p.mesh()
		first := uint32(len(m.Points))
		for _, c := range shape.points {
			m.Points = append(m.Points, p.to.point(foot.add(Vec{c[0], c[1], z})))
			m.Normals = append(m.Normals, p.to.normal(Vec{0, 0, 1 - 2*float64(side)}))
		}
		for _, t := range shape.triangles {
			a, b, c := first+uint32(t[0]), first+uint32(t[1]), first+uint32(t[2])
			if side == 1 {
				a, b = b, a
			}
			p.triangle(m, a, b, c)
		}
	}
	for _, ring := range shape.rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			p.face(foot.add(Vec{a[0], a[1], depth / 2}), foot.add(Vec{a[0], a[1], -depth / 2}), foot.add(Vec{b[0], b[1], -depth / 2}), foot.add(Vec{b[0], b[1], depth / 2}))
		}
	}
}
