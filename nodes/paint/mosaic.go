package paint

import "math"

// paintMosaic is leaded glass: cells of a Voronoi diagram on a jittered grid,
// each a pane with its own tone and a soft light.
func paintMosaic(c *canvas) {
	p := &c.palette
	cell := 0.06 + 0.06*c.rng.Float64()
	columns, rows := int(c.width()/cell)+5, int(c.height()/cell)+5
	type pane struct{ x, y, tone, tilt float64 }
	panes := make([]pane, columns*rows)
	for i := range panes {
		x := (float64(i%columns) - 2 + 0.12 + 0.76*c.rng.Float64()) * cell
		y := (float64(i/columns) - 2 + 0.12 + 0.76*c.rng.Float64()) * cell
		tone := 0.52 + 0.5*c.noise.fractal(x*1.3, y*1.3, 2) + 0.09*c.rng.NormFloat64()
		panes[i] = pane{x, y, math.Max(0.08, math.Min(0.97, tone)), c.rng.Float64() * 2 * math.Pi}
		if c.rng.IntN(24) == 0 {
			panes[i].tone = 2 // the accent
		}
	}
	lightX, lightY := c.width()*c.rng.Float64(), c.height()*0.3*c.rng.Float64()
	lead := 0.0028
	c.shade(func(x, y float64) rgb {
		column, row := int(x/cell)+2, int(y/cell)+2
		best, second := 1e9, 1e9
		var mine, other pane
		for j := max(0, row-2); j <= min(rows-1, row+2); j++ {
			for i := max(0, column-2); i <= min(columns-1, column+2); i++ {
				q := panes[j*columns+i]
				d := (q.x-x)*(q.x-x) + (q.y-y)*(q.y-y)
				if d < best {
					best, second, mine, other = d, best, q, mine
				} else if d < second {
					second, other = d, q
				}
			}
		}
		toBorder := (second - best) / (2 * math.Hypot(mine.x-other.x, mine.y-other.y))
		v := p.at(mine.tone)
		if mine.tone > 1 {
			v = p.accent
		}
		sin, cos := math.Sincos(mine.tilt)
		facet := ((x-mine.x)*cos + (y-mine.y)*sin) / cell
		v = v.scale(0.93+0.2*facet).screen(rgb{1, 1, 1}, 0.16*math.Exp(-2.2*math.Hypot(x-lightX, y-lightY)))
		v = v.screen(rgb{1, 1, 1}, 0.13*smooth(lead*3.4, lead*1.4, toBorder))
		return v.over(p.at(0), c.edge(toBorder-lead)*0.93)
	})
}
