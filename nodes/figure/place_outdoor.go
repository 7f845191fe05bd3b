package figure

import "math"

// leaf is the color of what grows, by the season.
func (l *place) leaf() rgb {
	switch l.a["season"] {
	case "spring":
		return hex(0x8ecb62)
	case "autumn":
		return hex(0xd98a3c)
	case "winter":
		return hex(0xe3ebf0)
	}
	return hex(0x63ad55)
}

func (l *place) grass() rgb {
	switch l.a["season"] {
	case "spring":
		return hex(0x9bd46c)
	case "autumn":
		return hex(0xb9b25e)
	case "winter":
		return hex(0xeef3f6)
	}
	return hex(0x7cc05f)
}

// ridge is a rolling line of land down to the bottom.
func (l *place) ridge(c rgb, y, tall, size float64) {
	shift := l.rng.Float64() * 10
	points := at(-6, 108)
	for i := range 13 {
		x := -6 + float64(i)*(l.w+12)/12
		points = append(points, pt{x, y - tall*(0.5+0.5*math.Sin(x*size+shift)+0.25*math.Sin(x*size*2.3+shift*2))})
	}
	l.p.blob(bare(c), append(points, pt{l.w + 6, 108}))
}

// floor is even ground from a height to the bottom.
func (l *place) floor(c rgb, y float64) {
	l.p.box(bare(c), -2, y, l.w+4, 102-y, 0)
}

func (l *place) trees(shape string, y, size, step float64, from, to float64) {
	for x := from; x < to; x += step * (0.7 + 0.6*l.rng.Float64()) {
		tint := l.leaf().lift(0.06 * (l.rng.Float64() - 0.5))
		if shape == "pine" && !l.winter() {
			tint = hex(0x3c8a63).lift(0.06 * (l.rng.Float64() - 0.5))
		}
		if shape == "tree" && l.a["season"] == "spring" && l.rng.IntN(3) == 0 {
			tint = hex(0xf3b3c8)
		}
		l.prop(shape, x, y+l.rng.Float64()*2, size*(0.85+0.3*l.rng.Float64()), "front", tint.String(), "")
	}
}

// tufts are grass and flowers in front.
func (l *place) tufts(y float64, count int) {
	for range count {
		x, y := l.rng.Float64()*l.w, y+l.rng.Float64()*(99-y)
		k := 0.5 + (y-60)/50
		for _, d := range []float64{-0.7, 0, 0.7} {
			l.p.stroke(l.grass().lift(-0.1), 0.8, 0.3*k, at(x, y, x+d*k, y-1.7*k))
		}
		if l.a["season"] == "spring" || l.a["season"] == "summer" {
			if l.rng.IntN(3) == 0 {
				c := hex(brights[l.rng.IntN(len(brights))]).lift(0.1)
				for i := range 5 {
					s, co := math.Sincos(float64(i) * 1.257)
					l.p.soft(c, 1, x+co*0.6*k, y-2*k+s*0.6*k, 0.48*k, 0.48*k)
				}
				l.p.soft(hex(0xfff0a8), 1, x, y-2*k, 0.4*k, 0.4*k)
			}
		}
	}
}

func (l *place) path(c rgb, x float64) {
	l.p.blob(bare(c), at(x-2, 66, x+2, 66, x+7, 78, x+3, 90, x+18, 104, x-20, 104, x-10, 90, x-3, 78))
}

func meadow(l *place) {
	l.ridge(l.grass().mix(hex(0xa8c8dc), 0.5), 60, 10, 0.045)
	l.ridge(l.grass().mix(hex(0xa8c8dc), 0.2), 66, 8, 0.06)
	l.trees("tree", 68, 13, 26, 8, l.w)
	l.ridge(l.grass(), 73, 3, 0.05)
	l.tufts(76, 60)
}

func forest(l *place) {
	l.ridge(l.grass().mix(hex(0x7a9a8c), 0.5), 58, 4, 0.05)
	l.trees("pine", 66, 30, 11, 0, l.w+4)
	l.floor(l.grass().lift(-0.08), 65)
	l.trees("tree", 72, 36, 30, 4, l.w)
	l.ridge(l.grass().lift(-0.03), 75, 2, 0.07)
	l.tufts(78, 45)
	for _, x := range []float64{2, l.w - 2} {
		l.trees("tree", 92, 66, 40, x, x+1)
	}
	l.prop("mushroom", l.w*0.2, 95, 6, "front", "", "")
	l.prop("rock", l.w*0.82, 96, 8, "three-quarter", "", "")
}

func beach(l *place) {
	sea := hex(0x3fa8c8)
	l.floor(sea.mix(hex(0x9fd8e8), 0.4), 56)
	for i := range 6 {
		y := 57 + float64(i)*2.4
		l.p.stroke(hex(0xffffff), 0.35, 0.3, at(l.rng.Float64()*l.w, y, l.rng.Float64()*l.w, y+0.4))
	}
	l.prop("boat", l.w*(0.2+0.6*l.rng.Float64()), 62, 15, "front", "", "")
	sand := hex(0xf0dbaa)
	if l.winter() {
		sand = hex(0xe9eaea)
	}
	l.p.blob(bare(hex(0xffffff)), at(-6, 73.6, l.w*0.3, 70.4, l.w*0.6, 73.4, l.w+6, 69.6, l.w+6, 110, -6, 110))
	l.p.blob(bare(sand), at(-6, 75, l.w*0.3, 71.8, l.w*0.6, 74.8, l.w+6, 71, l.w+6, 110, -6, 110))
	for range 26 {
		x, y := l.rng.Float64()*l.w, 79+l.rng.Float64()*20
		l.p.soft(sand.lift(-0.07), 0.8, x, y, 0.7, 0.3)
	}
	for _, s := range []float64{0.1, 0.9} {
		x := l.w * s
		l.p.limb(of(hex(0xa87848)), 2.6, at(x, 82, x+3, 64, x+1, 46))
		for i := range 7 {
			sn, c := sincos(200 + float64(i)*23)
			l.p.blob(of(hex(0x4fa860)), at(x+1, 46, x+1+c*8-1, 45+sn*8, x+1+c*15, 50+sn*9, x+1+c*8+1, 47.6+sn*6))
		}
	}
	l.p.plate(bare(hex(0xe8708f)), 0.3, move(star(0, 0, 2, 0.5), l.w*0.3, 93, 1, 0.7))
}

func mountains(l *place) {
	for i := range 4 {
		l.prop("mountain", l.w*(0.1+0.27*float64(i)), 70, 44-6*float64(i%2), "front", "#8b97aa", "")
	}
	l.ridge(l.grass().mix(hex(0x8aa8a0), 0.4), 70, 5, 0.05)
	l.trees("pine", 73, 17, 13, 0, l.w)
	l.ridge(l.grass(), 77, 3, 0.06)
	l.tufts(80, 34)
	l.prop("rock", l.w*0.86, 94, 13, "three-quarter", "", "")
}

func desert(l *place) {
	sand := hex(0xeac283)
	l.ridge(sand.mix(hex(0xd99a70), 0.5), 62, 12, 0.04)
	l.ridge(sand.lift(-0.03), 70, 7, 0.05)
	l.ridge(sand, 78, 4, 0.045)
	for _, s := range []float64{0.14, 0.8, 0.93} {
		x, y := l.w*s, 78+10*l.rng.Float64()
		c := of(hex(0x5a9a5c))
		l.p.limb(c, 3.6, at(x, y, x, y-17))
		l.p.limb(c, 2.6, at(x, y-7, x+4.4, y-8, x+4.6, y-13))
		l.p.limb(c, 2.6, at(x, y-5, x-4.2, y-6, x-4.4, y-10))
	}
	l.prop("rock", l.w*0.3, 80, 8, "three-quarter", "#b98a64", "")
}

func (l *place) windows(x, y, w, h float64) {
	for wy := y + 3.4; wy < y+h-4; wy += 5.6 {
		for wx := x + 2; wx < x+w-2.6; wx += 4.6 {
			lit := l.rng.IntN(3) > 0
			l.p.box(bare(hex(0xbfe0ee)), wx, wy, 2.4, 3.2, 0.3)
			if lit {
				l.lamps = append(l.lamps, lampAt{wx + 1.2, wy + 1.6, 1.5})
			}
		}
	}
}

func city(l *place) {
	for row := range 2 {
		for x := -4.0; x < l.w; {
			w, h := 13+9*l.rng.Float64(), (26+24*l.rng.Float64())*(1.15-0.3*float64(row))
			c := hex(pick[uint32](int64(x*10)+l.seed, "wall", 0xd98a70, 0xe3b98a, 0x9fb4c8, 0xc8a0b4, 0xb4c8a8, 0xe8d4a8))
			if row == 0 {
				c = c.mix(hex(0xb4c4d8), 0.6)
			}
			y := 76 - h
			l.p.box(of(c), x, y, w, h+2, 0.5)
			if row == 1 {
				l.p.box(of(c.lift(-0.12)), x-0.6, y-1.6, w+1.2, 2.2, 0.4)
				l.windows(x, y, w, h)
			}
			x += w + l.rng.Float64()*2
		}
	}
	l.floor(hex(0xc9c6c0), 76)
	l.floor(hex(0x6b6e78), 84)
	for x := 4.0; x < l.w; x += 16 {
		l.p.box(bare(hex(0xf2efe0)), x, 91, 8, 1.1, 0.3)
	}
	for _, s := range []float64{0.06, 0.94} {
		x := l.w * s
		l.p.limb(of(hex(0x4a4e58)), 1, at(x, 83, x, 56))
		l.p.oval(of(hex(0xfff0c0)), x, 54, 2, 2.4)
		l.lamps = append(l.lamps, lampAt{x, 54, 5})
	}
	l.prop("tree", l.w*0.22, 83, 24, "front", l.leaf().String(), "")
	l.prop("car", l.w*0.78, 88, 13, "front", "", "")
}

func village(l *place) {
	l.ridge(l.grass().mix(hex(0xa8c8dc), 0.4), 62, 8, 0.05)
	for i := range 6 {
		x := l.w * (0.06 + 0.175*float64(i))
		l.prop("house", x, 76+float64(i%2)*2, 25, "front", hex(pick[uint32](l.seed+int64(i), "wall", 0xf3e3c4, 0xe8c8b0, 0xd8e0e8, 0xf0d890)).String(), hex(brights[(i*3+int(l.seed))%len(brights)]).String())
		l.lamps = append(l.lamps, lampAt{x - 6, 68, 3}, lampAt{x + 6, 68, 3})
	}
	l.floor(l.grass(), 77)
	l.path(hex(0xe0cfa8), l.w*0.5)
	l.trees("tree", 80, 22, 70, 20, l.w)
	l.tufts(82, 34)
}

func park(l *place) {
	l.ridge(l.grass().mix(hex(0xa8c8dc), 0.35), 64, 6, 0.05)
	l.trees("tree", 72, 30, 24, 4, l.w)
	l.floor(l.grass(), 72)
	l.path(hex(0xe6d8b4), l.w*0.55)
	x := l.w * 0.2
	for i := range 3 {
		l.p.box(of(hex(0xa5713f)), x-10, 74+float64(i)*2.2, 20, 1.6, 0.4)
	}
	for _, d := range []float64{-8, 8} {
		l.p.limb(of(hex(0x4a4e58)), 1, at(x+d, 79, x+d, 84))
	}
	l.p.limb(of(hex(0x4a4e58)), 1, at(l.w*0.82, 84, l.w*0.82, 54))
	l.p.oval(of(hex(0xfff0c0)), l.w*0.82, 52.4, 2.2, 2.4)
	l.lamps = append(l.lamps, lampAt{l.w * 0.82, 52.4, 5})
	l.tufts(78, 46)
}

func garden(l *place) {
	l.trees("tree", 70, 26, 26, 6, l.w)
	l.floor(l.grass(), 68)
	for x := 1.0; x < l.w; x += 5 {
		l.p.plate(of(hex(0xf4efe4)), 0.3, at(x, 74, x, 61, x+1.6, 58.6, x+3.2, 61, x+3.2, 74))
	}
	l.p.box(of(hex(0xf4efe4)), -2, 64, l.w+4, 1.6, 0)
	if !l.winter() {
		for i := range 13 {
			l.prop("flower", 5+float64(i)*l.w/13, 79+l.rng.Float64()*3, 11, "front", hex(brights[i%len(brights)]).String(), "")
		}
	}
	l.prop("bush", l.w*0.05, 92, 17, "front", l.leaf().String(), "")
	l.prop("bush", l.w*0.95, 92, 17, "front", l.leaf().String(), "")
	l.tufts(84, 36)
}

func farm(l *place) {
	l.ridge(l.grass().mix(hex(0xe0cf70), 0.4), 64, 7, 0.05)
	for i := range 7 {
		y := 64 + float64(i)*1.9
		l.p.stroke(hex(0xcfa84c), 0.5, 0.5, at(0, y, l.w*0.5, y-1.4, l.w, y+0.6))
	}
	l.floor(l.grass(), 77)
	l.prop("house", l.w*0.2, 79, 36, "front", "#c0473e", "#8a5a3a")
	l.prop("tower", l.w*0.36, 78, 38, "front", "#cfd6dc", "#8a96a4")
	l.lamps = append(l.lamps, lampAt{l.w * 0.17, 70, 3})
	l.trees("tree", 79, 26, 40, l.w*0.7, l.w)
	for x := 0.0; x < l.w; x += 12 {
		l.p.limb(of(hex(0xa5713f)), 1.2, at(x, 84, x, 77))
	}
	for _, y := range []float64{78.6, 81.4} {
		l.p.limb(of(hex(0xb98050)), 0.9, at(-2, y, l.w+2, y))
	}
	l.tufts(86, 30)
}

func lake(l *place) {
	l.ridge(l.grass().mix(hex(0x9ab8cc), 0.5), 56, 9, 0.045)
	l.trees("pine", 60, 13, 8, 0, l.w)
	l.floor(hex(0x6fb8d8), 59)
	for range 24 {
		x, y := l.rng.Float64()*l.w, 61+l.rng.Float64()*14
		l.p.stroke(hex(0xffffff), 0.4, 0.3, at(x, y, x+5, y+0.2))
	}
	l.prop("boat", l.w*0.7, 69, 13, "front", "", "")
	l.ridge(l.grass(), 78, 2.4, 0.04)
	for range 14 {
		x := l.rng.Float64() * l.w
		l.p.stroke(hex(0x5a8a4a), 1, 0.5, at(x, 80, x+0.5, 71))
		l.p.limb(of(hex(0x85573a)), 1.1, at(x+0.5, 71, x+0.5, 69))
	}
	l.tufts(82, 36)
}

func castleYard(l *place) {
	l.ridge(l.grass().mix(hex(0xa8c8dc), 0.4), 64, 7, 0.05)
	l.prop("castle", l.w*0.5, 80, 58, "front", "", hex(brights[int(l.seed)%len(brights)]).String())
	for _, d := range []float64{-9.4, 9.4} {
		l.lamps = append(l.lamps, lampAt{l.w*0.5 + d, 67, 3})
	}
	l.ridge(l.grass(), 79, 2, 0.05)
	l.path(hex(0xd8cfb8), l.w*0.5)
	l.trees("pine", 82, 26, 30, 2, l.w*0.22)
	l.trees("pine", 82, 26, 30, l.w*0.82, l.w)
	l.tufts(84, 30)
}

func playground(l *place) {
	l.trees("tree", 70, 24, 22, 4, l.w)
	l.floor(l.grass(), 70)
	l.p.blob(bare(hex(0xf0dbaa)), at(l.w*0.1, 80, l.w*0.5, 76, l.w*0.9, 80, l.w*0.94, 94, l.w*0.5, 98, l.w*0.06, 94))
	x := l.w * 0.14
	l.p.limb(of(hex(0xe2574e)), 1.4, at(x-8, 84, x-4, 54))
	l.p.limb(of(hex(0xe2574e)), 1.4, at(x+22, 84, x+18, 54))
	l.p.limb(of(hex(0xe2574e)), 1.4, at(x-4, 54, x+18, 54))
	for _, d := range []float64{3, 11} {
		l.p.stroke(hex(0x5a5f6b), 1, 0.4, at(x+d-2, 54, x+d-2, 76))
		l.p.stroke(hex(0x5a5f6b), 1, 0.4, at(x+d+2, 54, x+d+2, 76))
		l.p.box(of(hex(0xf5cf45)), x+d-3, 76, 6, 1.4, 0.5)
	}
	y := l.w * 0.8
	l.p.limb(of(hex(0x3f8fd0)), 1.2, at(y+8, 84, y+8, 54))
	l.p.limb(of(hex(0x3f8fd0)), 1.2, at(y+14, 84, y+14, 54))
	for i := range 6 {
		l.p.limb(of(hex(0x3f8fd0)), 0.8, at(y+8, 80-float64(i)*4.6, y+14, 80-float64(i)*4.6))
	}
	l.p.limb(of(hex(0xf0a33c)), 4, at(y+9, 57, y+2, 66, y-8, 80, y-14, 82.4))
	l.tufts(90, 16)
}

func jungle(l *place) {
	green := hex(0x3c9a5c)
	l.floor(green.mix(hex(0xa8d8b0), 0.4), 50)
	l.trees("tree", 68, 46, 17, 0, l.w)
	l.floor(green.lift(-0.04), 68)
	for range 40 {
		x, y := l.rng.Float64()*l.w, 68+l.rng.Float64()*8
		k := 5 + 5*l.rng.Float64()
		c := of(green.lift(0.12 * (l.rng.Float64() - 0.5)))
		turn := -60 + 120*l.rng.Float64()
		l.p.within(x, y, 1, turn, func() { l.p.blob(c, at(0, 0, -k*0.22, -k*0.5, 0, -k*1.5, k*0.22, -k*0.5)) })
	}
	l.ridge(green.lift(0.05), 80, 2, 0.06)
	for i := range 7 {
		x := l.w * (0.05 + 0.15*float64(i))
		l.p.stroke(hex(0x4a7a44), 1, 0.7, at(x, -2, x+3, 12, x-1, 22+10*l.rng.Float64()))
	}
	l.tufts(84, 40)
}

func space(l *place) {
	moon := hex(0xb8b4c4)
	l.ridge(moon.lift(-0.12), 68, 8, 0.05)
	l.ridge(moon, 76, 3, 0.04)
	for range 12 {
		x, y := l.rng.Float64()*l.w, 79+l.rng.Float64()*18
		k := (y - 70) * 0.2
		l.p.soft(moon.lift(-0.1), 1, x, y, k*1.4, k*0.5)
		l.p.soft(moon.lift(0.05), 1, x+k*0.16, y+k*0.14, k*1.1, k*0.34)
	}
	l.prop("rocket", l.w*0.84, 82, 42, "front", "", "")
	l.prop("planet", l.w*0.12, 34, 15, "front", "", "")
}

func underwater(l *place) {
	for i := range 6 {
		x := l.w * (0.05 + 0.17*float64(i))
		l.p.haze(hex(0xffffff), 0.07, at(x, -4, x+9, -4, x+2, 70, x-16, 70))
	}
	l.ridge(hex(0x3a8a9a), 74, 7, 0.06)
	l.ridge(hex(0xe8d8a0), 80, 3, 0.05)
	for range 16 {
		x, y := l.rng.Float64()*l.w, 80+l.rng.Float64()*8
		k := 8 + 12*l.rng.Float64()
		l.p.limb(of(hex(pick[uint32](int64(x*9), "weed", 0x3fa56b, 0x5fb84a, 0x2b8a70))), 1.5, at(x, y, x+1.6, y-k*0.33, x-1.4, y-k*0.66, x+1, y-k))
	}
	for range 8 {
		x, y := l.rng.Float64()*l.w, 82+l.rng.Float64()*8
		c := of(hex(pick[uint32](int64(x*9), "coral", 0xf08a8a, 0xf5b05c, 0xc98ae0)))
		for _, d := range []float64{-3, 0, 3} {
			l.p.limb(c, 1.7, at(x, y, x+d*0.6, y-3, x+d, y-6-math.Abs(d)*-0.5))
		}
	}
	for range 30 {
		x, y, k := l.rng.Float64()*l.w, l.rng.Float64()*76, 0.4+0.9*l.rng.Float64()
		l.p.soft(hex(0xffffff), 0.3, x, y, k, k)
		l.p.soft(hex(0xffffff), 0.7, x-k*0.3, y-k*0.3, k*0.3, k*0.3)
	}
}
