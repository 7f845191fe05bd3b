package paint

import "math"

// put sets a pixel.
func (c *canvas) put(x, y int, v rgb) {
	i := y*c.Stride + x*4
	c.Pix[i], c.Pix[i+1], c.Pix[i+2], c.Pix[i+3] = channel(v.R), channel(v.G), channel(v.B), 255
}

func channel(v float64) uint8 { return uint8(clamp(v)*255 + 0.5) }

func (c *canvas) get(x, y int) rgb {
	i := y*c.Stride + x*4
	return rgb{float64(c.Pix[i]) / 255, float64(c.Pix[i+1]) / 255, float64(c.Pix[i+2]) / 255}
}

// blend lays a color over a pixel.
func (c *canvas) blend(x, y int, v rgb, share float64) {
	switch {
	case share >= 1:
		c.put(x, y, v)
	case share > 0:
		c.put(x, y, c.get(x, y).over(v, share))
	}
}

// shade paints every pixel by a function of its place; x and y are in units of
// the shorter side, from the top left.
func (c *canvas) shade(f func(x, y float64) rgb) {
	for py := range c.h {
		for px := range c.w {
			c.put(px, py, f((float64(px)+0.5)/c.unit, (float64(py)+0.5)/c.unit))
		}
	}
}

// width and height of the canvas in units of the shorter side.
func (c *canvas) width() float64  { return float64(c.w) / c.unit }
func (c *canvas) height() float64 { return float64(c.h) / c.unit }

// within calls f for each pixel of a box, which is in units and may hang over.
func (c *canvas) within(x0, y0, x1, y1 float64, f func(px, py int, x, y float64)) {
	left, right := max(0, int(x0*c.unit)-1), min(c.w-1, int(x1*c.unit)+1)
	for py := max(0, int(y0*c.unit)-1); py <= min(c.h-1, int(y1*c.unit)+1); py++ {
		for px := left; px <= right; px++ {
			f(px, py, (float64(px)+0.5)/c.unit, (float64(py)+0.5)/c.unit)
		}
	}
}

// edge is how much of a pixel lies inside a shape whose border is the distance
// d away (negative inside).
func (c *canvas) edge(d float64) float64 { return clamp(0.5 - d*c.unit) }

// disc paints a filled circle; soft is the share of the radius that fades out.
func (c *canvas) disc(x, y, radius, soft, share float64, v rgb) {
	c.within(x-radius, y-radius, x+radius, y+radius, func(px, py int, qx, qy float64) {
		d := math.Hypot(qx-x, qy-y)
		if d > radius+1/c.unit {
			return
		}
		cover := c.edge(d - radius)
		if soft > 0 {
			cover = 1 - smooth(radius*(1-soft), radius, d)
		}
		c.blend(px, py, v, cover*share)
	})
}

// glow adds light around a point.
func (c *canvas) glow(x, y, radius, share float64, v rgb) {
	c.within(x-radius, y-radius, x+radius, y+radius, func(px, py int, qx, qy float64) {
		t := 1 - math.Hypot(qx-x, qy-y)/radius
		if t > 0 {
			c.put(px, py, c.get(px, py).screen(v, t*t*share))
		}
	})
}

// segment paints a line with round ends.
func (c *canvas) segment(x0, y0, x1, y1, width float64, v rgb, share float64) {
	r, rim := width/2, 0.5/c.unit
	inner, outer := max(0, r-rim)*max(0, r-rim), (r+rim)*(r+rim) // squares: only between them is a pixel covered in part
	dx, dy := x1-x0, y1-y0
	length := dx*dx + dy*dy
	c.within(min(x0, x1)-r, min(y0, y1)-r, max(x0, x1)+r, max(y0, y1)+r, func(px, py int, x, y float64) {
		t := 0.0
		if length > 0 {
			t = clamp(((x-x0)*dx + (y-y0)*dy) / length)
		}
		ex, ey := x-x0-t*dx, y-y0-t*dy
		switch away := ex*ex + ey*ey; {
		case away < inner:
			c.blend(px, py, v, share)
		case away < outer:
			c.blend(px, py, v, share*c.edge(math.Sqrt(away)-r))
		}
	})
}

// below paints everything under a line y = f(x), with a color that may depend
// on the depth under it; deeper than flat it stays the same.
func (c *canvas) below(flat float64, f func(x float64) float64, color func(x, depth float64) rgb) {
	for px := range c.w {
		x := (float64(px) + 0.5) / c.unit
		y := f(x)
		slope := (f(x+1/c.unit) - y) * c.unit
		steep := 1 / math.Sqrt(1+slope*slope)
		deep := color(x, flat)
		for py := max(0, int((y-0.01)*c.unit)-3); py < c.h; py++ {
			depth := (float64(py)+0.5)/c.unit - y
			if depth > flat {
				c.put(px, py, deep)
			} else {
				c.blend(px, py, color(x, max(0, depth)), c.edge(-depth*steep))
			}
		}
	}
}

// finish darkens the corners a little and adds a fine grain, which also hides
// the steps of gradients.
func (c *canvas) finish() {
	state := c.rng.Uint64() | 1
	cx, cy := float64(c.w)/2, float64(c.h)/2
	for y := range c.h {
		fy := (float64(y) - cy) / cy
		for x := range c.w {
			fx := (float64(x) - cx) / cx
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
			dim := 1 - 0.09*(fx*fx+fy*fy)*(fx*fx+fy*fy)/2
			grain := (float64(state&0xffff)/65535 - 0.5) * 5
			i := y*c.Stride + x*4
			for k := i; k < i+3; k++ {
				c.Pix[k] = uint8(max(0, min(255, int(float64(c.Pix[k])*dim+grain+0.5))))
			}
		}
	}
}
