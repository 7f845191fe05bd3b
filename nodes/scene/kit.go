package scene

import (
	"maps"
	"math"
	"slices"
)

// form is a shape of the kit: its usual color, and how it is drawn.
type form struct {
	color string
	draw  func(p *pen, o *Object)
}

// The colors of ground and sky where no one names them.
const (
	skyBlue    = "#bcd9f2"
	grassGreen = "#7fb069"
)

// kit is every shape; group and mesh are built elsewhere.
var kit map[string]form

func init() {
	kit = map[string]form{
		"box":      {"#8da9c4", func(p *pen, _ *Object) { p.box(Vec{}, 1, 1, 1) }},
		"sphere":   {"#d1495b", func(p *pen, _ *Object) { p.round(Vec{0, 0.5, 0}, 0.5, 0.5, 0.5, 48, 28) }},
		"cylinder": {"#66a182", func(p *pen, _ *Object) { p.post(Vec{}, 0.5, 0.5, 1, 48) }},
		"cone":     {"#edae49", func(p *pen, _ *Object) { p.post(Vec{}, 0.5, 0, 1, 48) }},
		"torus":    {"#7d5ba6", func(p *pen, _ *Object) { p.torus(Vec{0, 0.15, 0}, 0.4, 0.15, 56, 24) }},
		"plane":    {"#b8c4bb", func(p *pen, _ *Object) { p.box(Vec{}, 2, 0.01, 2) }},
		"wedge": {"#c38d9e", func(p *pen, _ *Object) {
			p.at(Vec{}, Vec{0, 90, 0}, 1, func() { p.prism(Vec{}, 1, [2]float64{-0.5, 0}, [2]float64{0.5, 0}, [2]float64{0.5, 1}) })
		}},
		"text":       {"#e07a5f", func(p *pen, o *Object) { p.write(Vec{}, o.Text, 0.7, 0.18) }},
		"terrain":    {grassGreen, drawTerrain},
		"house":      {"#f2e3c6", drawHouse},
		"tower":      {"#b7a99a", drawTower},
		"castle":     {"#b5afa6", drawCastle},
		"tree":       {"#5a9e4b", drawTree},
		"pine":       {"#2f6f4e", drawPine},
		"bush":       {"#6aa84f", drawBush},
		"flower":     {"#e4572e", drawFlower},
		"rock":       {"#8a8d91", drawRock},
		"mountain":   {"#7d8471", drawMountain},
		"road":       {"#4a4e57", drawRoad},
		"bridge":     {"#a98467", drawBridge},
		"fence":      {"#f4efe6", drawFence},
		"table":      {"#a9714b", drawTable},
		"chair":      {"#c08552", drawChair},
		"lamp":       {"#f2c14e", drawLamp},
		"bed":        {"#5b8fb9", drawBed},
		"bookshelf":  {"#8b5e3c", drawBookshelf},
		"blackboard": {"#2d4a3e", drawBlackboard},
		"car":        {"#d64045", drawCar},
		"bus":        {"#f4b942", drawBus},
		"bicycle":    {"#2a9d8f", drawBicycle},
		"boat":       {"#b5533c", drawBoat},
		"rocket":     {"#f1f1ee", drawRocket},
		"aeroplane":  {"#f4f6f8", drawAeroplane},
		"planet":     {"#d9a066", drawPlanet},
		"star":       {"#ffd23f", drawStar},
		"ring":       {"#d8b26e", drawRing},
		"moon":       {"#c9c9c4", drawMoon},
		"crystal":    {"#7cc6e8", drawCrystal},
		"person":     {"#3d7ea6", drawPerson},
		"cat":        {"#e39a4f", drawCat},
		"molecule":   {"#cccccc", drawMolecule},
		"bar-chart":  {"#4e79a7", drawChart},
		"globe":      {"#3f88c5", drawGlobe},
		"book":       {"#9b2c3f", drawBook},
		"ball":       {"#e63946", drawBall},
		"apple":      {"#d62839", drawApple},
		"cup":        {"#f7f3ea", drawCup},
	}
}

// Shapes are the names of all shapes, in the order of the alphabet.
func Shapes() []string {
	names := append(slices.Collect(maps.Keys(kit)), "group", "mesh")
	slices.Sort(names)
	return names
}

// Kit are the shapes that are built here, in the order of the alphabet.
func Kit() []string { return slices.Sorted(maps.Keys(kit)) }

// natural is the size of a shape that says none.
func natural(o Object) Vec {
	if o.Shape == "text" && o.Text == "" {
		o.Text = "A"
	}
	p := penFor(&o)
	kit[o.Shape].draw(p, &o)
	return boundsOf(p.meshes()).Size()
}

// land is a surface of so many cells to a side, with its own heights, closed below.
func (p *pen) land(side float64, cells int, height func(x, z float64) float64, color func(h float64) Vec) {
	at := func(i, k int) Vec {
		x, z := (float64(i)/float64(cells)-0.5)*side, (float64(k)/float64(cells)-0.5)*side
		return Vec{x, height(x, z), z}
	}
	for i := range cells {
		for k := range cells {
			a, b, c, d := at(i, k+1), at(i+1, k+1), at(i+1, k), at(i, k)
			p.tint(color((a[1]+b[1]+c[1])/3)).face(a, b, c)
			p.tint(color((a[1]+c[1]+d[1])/3)).face(a, c, d)
		}
	}
	for i := range cells {
		for _, edge := range [][2]Vec{{at(i, cells), at(i+1, cells)}, {at(i+1, 0), at(i, 0)}, {at(0, i), at(0, i+1)}, {at(cells, i+1), at(cells, i)}} {
			a, b := edge[0], edge[1]
			p.in("#8a6b4f").face(Vec{a[0], 0, a[2]}, Vec{b[0], 0, b[2]}, b, a)
		}
	}
	h := side / 2
	p.face(Vec{-h, 0, -h}, Vec{h, 0, -h}, Vec{h, 0, h}, Vec{-h, 0, h})
}

func drawTerrain(p *pen, _ *Object) {
	a, b, c := p.dice.Float64()*6, p.dice.Float64()*6, p.dice.Float64()*6
	grass, high, snow := p.main, hex("#8b7d6b"), hex("#f4f6f8")
	p.land(10, 36, func(x, z float64) float64 {
		return 0.9 + 0.45*math.Sin(x*0.7+a)*math.Cos(z*0.6+b) + 0.25*math.Sin(x*1.3+z*1.1+c) + 0.12*math.Cos(x*2.7-z*2.1+a)
	}, func(h float64) Vec {
		switch {
		case h > 1.42:
			return snow
		case h > 1.2:
			return high
		case h < 0.5:
			return mixed(grass, hex("#e3d5a1"), 0.6)
		}
		return mixed(grass, Vec{}, math.Round((1.2-h)*4)/20)
	})
}

func mixed(a, b Vec, t float64) Vec { return a.times(1 - t).add(b.times(t)) }
