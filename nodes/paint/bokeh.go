package paint

import "math"

// paintBokeh is a night of lights out of focus: far ones large and faint, near
// ones small and clear.
func paintBokeh(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	c.shade(func(x, y float64) rgb {
		v := 0.05 + 0.3*clamp(0.45+0.6*c.noise.fractal(x*0.7, y*0.7, 3))*(0.5+0.7*y/h)
		return p.at(v)
	})
	for i := range 3 {
		c.glow(w*c.rng.Float64(), h*c.rng.Float64(), 0.5+0.25*float64(i), 0.35, p.at(0.45+0.15*float64(i)))
	}
	band, slope := h*(0.35+0.3*c.rng.Float64()), (c.rng.Float64()-0.5)*0.6
	count := int(90 * w * h)
	for i := range count {
		depth := float64(i) / float64(count)
		x := c.rng.Float64() * w
		y := band + slope*(x-w/2) + c.rng.NormFloat64()*h*(0.13+0.17*depth)
		radius := (0.022 + 0.085*math.Pow(c.rng.Float64(), 1.8)) * (1.35 - 0.8*depth)
		v := p.at(0.45 + 0.5*c.rng.Float64())
		if c.rng.IntN(4) == 0 {
			v = p.accent
		}
		lamp(c, x, y, radius, 0.26+0.44*depth*c.rng.Float64(), v)
	}
	for range int(70 * w * h) {
		x, y := c.rng.Float64()*w, c.rng.Float64()*h
		c.glow(x, y, 0.008+0.012*c.rng.Float64(), 0.8, p.accent)
	}
}

// lamp is one light out of focus: an even disc with a brighter rim.
func lamp(c *canvas, x, y, radius, share float64, v rgb) {
	c.within(x-radius, y-radius, x+radius, y+radius, func(px, py int, qx, qy float64) {
		d := math.Hypot(qx-x, qy-y)
		rim := smooth(radius*0.72, radius*0.97, d)
		inside := c.edge((d-radius)*0.35) * (0.62 + 0.38*rim)
		c.put(px, py, c.get(px, py).screen(v, inside*share))
	})
}
