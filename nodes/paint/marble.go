package paint

import "math"

// paintMarble is poured paint: noise folded into itself, with veins and a
// sheen as if it were still wet.
func paintMarble(c *canvas) {
	p := &c.palette
	size := 0.8 + 0.7*c.rng.Float64()
	fold := 1.5 + 1.1*c.rng.Float64()
	veins := 5 + 5*c.rng.Float64()
	height := make([]float64, c.w*c.h)
	for py := range c.h {
		for px := range c.w {
			x, y := float64(px)/c.unit*size, float64(py)/c.unit*size
			ax, ay := c.noise.fractal(x, y, 2), c.noise.fractal(x+5.2, y+1.3, 2)
			bx, by := c.noise.at(x+fold*ax+1.7, y+fold*ay+9.2), c.noise.at(x+fold*ax+8.3, y+fold*ay+2.8)
			height[py*c.w+px] = c.noise.fractal(x+fold*bx, y+fold*by, 3) + 0.35*ax
		}
	}
	relief := 30.0 / size
	for py := range c.h {
		for px := range c.w {
			v := height[py*c.w+px]
			right, under := height[py*c.w+min(px+1, c.w-1)], height[min(py+1, c.h-1)*c.w+px]
			dx, dy := (right-v)*c.unit/relief, (under-v)*c.unit/relief
			col := p.at(0.5 + 0.48*math.Sin(v*2.6))
			vein := math.Pow(1-math.Abs(math.Sin(v*veins)), 7)
			col = col.over(p.accent, 0.42*vein)
			light := (0.75 - 0.55*dx - 0.7*dy) / math.Sqrt(1+dx*dx+dy*dy)
			col = col.scale(0.72 + 0.4*clamp(light))
			c.put(px, py, col.screen(rgb{1, 1, 1}, 0.5*math.Pow(clamp(light), 22)))
		}
	}
}
