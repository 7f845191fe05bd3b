// Package figure draws characters, creatures, things and places as friendly
// vector pictures. Attributes and a seed decide every trait, so that each view
// and each expression shows the same figure; the same brief yields the same pixels.
package figure

import (
	"image"
	"maps"
	"slices"

	"git.sr.ht/~sbinet/gg"
)

// The kinds of what can be drawn.
const (
	Character = "character"
	Creature  = "creature"
	Object    = "object"
	Location  = "location"
)

// Backgrounds of a figure.
const (
	Transparent = "transparent"
	Plain       = "plain"
	Scene       = "scene"
)

// Brief is what to draw. Size is the length in pixels of the longer side,
// from MinSize to MaxSize.
type Brief struct {
	Kind       string
	Attributes map[string]string
	Seed       int64
	// Palette are colors (#rrggbb) for what no attribute says, most important first.
	Palette []string
	// View is one of Views of the kind; empty: the first.
	View       string
	Background string
	Size       int
}

// The sizes that are drawn; others are brought into this range.
const (
	MinSize = 32
	MaxSize = 4096
)

var moods = []string{"happy", "sad", "surprised", "angry"}

// Views are those of a kind, the usual ones first.
func Views(kind string) []string {
	switch kind {
	case Character, Creature:
		return append([]string{"portrait", "front", "side", "back"}, moods...)
	case Object:
		return []string{"front", "side", "top", "three-quarter"}
	case Location:
		return []string{"dawn", "day", "dusk", "night"}
	}
	return nil
}

// Complete says every trait of a figure: what the attributes say in the words
// that the drawing knows, the rest as the seed decides it. What is said but
// not known is in notUnderstood, and decided by the seed too.
func Complete(kind string, attributes map[string]string, seed int64, palette []string) (all map[string]string, notUnderstood []string) {
	known, notUnderstood := Understand(kind, attributes)
	switch kind {
	case Character:
		return completePerson(known, seed, palette), notUnderstood
	case Creature:
		return completeBeast(known, seed, palette), notUnderstood
	case Object:
		return completeThing(known, seed, palette), notUnderstood
	case Location:
		return completePlace(known, seed), notUnderstood
	}
	return known, notUnderstood
}

// Draw draws a brief. Attributes need not be complete.
func Draw(b Brief) *image.RGBA {
	size := max(MinSize, min(MaxSize, b.Size))
	if !slices.Contains(Views(b.Kind), b.View) {
		if views := Views(b.Kind); len(views) > 0 {
			b.View = views[0]
		}
	}
	width, height := frame(b.Kind, b.View, size)
	dc := gg.NewContext(width, height)
	if b.Kind == Location {
		a, _ := Complete(Location, b.Attributes, b.Seed, nil)
		a["timeOfDay"] = b.View
		newPlace(a, b.Seed).draw(dc)
		return dc.Image().(*image.RGBA)
	}
	a, _ := Complete(b.Kind, b.Attributes, b.Seed, b.Palette)
	ground(dc, b, a)
	if b.Kind == Object {
		img := dc.Image().(*image.RGBA)
		margin := size / 16
		drawThing(img, image.Rect(margin, margin, width-margin, height-margin), a, b.Seed, b.View, b.Background != Scene)
		return img
	}
	p := camera(dc, b, a)
	drawAt(p, b.Kind, a, b.Seed, b.Palette, b.View)
	return dc.Image().(*image.RGBA)
}

// camera is a pen whose units are the figure's, looking at what the view shows.
func camera(dc *gg.Context, b Brief, a map[string]string) *pen {
	w, h := float64(dc.Width()), float64(dc.Height())
	var span, middle float64 // how high the picture is, and what is in its middle
	switch {
	case b.Kind == Character && portrait(b):
		f := newPerson(a, b.Seed, b.Palette)
		span, middle = 49, f.crown()+f.head+f.sink()+2.2
	case b.Kind == Character:
		f := newPerson(a, b.Seed, b.Palette)
		span = ((f.tall+10)*1.5 + 107) / 2.5 * 1.07
		middle = -0.455 * span
	case portrait(b):
		s := sizeOf(a["size"])
		face := faces[kins[a["species"]].form]
		span, middle = face.span*s, face.middle*s
	default:
		base := 68.0
		if k := kins[a["species"]]; k.mane {
			base = 82
		} else if k.form == "beast" {
			base = 77
		}
		if a["horns"] != "none" {
			base = max(base, 80)
		}
		span = max(base, base*sizeOf(a["size"])) * 1.06
		middle = -0.46 * span
	}
	unit := h / span
	p := newPen(dc, unit)
	if portrait(b) {
		p.ink *= 0.68
	}
	dc.Translate(w/2, h/2-middle*unit)
	dc.Scale(unit, unit)
	return p
}

// faces are where the head of a creature is, by the form of its body.
var faces = map[string]struct{ span, middle float64 }{
	"beast": {64, -46}, "bird": {50, -36}, "fish": {56, -30}, "snake": {46, -42}, "frog": {50, -27}, "insect": {52, -28}, "robot": {50, -43},
}

// frame is the size of a view: whole persons stand in an upright picture,
// places in a wide one.
func frame(kind, view string, size int) (width, height int) {
	switch {
	case kind == Location:
		return size, size * 9 / 16
	case kind == Character && (view == "front" || view == "side" || view == "back"):
		return size * 3 / 4, size
	}
	return size, size
}

func moodOf(own, view string) string {
	if slices.Contains(moods, view) {
		return view
	}
	return own
}

// drawAt draws a figure that stands on 0, 0 of the pen, in its units: an adult
// person is about 100 high.
func drawAt(p *pen, kind string, a map[string]string, seed int64, palette []string, view string) {
	switch kind {
	case Character:
		f := newPerson(maps.Clone(a), seed, palette)
		switch view {
		case "side":
			f.side(p, f.mood)
		case "back":
			f.front(p, f.mood, true)
		default:
			f.front(p, moodOf(f.mood, view), false)
		}
	case Creature:
		newBeast(a, seed).draw(p, view)
	}
}
