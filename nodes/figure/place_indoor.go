package figure

// inside paints walls, floor and a window that shows the hour.
func (l *place) inside(wall, floor rgb, windows ...float64) {
	l.p.box(bare(wall), -2, -2, l.w+4, 76, 0)
	l.p.box(bare(wall.lift(-0.09)), -2, 71.4, l.w+4, 2.6, 0)
	l.p.box(bare(floor), -2, 74, l.w+4, 28, 0)
	for i := range 9 {
		x := float64(i-4)*l.w*0.16 + l.w/2
		l.p.stroke(floor.lift(-0.06), 0.8, 0.3, at(l.w/2+(x-l.w/2)*0.8, 74, x*1.3-l.w*0.15, 101))
	}
	for _, s := range windows {
		l.window(l.w*s, 17)
	}
}

func (l *place) window(x, y float64) {
	top, low := l.skyColors()
	// the glass is painted lighter than the sky, for it is darkened with the room
	if l.night() {
		top, low = top.lift(0.08), low.lift(0.08)
	}
	l.p.box(of(hex(0xf6f1e6)), x-12, y-1, 24, 31, 0.8)
	l.p.box(bare(top.mix(low, 0.35)), x-10.6, y+0.4, 21.2, 28.2, 0.3)
	l.p.box(bare(low), x-10.6, y+14, 21.2, 14.6, 0.3)
	hill := l.grass()
	if l.night() {
		hill = hex(0x28406a)
	}
	l.p.haze(hill, 1, at(x-10.6, y+24, x-3, y+21.6, x+5, y+23.4, x+10.6, y+21, x+10.6, y+28.4, x-10.6, y+28.4))
	switch {
	case l.night():
		l.p.soft(hex(0xfff8dd), 1, x+5, y+6, 2.2, 2.2)
	case l.a["weather"] == "clear":
		l.p.soft(hex(0xfff0a8), 1, x+5, y+7, 2.6, 2.6)
	}
	if w := l.a["weather"]; w == "rain" || w == "storm" || w == "snow" {
		for range 22 {
			rx, ry := x-10+20*l.rng.Float64(), y+1+24*l.rng.Float64()
			if w == "snow" {
				l.p.soft(hex(0xffffff), 1, rx, ry, 0.4, 0.4)
			} else {
				l.p.stroke(hex(0xf0f8ff), 0.8, 0.2, at(rx, ry, rx-0.6, ry+2))
			}
		}
	}
	l.p.box(of(hex(0xf6f1e6)), x-0.7, y, 1.4, 29, 0.2)
	l.p.box(of(hex(0xf6f1e6)), x-11, y+13, 22, 1.4, 0.2)
	l.p.box(of(hex(0xeae3d4)), x-13.4, y+29.4, 26.8, 2, 0.5)
}

func (l *place) hanging(x float64) {
	l.p.stroke(hex(0x4a4e58), 1, 0.4, at(x, -2, x, 8))
	l.p.plate(of(hex(0xf0b84a)), 0.6, at(x-2, 8, x+2, 8, x+5, 13, x-5, 13))
	l.lamps = append(l.lamps, lampAt{x, 13.4, 8})
}

func (l *place) rug(c rgb) {
	l.p.oval(of(c), l.w*0.5, 89, l.w*0.28, 7)
	l.p.oval(bare(c.lift(0.08)), l.w*0.5, 89, l.w*0.23, 5)
}

func (l *place) wall() rgb {
	return hex(pick[uint32](l.seed, "wall", 0xf3e2c8, 0xd9e8e0, 0xf0d4cc, 0xd4e0f0, 0xe8dcf0, 0xf5ecc0))
}

func livingRoom(l *place) {
	l.inside(l.wall(), hex(0xc99a6c), 0.5)
	l.prop("bookshelf", l.w*0.13, 79, 46, "front", "", "")
	l.prop("lamp", l.w*0.95, 80, 36, "front", "", "")
	l.lamps = append(l.lamps, lampAt{l.w * 0.95, 54, 7})
	sofa := hex(brights[int(l.seed)%len(brights)])
	x := l.w * 0.62
	l.p.box(of(sofa), x, 56, 46, 17, 4)
	l.p.box(of(sofa.lift(0.05)), x+2, 66, 42, 11, 3)
	l.p.box(of(sofa.lift(-0.05)), x-3, 62, 8, 17, 3)
	l.p.box(of(sofa.lift(-0.05)), x+41, 62, 8, 17, 3)
	l.rug(hex(brights[int(l.seed+3)%len(brights)]).lift(0.14))
	l.hanging(l.w * 0.32)
	for i, c := range []uint32{0xe8708f, 0x3f8fd0} {
		l.p.box(of(hex(0xa5713f)), x+6+float64(i)*16, 26, 12, 15, 0.6)
		l.p.box(bare(hex(c).lift(0.12)), x+7.4+float64(i)*16, 27.4, 9.2, 12.2, 0.3)
	}
}

func classroom(l *place) {
	l.inside(l.wall(), hex(0xd0b48c), 0.1, 0.9)
	x := l.w * 0.26
	l.p.box(of(hex(0xa5713f)), x, 12, l.w*0.48, 40, 1)
	l.p.box(of(hex(0x2f6b54)), x+1.8, 13.8, l.w*0.48-3.6, 36.4, 0.4)
	chalk := hex(0xf2f5ee)
	l.p.stroke(chalk, 0.9, 0.7, at(x+8, 22, x+12, 30, x+16, 22))
	l.p.dc.DrawCircle(x+26, 26, 4.4)
	l.p.dc.SetColor(chalk.RGBA())
	l.p.dc.SetLineWidth(0.7 * l.unit)
	l.p.dc.Stroke()
	for i := range 3 {
		l.p.stroke(chalk, 0.8, 0.6, at(x+40, 21+float64(i)*5, x+72-float64(i)*6, 21+float64(i)*5))
	}
	l.p.box(of(hex(0xc48a52)), x, 51.4, l.w*0.48, 1.8, 0.3)
	for _, s := range []float64{0.14, 0.86} {
		l.prop("table", l.w*s, 92, 25, "front", "", "")
		l.prop("apple", l.w*s-4, 74.4, 4.4, "front", "", "")
		l.prop("book", l.w*s+6, 74, 4, "three-quarter", "", "")
	}
	l.hanging(l.w * 0.35)
	l.hanging(l.w * 0.65)
}

func kitchen(l *place) {
	l.inside(l.wall(), hex(0xe0d8cc), 0.5)
	c := hex(brights[int(l.seed+1)%len(brights)]).lift(0.1)
	for i := range 8 {
		x := float64(i) * l.w / 8
		if i < 3 || i > 4 {
			l.p.box(of(c), x+0.4, 8, l.w/8-0.8, 24, 1)
			l.p.oval(of(steel), x+3, 28, 0.8, 0.8)
		}
		l.p.box(of(c), x+0.4, 56, l.w/8-0.8, 22, 1)
		l.p.oval(of(steel), x+3, 60, 0.8, 0.8)
	}
	l.p.box(of(hex(0xefe6d8)), -2, 52, l.w+4, 4.4, 0.6)
	l.prop("cup", l.w*0.16, 52.6, 8, "front", "", "")
	l.prop("apple", l.w*0.74, 52.6, 7, "front", "", "")
	l.prop("potion", l.w*0.82, 52.6, 10, "front", "", "")
	l.hanging(l.w * 0.3)
	l.hanging(l.w * 0.7)
}

func bedroom(l *place) {
	l.inside(l.wall(), hex(0xc99a6c), 0.42)
	l.prop("bed", l.w*0.8, 88, 40, "three-quarter", "", "")
	l.prop("bookshelf", l.w*0.12, 79, 40, "front", "", "")
	l.prop("lamp", l.w*0.62, 79, 24, "front", "", "")
	l.lamps = append(l.lamps, lampAt{l.w * 0.62, 62, 6})
	l.prop("ball", l.w*0.26, 92, 7, "front", "", "")
	for i := range 5 {
		l.p.plate(bare(hex(0xfff0b0)), 0.2, star(l.w*(0.6+0.08*float64(i)), 12+float64(i%2)*7, 1.8, 0.45))
	}
	l.rug(hex(brights[int(l.seed+2)%len(brights)]).lift(0.14))
}

func library(l *place) {
	l.inside(hex(0xdcc8a8), hex(0xa87848), 0.5)
	for _, s := range []float64{0.09, 0.26, 0.74, 0.91} {
		l.prop("bookshelf", l.w*s, 78, 62, "front", "", "")
	}
	l.rug(hex(0x9a3a48))
	l.hanging(l.w * 0.36)
	l.hanging(l.w * 0.64)
	l.prop("lamp", l.w*0.5, 76, 16, "front", "", "")
	l.lamps = append(l.lamps, lampAt{l.w * 0.5, 64, 5})
}

func laboratory(l *place) {
	l.inside(hex(0xdfe8ec), hex(0xc8d0d8), 0.82)
	l.p.box(of(hex(0x2f3b4e)), l.w*0.2, 14, l.w*0.34, 26, 1.2)
	l.p.stroke(glow, 0.9, 0.6, at(l.w*0.22, 30, l.w*0.28, 22, l.w*0.33, 33, l.w*0.4, 19, l.w*0.46, 28, l.w*0.52, 24))
	l.p.box(of(hex(0xf2f4f4)), l.w*0.02, 58, l.w*0.6, 20, 1)
	l.p.box(of(hex(0x8a96a4)), 0, 55, l.w*0.64, 3.6, 0.6)
	for i, s := range []float64{0.07, 0.15, 0.24, 0.5, 0.58} {
		l.prop("potion", l.w*s, 55.6, 11+float64(i%2)*4, "front", hex(brights[(i*3+int(l.seed))%len(brights)]).String(), "")
	}
	l.prop("bookshelf", l.w*0.94, 79, 40, "front", "#8a96a4", "")
	l.hanging(l.w * 0.12)
	l.hanging(l.w * 0.6)
}

func hall(l *place) {
	stone := hex(0xb9b0a4)
	l.inside(stone, hex(0x8f8880), 0.5)
	for row := range 9 {
		for i := range 13 {
			x := float64(i)*l.w/12 - float64(row%2)*l.w/24
			l.p.stroke(stone.lift(-0.06), 0.7, 0.3, at(x, float64(row)*8, x, float64(row)*8+8))
		}
		l.p.stroke(stone.lift(-0.06), 0.7, 0.3, at(0, float64(row)*8, l.w, float64(row)*8))
	}
	l.window(l.w*0.5, 17)
	for _, s := range []float64{0.08, 0.3, 0.7, 0.92} {
		l.p.box(of(stone.lift(0.06)), l.w*s-4, 6, 8, 70, 0.6)
		l.p.box(of(stone.lift(0.1)), l.w*s-6, 2, 12, 5, 0.8)
		l.p.box(of(stone.lift(0.1)), l.w*s-6, 74, 12, 5, 0.8)
	}
	for _, s := range []float64{0.19, 0.81} {
		x := l.w * s
		l.p.plate(of(hex(brights[int(l.seed)%len(brights)])), 0.3, at(x-6, 10, x+6, 10, x+6, 44, x, 38, x-6, 44))
		l.p.plate(bare(brass), 0.2, star(x, 24, 4, 0.46))
		l.lamps = append(l.lamps, lampAt{x, 54, 6})
		l.p.limb(of(hex(0x6e4a32)), 1.2, at(x, 62, x, 56))
		l.p.blob(of(hex(0xf5a43c)), at(x-1.6, 55, x, 50.4, x+1.6, 55, x, 57))
	}
	l.p.plate(bare(hex(0xa83240)), 0, at(l.w*0.46, 74, l.w*0.54, 74, l.w*0.64, 102, l.w*0.36, 102))
}

func shop(l *place) {
	l.inside(l.wall(), hex(0xd8c4a0), 0.84)
	for row := range 3 {
		y := 24 + float64(row)*16
		for i := range 8 {
			shape := []string{"apple", "potion", "book", "cup", "box", "ball", "lantern", "crystal", "clock"}[(i*5+row*3+int(l.seed))%9]
			l.prop(shape, l.w*(0.06+0.08*float64(i)), y+0.6, 10, "front", "", "")
		}
		l.p.box(of(hex(0xa5713f)), 0, y, l.w*0.68, 2, 0.4)
	}
	l.p.box(of(hex(0xb98050)), l.w*0.6, 62, l.w*0.42, 24, 1)
	l.p.box(of(hex(0xd8b080)), l.w*0.58, 59, l.w*0.46, 4, 0.8)
	l.prop("cup", l.w*0.7, 60, 7, "front", "", "")
	l.prop("lamp", l.w*0.94, 60, 17, "front", "", "")
	l.lamps = append(l.lamps, lampAt{l.w * 0.94, 48, 5})
	l.hanging(l.w * 0.2)
	l.hanging(l.w * 0.5)
}
