package scene

import (
	"math"
	"strconv"
)

// wholes are scenes that a few words stand for.
var wholes map[string]func(*teller) []Object

func init() {
	wholes = map[string]func(*teller) []Object{
		"solar system": solarSystem, "the solar system": solarSystem, "classroom": classroom, "school room": classroom, "farm": farm, "farmyard": farm,
		"village": village, "street scene": street, "city street": street, "street with house": street, "forest": forest, "wood full of tree": forest,
		"castle garden": castleGarden, "playground": playground, "harbour": harbour, "harbor": harbour, "space station": launch, "launch pad": launch,
		"rocket launch": launch, "bedroom": bedroom, "airport": airport, "mountain landscape": alps, "alps": alps, "stage": stage, "stage set": stage,
	}
}

// WholeScenes are the words of whole scenes, one for each.
func WholeScenes() []string {
	return []string{"airport", "bedroom", "castle garden", "classroom", "farm", "forest", "harbour", "mountain landscape", "playground", "rocket launch", "solar system", "stage set", "city street", "village"}
}

type crowd struct {
	all []Object
	n   map[string]int
}

func (c *crowd) put(shape string, x, z float64, more ...func(*Object)) {
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[shape]++
	o := Object{ID: "scene-" + shape + "-" + strconv.Itoa(c.n[shape]), Shape: shape, Position: Vec{x, 0, z}}
	for _, f := range more {
		f(&o)
	}
	c.all = append(c.all, o)
}

func turnedBy(degrees float64) func(*Object) { return func(o *Object) { o.Rotation[1] = degrees } }
func raised(y float64) func(*Object)         { return func(o *Object) { o.Position[1] = y } }
func colored(c string) func(*Object)         { return func(o *Object) { o.Color = c } }
func grown(f float64) func(*Object)          { return func(o *Object) { o.Scale = &Vec{f, f, f} } }
func sized(x, y, z float64) func(*Object)    { return func(o *Object) { o.Size = &Vec{x, y, z} } }

// solarSystem has the planets in their order, from the sun on the left; sizes and distances are
// pressed together so that all can be seen.
func solarSystem(t *teller) []Object {
	t.scene.Ground, t.scene.Sky.Color = nil, "#0b1020"
	t.scene.Lights = []Light{{Kind: Sun, Color: "#fff4dc", Intensity: 3, Direction: &Vec{1, -0.35, -0.8}}}
	var c crowd
	ball := func(shape, id, color string, x, d float64, more ...func(*Object)) {
		c.put(shape, x, 0, append([]func(*Object){raised(-d / 2), colored(color), sized(d, d, d), func(o *Object) { o.ID = id }}, more...)...)
	}
	ball("sphere", "sun", "#ffc93c", 0, 4)
	x := 2.0
	for _, p := range []struct {
		id, shape, color string
		d                float64
	}{
		{"mercury", "moon", "#9c9389", 0.4}, {"venus", "planet", "#e6c27a", 0.75}, {"earth", "sphere", "#3f7fd0", 0.8}, {"mars", "planet", "#c1502e", 0.55},
		{"jupiter", "planet", "#d8a877", 2.2}, {"saturn", "planet", "#e3cd96", 1.8}, {"uranus", "sphere", "#9ad7dd", 1.2}, {"neptune", "sphere", "#3f5fd0", 1.15},
	} {
		x += 0.65 + p.d/2
		if p.id == "saturn" {
			x += 0.9
		}
		ball(p.shape, p.id, p.color, x, p.d)
		switch p.id {
		case "earth":
			ball("moon", "moon", "#c9c9c4", x+0.48, 0.2)
			c.all[len(c.all)-1].Position[1] = 0.42
		case "saturn":
			c.put("ring", x, 0, colored("#d8c08a"), sized(3.9, 0.02, 3.9), func(o *Object) { o.ID, o.Rotation = "saturn-rings", Vec{18, 0, 12} })
			x += 0.9
		}
		x += p.d / 2
	}
	return c.all
}

func classroom(t *teller) []Object {
	t.scene.Ground, t.scene.Sky.Color = &Ground{Color: "#c9a77c"}, "#efe7da"
	var c crowd
	c.put("blackboard", 0, -4, grown(1.4))
	c.put("table", 2.6, -3, colored("#8a5a3a"))
	c.put("globe", 2.9, -3, raised(0.76))
	c.put("book", 2.3, -2.9, raised(0.76), turnedBy(20))
	c.put("apple", 2.55, -2.75, raised(0.76))
	c.put("person", -2.3, -3.2, turnedBy(15))
	c.put("bookshelf", -4.2, -3.6, turnedBy(35))
	for row := range 3 {
		for col := range 3 {
			x, z := -2.6+2.6*float64(col), -1+2.1*float64(row)
			c.put("table", x, z)
			c.put("chair", x-0.35, z+0.75, turnedBy(180), colored("#3f7cac"))
			c.put("chair", x+0.35, z+0.75, turnedBy(180), colored("#e07a5f"))
			c.put("book", x-0.3, z, raised(0.76), colored([]string{"#2a6f97", "#588157", "#b23a48"}[(row+col)%3]), turnedBy(float64(10*row-10)))
		}
	}
	return c.all
}

func farm(t *teller) []Object {
	r := dice(t.seed, "farm")
	var c crowd
	c.put("house", -3, -2, colored("#a63d2f"), grown(1.5), turnedBy(20))
	c.put("tower", 2.2, -4, grown(0.9), colored("#c9cdd2"))
	c.put("house", 4.5, -1, colored("#f2e3c6"), turnedBy(-25))
	for i := range 6 {
		c.put("fence", -6.3+3.6*float64(i%4), 3.2+0*float64(i))
		if i >= 3 {
			break
		}
	}
	for i := range 14 {
		c.put("flower", -5.5+1.6*float64(i%7), 4+0.6*float64(i/7), colored([]string{"#e4572e", "#f2c230", "#e86a92"}[i%3]))
	}
	for range 6 {
		c.put("tree", -8+16*r.Float64(), -7-2*r.Float64(), grown(0.9+0.5*r.Float64()), turnedBy(math.Round(360*r.Float64())))
	}
	c.put("cat", 0.4, 1.6, grown(1.8), turnedBy(-20))
	c.put("person", 1.4, 1.2)
	c.put("car", 6.6, 2, colored("#2f7d4f"), turnedBy(-60))
	return c.all
}

func village(t *teller) []Object {
	r := dice(t.seed, "village")
	var c crowd
	for i, color := range []string{"#f2e3c6", "#e8b4a0", "#cfe0d8", "#f4d58d", "#d7c7e8", "#f2e3c6"} {
		d := onBall(8.5, 60*float64(i)+30, 0)
		c.put("house", d[0], d[2], colored(color), turnedBy(60*float64(i)+30+180), grown(0.95+0.2*r.Float64()))
	}
	c.put("tower", 0, -1, grown(1.2))
	for i := range 8 {
		d := onBall(4.5+r.Float64(), 45*float64(i)+22, 0)
		c.put([]string{"tree", "bush"}[i%2], d[0], d[2], turnedBy(math.Round(360*r.Float64())))
	}
	for i := range 4 {
		d := onBall(2.6, 90*float64(i)+40, 0)
		c.put("person", d[0], d[2], turnedBy(90*float64(i)), colored([]string{"#3d7ea6", "#c8553d", "#588157", "#7b4fb3"}[i]))
	}
	return c.all
}

func street(t *teller) []Object {
	t.scene.Ground = &Ground{Color: "#a9b58f"}
	var c crowd
	for i := range 2 {
		c.put("road", -6+12*float64(i), 0, turnedBy(90))
	}
	for i, color := range []string{"#f2e3c6", "#d9a58c", "#c9d6df", "#f4d58d"} {
		c.put("house", -8.4+5.6*float64(i), -5.2, colored(color), grown(1.05+0.1*float64(i%2)))
		c.put("tree", -5.6+5.6*float64(i), -3.4, grown(0.8))
	}
	c.put("car", -5, 0.75, turnedBy(90))
	c.put("car", 3.5, 0.75, turnedBy(90), colored("#2f6fc4"))
	c.put("bus", 1, -0.85, turnedBy(-90))
	c.put("bicycle", -9, 2.3, turnedBy(80))
	for i := range 4 {
		c.put("lamp", -9+6*float64(i), 2.5, grown(2.2))
	}
	c.put("person", -1.5, 2.6, turnedBy(-30))
	c.put("person", 6, 2.6, colored("#c8553d"))
	return c.all
}

func forest(t *teller) []Object {
	r := dice(t.seed, "forest")
	var c crowd
	for i := range 36 {
		x, z := -7.5+3*float64(i%6)+1.6*(r.Float64()-0.5), -7.5+3*float64(i/6)+1.6*(r.Float64()-0.5)
		c.put([]string{"pine", "tree", "pine"}[r.IntN(3)], x, z, grown(math.Round((0.8+0.7*r.Float64())*100)/100), turnedBy(math.Round(360*r.Float64())))
	}
	for range 14 {
		c.put([]string{"bush", "rock", "flower"}[r.IntN(3)], -8+16*r.Float64(), -8+17*r.Float64(), grown(0.7), turnedBy(math.Round(360*r.Float64())))
	}
	return c.all
}

func castleGarden(t *teller) []Object {
	var c crowd
	c.put("castle", 0, -4, grown(1.2))
	for i := range 10 {
		x := 1.3
		if i%2 == 0 {
			x = -x
		}
		c.put("bush", x*1.4, 1.2+1.3*float64(i/2), grown(0.8))
		c.put("flower", x, 1.2+1.3*float64(i/2), colored([]string{"#e4572e", "#e86a92", "#f2c230"}[i/2%3]), grown(1.2))
	}
	for _, x := range []float64{-6, 6} {
		c.put("tree", x, -6, grown(1.3))
		c.put("tree", x, 0, grown(1.1))
		c.put("pine", x*1.1, 4)
	}
	c.put("person", 0, 3)
	return c.all
}

func playground(t *teller) []Object {
	t.scene.Ground = &Ground{Color: "#b9c98f"}
	var c crowd
	c.put("wedge", -3, 0, sized(1, 1.8, 3.2), colored("#3f88c5"))
	c.put("tower", -3, -2.4, grown(0.45), colored("#e07a5f"))
	c.put("torus", 0, 0.5, sized(2.4, 0.5, 2.4), colored("#f4b942"))
	c.put("ball", 2.2, 1.8, grown(1.4))
	c.put("bicycle", 3.4, -0.5, turnedBy(-50))
	for i := range 5 {
		c.put("person", -1.5+1.2*float64(i), 2.6-0.9*float64(i%2), grown(0.72), turnedBy(float64(40*i-80)), colored([]string{"#d64045", "#3d7ea6", "#f4b942", "#588157", "#7b4fb3"}[i]))
	}
	for i := range 4 {
		c.put("fence", -5.4+3.6*float64(i), -4.4)
		c.put("tree", -5.4+3.6*float64(i), -5.6, turnedBy(70*float64(i)))
	}
	return c.all
}

func harbour(t *teller) []Object {
	t.scene.Ground = &Ground{Color: "#3d87b8"}
	var c crowd
	for i, color := range []string{"#b5533c", "#2f6fc4", "#f2e3c6", "#588157"} {
		c.put("boat", -4.5+3*float64(i), 2.5-0.7*float64(i%2), raised(-0.15), colored(color), turnedBy(float64(25*i-40)))
	}
	c.put("box", 0, -2.6, sized(15, 0.5, 4), colored("#b9b0a2"))
	c.put("tower", 6.3, -2.6, raised(0.5), colored("#f4f1ea"))
	for i, color := range []string{"#e8b4a0", "#f4d58d", "#cfe0d8"} {
		c.put("house", -4.7+4.3*float64(i), -3, raised(0.5), colored(color), grown(0.8))
	}
	c.put("person", -2.6, -1.2, raised(0.5))
	c.put("cat", 3, -1.1, raised(0.5))
	return c.all
}

func launch(t *teller) []Object {
	t.scene.Ground, t.scene.Sky.Color = &Ground{Color: "#b3a58c"}, "#9fc3e8"
	var c crowd
	c.put("cylinder", 0, 0, sized(5, 0.3, 5), colored("#8d9299"))
	c.put("rocket", 0, 0, raised(0.3), grown(2))
	c.put("tower", -3.2, -1, sized(1.3, 8, 1.3), colored("#b5523b"))
	c.put("house", 7, -3, colored("#eceff1"), turnedBy(-30))
	c.put("globe", 4.6, -1.2, grown(4), turnedBy(30))
	c.put("car", 4.5, 2.6, colored("#f4f6f8"), turnedBy(-60))
	c.put("person", 2.6, 3.4, colored("#f3722c"))
	return c.all
}

func bedroom(t *teller) []Object {
	t.scene.Ground, t.scene.Sky.Color = &Ground{Color: "#c9a77c"}, "#e8e2f0"
	var c crowd
	c.put("bed", -0.8, 0)
	c.put("lamp", -1.8, -0.8)
	c.put("table", 1.6, -0.9)
	c.put("chair", 1.6, -0.2, turnedBy(180))
	c.put("book", 1.4, -0.9, raised(0.76), turnedBy(15))
	c.put("cup", 1.95, -0.8, raised(0.76))
	c.put("bookshelf", 0.4, -1.4)
	c.put("cat", 0.4, 0.9, turnedBy(-30))
	c.put("ball", 1.2, 1)
	return c.all
}

func airport(t *teller) []Object {
	var c crowd
	for i := range 2 {
		c.put("road", -6+12*float64(i), 2, turnedBy(90), grown(1))
	}
	c.put("aeroplane", -2, 2, turnedBy(90))
	c.put("aeroplane", 5.5, -4, turnedBy(20), grown(1.1))
	c.put("tower", -7, -4, sized(2, 7, 2), colored("#d7dde2"))
	c.put("box", -1, -6, sized(9, 2.6, 3), colored("#c3d3df"))
	c.put("bus", -3, -2, turnedBy(90), grown(0.7))
	return c.all
}

func alps(t *teller) []Object {
	r := dice(t.seed, "alps")
	var c crowd
	c.put("mountain", 0, -7, grown(2))
	c.put("mountain", -9, -9, grown(1.7), turnedBy(70))
	c.put("mountain", 9, -9, grown(1.6), turnedBy(160))
	c.put("house", -2, 3.5, colored("#a9714b"))
	for i := range 12 {
		c.put("pine", -9+1.6*float64(i), 1+1.6*r.Float64(), grown(0.8+0.4*r.Float64()))
	}
	c.put("person", 1.2, 4.5)
	return c.all
}

func stage(t *teller) []Object {
	t.scene.Ground, t.scene.Sky.Color = &Ground{Color: "#4a3b35"}, "#2a2230"
	var c crowd
	c.put("box", 0, 0, sized(9, 0.8, 5), colored("#a9714b"))
	for _, x := range []float64{-4.1, 4.1} {
		for i := range 3 {
			c.put("cylinder", x-math.Copysign(0.45*float64(i), x), 1.9, raised(0.8), sized(0.5, 4.4, 0.5), colored("#8c1c2a"))
		}
	}
	c.put("box", 0, 1.9, raised(5.2), sized(9.2, 0.9, 0.7), colored("#8c1c2a"))
	c.put("house", -2, -1.2, raised(0.8), grown(0.7))
	c.put("tree", 2.2, -1.4, raised(0.8))
	c.put("star", 0.5, -2.2, raised(4))
	c.put("person", -0.3, 0.8, raised(0.8))
	c.put("person", 0.9, 1, raised(0.8), colored("#c8553d"))
	return c.all
}
