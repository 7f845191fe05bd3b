package figure

import (
	"image"
	"math"
)

// vec is a point or direction in space: x to the right, y up, z toward the viewer.
type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec       { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec       { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) times(f float64) vec { return vec{a.x * f, a.y * f, a.z * f} }
func (a vec) dot(b vec) float64   { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) cross(b vec) vec     { return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x} }
func (a vec) unit() vec           { return a.times(1 / math.Max(1e-9, math.Sqrt(a.dot(a)))) }
func (a vec) turnY(deg float64) vec {
	s, c := sincos(deg)
	return vec{a.x*c + a.z*s, a.y, a.z*c - a.x*s}
}
func (a vec) turnX(deg float64) vec {
	s, c := sincos(deg)
	return vec{a.x, a.y*c - a.z*s, a.y*s + a.z*c}
}
func (a vec) turnZ(deg float64) vec {
	s, c := sincos(deg)
	return vec{a.x*c - a.y*s, a.x*s + a.y*c, a.z}
}

func sincos(deg float64) (float64, float64) { return math.Sincos(deg * math.Pi / 180) }

// triangle of a solid; faces of one part meet without a line where they are smooth.
type triangle struct {
	p, n [3]vec
	part int
}

// surface is how a part looks.
type surface struct {
	rgb
	material string
}

// solid is a thing in space, put together from parts.
type solid struct {
	faces []triangle
	parts []surface
	frame func(vec) vec // where the next part lies
}

// placed draws parts in a frame of their own.
func (s *solid) placed(frame func(vec) vec, draw func()) {
	before := s.frame
	s.frame = func(v vec) vec {
		v = frame(v)
		if before != nil {
			v = before(v)
		}
		return v
	}
	draw()
	s.frame = before
}

// part begins a part of one surface.
func (s *solid) part(c surface) int {
	s.parts = append(s.parts, c)
	return len(s.parts) - 1
}

// tri adds a triangle, flat where no normals are given.
func (s *solid) tri(part int, a, b, c vec, normals ...vec) {
	if s.frame != nil {
		zero := s.frame(vec{})
		for i, n := range normals {
			normals[i] = s.frame(n).sub(zero).unit()
		}
		a, b, c = s.frame(a), s.frame(b), s.frame(c)
	}
	t := triangle{p: [3]vec{a, b, c}, part: part}
	if len(normals) == 3 {
		t.n = [3]vec(normals)
	} else {
		n := b.sub(a).cross(c.sub(a)).unit()
		t.n = [3]vec{n, n, n}
	}
	s.faces = append(s.faces, t)
}

func (s *solid) quad(part int, a, b, c, d vec) {
	s.tri(part, a, b, c)
	s.tri(part, a, c, d)
}

// box stands on y with its middle at x and z.
func (s *solid) box(c surface, x, y, z, w, h, d float64) {
	k := s.part(c)
	v := func(i, j, l float64) vec { return vec{x + i*w/2, y + j*h, z + l*d/2} }
	s.quad(k, v(-1, 0, 1), v(1, 0, 1), v(1, 1, 1), v(-1, 1, 1))
	s.quad(k, v(1, 0, -1), v(-1, 0, -1), v(-1, 1, -1), v(1, 1, -1))
	s.quad(k, v(1, 0, 1), v(1, 0, -1), v(1, 1, -1), v(1, 1, 1))
	s.quad(k, v(-1, 0, -1), v(-1, 0, 1), v(-1, 1, 1), v(-1, 1, -1))
	s.quad(k, v(-1, 1, 1), v(1, 1, 1), v(1, 1, -1), v(-1, 1, -1))
	s.quad(k, v(-1, 0, -1), v(1, 0, -1), v(1, 0, 1), v(-1, 0, 1))
}

// lathe turns a profile (radius, height) about an upright axis; sides 0 is round.
func (s *solid) lathe(c surface, x, y, z float64, sides int, profile ...float64) {
	k := s.part(c)
	n, flat := sides, sides > 0
	if !flat {
		n = 36
	}
	pts := at(profile...)
	at3 := func(p pt, i int) vec {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / float64(n))
		return vec{x + p.x*cos, y + p.y, z + p.x*sin}
	}
	for j := range len(pts) - 1 {
		a, b := pts[j], pts[j+1]
		for i := range n {
			p, q, r, t := at3(a, i), at3(a, i+1), at3(b, i+1), at3(b, i)
			if flat {
				s.quad(k, p, t, r, q)
				continue
			}
			norm := func(i int, w pt) vec {
				sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / float64(n))
				return vec{w.x * cos, w.y, w.x * sin}.unit()
			}
			before, after := slope(pts, j, a, b), slope(pts, j+1, a, b)
			s.tri(k, p, t, r, norm(i, before), norm(i, after), norm(i+1, after))
			s.tri(k, p, r, q, norm(i, before), norm(i+1, after), norm(i+1, before))
		}
	}
}

// slope is the outward direction of a profile at a point, mean of its
// neighbours unless there is a sharp corner.
func slope(pts []pt, j int, a, b pt) pt {
	own := pt{b.y - a.y, a.x - b.x}
	l := math.Hypot(own.x, own.y)
	own = pt{own.x / math.Max(l, 1e-9), own.y / math.Max(l, 1e-9)}
	sum := pt{}
	for _, i := range []int{j - 1, j} {
		if i < 0 || i+1 >= len(pts) {
			continue
		}
		d := pt{pts[i+1].y - pts[i].y, pts[i].x - pts[i+1].x}
		l := math.Max(math.Hypot(d.x, d.y), 1e-9)
		d = pt{d.x / l, d.y / l}
		if d.x*own.x+d.y*own.y > 0.72 {
			sum = pt{sum.x + d.x, sum.y + d.y}
		}
	}
	return sum
}

func (s *solid) ball(c surface, x, y, z, rx, ry, rz float64) {
	profile := make([]float64, 0, 38)
	for i := range 19 {
		sin, cos := math.Sincos(math.Pi * float64(i) / 18)
		profile = append(profile, sin, -cos)
	}
	s.placed(func(v vec) vec { return vec{x + v.x*rx, y + v.y*ry, z + v.z*rz} }, func() { s.lathe(c, 0, 0, 0, 0, profile...) })
}

// ring is a torus about the z axis.
func (s *solid) ring(c surface, x, y, z, radius, thick float64) {
	k := s.part(c)
	n, m := 40, 12
	point := func(i, j int) (vec, vec) {
		sa, ca := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		sb, cb := math.Sincos(2 * math.Pi * float64(j) / float64(m))
		normal := vec{ca * cb, sa * cb, sb}
		return vec{x + ca*radius, y + sa*radius, z}.add(normal.times(thick)), normal
	}
	for i := range n {
		for j := range m {
			a, na := point(i, j)
			b, nb := point(i+1, j)
			d, nd := point(i+1, j+1)
			e, ne := point(i, j+1)
			s.tri(k, a, b, d, na, nb, nd)
			s.tri(k, a, d, e, na, nd, ne)
		}
	}
}

// slab is an outline in x and y with a thickness along z about its middle; the
// outline may be a star, seen from the middle of its points.
func (s *solid) slab(c surface, z, thick float64, outline ...float64) {
	k := s.part(c)
	pts := at(outline...)
	mid := pt{}
	turn := 0.0
	for i, p := range pts {
		q := pts[(i+1)%len(pts)]
		mid = pt{mid.x + p.x/float64(len(pts)), mid.y + p.y/float64(len(pts))}
		turn += p.x*q.y - q.x*p.y
	}
	for i := range pts {
		a, b := pts[i], pts[(i+1)%len(pts)]
		if turn < 0 {
			a, b = b, a
		}
		f, g := z+thick/2, z-thick/2
		s.tri(k, vec{mid.x, mid.y, f}, vec{a.x, a.y, f}, vec{b.x, b.y, f})
		s.tri(k, vec{mid.x, mid.y, g}, vec{b.x, b.y, g}, vec{a.x, a.y, g})
		s.quad(k, vec{a.x, a.y, f}, vec{a.x, a.y, g}, vec{b.x, b.y, g}, vec{b.x, b.y, f})
	}
}

// rod is a round bar between two points.
func (s *solid) rod(c surface, a, b vec, r float64) {
	k := s.part(c)
	dir := b.sub(a).unit()
	side := vec{0, 1, 0}.cross(dir)
	if side.dot(side) < 1e-6 {
		side = vec{1, 0, 0}
	}
	side = side.unit()
	up := dir.cross(side)
	n := 16
	for i := range n {
		s0, c0 := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		s1, c1 := math.Sincos(2 * math.Pi * float64(i+1) / float64(n))
		n0, n1 := side.times(c0).add(up.times(s0)), side.times(c1).add(up.times(s1))
		p, q := n0.times(r), n1.times(r)
		s.tri(k, a.add(p), a.add(q), b.add(q), n0, n1, n1)
		s.tri(k, a.add(p), b.add(q), b.add(p), n0, n1, n0)
		s.tri(k, b, b.add(p), b.add(q))
		s.tri(k, a, a.add(q), a.add(p))
	}
}

// looks are the directions from which a thing is seen: turned about the
// upright axis first, then tipped toward the viewer.
var looks = map[string][2]float64{"front": {0, 6}, "side": {-90, 6}, "top": {0, 90}, "three-quarter": {-34, 24}}

// project turns every face to the viewer and measures what it covers.
func (s *solid) project(view string) (faces []triangle, lo, hi pt) {
	look := looks[view]
	lo, hi = pt{math.Inf(1), math.Inf(1)}, pt{math.Inf(-1), math.Inf(-1)}
	for _, t := range s.faces {
		for i := range 3 {
			t.p[i] = t.p[i].turnY(look[0]).turnX(look[1])
			t.n[i] = t.n[i].turnY(look[0]).turnX(look[1])
			lo = pt{math.Min(lo.x, t.p[i].x), math.Min(lo.y, t.p[i].y)}
			hi = pt{math.Max(hi.x, t.p[i].x), math.Max(hi.y, t.p[i].y)}
		}
		faces = append(faces, t)
	}
	return faces, lo, hi
}

// render draws the solid into a box of a picture: it stands on the bottom of
// the box and fills it as far as fill (0 to 1) says; afloat puts it in the
// middle. Small pictures are worked out with four points to a pixel.
func (s *solid) render(img *image.RGBA, box image.Rectangle, view string, fill float64, afloat bool) {
	faces, lo, hi := s.project(view)
	w, h := box.Dx(), box.Dy()
	if w < 2 || h < 2 || len(faces) == 0 {
		return
	}
	scale := fill * math.Min(float64(w)/(hi.x-lo.x), float64(h)/(hi.y-lo.y))
	line := math.Max(0.5, float64(min(w, h))*0.0029)
	middle := pt{float64(box.Min.X+box.Max.X) / 2, float64(box.Max.Y) - 1 - (hi.y-lo.y)*scale/2}
	if afloat || view == "top" {
		middle.y = float64(box.Min.Y+box.Max.Y) / 2
	}
	margin := line + 2
	halfW, halfH := (hi.x-lo.x)*scale/2+margin, (hi.y-lo.y)*scale/2+margin
	box = image.Rect(int(middle.x-halfW), int(middle.y-halfH), int(middle.x+halfW)+1, int(middle.y+halfH)+1)
	w, h = box.Dx(), box.Dy()
	fine := 2
	if w*h > maxFine {
		fine = 1
	}
	k := float64(fine)
	r := &raster{w: fine * w, h: fine * h, fine: fine, parts: s.parts, scale: k * scale}
	r.ox = k*(middle.x-float64(box.Min.X)) - (lo.x+hi.x)/2*r.scale
	r.oy = k*(middle.y-float64(box.Min.Y)) + (lo.y+hi.y)/2*r.scale
	r.clear()
	for i := range faces {
		r.fill(&faces[i])
	}
	r.outline(math.Max(0.8, line*k))
	r.onto(img, box)
}

// maxFine is how many pixels are worked out with four points each.
const maxFine = 3 << 19
