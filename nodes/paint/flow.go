package paint

import "math"

// paintFlow follows a field of directions with thousands of tapering strokes.
func paintFlow(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	ground := 0.97
	if p.dark || c.rng.IntN(3) == 0 {
		ground = 0.03
	}
	c.shade(func(x, y float64) rgb {
		return p.at(ground + (0.5-ground)*0.12*(1+c.noise.at(x*1.1, y*1.1)))
	})
	scale := 0.7 + 0.9*c.rng.Float64()
	turn, swirl := c.rng.Float64()*2*math.Pi, 1.5+1.6*c.rng.Float64()
	eyeX, eyeY, pull := w*c.rng.Float64(), h*c.rng.Float64(), 0.9*c.rng.Float64()
	direction := func(x, y float64) (float64, float64) {
		sin, cos := math.Sincos(turn + swirl*c.noise.fractal(x*scale, y*scale, 2))
		far := math.Hypot(x-eyeX, y-eyeY) + 0.05
		dx, dy := cos-pull*(y-eyeY)/far, sin+pull*(x-eyeX)/far
		length := math.Hypot(dx, dy) + 1e-6
		return dx / length, dy / length
	}
	for i := range int(620 * w * h) {
		x, y := c.rng.Float64()*w*1.2-0.1*w, c.rng.Float64()*h*1.2-0.1*h
		tone := clamp(0.5 + 0.75*c.noise.fractal(x*0.9+40, y*0.9+7, 2) + 0.16*c.rng.NormFloat64())
		v := p.at(0.1 + 0.82*tone)
		if c.rng.IntN(26) == 0 {
			v = p.accent
		}
		thick := 0.003 + 0.010*math.Pow(c.rng.Float64(), 2.2)
		if i%40 == 0 {
			thick *= 2
		}
		steps := 16 + c.rng.IntN(30)
		for k := range steps {
			dx, dy := direction(x, y)
			t := float64(k) / float64(steps)
			nx, ny := x+dx*0.011, y+dy*0.011
			c.segment(x, y, nx, ny, thick*math.Sin(math.Pi*(0.06+0.9*t)), v, 0.94)
			x, y = nx, ny
		}
	}
}
