package paint

import "math"

// paintBlossoms is a bed of flowers seen from above, in three depths.
func paintBlossoms(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	base := 0.9
	if p.dark {
		base = 0.06
	}
	c.shade(func(x, y float64) rgb {
		return p.at(base + (0.5-base)*0.3*(0.5+c.noise.fractal(x*1.2, y*1.2, 3)))
	})
	for range int(60 * w * h) {
		leaf(c, c.rng.Float64()*w, c.rng.Float64()*h, 0.07+0.1*c.rng.Float64(), p.at(0.08+0.3*c.rng.Float64()))
	}
	for depth := range 3 {
		count := []int{34, 26, 16}[depth]
		for range int(float64(count) * w * h) {
			size := (0.045 + 0.03*float64(depth)) * (0.7 + 0.8*c.rng.Float64())
			flower(c, c.rng.Float64()*w, c.rng.Float64()*h, size, p.at(0.4+0.2*float64(depth)+0.22*c.rng.Float64()))
		}
	}
}

// leaf is a pointed leaf with a middle rib.
func leaf(c *canvas, x, y, long float64, v rgb) {
	sin, cos := math.Sincos(c.rng.Float64() * 2 * math.Pi)
	c.within(x-long, y-long, x+long, y+long, func(px, py int, qx, qy float64) {
		u, s := (qx-x)*cos+(qy-y)*sin, (qy-y)*cos-(qx-x)*sin
		t := u/long*0.5 + 0.5
		if t <= 0 || t >= 1 || math.Abs(s) > 0.21*long {
			return
		}
		half := 0.2 * long * math.Sin(math.Pi*t*(1.2-0.2*t))
		tone := v.scale(0.9 + 0.3*smooth(-half, half, s))
		tone = tone.over(c.palette.at(0.7), 0.3*c.edge(math.Abs(s)-0.004))
		c.blend(px, py, tone, 0.92*c.edge(math.Abs(s)-half))
	})
}

// flower has two rings of petals, shaded toward the middle, over a soft shadow.
func flower(c *canvas, x, y, size float64, v rgb) {
	petals := float64(5 + c.rng.IntN(5))
	turn := c.rng.Float64() * 2 * math.Pi
	slim := 0.7 * c.rng.Float64() // how pointed the petals are
	c.disc(x+size*0.12, y+size*0.2, size*1.25, 0.6, 0.26, c.palette.at(0.02))
	ring := func(reach, shift, lift float64) {
		c.within(x-reach, y-reach, x+reach, y+reach, func(px, py int, qx, qy float64) {
			d := math.Hypot(qx-x, qy-y)
			if d > reach+1/c.unit {
				return
			}
			a := math.Atan2(qy-y, qx-x)
			wave := math.Abs(math.Cos((a + turn + shift) * petals / 2))
			border := reach * (0.34 + 0.66*(slim*wave+(1-slim)*math.Sqrt(wave)))
			t := d / border
			tone := v.scale(0.68 + 0.36*smooth(0, 1, t) + lift)
			tone = tone.scale(1-0.16*math.Pow(1-wave, 2)).screen(rgb{1, 1, 1}, 0.14*smooth(0.6, 1, t))
			c.blend(px, py, tone, c.edge((d-border)*0.8))
		})
	}
	ring(size, 0, 0)
	ring(size*0.66, math.Pi/petals, 0.1)
	heart := c.palette.accent
	c.disc(x, y, size*0.2, 0, 1, heart.scale(0.82))
	for i := range 16 {
		s, co := math.Sincos(float64(i) * 2.39996)
		r := size * 0.18 * math.Sqrt(float64(i)/16)
		c.disc(x+co*r, y+s*r, size*0.032, 0.3, 0.9, heart.screen(rgb{1, 1, 1}, 0.3))
	}
}
