package scene

import (
	"strings"
)

// Weigh refuses a checked scene of which Build would say that its own shapes are too many, or hold nothing that can
// be shown: *Error. Models that it brings in count when they are read.
func Weigh(s *Scene) error {
	w := &scales{texts: map[string]int{}}
	s.Each(w.put)
	if s.Ground != nil {
		w.triangles += alwaysAs("ground", func() int { return trianglesOf(groundNode(&Ground{Color: grassGreen, Size: 1}, Box{}).Meshes) })
		if w.err == nil && w.triangles > MaxTriangles {
			w.err = wrong("objects", "make %d triangles; at most %d work", w.triangles, MaxTriangles)
		}
	}
	return w.err
}

// scales add triangles up, until there are too many.
type scales struct {
	triangles int
	texts     map[string]int // of shapes with a text, by both
	err       error
}

func (w *scales) put(field string, o *Object) {
	if w.err != nil || o.Shape == "group" || o.Shape == "mesh" {
		return
	}
	n := w.of(o)
	if w.triangles += n; w.triangles > MaxTriangles {
		w.err = wrong(field, "brings the scene over %d triangles", MaxTriangles)
	}
	if n == 0 {
		w.err = wrong(field+".text", "holds no character that can be shown")
	}
}

// varies are the shapes whose triangles are not always as many, with what decides it besides text and values.
var varies = map[string]bool{"text": true, "molecule": true, "blackboard": true, "bar-chart": true, "bookshelf": true}

func (w *scales) of(o *Object) int {
	drawn := func() int {
		p := penFor(o)
		kit[o.Shape].draw(p, o)
		return trianglesOf(p.meshes())
	}
	if !varies[o.Shape] {
		return alwaysAs(o.Shape, drawn)
	}
	if len(o.Values) > 0 || o.Shape == "bookshelf" {
		return drawn()
	}
	key := o.Shape + " " + strings.TrimSpace(o.Text)
	n, known := w.texts[key]
	if !known {
		n = drawn()
		w.texts[key] = n
	}
	return n
}

var always known[string, int] // triangles by shape, once they were counted

func alwaysAs(shape string, count func() int) int {
	if n, ok := always.load(shape); ok {
		return n
	}
	n := count()
	always.store(shape, n)
	return n
}

func trianglesOf(meshes []*Mesh) (n int) {
	for _, m := range meshes {
		n += len(m.Indices) / 3
	}
	return n
}
