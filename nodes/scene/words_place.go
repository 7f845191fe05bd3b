package scene

import (
	"math"
	"slices"
	"strconv"
)

// place gives every thing its place: first those that stand by themselves, in a row from left
// to right, then those that are said to be somewhere about another.
func (t *teller) place() {
	for i, th := range t.things {
		t.make(i, th)
	}
	x := 0.0
	var row []*Object
	for i, th := range t.things {
		if th.relation != "" && th.other >= 0 && th.other != i {
			continue
		}
		start := x
		x = th.line(x)
		if x > start {
			x += 0.3 + 0.12*math.Max(th.sizes[0][0], 1)
		}
		row = append(row, th.objects...)
		th.placed = true
	}
	for _, o := range row { // the row's middle is the scene's
		o.Position[0] -= x / 2
	}
	for i := range t.things {
		t.settle(i, 0)
	}
	t.scene.Objects = append(t.scene.Objects, t.whole...)
	if len(t.whole) > 0 { // what is named besides stands in front
		shift := wholeDepth(t.whole)
		for _, th := range t.things {
			for _, o := range th.objects {
				o.Position[2] += shift
			}
		}
	}
	for _, th := range t.things {
		for _, o := range th.objects {
			for k := range o.Position {
				o.Position[k] = math.Round(o.Position[k]*1000)/1000 + 0 // no -0, which JSON would lose
			}
			t.scene.Objects = append(t.scene.Objects, *o)
		}
	}
	floats := len(t.whole) == 0
	for _, th := range t.things {
		floats = floats && (th.shape == "molecule" || th.shape == "planet" || th.shape == "bar-chart")
	}
	if floats && t.scene.Ground != nil && t.scene.Ground.Color == grassGreen {
		t.scene.Ground, t.scene.Sky.Color = nil, "#e9eef4"
	}
}

// make makes the objects of a thing.
func (t *teller) make(i int, th *thing) {
	r := dice(t.seed, th.shape, strconv.Itoa(i))
	for n := range th.count {
		o := &Object{ID: th.shape + "-" + strconv.Itoa(i+1) + "-" + strconv.Itoa(n+1) + "-" + t.seed, Shape: th.shape, Text: th.text, Values: th.values, Color: th.color,
			Metalness: th.metal, Roughness: th.rough, Opacity: th.clear}
		scale := th.scale
		if th.count > 1 && alive[th.shape] { // no two trees are alike
			scale = scale.times(0.85 + 0.3*r.Float64())
			o.Rotation[1] = math.Round(r.Float64() * 360)
		}
		size := natural(*o)
		for k := range scale {
			scale[k] = math.Round(scale[k]*100) / 100
			size[k] *= scale[k]
		}
		if scale != (Vec{1, 1, 1}) {
			o.Scale = &scale
		}
		th.objects, th.sizes = append(th.objects, o), append(th.sizes, size)
	}
}

// line puts a thing's objects beside each other from x on, in rows of up to six.
func (th *thing) line(x float64) float64 {
	per := 6
	if th.count > 12 {
		per = int(math.Ceil(math.Sqrt(float64(th.count) * 1.5)))
	}
	width, deep := 0.0, 0.0
	for _, s := range th.sizes {
		width, deep = math.Max(width, s[0]), math.Max(deep, s[2])
	}
	gap := width*0.25 + 0.1
	for i, o := range th.objects {
		o.Position = Vec{x + width/2 + float64(i%per)*(width+gap), 0, -float64(i/per) * (deep*1.25 + 0.1)}
	}
	return x + float64(min(per, th.count))*(width+gap) - gap
}

// bounds are what a thing fills, once it is placed.
func (th *thing) bounds() Box {
	b := noBox()
	for i, o := range th.objects {
		half := Vec{th.sizes[i][0] / 2, 0, th.sizes[i][2] / 2}
		b.take(o.Position.sub(half))
		b.take(o.Position.add(half).add(Vec{0, th.sizes[i][1], 0}))
	}
	return b
}

// settle places a thing about another, which is settled first.
func (t *teller) settle(i, depth int) {
	th := t.things[i]
	if th.placed || th.placing || depth > 20 {
		return
	}
	th.placing = true
	t.settle(th.other, depth+1)
	if th.second >= 0 {
		t.settle(th.second, depth+1)
	}
	th.line(0)
	own := th.bounds()
	th.shift(own.middle().times(-1).add(Vec{0, own.middle()[1], 0}))
	own = th.bounds()
	near := t.things[th.other].bounds()
	middle, size, mine := near.middle(), near.Size(), own.Size()
	gap := 0.15 + 0.05*math.Max(size[0], mine[0])
	base := near.Min[1]
	switch th.relation {
	case "on":
		th.lieOn(near, surfaces[t.things[th.other].shape])
	case "under":
		t.under(th, t.things[th.other], near)
	case "left":
		th.shift(Vec{near.Min[0] - gap - mine[0]/2, base, middle[2]})
	case "right", "beside":
		th.shift(Vec{near.Max[0] + gap + mine[0]/2, base, middle[2]})
	case "behind":
		th.shift(Vec{middle[0], base, near.Min[2] - gap - mine[2]/2})
	case "front":
		th.shift(Vec{middle[0], base, near.Max[2] + gap + mine[2]/2})
	case "above":
		th.shift(Vec{middle[0], near.Max[1] + 0.3 + 0.3*size[1], middle[2]})
	case "inside":
		th.shift(Vec{middle[0], base + 0.05, middle[2]})
	case "around":
		th.circle(near)
	case "between":
		t.amid(th, near)
	}
	th.placed = true
	if th.relation != "on" && th.relation != "under" && th.relation != "inside" && th.relation != "around" && th.relation != "between" && th.relation != "above" {
		t.giveWay(i)
	}
}

func (th *thing) shift(by Vec) {
	for _, o := range th.objects {
		o.Position = o.Position.add(by)
	}
}

// lieOn lets things lie on top of another; high is where its surface is, as a part of its height.
func (th *thing) lieOn(near Box, high float64) {
	if high == 0 {
		high = 1
	}
	m := near.middle()
	th.shift(Vec{m[0], near.Min[1] + near.Size()[1]*high, m[2]})
	if wide := th.bounds().Size()[0]; wide > near.Size()[0] && th.count > 1 { // pressed together
		for _, o := range th.objects {
			o.Position[0] = m[0] + (o.Position[0]-m[0])*near.Size()[0]/wide*0.8
		}
	}
}

// under lays things on the ground below; what does not fit makes the other rise.
func (t *teller) under(th, other *thing, near Box) {
	m := near.middle()
	th.shift(Vec{m[0], near.Min[1], m[2]})
	if hollow[other.shape] && th.bounds().Size()[1] < near.Size()[1]*0.8 {
		return
	}
	for _, o := range other.objects {
		o.Position[1] += th.bounds().Size()[1] + 0.1
	}
}

// circle stands things around another.
func (th *thing) circle(near Box) {
	if len(th.objects) == 1 {
		th.count = 1
	}
	own := Vec{}
	for _, s := range th.sizes {
		own[0], own[2] = math.Max(own[0], s[0]), math.Max(own[2], s[2])
	}
	thick := math.Max(own[0], own[2])
	r := math.Hypot(near.Size()[0], near.Size()[2])/2 + thick*0.6 + 0.2
	r = math.Max(r, thick*1.15*float64(len(th.objects))/(2*math.Pi))
	m := near.middle()
	for i, o := range th.objects {
		angle := 360*float64(i)/float64(len(th.objects)) + 180/float64(len(th.objects))
		d := onBall(r, angle, 0)
		o.Position = Vec{m[0] + d[0], near.Min[1], m[2] + d[2]}
		if !alive[th.shape] {
			o.Rotation[1] = math.Round(angle)
			if th.shape == "chair" {
				o.Rotation[1] = math.Round(math.Mod(angle+180, 360))
			}
		}
	}
}

// amid stands things between two others, or in the middle of several.
func (t *teller) amid(th *thing, near Box) {
	if th.second >= 0 {
		a, b := t.things[th.other], t.things[th.second]
		pa, pb := a.bounds(), b.bounds()
		need := th.bounds().Size()[0] + 0.5
		if space := pb.Min[0] - pa.Max[0]; space < need {
			b.shift(Vec{need - space, 0, 0})
			pb = b.bounds()
		}
		th.shift(Vec{(pa.Max[0] + pb.Min[0]) / 2, math.Min(pa.Min[1], pb.Min[1]), (pa.middle()[2] + pb.middle()[2]) / 2})
		return
	}
	other := t.things[th.other]
	if n := len(other.objects); n > 1 {
		need := th.bounds().Size()[0] + 0.5
		middle := near.middle()
		for i, o := range other.objects { // the two halves give way
			if side := float64(i) - float64(n-1)/2; side < 0 {
				o.Position[0] -= need / 2
			} else if side > 0 {
				o.Position[0] += need / 2
			}
		}
		th.shift(Vec{middle[0], near.Min[1], middle[2]})
		return
	}
	th.shift(Vec{near.Max[0] + 0.3 + th.bounds().Size()[0]/2, near.Min[1], near.middle()[2]})
}

// giveWay moves what runs into something that is there already, step by step outwards.
func (t *teller) giveWay(i int) {
	th := t.things[i]
	step := map[string]Vec{"left": {-0.25}, "right": {0.25}, "beside": {0.25}, "behind": {0, 0, -0.25}, "front": {0, 0, 0.25}}[th.relation]
	var taken []Box
	for k, other := range t.things {
		if k != i && other.placed {
			taken = append(taken, other.bounds())
		}
	}
	for range 200 {
		own := th.bounds()
		if step == (Vec{}) || !slices.ContainsFunc(taken, func(b Box) bool { return overlap(own, b) }) {
			return
		}
		th.shift(step)
	}
}

func overlap(a, b Box) bool {
	for k := range 3 {
		if a.Max[k] <= b.Min[k]+0.01 || b.Max[k] <= a.Min[k]+0.01 {
			return false
		}
	}
	return true
}

func wholeDepth(objects []Object) float64 {
	m, err := Build(&Scene{Sky: Sky{skyBlue}, Objects: objects}, nil)
	if err != nil {
		return 0
	}
	return m.Bounds().Max[2] + 0.5
}
