package paint

import "math"

// paintSea is open water: rows of waves that grow toward the viewer, foam on
// their crests, and the path of the light.
func paintSea(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	horizon := h * (0.36 + 0.14*c.rng.Float64())
	sunX, sunY := w*(0.25+0.5*c.rng.Float64()), horizon*(0.45+0.4*c.rng.Float64())
	paintSky(c, horizon, sunX, sunY)

	sun := p.light()
	rows := 13
	for i := range rows {
		near := float64(i) / float64(rows-1)
		base := horizon + (h-horizon)*math.Pow(near, 1.7)*0.98
		swell := 0.004 + 0.036*near
		phase, size := c.rng.Float64()*20, 3+7*(1-near)
		crest := func(x float64) float64 {
			s := math.Sin(x*size+phase+0.9*c.noise.at(x*1.3, phase)) + 0.5*math.Sin(x*size*2.2-phase*1.3)
			return base - swell*(0.5*s+0.6*c.noise.fractal(x*2.2+phase, near*7, 3))
		}
		deep, light := p.at(0.5-0.44*near), p.at(0.74-0.42*near)
		foam := 0.0025 + 0.006*near
		c.below(0.06+0.14*near, crest, func(x, depth float64) rgb {
			v := light.over(deep, smooth(0, 0.05+0.12*near, depth))
			off := (x - sunX) / (0.07 + 0.22*near)
			path := math.Exp(-off * off)
			glint := c.noise.at(x*26*(1.3-near), (base+depth)*70*(1.2-near))
			v = v.screen(sun, path*smooth(-0.1, 0.7, glint)*0.75)
			white := smooth(foam, foam*0.3, depth) * smooth(-0.35, 0.5, c.noise.at(x*5+phase, near*11))
			return v.over(p.at(0.98), 0.7*white)
		})
	}
	if c.rng.IntN(3) > 0 {
		sail(c, w*(0.15+0.7*c.rng.Float64()), horizon+0.012+0.05*c.rng.Float64(), 0.05+0.05*c.rng.Float64())
	}
}

// sail is a small boat far out.
func sail(c *canvas, x, y, tall float64) {
	p := &c.palette
	c.within(x-tall, y-tall, x+tall, y, func(px, py int, qx, qy float64) {
		up := (y - qy) / tall // 0 at the water
		lean := x + 0.03*tall
		main := math.Max(lean-qx, qx-lean-0.48*tall*(1-up))
		jib := math.Max(qx-lean+0.03*tall, lean-0.34*tall*(0.86-up)-qx)
		if up > 0.16 {
			c.blend(px, py, p.at(0.99), c.edge(main))
			c.blend(px, py, p.at(0.88), c.edge(math.Max(jib, (up-0.84)*tall)))
		} else if up < 0.13 {
			c.blend(px, py, p.at(0.06), c.edge(math.Abs(qx-x)-tall*(0.3+0.9*up)))
		}
	})
}
