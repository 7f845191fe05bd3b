package figure

import "math"

var (
	glassPane = surface{rgb: hex(0xa9dcf0)}
	rubber    = surface{rgb: hex(0x3a3842)}
	bark      = surface{rgb: hex(0x85573a), material: "wood"}
	lampLight = surface{rgb: hex(0xffe28a), material: "light"}
	snow      = surface{rgb: hex(0xf7f9fb)}
	grey      = surface{rgb: hex(0xb9bec7)}
)

func house(t *thing) {
	t.box(t.light(), 0, 0, 0, 30, 20, 24)
	t.slab(t.second, 0, 28, -18, 19, 18, 19, 0, 34)
	t.box(t.dark(), 8, 24, -4, 4, 12, 4)
	t.box(t.of(0x8a5a3a), 0, 0, 12.2, 6, 11, 1)
	t.ball(surface{rgb: brass}, 2, 5.5, 13, 0.6, 0.6, 0.6)
	for _, x := range []float64{-9.5, 9.5} {
		t.box(t.of(0xf7f6f2), x, 7, 12.2, 6.6, 7.6, 0.8)
		t.box(glassPane, x, 8, 12.5, 4.8, 5.6, 0.8)
	}
	for _, s := range []float64{-1, 1} {
		t.box(glassPane, s*15.2, 8, 0, 0.8, 5.6, 6)
	}
}

func tower(t *thing) {
	t.lathe(t.main, 0, 0, 0, 0, 0, 0, 9.4, 0, 8, 34, 10, 36, 10, 40, 0, 40)
	t.lathe(t.second, 0, 40, 0, 0, 0, 0, 11.4, 0, 0, 17)
	t.rod(grey, vec{0, 56, 0}, vec{0, 63, 0}, 0.4)
	t.slab(t.second, 0, 0.5, 0, 63, 6, 61, 0, 59)
	t.box(t.of(0x6e4a32), 0, 0, 8.6, 5.6, 9, 2)
	for i, y := range []float64{16, 26} {
		t.box(glassPane, float64(i*2-1)*2, y, 8.2, 3, 5, 1.4)
	}
}

func castle(t *thing) {
	wall := t.main
	t.box(wall, 0, 0, 0, 36, 18, 26)
	for i := range 6 {
		t.box(wall, -15+float64(i)*6, 18, 12, 3.2, 3.4, 2)
	}
	for _, x := range []float64{-19, 19} {
		for _, z := range []float64{-13, 13} {
			t.lathe(wall, x, 0, z, 0, 0, 0, 5.6, 0, 5.2, 24, 6.2, 25, 6.2, 28, 0, 28)
			t.lathe(t.second, x, 28, z, 0, 0, 0, 7, 0, 0, 13)
		}
	}
	t.lathe(t.light(), 0, 18, -3, 0, 0, 0, 7, 0, 6.6, 18, 7.8, 19, 7.8, 22, 0, 22)
	t.lathe(t.second, 0, 40, -3, 0, 0, 0, 8.8, 0, 0, 15)
	t.slab(t.of(0x6e4a32), 13.2, 1, -4.4, 0, 4.4, 0, 4.4, 7, 2.8, 10.4, 0, 11.6, -2.8, 10.4, -4.4, 7)
	for _, x := range []float64{-10, 10} {
		t.box(glassPane, x, 8, 13.2, 3, 5, 0.6)
	}
}

func tree(t *thing) {
	t.lathe(bark, 0, 0, 0, 0, 4.6, 0, 2.9, 4, 2.4, 20, 0, 22)
	r := dice(t.seed, "crown")
	t.ball(t.main, 0, 30, 0, 12, 11, 12)
	for i := range 7 {
		s, c := math.Sincos(float64(i)*2*math.Pi/7 + r.Float64()*0.4)
		t.ball(t.main, c*9, 25+r.Float64()*5, s*9, 7.2, 6.8, 7.2)
	}
	if t.seed%3 == 0 {
		for i := range 9 {
			s, c := math.Sincos(float64(i) * 2.4)
			t.ball(t.of(0xe2574e), c*13.5, 24+float64(i*7%13), s*13.5, 1.4, 1.4, 1.4)
		}
	}
}

func pine(t *thing) {
	t.lathe(bark, 0, 0, 0, 0, 3, 0, 2.4, 10, 0, 10)
	for i := range 4 {
		k := float64(i)
		t.lathe(surface{t.main.lift(0.02 * k), t.material}, 0, 7+k*8.6, 0, 0, 0, 2, 15-k*3.1, 0, 14.6-k*3.1, 1.2, 0, 15)
	}
}

func bush(t *thing) {
	for i, v := range [][4]float64{{-8, 6, 0, 7.4}, {8, 6, 1, 7.4}, {0, 9, -2, 9}, {0, 6, 6, 7}, {-4, 10, 3, 6}, {5, 10, 2, 6}} {
		t.ball(surface{t.main.lift(0.015 * float64(i%3)), t.material}, v[0], v[1], v[2], v[3], v[3]*0.9, v[3])
	}
	for i := range 7 {
		s, c := math.Sincos(float64(i) * 2.4)
		t.ball(t.second, c*9, 8+float64(i*5%7), 4+s*7, 1.3, 1.3, 1.3)
	}
}

func flower(t *thing) {
	stem := t.of(0x4e9a4a)
	t.rod(stem, vec{0, 0, 0}, vec{0, 26, 0}, 0.9)
	for _, s := range []float64{-1, 1} {
		t.placed(func(v vec) vec { return v.turnZ(s * -38).add(vec{s * 4, 9 + s, 0}) }, func() { t.ball(stem, 0, 0, 0, 5.4, 1.6, 2.6) })
	}
	for i := range 6 {
		t.placed(func(v vec) vec { return v.turnZ(float64(i) * 60).add(vec{0, 31, 0}) }, func() { t.ball(t.main, 6.4, 0, 0, 4.6, 3.2, 1.8) })
	}
	t.ball(t.of(0xf5cf45), 0, 31, 1, 3.8, 3.8, 2.8)
}

func rock(t *thing) {
	r := dice(t.seed, "rock")
	k := t.part(surface{t.main.rgb, "stone"})
	n, m := 9, 5
	point := func(i, j int) vec {
		i %= n
		h := float64((i*31+j*17+int(t.seed%97))%11)/11*0.3 + 0.85
		if j == 0 || j == m {
			h = 0.9
		}
		sa, ca := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		sb, cb := math.Sincos(math.Pi * (float64(j)/float64(m) - 0.5))
		return vec{ca * cb * 16 * h, math.Max(0, 8+sb*11*h), sa * cb * 12 * h}
	}
	for i := range n {
		for j := range m {
			t.quad(k, point(i, j), point(i, j+1), point(i+1, j+1), point(i+1, j))
		}
	}
	t.ball(surface{t.main.lift(-0.05), "stone"}, 15+r.Float64()*3, 2.4, 6, 4, 3, 3.4)
}

func mountain(t *thing) {
	for i, v := range [][4]float64{{0, 0, 24, 44}, {-18, 6, 15, 26}, {17, 5, 16, 30}} {
		c := surface{t.main.lift(0.02 * float64(i)), "stone"}
		t.lathe(c, v[0], 0, v[1], 7, v[2], 0, v[2]*0.3, v[3]*0.7)
		t.lathe(snow, v[0], v[3]*0.7, v[1], 7, v[2]*0.33, -0.6, 0, v[3]*0.3)
	}
}

func table(t *thing) {
	t.box(t.main, 0, 20, 0, 40, 2.6, 24)
	for _, x := range []float64{-17, 17} {
		for _, z := range []float64{-9, 9} {
			t.box(t.dark(), x, 0, z, 3, 20, 3)
		}
	}
}

func chair(t *thing) {
	t.box(t.main, 0, 14, 0, 18, 2.4, 18)
	for _, x := range []float64{-7.4, 7.4} {
		for _, z := range []float64{-7.4, 7.4} {
			t.box(t.dark(), x, 0, z, 2.4, 14, 2.4)
		}
		t.box(t.dark(), x, 16, -7.6, 2.4, 18, 2.2)
	}
	for _, y := range []float64{22, 29} {
		t.box(t.main, 0, y, -7.6, 16, 4.2, 1.6)
	}
	t.box(t.second, 0, 16.4, 1, 15, 1.6, 14)
}

func lamp(t *thing) {
	t.lathe(t.dark(), 0, 0, 0, 0, 0, 0, 8, 0, 8, 1.6, 2, 2.6, 0, 2.6)
	t.rod(t.dark(), vec{0, 2, 0}, vec{0, 26, 0}, 1)
	t.ball(lampLight, 0, 27, 0, 3.4, 4, 3.4)
	t.lathe(t.main, 0, 24, 0, 0, 11, 0, 6, 13)
}

func bed(t *thing) {
	t.box(t.of(0xa5713f), 0, 4, 0, 28, 5, 42)
	t.box(t.of(0xf7f6f2), 0, 9, 0, 26.4, 4, 40)
	t.box(t.main, 0, 9.4, 6, 28, 5, 30)
	t.box(t.second, 0, 9.6, -9, 28.4, 5.2, 4)
	t.box(t.of(0xfdfdfb), 0, 13, -15, 17, 3.4, 8)
	t.box(bark, 0, 0, -21, 30, 24, 2.6)
	t.box(bark, 0, 0, 21, 30, 13, 2.6)
}

func bookshelf(t *thing) {
	t.box(t.dark(), 0, 0, -5, 34, 46, 1.6)
	for _, x := range []float64{-17, 17} {
		t.box(t.main, x, 0, 0, 2, 46, 11)
	}
	r := dice(t.seed, "books")
	for i := range 4 {
		y := float64(i) * 14.6
		t.box(t.main, 0, y, 0, 35.6, 2, 11)
		if i == 3 {
			break
		}
		for x := -15.2; x < 13.6; {
			w := 2.2 + 1.8*r.Float64()
			h := 7.6 + 3.6*r.Float64()
			if r.IntN(9) > 0 {
				t.box(t.of(brights[r.IntN(len(brights))]), x+w/2, y+2, 0.5, w-0.3, h, 7.6)
			}
			x += w
		}
	}
}

func wheel(t *thing, x, y, z, r, wide float64) {
	t.placed(func(v vec) vec { return v.turnX(90).add(vec{x, y, z}) }, func() {
		t.lathe(rubber, 0, -wide/2, 0, 0, 0, 0, r, 0, r, wide, 0, wide)
		t.lathe(grey, 0, -wide/2-0.2, 0, 0, 0, 0, r*0.55, 0, r*0.55, wide+0.4, 0, wide+0.4)
	})
}

func car(t *thing) {
	t.slab(t.main, 0, 20, -24, 5, 24, 5, 24.6, 12, 17, 14, -22, 14.6, -24.6, 11)
	t.slab(t.light(), 0, 17, -15, 14, 12, 14, 6, 23.4, -10, 23.4)
	for _, s := range []float64{-1, 1} {
		t.slab(glassPane, s*8.4, 0.8, -12.4, 15, -2, 15, -2, 22, -9, 22)
		t.slab(glassPane, s*8.4, 0.8, -0.6, 15, 9.6, 15, 5, 22, -0.6, 22)
		for _, x := range []float64{-14, 14} {
			wheel(t, x, 5, s*9.4, 5, 3)
		}
		t.ball(lampLight, 24.4, 9.4, s*6.6, 0.8, 1.7, 1.7)
		t.ball(t.of(0xd8433f), -24.4, 10, s*6.6, 0.7, 1.3, 1.6)
	}
	t.slab(glassPane, 0, 14, 12.4, 14.4, 6.6, 22.8, 6.2, 22.6, 11.6, 14.2)
}

func bus(t *thing) {
	t.box(t.main, 0, 5, 0, 54, 22, 18)
	t.box(t.light(), 0, 27, 0, 52, 1.8, 16.6)
	t.box(t.second, 0, 10, 0, 54.6, 3, 18.6)
	for _, s := range []float64{-1, 1} {
		for i := range 5 {
			t.box(glassPane, -20+float64(i)*9.4, 15.6, s*9, 7.4, 8, 0.9)
		}
		for _, x := range []float64{-17, 17} {
			wheel(t, x, 5, s*8, 5, 3)
		}
		t.ball(lampLight, 27.2, 8, s*6, 0.8, 1.5, 1.5)
	}
	t.box(glassPane, 27, 14.6, 0, 0.9, 9.6, 14.6)
}

func bicycle(t *thing) {
	for _, x := range []float64{-15, 15} {
		t.ring(rubber, x, 11, 0, 10, 1)
		for i := range 6 {
			s, c := math.Sincos(float64(i) * math.Pi / 6)
			t.rod(grey, vec{x - c*9.4, 11 - s*9.4, 0}, vec{x + c*9.4, 11 + s*9.4, 0}, 0.22)
		}
	}
	a, b, c, d := vec{-15, 11, 0}, vec{-6, 25, 0}, vec{11, 26, 0}, vec{-2, 10.6, 0}
	for _, line := range [][2]vec{{a, b}, {b, c}, {b, d}, {d, c}, {a, d}, {c, {15, 11, 0}}, {c, {10, 31, 0}}} {
		t.rod(t.main, line[0], line[1], 1.05)
	}
	t.rod(rubber, vec{10, 31, -8}, vec{10, 31, 8}, 0.9)
	t.rod(grey, b, vec{-7, 28.4, 0}, 0.8)
	t.ball(t.second, -7, 29.4, 0, 4.4, 1.3, 2.4)
	t.rod(grey, vec{-2, 10.6, -4}, vec{-2, 10.6, 4}, 0.8)
}

func boat(t *thing) {
	t.slab(t.main, 0, 14, -18, 9, -13, 0, 13, 0, 22, 9)
	t.slab(t.light(), 0, 15, -18.6, 9, -18, 7, 20.6, 7, 22.8, 9)
	t.rod(bark, vec{0, 8, 0}, vec{0, 46, 0}, 0.9)
	t.slab(t.of(0xf7f4ea), 0, 0.7, 1.6, 13, 16, 13, 1.6, 44)
	t.slab(t.second, 0, 0.7, -1.6, 13, -11, 13, -1.6, 36)
	t.slab(t.second, 0, 0.5, 0, 46, 6, 44.4, 0, 42.6)
}

func rocket(t *thing) {
	t.lathe(t.of(0xf4f4f2), 0, 6, 0, 0, 5, 0, 8, 4, 9, 14, 8.4, 24, 6, 33, 5.6, 33)
	t.lathe(t.main, 0, 38, 0, 0, 5.8, 0, 3.8, 6, 0, 11)
	t.lathe(grey, 0, 2, 0, 0, 0, 0, 4.6, 0, 3.4, 4.4, 0, 4.4)
	for i := range 4 {
		t.placed(func(v vec) vec { return v.turnY(float64(i)*90 + 45) }, func() { t.slab(t.main, 0, 1.4, 6, 8, 15, 0, 15.6, 6, 8.4, 20) })
	}
	t.placed(func(v vec) vec { return v.add(vec{0, 26, 8.2}) }, func() {
		t.ball(t.second, 0, 0, 0, 3.8, 3.8, 1.4)
		t.ball(glassPane, 0, 0, 0.9, 2.6, 2.6, 1)
	})
	t.lathe(surface{rgb: hex(0xf5a43c), material: "light"}, 0, -8, 0, 0, 0, 0, 2.6, 6, 3, 10)
}

func aeroplane(t *thing) {
	t.placed(func(v vec) vec { return v.turnZ(-90).add(vec{-26, 12, 0}) }, func() {
		t.lathe(t.main, 0, 0, 0, 0, 0, 0, 2, 1.6, 5, 14, 5.8, 28, 5.4, 42, 3.4, 50, 0, 53)
	})
	flat := func(y float64, outline ...float64) {
		t.placed(func(v vec) vec { return v.turnX(-90).add(vec{0, y, 0}) }, func() { t.slab(t.second, 0, 1.4, outline...) })
	}
	flat(11, 12, -4, 2, -4, -10, -30, -3, -30)
	flat(11, 12, 4, -3, 30, -10, 30, 2, 4)
	flat(14, -18, -2, -24, -12, -27, -12, -26, 2)
	flat(14, -18, 2, -26, -2, -27, 12, -24, 12)
	t.slab(t.second, 0, 1.4, -19, 15, -25, 15, -29, 26, -25, 26)
	t.slab(glassPane, 0, 7.4, 14, 16.2, 21, 14.4, 18, 18.2, 13, 18.6)
	for _, s := range []float64{-1, 1} {
		for i := range 5 {
			t.ball(glassPane, -10+float64(i)*5, 14, s*5, 1.3, 1.3, 0.9)
		}
	}
}

func planet(t *thing) {
	t.ball(t.main, 0, 20, 0, 15, 15, 15)
	t.placed(func(v vec) vec { return vec{v.x, v.y * 0.16, v.z}.turnX(-14).turnZ(16).add(vec{0, 20, 0}) }, func() {
		t.placed(func(v vec) vec { return v.turnX(90) }, func() { t.ring(t.second, 0, 0, 0, 23, 3) })
	})
	for i, y := range []float64{-7, 2, 8} {
		r := math.Sqrt(15.2*15.2 - y*y)
		t.lathe(surface{t.main.lift(0.06 - 0.07*float64(i%2)), t.material}, 0, 20+y, 0, 0, r, -1.4, r+0.15, 0, r-0.3*y/8, 1.4)
	}
}
