package figure

import "math"

func flatten(points []pt) []float64 {
	var out []float64
	for _, p := range points {
		out = append(out, p.x, -p.y)
	}
	return out
}

func starThing(t *thing) {
	t.slab(t.main, 0, 7, flatten(star(0, -20, 20, 0.46))...)
	t.slab(t.light(), 0, 9, flatten(star(0, -20, 11, 0.46))...)
}

func moonThing(t *thing) {
	var outline []pt
	for i := range 21 {
		s, c := sincos(60 + float64(i)*12)
		outline = append(outline, pt{c * 18, -20 + s*18})
	}
	k := t.part(t.main)
	n := len(outline)
	inner := make([]pt, n)
	for i := range inner {
		s, c := sincos(62 + float64(i)*11.8)
		inner[i] = pt{7 + c*14.6, -20 + s*15.6}
	}
	for i := range n - 1 {
		a, b, c, d := outline[i], outline[i+1], inner[i+1], inner[i]
		v := func(p pt, z float64) vec { return vec{p.x, -p.y, z} }
		t.quad(k, v(a, 3), v(d, 3), v(c, 3), v(b, 3))
		t.quad(k, v(a, -3), v(b, -3), v(c, -3), v(d, -3))
		t.quad(k, v(a, -3), v(a, 3), v(b, 3), v(b, -3))
		t.quad(k, v(d, 3), v(d, -3), v(c, -3), v(c, 3))
	}
}

func crystal(t *thing) {
	for i, v := range [][5]float64{{0, 0, 7, 40, 0}, {-9, 2, 4.6, 24, 16}, {9, 1, 5, 28, -14}, {3, 8, 3.6, 17, -8}, {-4, 8, 3.2, 14, 10}} {
		c := surface{t.main.lift(0.03 * float64(i%3)), t.material}
		t.placed(func(p vec) vec { return p.turnZ(v[4]).add(vec{v[0], 0, v[1]}) }, func() {
			t.lathe(c, 0, 0, 0, 6, v[2]*0.8, 0, v[2], v[3]*0.62, 0, v[3])
		})
	}
}

func book(t *thing) {
	t.box(t.dark(), 0, 0, 0, 26, 1.4, 34)
	t.box(t.of(0xf6f0e0), 1, 1.4, 0, 23, 5, 31)
	t.box(t.main, 0, 6.4, 0, 26, 1.4, 34)
	t.box(t.dark(), -12.6, 0, 0, 1.6, 7.8, 34)
	t.box(t.second, 1.5, 7.8, -6, 15, 0.4, 5)
	t.box(t.second, 1.5, 7.8, 8, 11, 0.4, 2)
	t.box(t.of(0xd8433f), 6, 4, 17, 2, 0.6, 6)
}

func ballThing(t *thing) {
	t.ball(t.main, 0, 18, 0, 18, 18, 18)
	for _, turn := range []float64{30, 90, 150} {
		t.placed(func(v vec) vec { return v.turnY(turn).add(vec{0, 18, 0}) }, func() { t.ring(t.second, 0, 0, 0, 17.3, 1.5) })
	}
}

func apple(t *thing) {
	t.lathe(t.main, 0, 0, 0, 0, 0, 2, 4, 0.4, 8, 1, 13, 7, 16, 15, 15.4, 23, 11, 28.6, 6, 29.4, 2.6, 27.6, 0, 25)
	t.rod(bark, vec{0, 25, 0}, vec{1.6, 34, 0}, 0.9)
	t.placed(func(v vec) vec { return v.turnZ(24).add(vec{6, 32.6, 0}) }, func() { t.ball(t.of(0x5fae57), 0, 0, 0, 5.4, 1.2, 2.6) })
}

func cup(t *thing) {
	t.lathe(t.main, 0, 0, 0, 0, 0, 0, 6.6, 0, 7.4, 1, 9, 10, 9.6, 18, 8.6, 18, 8, 12)
	t.lathe(t.of(0x7a4a2c), 0, 15.4, 0, 0, 8.4, 0, 0, 0.01)
	t.ring(t.main, 11, 10, 0, 4.6, 1.4)
	t.lathe(t.second, 0, 5, 0, 0, 8.2, 0, 8.5, 1.4, 8.9, 2.8)
}

func key(t *thing) {
	t.ring(t.main, 0, 38, 0, 7, 2)
	t.rod(t.main, vec{0, 31, 0}, vec{0, 2, 0}, 1.7)
	t.box(t.main, 3.6, 3, 0, 6.4, 3, 2.4)
	t.box(t.main, 2.8, 9, 0, 5, 2.6, 2.4)
	t.lathe(t.main, 0, 28, 0, 0, 0, 0, 3, 0, 3, 2, 0, 2)
	t.ball(t.second, 0, 38, 0, 2.6, 2.6, 2)
}

func sword(t *thing) {
	blade := surface{t.main.rgb, "metal"}
	if t.material != "plain" {
		blade.material = t.material
	}
	t.slab(blade, 0, 1.6, -2.8, 15, 2.8, 15, 2.6, 48, 0, 54, -2.6, 48)
	t.slab(surface{t.main.lift(-0.08), blade.material}, 0, 2, -0.7, 16, 0.7, 16, 0.4, 46, -0.4, 46)
	t.rod(surface{brass, "gold"}, vec{-9, 14, 0}, vec{9, 14, 0}, 1.7)
	t.rod(t.second, vec{0, 3, 0}, vec{0, 13, 0}, 1.7)
	t.ball(surface{brass, "gold"}, 0, 2, 0, 2.6, 2.6, 2.6)
}

func lantern(t *thing) {
	t.lathe(t.main, 0, 0, 0, 0, 0, 0, 9, 0, 9, 2, 7.4, 3, 0, 3)
	t.ball(lampLight, 0, 13, 0, 6.6, 9.4, 6.6)
	for i := range 4 {
		s, c := sincos(45 + float64(i)*90)
		t.rod(t.main, vec{c * 8, 2, s * 8}, vec{c * 8, 24, s * 8}, 0.8)
	}
	t.lathe(t.main, 0, 24, 0, 0, 0, 0, 10, 0, 3, 7, 2.4, 9, 0, 9)
	t.ring(t.main, 0, 36, 0, 4, 0.8)
}

func boxThing(t *thing) {
	t.box(t.main, 0, 0, 0, 30, 22, 24)
	t.box(t.light(), 0, 18.6, 0, 31.6, 5.4, 25.6)
	t.box(t.second, 0, -0.2, 0, 5, 24.6, 26.4)
	t.box(t.second, 0, -0.2, 0, 32, 24.6, 5)
	for _, s := range []float64{-1, 1} {
		t.placed(func(v vec) vec { return vec{v.x, v.y, v.z}.turnZ(s * -28).add(vec{s * 4, 26.6, 0}) }, func() { t.ball(t.second, 0, 0, 0, 4.6, 2.6, 2.4) })
	}
}

func mushroom(t *thing) {
	t.lathe(t.of(0xf6ecd8), 0, 0, 0, 0, 0, 0, 6, 0, 5, 8, 4.4, 16, 0, 16)
	t.lathe(t.main, 0, 15, 0, 0, 0, 1, 14, 0, 15.4, 3, 13, 9, 8, 14, 0, 16)
	for i := range 9 {
		s, c := math.Sincos(float64(i) * 2.4)
		r := 4 + float64(i*5%9)
		y := 31 - r*r*0.058
		t.ball(snow, c*r, y-0.4, s*r, 1.9, 1.1, 1.9)
	}
}

func clock(t *thing) {
	t.placed(func(v vec) vec { return v.turnX(90).add(vec{0, 19, 0}) }, func() {
		t.lathe(t.main, 0, -4, 0, 0, 0, 0, 18, 0, 18, 8, 0, 8)
		t.lathe(t.of(0xfdfbf4), 0, -4, 0, 0, 0, 0, 15, 0, 15, 8.6, 0, 8.6)
	})
	for i := range 12 {
		s, c := sincos(float64(i) * 30)
		t.ball(t.second, c*12.6, 19+s*12.6, 4.6, 1, 1, 0.5)
	}
	hour := float64(t.seed%12) * 30
	s, c := sincos(90 - hour)
	t.rod(rubber, vec{0, 19, 5}, vec{c * 7, 19 + s*7, 5}, 0.9)
	t.rod(rubber, vec{0, 19, 5.2}, vec{0, 30, 5.2}, 0.7)
	t.ball(t.second, 0, 19, 5.4, 1.5, 1.5, 1)
}

func shield(t *thing) {
	outline := []float64{-15, 40, 0, 43, 15, 40, 15, 22, 9, 8, 0, 0, -9, 8, -15, 22}
	t.slab(t.dark(), 0, 3, outline...)
	inner := make([]float64, len(outline))
	for i, v := range outline {
		inner[i] = v * 0.86
		if i%2 == 1 {
			inner[i] = 22 + (v-22)*0.86
		}
	}
	t.slab(t.main, 0.6, 3.4, inner...)
	t.slab(t.second, 2, 3.4, flatten(star(0, -24, 8.6, 0.46))...)
}

func potion(t *thing) {
	t.lathe(t.main, 0, 0, 0, 0, 0, 0, 9, 0, 14, 5, 15, 12, 12, 19, 5, 25, 4, 27)
	t.lathe(surface{glassPane.rgb, "glass"}, 0, 26, 0, 0, 4, 0, 4, 8, 5, 9, 5, 11, 0, 11)
	t.lathe(bark, 0, 36, 0, 0, 0, 0, 3.8, 0, 3.4, 5, 0, 5)
	for i := range 4 {
		s, c := math.Sincos(float64(i) * 1.9)
		t.ball(t.light(), c*6, 9+float64(i)*3, 12+s*2, 1.3, 1.3, 1.3)
	}
	t.box(t.of(0xf6f0e0), 0, 8, 14, 9, 6, 2)
}

func sphere(t *thing)   { t.ball(t.main, 0, 18, 0, 18, 18, 18) }
func cylinder(t *thing) { t.lathe(t.main, 0, 0, 0, 0, 0, 0, 13, 0, 13, 34, 0, 34) }
func cone(t *thing)     { t.lathe(t.main, 0, 0, 0, 0, 0, 0, 15, 0, 0, 36) }
func ringThing(t *thing) {
	t.ring(t.main, 0, 18, 0, 14, 4)
	t.ball(t.second, 0, 37, 0, 3.6, 3.6, 3.6)
}
func wedge(t *thing) { t.slab(t.main, 0, 18, -18, 0, 18, 0, 18, 24) }

func fence(t *thing) {
	for _, y := range []float64{7, 16} {
		t.box(t.dark(), 0, y, -0.8, 46, 2.6, 1.4)
	}
	for i := range 6 {
		x := -20 + float64(i)*8
		t.slab(t.main, 0.6, 1.6, x-2.6, 0, x+2.6, 0, x+2.6, 20, x, 24, x-2.6, 20)
	}
}

func blackboard(t *thing) {
	t.box(bark, 0, 14, 0, 46, 30, 2.4)
	t.box(t.of(0x2f6b54), 0, 16, 1, 42, 26, 1.2)
	t.box(bark, 0, 12.6, 2, 46, 1.6, 4)
	for _, x := range []float64{-18, 18} {
		t.box(bark, x, 0, -1, 2.6, 46, 2.4)
		t.box(bark, x, 0, 0, 2.6, 2, 16)
	}
	for i := range 3 {
		t.box(t.of(0xf2f5ee), -4-float64(i)*2, 36-float64(i)*6, 1.8, 26-float64(i)*4, 1, 0.4)
	}
}
