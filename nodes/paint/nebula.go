package paint

import "math"

// paintNebula is deep space: clouds of gas from folded noise, dust lanes,
// stars, and now and then a planet.
func paintNebula(c *canvas) {
	p := &c.palette
	angle := c.rng.Float64() * math.Pi
	sin, cos := math.Sincos(angle)
	cx, cy := c.width()/2, c.height()/2
	c.shade(func(x, y float64) rgb {
		u, v := (x-cx)*cos+(y-cy)*sin, (y-cy)*cos-(x-cx)*sin
		fx := c.noise.fractal(u*1.5, v*1.5, 3)
		fy := c.noise.fractal(u*1.5+5.2, v*1.5+1.3, 3)
		gas := c.noise.fractal(u*1.2+1.5*fx, v*1.9+1.5*fy, 4)
		band := math.Exp(-math.Pow(v*1.7+0.35*fx, 2))
		light := band * smooth(-0.75, 1.1, gas)
		dust := smooth(0.15, 0.75, fy+0.3*gas) * band
		col := p.at(0.03 + 0.9*light)
		return col.screen(p.accent, 0.4*light*light).over(p.at(0.02), 0.55*dust)
	})
	scatterStars(c, 900, c.height())
	for range 4 + c.rng.IntN(4) {
		sparkle(c, c.rng.Float64()*c.width(), c.rng.Float64()*c.height(), 0.02+0.03*c.rng.Float64())
	}
	if c.rng.IntN(2) == 0 {
		planet(c, c.width()*(0.2+0.6*c.rng.Float64()), c.height()*(0.25+0.5*c.rng.Float64()), 0.09+0.11*c.rng.Float64())
	}
}

// sparkle is a bright star with four rays.
func sparkle(c *canvas, x, y, size float64) {
	white := rgb{1, 0.97, 0.92}
	c.glow(x, y, size*1.6, 0.6, c.palette.accent)
	c.within(x-size, y-size, x+size, y+size, func(px, py int, qx, qy float64) {
		dx, dy := math.Abs(qx-x)/size, math.Abs(qy-y)/size
		ray := math.Max(0, 1-math.Max(dx, dy)) * math.Exp(-60*math.Min(dx, dy))
		c.put(px, py, c.get(px, py).screen(white, ray*ray))
	})
	c.disc(x, y, size*0.09, 0.3, 1, white)
}

// planet is a banded sphere lit from one side, with a ring half of the time.
func planet(c *canvas, x, y, radius float64) {
	p := &c.palette
	tilt := c.rng.Float64()*1.2 - 0.6
	sin, cos := math.Sincos(tilt)
	shift := c.rng.Float64() * 50
	ring := c.rng.IntN(2) == 0
	drawRing := func(front bool) {
		c.within(x-radius*2.2, y-radius*2.2, x+radius*2.2, y+radius*2.2, func(px, py int, qx, qy float64) {
			u, v := ((qx-x)*cos+(qy-y)*sin)/radius, ((qy-y)*cos-(qx-x)*sin)/radius
			d := math.Hypot(u, v/0.28)
			if (v > 0) != front || d < 1.35 || d > 2.1 {
				return
			}
			grain := 0.5 + 0.5*c.noise.at(d*14+shift, 3)
			c.blend(px, py, p.at(0.6+0.35*grain), (0.25+0.6*grain)*smooth(1.35, 1.42, d)*smooth(2.1, 2.02, d))
		})
	}
	if ring {
		drawRing(false)
	}
	c.within(x-radius, y-radius, x+radius, y+radius, func(px, py int, qx, qy float64) {
		u, v := ((qx-x)*cos+(qy-y)*sin)/radius, ((qy-y)*cos-(qx-x)*sin)/radius
		d := math.Hypot(u, v)
		if d > 1.03 {
			return
		}
		z := math.Sqrt(math.Max(0, 1-d*d))
		bands := c.noise.fractal(u*0.8+shift, v*5+0.5*c.noise.at(u*3, v*3+shift), 4)
		lit := clamp(0.08 + 0.95*(-0.6*u-0.45*v+0.66*z))
		col := p.at(0.35+0.35*bands+0.2).scale(lit).screen(p.accent, 0.25*math.Pow(1-z, 3)*lit)
		c.blend(px, py, col, c.edge((d-1)*radius))
	})
	if ring {
		drawRing(true)
	}
}
