package scene

import "math"

// molecules have the lengths (in ångström) and angles that were measured, of gases mostly.
var molecules = []molecule{
	{"water", "H2O", bent("O", "H", 0.958, 104.5, 1)},
	{"carbon dioxide", "CO2", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		m.put("O", Vec{-1.163, 0, 0}, c, 2)
		m.put("O", Vec{1.163, 0, 0}, c, 2)
	}},
	{"oxygen", "O2", pairOf("O", "O", 1.208, 2)},
	{"nitrogen", "N2", pairOf("N", "N", 1.098, 3)},
	{"hydrogen", "H2", pairOf("H", "H", 0.741, 1)},
	{"carbon monoxide", "CO", pairOf("C", "O", 1.128, 3)},
	{"hydrogen chloride", "HCl", pairOf("H", "Cl", 1.275, 1)},
	{"ozone", "O3", func(m *atoms) {
		bent("O", "O", 1.278, 116.8, 1)(m)
		m.bonds[0].order = 2
	}},
	{"sulfur dioxide", "SO2", bent("S", "O", 1.432, 119.3, 2)},
	{"hydrogen sulfide", "H2S", bent("S", "H", 1.336, 92.1, 1)},
	{"nitrous oxide", "N2O", func(m *atoms) {
		n := m.put("N", Vec{}, -1, 0)
		m.put("N", Vec{-1.128, 0, 0}, n, 2)
		m.put("O", Vec{1.184, 0, 0}, n, 2)
	}},
	{"hydrogen cyanide", "HCN", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		m.put("H", Vec{-1.065, 0, 0}, c, 1)
		m.put("N", Vec{1.156, 0, 0}, c, 3)
	}},
	{"hydrogen peroxide", "H2O2", func(m *atoms) {
		a := m.put("O", Vec{}, -1, 0)
		b := m.put("O", Vec{1.475, 0, 0}, a, 1)
		h := m.grow("H", a, b, -1, 0.95, 94.8, 0, 1)
		m.grow("H", b, a, h, 0.95, 94.8, 111.5, 1)
	}},
	{"ammonia", "NH3", func(m *atoms) {
		n := m.put("N", Vec{}, -1, 0)
		for i := range 3 { // 106.7° between the hydrogens
			m.put("H", polar(1.012, 120*float64(i), -22.1), n, 1)
		}
	}},
	{"methane", "CH4", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		m.put("H", Vec{0, 1.087, 0}, c, 1)
		for i := range 3 {
			m.put("H", polar(1.087, 120*float64(i)+60, 90-tetrahedral), c, 1)
		}
	}},
	{"sulfur hexafluoride", "SF6", func(m *atoms) {
		s := m.put("S", Vec{}, -1, 0)
		for i := range 3 {
			var v Vec
			v[i] = 1.561
			m.put("F", v, s, 1)
			m.put("F", v.times(-1), s, 1)
		}
	}},
	{"formaldehyde", "CH2O", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		o := m.put("O", Vec{0, 1.205, 0}, c, 2)
		h := m.grow("H", c, o, -1, 1.111, 121.9, 90, 1)
		m.grow("H", c, o, h, 1.111, 121.9, 180, 1)
	}},
	{"ethane", "C2H6", func(m *atoms) {
		a := m.put("C", Vec{}, -1, 0)
		b := m.put("C", Vec{1.535, 0, 0}, a, 1)
		m.methyl(a, b, -1, 0)
		m.methyl(b, a, 2, 60)
	}},
	{"ethylene", "C2H4", func(m *atoms) {
		a := m.put("C", Vec{}, -1, 0)
		b := m.put("C", Vec{1.339, 0, 0}, a, 2)
		h := m.put("H", Vec{1.086 * math.Cos(121.2*math.Pi/180), 1.086 * math.Sin(121.2*math.Pi/180), 0}, a, 1)
		m.grow("H", a, b, h, 1.086, 121.2, 180, 1)
		m.grow("H", b, a, h, 1.086, 121.2, 0, 1)
		m.grow("H", b, a, h, 1.086, 121.2, 180, 1)
	}},
	{"acetylene", "C2H2", func(m *atoms) {
		a := m.put("C", Vec{}, -1, 0)
		b := m.put("C", Vec{1.203, 0, 0}, a, 3)
		m.put("H", Vec{-1.063, 0, 0}, a, 1)
		m.put("H", Vec{2.266, 0, 0}, b, 1)
	}},
	{"methanol", "CH3OH", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		o := m.put("O", Vec{1.427, 0, 0}, c, 1)
		h := m.put("H", Vec{1.427 - 0.956*math.Cos(108.9*math.Pi/180), 0.956 * math.Sin(108.9*math.Pi/180), 0}, o, 1)
		m.methyl(c, o, h, 60)
	}},
	{"ethanol", "C2H5OH", func(m *atoms) {
		a := m.put("C", Vec{}, -1, 0)
		b := m.put("C", Vec{1.512, 0, 0}, a, 1)
		o := m.put("O", Vec{1.512 - 1.431*math.Cos(107.8*math.Pi/180), 1.431 * math.Sin(107.8*math.Pi/180), 0}, b, 1)
		m.grow("H", o, b, a, 0.971, 105.4, 180, 1)
		m.grow("H", b, a, o, 1.098, 110.7, 120, 1)
		m.grow("H", b, a, o, 1.098, 110.7, -120, 1)
		m.methyl(a, b, o, 60)
	}},
	{"acetic acid", "CH3COOH", func(m *atoms) {
		a := m.put("C", Vec{}, -1, 0)
		b := m.put("C", Vec{1.52, 0, 0}, a, 1)
		d := m.put("O", Vec{1.52 - 1.214*math.Cos(126.6*math.Pi/180), 1.214 * math.Sin(126.6*math.Pi/180), 0}, b, 2)
		o := m.grow("O", b, a, d, 1.364, 110.6, 180, 1)
		m.grow("H", o, b, d, 0.97, 107, 0, 1)
		m.methyl(a, b, d, 0)
	}},
	{"acetone", "C3H6O", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		o := m.put("O", Vec{0, 1.213, 0}, c, 2)
		s, k := math.Sincos(121.7 * math.Pi / 180)
		a := m.put("C", Vec{-1.52 * s, 1.52 * k, 0}, c, 1)
		b := m.put("C", Vec{1.52 * s, 1.52 * k, 0}, c, 1)
		m.methyl(a, c, o, 0)
		m.methyl(b, c, o, 0)
	}},
	{"propane", "C3H8", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		s, k := math.Sincos(56 * math.Pi / 180)
		a := m.put("C", Vec{-1.526 * s, -1.526 * k, 0}, c, 1)
		b := m.put("C", Vec{1.526 * s, -1.526 * k, 0}, c, 1)
		m.grow("H", c, a, b, 1.096, 109.5, 120, 1)
		m.grow("H", c, a, b, 1.096, 109.5, -120, 1)
		m.methyl(a, c, b, 60)
		m.methyl(b, c, a, 60)
	}},
	{"urea", "CH4N2O", func(m *atoms) {
		c := m.put("C", Vec{}, -1, 0)
		o := m.put("O", Vec{0, 1.221, 0}, c, 2)
		s, k := math.Sincos(122.6 * math.Pi / 180)
		for _, side := range []float64{-1, 1} {
			n := m.put("N", Vec{side * 1.378 * s, 1.378 * k, 0}, c, 1)
			m.grow("H", n, c, o, 1.0, 119, 0, 1)
			m.grow("H", n, c, o, 1.0, 119, 180, 1)
		}
	}},
	{"benzene", "C6H6", func(m *atoms) {
		m.ring([]string{"C", "C", "C", "C", "C", "C"}, 1.397, func(i int) int { return 1 + i%2 })
		for i := range 6 {
			m.put("H", m.all[i].at.unit().times(1.397+1.084), i, 1)
		}
	}},
	{"glucose", "C6H12O6", glucose},
	{"sodium chloride", "NaCl", func(m *atoms) { // a cube of the crystal, 5.64 Å for two layers
		at := func(x, y, z int) int { return (x*3+y)*3 + z }
		for x := range 3 {
			for y := range 3 {
				for z := range 3 {
					e := "Na"
					if (x+y+z)%2 == 1 {
						e = "Cl"
					}
					m.put(e, Vec{2.82 * float64(x), 2.82 * float64(y), 2.82 * float64(z)}, -1, 0)
				}
			}
		}
		for x := range 3 {
			for y := range 3 {
				for z := range 3 {
					for _, n := range [][3]int{{x + 1, y, z}, {x, y + 1, z}, {x, y, z + 1}} {
						if n[0] < 3 && n[1] < 3 && n[2] < 3 {
							m.bonds = append(m.bonds, bond{at(x, y, z), at(n[0], n[1], n[2]), 1})
						}
					}
				}
			}
		}
	}},
}

// glucose is β-D-glucopyranose in its chair: every group but hydrogen lies along the ring.
func glucose(m *atoms) {
	ring := []string{"O", "C", "C", "C", "C", "C"}
	for i, e := range ring { // a chair: corners lie up and down by turns
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		m.put(e, Vec{1.45 * s, 0.25 * float64(1-2*(i%2)), 1.45 * c}, -1, 0)
	}
	for i := range 6 {
		m.bonds = append(m.bonds, bond{i, (i + 1) % 6, 1})
	}
	for i := 1; i < 6; i++ {
		c := m.all[i].at
		out := Vec{c[0], 0, c[2]}.unit()
		up := float64(1 - 2*(i%2))
		m.put("H", c.add(Vec{0, 1.1 * up, 0}), i, 1)
		side := out.times(0.943).add(Vec{0, -0.334 * up, 0})
		if i < 5 {
			o := m.put("O", c.add(side.times(1.42)), i, 1)
			m.grow("H", o, i, (i+1)%6, 0.97, 107, 60, 1)
			continue
		}
		six := m.put("C", c.add(side.times(1.52)), i, 1)
		o := m.grow("O", six, i, 0, 1.42, 110, 60, 1)
		m.grow("H", six, i, 0, 1.1, 109.5, 180, 1)
		m.grow("H", six, i, 0, 1.1, 109.5, -60, 1)
		m.grow("H", o, six, i, 0.97, 107, 180, 1)
	}
}
