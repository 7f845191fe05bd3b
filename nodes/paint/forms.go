package paint

import "math"

// paintForms is a poster of plain forms on a grid: quarter circles, discs,
// stripes and arcs, as printers composed them a century ago.
func paintForms(c *canvas) {
	p := &c.palette
	w, h := c.width(), c.height()
	paper := p.at(0.97)
	if p.dark {
		paper = p.at(0.04)
	}
	c.shade(func(x, y float64) rgb { return paper.scale(0.985 + 0.03*c.noise.fractal(x*5, y*5, 2)) })
	cells := 4 + c.rng.IntN(3)
	side := 1 / float64(cells)
	tones := []rgb{p.at(0.08), p.at(0.3), p.at(0.48), p.at(0.64), p.at(0.82), p.accent}
	columns, rows := int(w/side+0.01), int(h/side+0.01)
	for row := range rows {
		for column := range columns {
			x := (w-float64(columns)*side)/2 + float64(column)*side
			y := (h-float64(rows)*side)/2 + float64(row)*side
			back, front := c.rng.IntN(len(tones)), c.rng.IntN(len(tones)-1)
			if front >= back {
				front++
			}
			tile(c, x, y, side, tones[back], tones[front], tones[c.rng.IntN(len(tones))])
		}
	}
	radius := side * (0.5 + 0.45*c.rng.Float64())
	c.disc(w*(0.3+0.4*c.rng.Float64()), h*(0.3+0.4*c.rng.Float64()), radius, 0, 1, p.accent)
}

// tile fills one square of the grid with a form; some stay paper.
func tile(c *canvas, x, y, side float64, back, front, third rgb) {
	form := c.rng.IntN(8)
	if form == 7 {
		return
	}
	quarter := c.rng.IntN(4)
	cx, cy := x+side*float64(quarter%2), y+side*float64(quarter/2)
	c.within(x, y, x+side, y+side, func(px, py int, qx, qy float64) {
		if qx < x || qy < y || qx >= x+side || qy >= y+side {
			return
		}
		d, middle := math.Hypot(qx-cx, qy-cy), math.Hypot(qx-x-side/2, qy-y-side/2)
		c.put(px, py, back)
		switch form {
		case 0:
			c.blend(px, py, front, c.edge(d-side))
		case 1:
			c.blend(px, py, front, c.edge(middle-side*0.42))
			c.blend(px, py, third, c.edge(middle-side*0.18))
		case 2:
			for k := 3; k > 0; k-- {
				c.blend(px, py, []rgb{third, front, back, front}[k], c.edge(d-side*float64(k)/3))
			}
		case 3:
			stripe := math.Abs(math.Mod((qy-y)/side*4, 1)-0.5) - 0.25
			c.blend(px, py, front, c.edge(stripe*side/4))
		case 4:
			c.blend(px, py, front, c.edge((qx-x-(qy-y))*0.707*float64(1-2*(quarter%2))))
		case 5:
			c.blend(px, py, front, c.edge(math.Abs(qx-cx)-side/2))
		case 6:
			c.blend(px, py, front, c.edge(d-side)-c.edge(d-side*0.5))
		}
	})
}
