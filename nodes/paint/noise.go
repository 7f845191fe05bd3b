package paint

import (
	"math"
	"math/rand/v2"
)

// noise is gradient noise in the plane: smooth, from about -1 to 1.
type noise struct {
	order [512]uint8
	gx    [256]float64
	gy    [256]float64
}

func newNoise(rng *rand.Rand) *noise {
	n := &noise{}
	for i, v := range rng.Perm(256) {
		n.order[i], n.order[i+256] = uint8(v), uint8(v)
	}
	for i := range n.gx {
		n.gy[i], n.gx[i] = math.Sincos(float64(i) / 256 * 2 * math.Pi)
	}
	return n
}

func (n *noise) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx)&255, int(fy)&255
	x, y = x-fx, y-fy
	u, v := x*x*x*(x*(x*6-15)+10), y*y*y*(y*(y*6-15)+10)
	a, b := int(n.order[ix])+iy, int(n.order[(ix+1)&255])+iy
	g := func(i int, dx, dy float64) float64 {
		k := n.order[i&511]
		return n.gx[k]*dx + n.gy[k]*dy
	}
	top := g(a, x, y)*(1-u) + g(b, x-1, y)*u
	bottom := g(a+1, x, y-1)*(1-u) + g(b+1, x-1, y-1)*u
	return (top*(1-v) + bottom*v) * 1.5
}

// fractal adds octaves of noise, each of half the size and strength.
func (n *noise) fractal(x, y float64, octaves int) float64 {
	sum, size := 0.0, 1.0
	for range octaves {
		sum += n.at(x, y) * size
		x, y, size = x*2.03+17.1, y*2.03-9.7, size*0.5
	}
	return sum
}
