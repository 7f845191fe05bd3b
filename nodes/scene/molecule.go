package scene

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// atom is one of a molecule, at a place in ångström; bonds are drawn between atoms.
type atom struct {
	element string
	at      Vec
}

type bond struct{ a, b, order int }

type molecule struct {
	name, formula string
	make          func(m *atoms)
}

type atoms struct {
	all   []atom
	bonds []bond
}

// put adds an atom at a place, bound to another (-1: none).
func (m *atoms) put(element string, at Vec, to, order int) int {
	m.all = append(m.all, atom{element, at})
	n := len(m.all) - 1
	if to >= 0 {
		m.bonds = append(m.bonds, bond{to, n, order})
	}
	return n
}

// grow adds an atom by its distance to a, its angle a-b, and its dihedral angle a-b-c, in degrees.
func (m *atoms) grow(element string, a, b, c int, length, angle, dihedral float64, order int) int {
	pa, pb := m.all[a].at, m.all[b].at
	var pc Vec
	if c >= 0 {
		pc = m.all[c].at
	} else {
		pc = pb.add(pb.sub(pa).across())
	}
	bc := pa.sub(pb).unit()
	n := pb.sub(pc).cross(bc)
	if n.length() < 1e-6 {
		n = bc.across()
	}
	n = n.unit()
	s, co := math.Sincos(angle * math.Pi / 180)
	sd, cd := math.Sincos(dihedral * math.Pi / 180)
	at := pa.add(bc.times(-length * co)).add(n.cross(bc).times(length * s * cd)).add(n.times(length * s * sd))
	return m.put(element, at, a, order)
}

// polar is a place by distance and angles: about the upright axis from the front, and up.
func polar(length, around, up float64) Vec {
	return onBall(length, around, up)
}

const tetrahedral = 109.471

// methyl adds three hydrogens to a carbon that is bound to b.
func (m *atoms) methyl(c, b, far int, start float64) {
	for i := range 3 {
		m.grow("H", c, b, far, 1.09, 109.5, start+120*float64(i), 1)
	}
}

// pairOf is a molecule of two atoms.
func pairOf(a, b string, length float64, order int) func(*atoms) {
	return func(m *atoms) { m.put(b, Vec{length, 0, 0}, m.put(a, Vec{}, -1, 0), order) }
}

// bent is a middle atom with two others, in the plane of the viewer.
func bent(middle, end string, length, angle float64, order int) func(*atoms) {
	return func(m *atoms) {
		o := m.put(middle, Vec{}, -1, 0)
		s, c := math.Sincos(angle / 2 * math.Pi / 180)
		m.put(end, Vec{-length * s, -length * c, 0}, o, order)
		m.put(end, Vec{length * s, -length * c, 0}, o, order)
	}
}

// ring puts atoms around the middle, in the plane of the viewer.
func (m *atoms) ring(elements []string, radius float64, order func(i int) int) {
	n := len(elements)
	first := len(m.all)
	for i, e := range elements {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		m.put(e, Vec{radius * s, radius * c, 0}, -1, 0)
	}
	for i := range n {
		m.bonds = append(m.bonds, bond{first + i, first + (i+1)%n, order(i)})
	}
}

func plain(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", " ")
}

func findMolecule(name string) (molecule, bool) {
	name = plain(name)
	i := slices.IndexFunc(molecules, func(m molecule) bool { return m.name == name || strings.ToLower(m.formula) == name })
	if i < 0 {
		other, ok := moleculeNames[name]
		if !ok {
			return molecule{}, false
		}
		i = slices.IndexFunc(molecules, func(m molecule) bool { return m.name == other })
	}
	return molecules[i], true
}

func knownMolecule(name string) bool { _, ok := findMolecule(name); return ok }

// Molecules are the names of those that the kit can build.
func Molecules() []string {
	names := make([]string, len(molecules))
	for i, m := range molecules {
		names[i] = m.name
	}
	return names
}

// moleculeNames are other names, by which the same are known.
var moleculeNames = map[string]string{
	"co2": "carbon dioxide", "h2o": "water", "alcohol": "ethanol", "vinegar": "acetic acid", "laughing gas": "nitrous oxide", "marsh gas": "methane",
	"dihydrogen": "hydrogen", "dinitrogen": "nitrogen", "dioxygen": "oxygen", "ethene": "ethylene", "ethyne": "acetylene", "methanal": "formaldehyde",
	"propanone": "acetone", "ethanoic acid": "acetic acid", "dextrose": "glucose", "sugar": "glucose", "salt": "sodium chloride", "table salt": "sodium chloride",
}

// The look of elements: color, and radius of the ball in ångström.
var elements = map[string]struct {
	color  string
	radius float64
}{
	"H": {"#f4f6f8", 0.27}, "C": {"#3b3f45", 0.40}, "N": {"#3050f8", 0.39}, "O": {"#e3242b", 0.38}, "F": {"#66d04f", 0.36}, "S": {"#f2d024", 0.47},
	"Cl": {"#1fc01f", 0.48}, "Na": {"#ab5cf2", 0.42}, "P": {"#ff8000", 0.47},
}

// Elements are the signs of the elements that molecules here are made of.
func Elements() []string { return slices.Sorted(maps.Keys(elements)) }

// ångström is how large one is drawn, in metres.
const ångström = 0.25

func drawMolecule(p *pen, o *Object) {
	name := o.Text
	if name == "" {
		name = "water"
	}
	found, _ := findMolecule(name)
	m := &atoms{}
	found.make(m)
	box := noBox()
	for _, a := range m.all {
		r := elements[a.element].radius
		box.take(a.at.add(Vec{r, r, r}))
		box.take(a.at.sub(Vec{r, r, r}))
	}
	foot := box.middle()
	foot[1] = box.Min[1]
	place := func(i int) Vec { return m.all[i].at.sub(foot).times(ångström) }
	sides := 30
	if len(m.all) > 20 {
		sides = 22
	}
	for i, a := range m.all {
		e := elements[a.element]
		p.in(e.color)
		if p.chosen && a.element == "C" {
			p.own(1)
		}
		p.shiny(0, 0.28).round(place(i), e.radius*ångström, e.radius*ångström, e.radius*ångström, sides, sides*2/3)
	}
	for _, b := range m.bonds {
		p.bond(m, b, place)
	}
}

// bond is a stick for each order, beside each other.
func (p *pen) bond(m *atoms, b bond, place func(int) Vec) {
	from, to := place(b.a), place(b.b)
	along := to.sub(from).unit()
	across := along.cross(Vec{0, 0, 1})
	if across.length() < 0.1 {
		across = along.across()
	}
	across = across.unit()
	radius := 0.1 * ångström
	gap := 0.19 * ångström
	if b.order > 1 {
		radius = 0.065 * ångström
	}
	for k := range b.order {
		aside := across.times(gap * (float64(k) - float64(b.order-1)/2))
		p.in("#b9bec5").shiny(0, 0.4).rod(from.add(aside), to.add(aside), radius, 14)
	}
}
