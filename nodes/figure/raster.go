package figure

import (
	"image"
	"math"
)

// raster is a picture of a solid while it is worked out: for each point the
// nearest face.
type raster struct {
	w, h   int
	fine   int // points of a pixel in each direction
	scale  float64
	ox, oy float64
	parts  []surface
	depth  []float32
	part   []int32 // index of the part and 1; 0 is nothing
	normal [][3]int8
	color  [][4]uint8
	lined  []bool
}

func (r *raster) clear() {
	n := r.w * r.h
	r.depth, r.part, r.normal = make([]float32, n), make([]int32, n), make([][3]int8, n)
	r.color, r.lined = make([][4]uint8, n), make([]bool, n)
	for i := range r.depth {
		r.depth[i] = -math.MaxFloat32
	}
}

// fill draws one face.
func (r *raster) fill(t *triangle) {
	var x, y [3]float64
	for i, p := range t.p {
		x[i], y[i] = r.ox+p.x*r.scale, r.oy-p.y*r.scale
	}
	area := (x[1]-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(y[1]-y[0])
	if math.Abs(area) < 1e-6 {
		return
	}
	flip := 1.0
	if t.n[0].z+t.n[1].z+t.n[2].z < 0 {
		flip = -1
	}
	x0, x1 := max(0, int(min(x[0], x[1], x[2]))), min(r.w-1, int(max(x[0], x[1], x[2]))+1)
	y0, y1 := max(0, int(min(y[0], y[1], y[2]))), min(r.h-1, int(max(y[0], y[1], y[2]))+1)
	for py := y0; py <= y1; py++ {
		fy := float64(py) + 0.5
		for px := x0; px <= x1; px++ {
			fx := float64(px) + 0.5
			b := ((fx-x[0])*(y[2]-y[0]) - (x[2]-x[0])*(fy-y[0])) / area
			c := ((x[1]-x[0])*(fy-y[0]) - (fx-x[0])*(y[1]-y[0])) / area
			a := 1 - b - c
			if a < -1e-9 || b < -1e-9 || c < -1e-9 {
				continue
			}
			z := float32(a*t.p[0].z + b*t.p[1].z + c*t.p[2].z)
			i := py*r.w + px
			if z <= r.depth[i] {
				continue
			}
			n := t.n[0].times(a * flip).add(t.n[1].times(b * flip)).add(t.n[2].times(c * flip)).unit()
			p := t.p[0].times(a).add(t.p[1].times(b)).add(t.p[2].times(c))
			r.depth[i], r.part[i] = z, int32(t.part)+1
			r.normal[i] = [3]int8{int8(n.x * 127), int8(n.y * 127), int8(n.z * 127)}
			r.color[i] = r.parts[t.part].lit(p, n)
		}
	}
}

var (
	sun  = vec{-0.5, 0.72, 0.48}.unit()
	halo = vec{-0.3, 0.45, 0.84}.unit()
)

// lit is a surface's color where its normal is n.
func (c surface) lit(p, n vec) [4]uint8 {
	light := 0.5 + 0.5*n.dot(sun)
	v := 0.7 + 0.38*light*light*(3-2*light)
	shine, alpha := 0.0, uint8(255)
	switch c.material {
	case "wood":
		grain := math.Sin(p.y*2.1+3*math.Sin(p.x*0.31+p.z*0.23)) * math.Sin(p.x*0.5+p.z*0.4)
		v *= 1 + 0.06*grain
	case "stone":
		v *= 1 + 0.09*math.Sin(p.x*1.9+2*math.Sin(p.y*1.3))*math.Sin(p.y*2.3+p.z*1.7)
	case "metal", "gold", "silver":
		shine = 0.75 * math.Pow(math.Max(0, n.dot(halo)), 14)
		v *= 0.9 + 0.2*math.Sin(n.y*5+n.x*2)
	case "glass":
		shine, alpha = 0.8*math.Pow(math.Max(0, n.dot(halo)), 20), 176
		v *= 1.08
	case "plastic":
		v *= 1.06
		shine = 0.55 * math.Pow(math.Max(0, n.dot(halo)), 26)
	case "paper":
		v = 0.88 + 0.12*light
	case "light":
		v, shine = 1.05, 0.25
	}
	mix := func(x float64) uint8 { return channel(x*v + (1-x*v)*shine) }
	return [4]uint8{mix(c.R), mix(c.G), mix(c.B), alpha}
}

// outline draws lines where parts end, where one lies before another, and along edges.
func (r *raster) outline(width float64) {
	near := func(i, j int) int { // the one of two points whose face the line belongs to, -1: no line
		a, b := r.part[i], r.part[j]
		switch {
		case a == 0 && b == 0:
			return -1
		case b == 0:
			return i
		case a == 0:
			return j
		}
		p, q := r.normal[i], r.normal[j]
		step := math.Abs(float64(r.depth[i]-r.depth[j])) * r.scale
		crease := int(p[0])*int(q[0])+int(p[1])*int(q[1])+int(p[2])*int(q[2]) < 12_600
		if a == b && !crease && step < 7*float64(r.fine) {
			return -1
		}
		if r.depth[i] >= r.depth[j] {
			return i
		}
		return j
	}
	type mark struct{ at, of int }
	var marks []mark
	for y := range r.h {
		for x := range r.w {
			i := y*r.w + x
			if x+1 < r.w {
				if k := near(i, i+1); k >= 0 {
					marks = append(marks, mark{i, k})
				}
			}
			if y+1 < r.h {
				if k := near(i, i+r.w); k >= 0 {
					marks = append(marks, mark{i, k})
				}
			}
		}
	}
	inks := make([][4]uint8, len(r.parts))
	for i, c := range r.parts {
		v := c.ink().RGBA()
		inks[i] = [4]uint8{v.R, v.G, v.B, 255}
	}
	reach := int(math.Ceil(width))
	var disc [][2]int
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			if float64(dx*dx+dy*dy) <= width*width {
				disc = append(disc, [2]int{dx, dy})
			}
		}
	}
	for _, m := range marks {
		x, y := m.at%r.w, m.at/r.w
		ink := inks[r.part[m.of]-1]
		for _, d := range disc {
			px, py := x+d[0], y+d[1]
			if px >= 0 && py >= 0 && px < r.w && py < r.h {
				i := py*r.w + px
				if !r.lined[i] || d == [2]int{} {
					r.color[i], r.lined[i] = ink, true
				}
			}
		}
	}
}

// onto lays the solid over a picture.
func (r *raster) onto(img *image.RGBA, box image.Rectangle) {
	whole := 255 * r.fine * r.fine
	for y := range r.h / r.fine {
		for x := range r.w / r.fine {
			var red, green, blue, alpha int
			for dy := range r.fine {
				for dx := range r.fine {
					c := r.color[(y*r.fine+dy)*r.w+x*r.fine+dx]
					a := int(c[3])
					red, green, blue, alpha = red+int(c[0])*a, green+int(c[1])*a, blue+int(c[2])*a, alpha+a
				}
			}
			q := image.Pt(box.Min.X+x, box.Min.Y+y)
			if alpha == 0 || !q.In(img.Bounds()) {
				continue
			}
			k := img.PixOffset(q.X, q.Y)
			for j, v := range [4]int{red / 255, green / 255, blue / 255, alpha} {
				img.Pix[k+j] = uint8((v*255 + int(img.Pix[k+j])*(whole-alpha)) / whole)
			}
		}
	}
}
