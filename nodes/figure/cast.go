package figure

import (
	"image"
	"math"
	"slices"

	"git.sr.ht/~sbinet/gg"
)

// Part is one figure in a scene.
type Part struct {
	Kind       string // Character, Creature or Object
	Attributes map[string]string
	Seed       int64
	Palette    []string
}

// statures are the heights of things beside a grown person's 100; smaller ones
// are shown larger than they are, so that they can be seen.
var statures = map[string]float64{
	"house": 170, "tower": 190, "castle": 210, "tree": 150, "pine": 150, "mountain": 200, "rocket": 150, "bus": 95, "aeroplane": 90, "bookshelf": 105, "car": 62, "boat": 90,
	"bicycle": 52, "bed": 48, "table": 44, "chair": 48, "lamp": 66, "bush": 42, "sword": 52, "clock": 40, "lantern": 38, "shield": 46, "crystal": 46, "planet": 60, "moon": 60, "star": 46,
}

// placed is a figure with its place in the row.
type placed struct {
	Part
	all        map[string]string
	wide, tall float64 // in units of which a grown person has 100
	x          float64
}

// Onto draws figures on the ground of a picture: persons and creatures in their
// order, things beside them, large things behind. Each looks as its own
// attributes and seed say.
func Onto(img *image.RGBA, parts []Part) {
	var row, left, right, behind []placed
	for _, part := range parts {
		q := measured(part)
		switch {
		case part.Kind != Object:
			row = append(row, q)
		case q.tall > 120:
			behind = append(behind, q)
		case len(right) > len(left):
			left = append(left, q)
		default:
			right = append(right, q)
		}
	}
	row = slices.Concat(left, row, right)
	w, h := float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
	total := 0.0
	for _, q := range row {
		total += q.wide
	}
	unit := math.Min(h*0.6/108, w*0.94/math.Max(total, 40))
	dc := gg.NewContextForRGBA(img)
	ground := h * 0.93
	for i, q := range behind {
		x := w * (float64(i) + 0.5) / float64(len(behind))
		if len(behind) == 1 && len(row) > 0 {
			x = w * 0.24
		}
		q.x = x
		q.draw(dc, unit, ground-h*0.1)
	}
	x := w/2 - total*unit/2
	for i := range row {
		row[i].x = x + row[i].wide*unit/2
		x += row[i].wide * unit
		row[i].draw(dc, unit, ground-h*0.014*float64(i%2))
	}
}

func measured(part Part) placed {
	q := placed{Part: part}
	q.all, _ = Complete(part.Kind, part.Attributes, part.Seed, part.Palette)
	switch part.Kind {
	case Character:
		f := newPerson(q.all, part.Seed, part.Palette)
		q.tall, q.wide = f.tall+10, 2*f.shoulder+24
	case Creature:
		k := kins[q.all["species"]]
		q.tall = k.stature * sizeOf(q.all["size"])
		q.wide = q.tall*0.86 + 8
		if q.all["wings"] != "none" && k.form != "bird" {
			q.wide += q.tall * 0.3
		}
	default:
		q.tall = statures[q.all["shape"]]
		if q.tall == 0 {
			q.tall = 30
		}
		q.tall *= sizeOf(q.all["size"])
		q.wide = q.tall + 6
		if q.tall > 120 {
			q.wide = 0
		}
	}
	return q
}

// draw draws it, standing on y, over its shadow.
func (q placed) draw(dc *gg.Context, unit, y float64) {
	shadow := newPen(dc, 1)
	shadow.soft(hex(0x1d2233), 0.2, q.x, y+unit*0.4, math.Max(q.wide, q.tall*0.6)*unit*0.36, unit*2.6)
	if q.Kind == Object {
		side := int(q.tall * unit)
		box := image.Rect(int(q.x)-side*3/4, int(y)-side, int(q.x)+side*3/4, int(y)+1)
		newThing(q.all, q.Seed).render(dc.Image().(*image.RGBA), box, "three-quarter", 1, false)
		return
	}
	scale := unit
	if q.Kind == Creature {
		scale *= kins[q.all["species"]].stature / 62
	}
	dc.Push()
	p := newPen(dc, scale)
	p.ink *= unit / scale
	dc.Translate(q.x, y)
	dc.Scale(scale, scale)
	drawAt(p, q.Kind, q.all, q.Seed, q.Palette, "front")
	dc.Pop()
}

// Place paints a location over a whole picture of a size; the light is that of
// its attributes.
func Place(attributes map[string]string, seed int64, width, height int) *image.RGBA {
	dc := gg.NewContext(width, height)
	all, _ := Complete(Location, attributes, seed, nil)
	newPlace(all, seed).draw(dc)
	return dc.Image().(*image.RGBA)
}

// maxColors of a palette.
const maxColors = 6

// Palette are the colors of a picture, #rrggbb, the most frequent first;
// what is see-through does not count.
func Palette(img *image.RGBA) []string {
	type heap struct{ r, g, b, n int }
	heaps := map[int]*heap{}
	step := max(1, img.Bounds().Dx()/200)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += step {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x += step {
			i := img.PixOffset(x, y)
			if img.Pix[i+3] < 200 {
				continue
			}
			r, g, b := int(img.Pix[i]), int(img.Pix[i+1]), int(img.Pix[i+2])
			key := r>>4<<8 | g>>4<<4 | b>>4
			if heaps[key] == nil {
				heaps[key] = &heap{}
			}
			o := heaps[key]
			o.r, o.g, o.b, o.n = o.r+r, o.g+g, o.b+b, o.n+1
		}
	}
	keys := make([]int, 0, len(heaps))
	for key := range heaps {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b int) int {
		if d := heaps[b].n - heaps[a].n; d != 0 {
			return d
		}
		return a - b
	})
	var found []lab
	var out []string
	for _, key := range keys {
		o := heaps[key]
		n := float64(o.n) * 255
		c := rgb{float64(o.r) / n, float64(o.g) / n, float64(o.b) / n}
		l := c.lab()
		if slices.ContainsFunc(found, func(k lab) bool { return math.Hypot(math.Hypot(k.l-l.l, k.a-l.a), k.b-l.b) < 0.11 }) {
			continue
		}
		found, out = append(found, l), append(out, c.String())
		if len(out) == maxColors {
			break
		}
	}
	return out
}
