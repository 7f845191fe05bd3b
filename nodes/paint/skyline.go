package paint

import "math"

// paintSkyline is a town: three rows of houses against the sky, windows lit in
// the nearer ones, and their reflection in wet ground.
func paintSkyline(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	ground := h * 0.86
	paintSky(c, ground, w*(0.2+0.6*c.rng.Float64()), ground*(0.3+0.3*c.rng.Float64()))
	for row := range 3 {
		near := float64(row) / 2
		tone := p.at(0.5 - 0.46*near)
		if p.dark {
			tone = p.at(0.34 - 0.32*near)
		}
		for x := -0.1; x < w+0.1; {
			wide := 0.06 + 0.09*c.rng.Float64()
			rise := h * (0.2 + 0.36*c.rng.Float64()) * (1.15 - 0.45*near)
			rise *= 0.7 + 0.5*c.noise.at(x*0.9+near*13, 4)
			house(c, x, ground-rise, wide, rise, tone, near)
			x += wide * (0.8 + 0.35*c.rng.Float64())
		}
	}
	reflect(c, ground)
}

// house is a block with a roof and, when it is near, windows.
func house(c *canvas, x, y, wide, rise float64, tone rgb, near float64) {
	p := &c.palette
	c.within(x, y, x+wide, y+rise, func(px, py int, qx, qy float64) {
		side := c.edge(math.Max(math.Abs(qx-x-wide/2)-wide/2, y-qy))
		c.blend(px, py, tone.over(p.at(0.75), 0.18*smooth(0.3, 1, (qy-y)/rise)*(1-near)), side)
	})
	if c.rng.IntN(3) == 0 {
		c.segment(x+wide/2, y-0.05*(1+c.rng.Float64()), x+wide/2, y, 0.004, tone, 1)
	}
	if near == 0 {
		return
	}
	cell := 0.0135 + 0.004*near
	columns := int((wide - cell) / cell)
	for r := 1.0; r < rise/cell-1; r++ {
		for k := range columns {
			if c.rng.Float64() > 0.34 {
				continue
			}
			wx := x + (wide-float64(columns)*cell)/2 + float64(k)*cell + cell*0.22
			wy := y + r*cell
			light := p.accent.over(p.at(0.8), c.rng.Float64()*0.6)
			c.within(wx, wy, wx+cell*0.56, wy+cell*0.6, func(px, py int, qx, qy float64) {
				d := math.Max(math.Abs(qx-wx-cell*0.28)-cell*0.28, math.Abs(qy-wy-cell*0.3)-cell*0.3)
				c.blend(px, py, light, 0.85*c.edge(d))
			})
		}
	}
}

// reflect mirrors what stands above a line into the wet ground below it.
func reflect(c *canvas, ground float64) {
	p := &c.palette
	line := int(ground * c.unit)
	for py := line; py < c.h; py++ {
		depth := float64(py-line) / c.unit
		for px := range c.w {
			x := float64(px) / c.unit
			shift := c.noise.at(x*6, depth*90) * (0.002 + 0.05*depth) * c.unit
			sx := min(c.w-1, max(0, px+int(shift)))
			sy := max(0, line-1-int(float64(py-line)*1.6))
			v := c.get(sx, sy).over(p.at(0.03), 0.38+1.6*depth)
			c.put(px, py, v)
		}
	}
}
