package paint

import "math"

// paintHills is a landscape: a sky with sun or moon, and ridges that fade into
// the mist; firs stand on the near ones.
func paintHills(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	horizon := h * (0.5 + 0.12*c.rng.Float64())
	sunX, sunY := w*(0.2+0.6*c.rng.Float64()), horizon*(0.38+0.42*c.rng.Float64())
	paintSky(c, horizon, sunX, sunY)

	sun := p.light()
	layers := 5 + c.rng.IntN(3)
	firs := c.rng.IntN(5) < 3
	for i := range layers {
		near := float64(i) / float64(layers-1)
		base := horizon + (h-horizon)*(0.04+0.86*math.Pow(near, 1.35))
		tall := (0.24 - 0.12*near) * (0.7 + 0.6*c.rng.Float64())
		shift, size := c.rng.Float64()*100, 1.1+1.3*(1-near)+0.6*c.rng.Float64()
		ridge := func(x float64) float64 {
			v := c.noise.fractal(x*size+shift, shift*1.7, 5)
			return base - tall*(0.42+0.75*v)
		}
		top, foot := p.at(0.66-0.6*near), p.at(0.8-0.62*near)
		if p.dark {
			top, foot = p.at(0.46-0.44*near), p.at(0.58-0.48*near)
		}
		c.below(0.22, ridge, func(x, depth float64) rgb {
			lit := 0.12 * (1 - near) / (1 + 6*(x-sunX)*(x-sunX))
			return top.over(foot, smooth(0, 0.22, depth)).screen(sun, lit)
		})
		if firs && near > 0.45 {
			plantFirs(c, ridge, near, p.at(0.16*(1-near)+0.02))
		}
	}
}

// paintSky is a gradient from zenith to horizon with a sun, or with a moon and
// stars at night, and a few streaks of cloud.
func paintSky(c *canvas, horizon, sunX, sunY float64) {
	p := &c.palette
	zenith, low := 0.42, 0.97
	if p.dark {
		zenith, low = 0.04, 0.62
	}
	c.shade(func(x, y float64) rgb {
		t := clamp(y / horizon)
		cloud := c.noise.fractal(x*0.9+31, y*4.2, 3)
		v := p.at(zenith + (low-zenith)*t*(1.18-0.18*t))
		return v.over(p.at(low), 0.28*smooth(0.1, 0.9, cloud)*(1-0.5*t))
	})
	if p.dark {
		scatterStars(c, 260, horizon)
	}
	light := p.light()
	radius := 0.055 + 0.05*c.rng.Float64()
	c.glow(sunX, sunY, radius*9, 0.45, light)
	c.glow(sunX, sunY, radius*3, 0.5, light)
	c.disc(sunX, sunY, radius, 0, 0.96, light.over(rgb{1, 1, 1}, 0.3))
}

// scatterStars puts stars above a height; a few of them shine.
func scatterStars(c *canvas, count int, above float64) {
	for range count {
		x, y := c.rng.Float64()*c.width(), c.rng.Float64()*above
		bright := math.Pow(c.rng.Float64(), 3)
		c.disc(x, y, 0.0012+0.0022*bright, 0.4, 0.35+0.6*bright, rgb{1, 0.98, 0.93})
		if bright > 0.75 {
			c.glow(x, y, 0.02, 0.5, rgb{0.9, 0.93, 1})
		}
	}
}

// plantFirs sets silhouettes of firs along a ridge, in loose groups.
func plantFirs(c *canvas, ridge func(float64) float64, near float64, v rgb) {
	size := 0.028 + 0.085*near*near
	for x := -size; x < c.width()+size; x += size * (0.16 + 0.34*c.rng.Float64()) {
		if c.noise.at(x*2.1+near*40, near*9) < -0.12 {
			continue
		}
		tall := size * (0.6 + 0.8*c.rng.Float64())
		fir(c, x, ridge(x)+0.012, tall, v)
	}
}

func fir(c *canvas, x, foot, tall float64, v rgb) {
	half := tall * 0.21
	c.within(x-half, foot-tall, x+half, foot, func(px, py int, qx, qy float64) {
		t := (qy - foot + tall) / tall // 0 at the tip
		if t < 0 {
			return
		}
		tier := math.Mod(t*5.2, 1)
		reach := half * (0.1 + 0.9*t) * (0.55 + 0.45*tier)
		if t > 0.93 {
			reach = half * 0.14
		}
		c.blend(px, py, v, c.edge(math.Abs(qx-x)-reach))
	})
}
