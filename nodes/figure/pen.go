package figure

import (
	"image/color"
	"math"

	"git.sr.ht/~sbinet/gg"
)

// pt is a point in units of a drawing: y grows downward, the ground is at 0.
type pt struct{ x, y float64 }

// at makes points of pairs of numbers.
func at(v ...float64) []pt {
	out := make([]pt, len(v)/2)
	for i := range out {
		out[i] = pt{v[2*i], v[2*i+1]}
	}
	return out
}

// sym is a closed outline of its right half, given from top to bottom; points
// on the axis are not repeated.
func sym(v ...float64) []pt {
	out := at(v...)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].x > 0.01 {
			out = append(out, pt{-out[i].x, out[i].y})
		}
	}
	return out
}

// move shifts points, after scaling them.
func move(points []pt, dx, dy, sx, sy float64) []pt {
	out := make([]pt, len(points))
	for i, p := range points {
		out[i] = pt{p.x*sx + dx, p.y*sy + dy}
	}
	return out
}

// pen draws with one weight of line in the units of a figure.
type pen struct {
	dc   *gg.Context
	unit float64 // pixels of a unit
	ink  float64 // width of the outline in units; 0 draws none
}

func newPen(dc *gg.Context, unit float64) *pen {
	return &pen{dc: dc, unit: unit, ink: 0.95}
}

// within draws in a frame of its own: shifted, scaled and turned (degrees).
func (p *pen) within(x, y, scale, turn float64, draw func()) {
	unit, ink := p.unit, p.ink
	p.dc.Push()
	p.dc.Translate(x, y)
	p.dc.Rotate(turn * math.Pi / 180)
	p.dc.Scale(scale, math.Abs(scale))
	p.unit, p.ink = unit*math.Abs(scale), ink/math.Abs(scale)
	draw()
	p.unit, p.ink = unit, ink
	p.dc.Pop()
}

// trace lays a smooth path through points.
func (p *pen) trace(points []pt, closed bool) {
	n := len(points)
	get := func(i int) pt {
		if closed {
			return points[(i+n)%n]
		}
		return points[max(0, min(n-1, i))]
	}
	p.dc.ClearPath()
	p.dc.MoveTo(points[0].x, points[0].y)
	last := n - 1
	if closed {
		last = n
	}
	for i := range last {
		a, b, c, d := get(i-1), get(i), get(i+1), get(i+2)
		p.dc.CubicTo(b.x+(c.x-a.x)/6, b.y+(c.y-a.y)/6, c.x-(d.x-b.x)/6, c.y-(d.y-b.y)/6, c.x, c.y)
	}
	if closed {
		p.dc.ClosePath()
	}
}

// blob is a soft closed shape through points, shaded and outlined.
func (p *pen) blob(c cloth, points []pt) {
	p.trace(points, true)
	p.finish(c, points)
}

// plate is a closed shape with straight sides and slightly rounded corners.
func (p *pen) plate(c cloth, round float64, points []pt) {
	n := len(points)
	p.dc.ClearPath()
	for i := range n {
		a, b, d := points[(i+n-1)%n], points[i], points[(i+1)%n]
		in, out := toward(b, a, round), toward(b, d, round)
		if i == 0 {
			p.dc.MoveTo(in.x, in.y)
		} else {
			p.dc.LineTo(in.x, in.y)
		}
		p.dc.QuadraticTo(b.x, b.y, out.x, out.y)
	}
	p.dc.ClosePath()
	p.finish(c, points)
}

// toward is the point so far from a in the direction of b, at most half the way.
func toward(a, b pt, by float64) pt {
	d := math.Hypot(b.x-a.x, b.y-a.y)
	if d == 0 {
		return a
	}
	t := math.Min(0.5, by/d)
	return pt{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t}
}

func (p *pen) oval(c cloth, x, y, rx, ry float64) {
	p.dc.ClearPath()
	p.dc.DrawEllipse(x, y, rx, ry)
	p.finish(c, at(x-rx, y-ry, x+rx, y+ry))
}

// box is a rectangle with round corners.
func (p *pen) box(c cloth, x, y, w, h, round float64) {
	p.plate(c, round, at(x, y, x+w, y, x+w, y+h, x, y+h))
}

// finish fills the path at hand and draws its outline; points give its extent.
func (p *pen) finish(c cloth, points []pt) {
	p.dc.SetFillStyle(c.pattern(p, points))
	p.dc.FillPreserve()
	if p.ink > 0 && !c.bare {
		p.dc.SetColor(c.line().RGBA())
		p.dc.SetLineWidth(p.ink * p.unit)
		p.dc.SetLineCapRound()
		p.dc.SetLineJoinRound()
		p.dc.StrokePreserve()
	}
	p.dc.ClearPath()
}

// stroke is a smooth line with round ends. It goes in short straight steps, for
// wide lines along finer ones get ragged edges.
func (p *pen) stroke(c rgb, alpha, width float64, points []pt) {
	n := len(points)
	get := func(i int) pt { return points[max(0, min(n-1, i))] }
	p.dc.ClearPath()
	p.dc.MoveTo(points[0].x, points[0].y)
	for i := range n - 1 {
		a, b, c, d := get(i-1), get(i), get(i+1), get(i+2)
		steps := max(1, min(24, int(math.Hypot(c.x-b.x, c.y-b.y)*p.unit/6)))
		if n == 2 {
			steps = 1
		}
		for k := 1; k <= steps; k++ {
			t := float64(k) / float64(steps)
			p.dc.LineTo(spline(a.x, b.x, c.x, d.x, t), spline(a.y, b.y, c.y, d.y, t))
		}
	}
	paint := c.RGBA()
	paint.A = channel(alpha)
	p.dc.SetColor(paint)
	p.dc.SetLineWidth(width * p.unit)
	p.dc.SetLineCapRound()
	p.dc.SetLineJoinRound()
	p.dc.Stroke()
}

// spline goes from b at 0 to c at 1, smoothly on from a and toward d.
func spline(a, b, c, d, t float64) float64 {
	return b + 0.5*t*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
}

// halo is light around a point, fainter the farther.
func (p *pen) halo(c rgb, strength, x, y, from, to float64) {
	const rings = 26
	for i := range rings {
		r := from + (to-from)*float64(i)/(rings-1)
		p.soft(c, strength/rings, x, y, r, r)
	}
}

// limb is a thick bent line with an outline: an arm, a leg, a tail.
func (p *pen) limb(c cloth, width float64, points []pt) {
	if p.ink > 0 && !c.bare {
		p.stroke(c.line(), 1, width+p.ink, points)
	}
	p.stroke(c.rgb, 1, width-p.ink, points)
}

// soft is an oval without outline, partly see-through: blush, shine, shade.
func (p *pen) soft(c rgb, alpha, x, y, rx, ry float64) {
	n := c.RGBA()
	n.A = channel(alpha)
	p.dc.ClearPath()
	p.dc.DrawEllipse(x, y, rx, ry)
	p.dc.SetColor(n)
	p.dc.Fill()
}

// haze is a soft blob: a patch of light or shade of any outline.
func (p *pen) haze(c rgb, alpha float64, points []pt) {
	n := c.RGBA()
	n.A = channel(alpha)
	p.trace(points, true)
	p.dc.SetColor(n)
	p.dc.Fill()
}

// cluster is what overlapping circles make together: curls, foliage, clouds.
func (p *pen) cluster(c cloth, circles [][3]float64) {
	if p.ink > 0 && !c.bare {
		p.dc.SetColor(c.line().RGBA())
		for _, o := range circles {
			p.dc.DrawCircle(o[0], o[1], o[2]+p.ink/2)
			p.dc.Fill()
		}
	}
	inner := math.Max(0, p.ink/2)
	for _, o := range circles {
		p.dc.DrawCircle(o[0], o[1], o[2]-inner)
		p.dc.SetColor(c.RGBA())
		p.dc.Fill()
	}
	for i, o := range circles {
		shine := c.lift(0.035 * float64(i%2+1)).RGBA()
		p.dc.DrawCircle(o[0]-o[2]*0.18, o[1]-o[2]*0.22, o[2]*0.6)
		p.dc.SetColor(shine)
		p.dc.Fill()
	}
}

// cloth is how an area is filled: its color, shaded from the upper left, and
// perhaps a second color in a pattern.
type cloth struct {
	rgb
	second rgb
	weave  string  // striped, spotted, checked; empty: plain
	size   float64 // of the pattern in units
	metal  bool
	bare   bool // without an outline
}

func of(c rgb) cloth   { return cloth{rgb: c} }
func bare(c rgb) cloth { return cloth{rgb: c, bare: true} }

func (c cloth) line() rgb { return c.ink() }

const tones = 40

// shade is the fill of one area: tones along the light, for each share of the
// second color.
type shade struct {
	x, y, dx, dy float64
	lut          [][tones]color.Color
	weave        func(x, y float64) float64
}

// ColorAt is of a pixel.
func (s *shade) ColorAt(x, y int) color.Color {
	fx, fy := float64(x)+0.5, float64(y)+0.5
	t := (fx-s.x)*s.dx + (fy-s.y)*s.dy
	i := max(0, min(tones-1, int(t*tones)))
	if s.weave == nil {
		return s.lut[0][i]
	}
	return s.lut[int(s.weave(fx, fy)*4+0.5)][i]
}

func (c cloth) pattern(p *pen, points []pt) gg.Pattern {
	lo, hi := pt{math.Inf(1), math.Inf(1)}, pt{math.Inf(-1), math.Inf(-1)}
	for _, q := range points {
		x, y := p.dc.TransformPoint(q.x, q.y)
		lo, hi = pt{math.Min(lo.x, x), math.Min(lo.y, y)}, pt{math.Max(hi.x, x), math.Max(hi.y, y)}
	}
	w, h := math.Max(1, hi.x-lo.x), math.Max(1, hi.y-lo.y)
	s := &shade{x: lo.x, y: lo.y, dx: 0.36 / w, dy: 0.64 / h}
	levels := 1
	if c.weave != "" {
		levels = 5
		s.weave = c.weaving(p)
	}
	for level := range levels {
		base := c.rgb
		if level > 0 {
			base = c.mix(c.second, float64(level)/4)
		}
		var row [tones]color.Color
		for i := range row {
			t := float64(i) / (tones - 1)
			by := 0.035 - 0.105*t*t
			if c.metal {
				by = 0.16*math.Sin(t*7.5+0.4)*(1-t*0.5) - 0.04
			}
			row[i] = base.lift(by).RGBA()
		}
		s.lut = append(s.lut, row)
	}
	return s
}

// weaving is the share of the second color at a pixel, in steps of a quarter
// at the borders so that they are smooth.
func (c cloth) weaving(p *pen) func(x, y float64) float64 {
	ox, oy := p.dc.TransformPoint(0, 0)
	size := math.Max(2, c.size*p.unit)
	edge := func(d float64) float64 { return math.Max(0, math.Min(1, 0.5-d)) } // d in pixels
	switch c.weave {
	case "striped":
		return func(x, y float64) float64 {
			u, v := x-ox, y-oy
			wave := (v + math.Sin(u/size*0.9)*size*0.22) / size
			return edge((math.Abs(wave-math.Floor(wave)-0.5) - 0.21) * size)
		}
	case "checked":
		return func(x, y float64) float64 {
			u, v := (x-ox)/size, (y-oy)/size
			return 0.5*edge((math.Abs(u-math.Floor(u)-0.5)-0.22)*size) + 0.5*edge((math.Abs(v-math.Floor(v)-0.5)-0.22)*size)
		}
	}
	return func(x, y float64) float64 { // spotted
		u, v := (x-ox)/size, (y-oy)/size
		row := math.Floor(v)
		if int(row)&1 == 0 {
			u += 0.5
		}
		col := math.Floor(u)
		k := math.Sin(row*12.9+col*78.2) * 0.5
		du, dv := u-col-0.5+k*0.16, v-row-0.5-k*0.12
		return edge((math.Hypot(du, dv) - 0.27 - 0.09*k) * size)
	}
}
