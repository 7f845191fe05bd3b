package scene

import (
	"cmp"
	"context"
	"errors"
	"image"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/fogleman/fauxgl"
)

// tileSide bounds the pixels of a side that are drawn at once, twice oversampled.
const tileSide = 1024

// RasterTime is how long drawing one picture may take: triangles that fill it one upon another have no other bound.
const RasterTime = 2 * time.Minute

// ErrTooLong is the end of a picture that takes longer than RasterTime.
var ErrTooLong = errors.New("drawing takes too long")

// Raster draws the model in Go, twice oversampled and without shadows. The same model gives
// the same pixels. It ends with the context's error, or ErrTooLong.
func (m *Model) Raster(ctx context.Context, p Picture) (*image.NRGBA, error) {
	bound, cancel := context.WithTimeoutCause(ctx, RasterTime, ErrTooLong)
	defer cancel()
	out := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	faces := m.faces(p)
	for y := 0; y < p.Height; y += tileSide {
		for x := 0; x < p.Width; x += tileSide {
			if bound.Err() != nil {
				return nil, context.Cause(bound)
			}
			p.tile(bound, out, faces, image.Rect(x, y, min(x+tileSide, p.Width), min(y+tileSide, p.Height)))
		}
	}
	if bound.Err() != nil {
		return nil, context.Cause(bound)
	}
	return out, nil
}

// surface is triangles of one material, and what brings them to their place.
type surface struct {
	mesh *Mesh
	to   matrix
}

// seenThrough is a triangle that one sees through, so far away.
type seenThrough struct {
	of    *surface
	first int
	far   float64
}

// faces are the solid surfaces, and what one sees through, from behind.
type faces struct {
	solid []*surface
	clear []seenThrough
}

func vector(v Vec) fauxgl.Vector { return fauxgl.Vector{X: v[0], Y: v[1], Z: v[2]} }

func (m *Model) faces(p Picture) (f faces) {
	m.flat(func(mesh *Mesh, to matrix) {
		s := &surface{mesh, to}
		if mesh.Material.Opacity >= 1 {
			f.solid = append(f.solid, s)
			return
		}
		for i := 0; i+2 < len(mesh.Indices); i += 3 {
			var sum Vec
			for _, at := range mesh.Indices[i : i+3] {
				sum = sum.add(to.point(mesh.Points[at]))
			}
			f.clear = append(f.clear, seenThrough{s, i, sum.times(1.0 / 3).sub(p.Camera.Position).length()})
		}
	})
	slices.SortStableFunc(f.clear, func(a, b seenThrough) int { return cmp.Compare(b.far, a.far) })
	return f
}

// triangle is the one whose indices begin at first.
func (s *surface) triangle(t *fauxgl.Triangle, first int) {
	for k, v := range []*fauxgl.Vertex{&t.V1, &t.V2, &t.V3} {
		at := s.mesh.Indices[first+k]
		v.Position, v.Normal = vector(s.to.point(s.mesh.Points[at])), vector(s.to.normal(s.mesh.Normals[at]))
	}
}

func (p Picture) projection() fauxgl.Matrix {
	c := p.Camera
	up := fauxgl.Vector{Y: 1}
	if d := c.Target.sub(c.Position).unit(); math.Abs(d[1]) > 0.9999 {
		up = fauxgl.Vector{Z: -1}
	}
	reach := c.Position.sub(c.Target).length()
	return fauxgl.LookAt(vector(c.Position), vector(c.Target), up).
		Perspective(c.Fov, float64(p.Width)/float64(p.Height), math.Max(reach/500, 1e-5), math.Max(reach*50, 100))
}

// tile draws one part of the picture.
func (p Picture) tile(ctx context.Context, out *image.NRGBA, all faces, part image.Rectangle) {
	w, h := part.Dx(), part.Dy()
	dc := fauxgl.NewContext(2*w, 2*h)
	dc.Cull = fauxgl.CullNone
	p.backdrop(dc, part)
	// the part of the whole in coordinates from -1 to 1
	sx, sy := float64(p.Width)/float64(w), float64(p.Height)/float64(h)
	cx := (2*float64(part.Min.X)+float64(w))/float64(p.Width) - 1
	cy := 1 - (2*float64(part.Min.Y)+float64(h))/float64(p.Height)
	zoom := fauxgl.Matrix{X00: sx, X03: -cx * sx, X11: sy, X13: -cy * sy, X22: 1, X33: 1}
	to := zoom.Mul(p.projection())
	var t fauxgl.Triangle
	for _, s := range all.solid {
		dc.Shader, dc.WriteDepth = p.shader(to, s.mesh.Material), true
		for i := 0; i+2 < len(s.mesh.Indices); i += 3 { // one after the other: the same pixels each time
			if ctx.Err() != nil {
				return
			}
			s.triangle(&t, i)
			dc.DrawTriangle(&t)
		}
	}
	var last *surface
	for _, c := range all.clear {
		if ctx.Err() != nil {
			return
		}
		if c.of != last {
			dc.Shader, dc.WriteDepth, last = p.shader(to, c.of.mesh.Material), false, c.of
		}
		c.of.triangle(&t, c.first)
		dc.DrawTriangle(&t)
	}
	shrink(out, dc.ColorBuffer.Pix, part)
}

// shrink makes one pixel of four. The pixels of the rasteriser are premultiplied.
func shrink(out *image.NRGBA, pix []uint8, part image.Rectangle) {
	stride := part.Dx() * 8
	for y := range part.Dy() {
		for x := range part.Dx() {
			var sum [4]int
			for _, at := range []int{2*y*stride + 8*x, 2*y*stride + 8*x + 4, (2*y+1)*stride + 8*x, (2*y+1)*stride + 8*x + 4} {
				for k := range sum {
					sum[k] += int(pix[at+k])
				}
			}
			i := out.PixOffset(part.Min.X+x, part.Min.Y+y)
			out.Pix[i+3] = uint8((sum[3] + 2) / 4)
			for k := range 3 {
				if sum[3] > 0 {
					out.Pix[i+k] = uint8(min(255, (sum[k]*255+sum[3]/2)/sum[3]))
				}
			}
		}
	}
}

func (p Picture) backdrop(dc *fauxgl.Context, part image.Rectangle) {
	if p.Background == nil {
		return
	}
	for y := range dc.Height {
		c := *p.Background
		t := (float64(part.Min.Y) + float64(y)/2) / float64(p.Height)
		if p.Studio {
			c = mixed(mixed(c, Vec{1, 1, 1}, 0.5), c, math.Min(1, t*1.25))
		}
		for x := range dc.Width {
			// what rounds the steps of a gradient
			noise := (float64((x*7+y*13+(x*y)%5)%16) - 7.5) / 16
			i := dc.ColorBuffer.PixOffset(x, y)
			for k := range 3 {
				v := c[k] * 255
				if p.Studio {
					v += noise
				}
				dc.ColorBuffer.Pix[i+k] = uint8(math.Max(0, math.Min(255, math.Round(v))))
			}
			dc.ColorBuffer.Pix[i+3] = 255
		}
	}
}

// shader lights one material.
type shader struct {
	to        fauxgl.Matrix
	material  Material
	base      Vec
	shine     Vec
	emitted   Vec
	eye       Vec
	lights    []lamp
	ambient   float64
	sharpness float64
	gloss     float64
	// dull is the cosine below which a light's gleam is nothing.
	dull  float64
	curve *srgbCurve
}

type lamp struct {
	color Vec
	at    *Vec
	from  Vec
}

func (p Picture) shader(to fauxgl.Matrix, m Material) *shader {
	s := &shader{to: to, material: m, base: linear(m.Color), emitted: m.light(), eye: p.Camera.Position, ambient: p.Ambient}
	s.shine = mixed(Vec{0.04, 0.04, 0.04}, s.base, m.Metal)
	rough := math.Max(0.06, m.Rough)
	s.sharpness = 2/(rough*rough*rough*rough) - 2
	s.sharpness = math.Max(1, math.Min(s.sharpness, 600))
	s.gloss = (s.sharpness + 8) / 25
	s.dull = math.Exp(-20 / s.sharpness)
	s.curve = curveOfSRGB()
	for _, l := range p.Lights {
		lamp := lamp{color: linear(hex(l.Color)).times(l.Intensity)}
		if l.Kind == Point {
			lamp.at = l.Position
		} else {
			lamp.from = l.Direction.unit().times(-1)
		}
		s.lights = append(s.lights, lamp)
	}
	return s
}

func (s *shader) Vertex(v fauxgl.Vertex) fauxgl.Vertex {
	v.Output = s.to.MulPositionW(v.Position)
	return v
}

func (s *shader) Fragment(v fauxgl.Vertex) fauxgl.Color {
	n := Vec{v.Normal.X, v.Normal.Y, v.Normal.Z}.unit()
	at := Vec{v.Position.X, v.Position.Y, v.Position.Z}
	eye := s.eye.sub(at).unit()
	if n.dot(eye) < 0 {
		n = n.times(-1)
	}
	// the sky above, the ground below
	up := 0.5 + 0.5*n[1]
	around := Vec{0.62, 0.6, 0.56}.times(1 - up).add(Vec{1, 1.02, 1.08}.times(up)).times(s.ambient)
	diffuse := s.base.times(1 - 0.75*s.material.Metal)
	light := Vec{}
	for i := range light {
		light[i] = diffuse[i] * around[i]
	}
	mirror := n.times(2 * n.dot(eye)).sub(eye)
	steep := 1 - math.Max(0, n.dot(eye))
	edge := steep * steep * steep * steep * steep
	sky := (0.35 + 0.65*math.Max(0, mirror[1])) * s.ambient * (1 - 0.6*s.material.Rough)
	for i := range light {
		light[i] += (s.shine[i] + (1-s.shine[i])*edge*0.5*(1-s.material.Rough)) * sky * 1.4
	}
	for _, l := range s.lights {
		from, strength := l.from, 1.0
		if l.at != nil {
			d := l.at.sub(at)
			from, strength = d.unit(), 1/math.Max(0.05, d.dot(d))
		}
		facing := n.dot(from)
		if facing <= 0 {
			continue
		}
		gleam := 0.0
		if toward := n.dot(from.add(eye).unit()); toward > s.dull {
			gleam = s.gloss * math.Pow(toward, s.sharpness)
		}
		for i := range light {
			light[i] += l.color[i] * strength * facing * (diffuse[i]/math.Pi*1.15 + s.shine[i]*math.Min(gleam, 12)*0.35)
		}
	}
	light = light.add(s.emitted.times(0.8))
	alpha := s.material.Opacity
	if alpha < 1 {
		alpha += (1 - alpha) * edge
	}
	for i := range light { // soft at the top
		if light[i] > 0.8 {
			light[i] = 0.8 + 0.2*(1-math.Exp(-(light[i]-0.8)/0.2*0.6))
		}
	}
	return fauxgl.Color{R: s.curve.of(light[0]), G: s.curve.of(light[1]), B: s.curve.of(light[2]), A: alpha}
}

// srgbCurve is toSRGB of one color component as a table: powers took half of the time of shading.
type srgbCurve [4096 + 1]float64

var curveOfSRGB = sync.OnceValue(func() *srgbCurve {
	curve := &srgbCurve{}
	for i := range curve {
		v := float64(i) / float64(len(curve)-1)
		curve[i] = toSRGB(Vec{v, v, v})[0]
	}
	return curve
})

// of is the value of sRGB for light from 0 to 1, and beyond that the nearest of them. It is off by less than 0.0001, a fortieth of
// what eight bits tell apart.
func (c *srgbCurve) of(light float64) float64 {
	steps := math.Max(0, math.Min(light, 1)) * float64(len(c)-1)
	i := max(0, min(int(steps), len(c)-2)) // of what is no number, too
	return c[i] + (steps-float64(i))*(c[i+1]-c[i])
}
