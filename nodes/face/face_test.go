//go:build !race

package face_test

import (
	"bytes"
	"image"
	"testing"

	"atelier/nodes/face"
	"atelier/nodes/face/facetest"
)

func faceDecode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		picture []byte
		faces   int
	}{
		"one": {facetest.One(), 1}, "two": {facetest.Two(), 2}, "none": {facetest.PNG(300, 300), 0}, "tiny": {facetest.PNG(10, 10), 0}, "small": {facetest.PNG(640, 400, image.Rect(200, 100, 300, 200)), 1},
		"large": {facetest.PNG(4000, 3000, image.Rect(1000, 500, 2500, 2000)), 1},
	} {
		boxes := face.Find(faceDecode(t, c.picture), 0)
		if len(boxes) != c.faces {
			t.Errorf("%s: %d faces %v, want %d", name, len(boxes), boxes, c.faces)
		}
	}
}

func TestOne(t *testing.T) {
	two := faceDecode(t, facetest.Two())
	if _, err := face.One(two, nil); err != face.ErrSeveral {
		t.Errorf("two faces: %v", err)
	}
	if box, err := face.One(two, &face.Point{X: 0.25, Y: 0.5}); err != nil || box.X > 0.3 {
		t.Errorf("the left one: %v %v", box, err)
	}
	if _, err := face.One(two, &face.Point{X: 0.99, Y: 0.99}); err != face.ErrPoint {
		t.Errorf("beside both: %v", err)
	}
	if _, err := face.One(faceDecode(t, facetest.PNG(300, 300)), nil); err != face.ErrNone {
		t.Errorf("none: %v", err)
	}
}

func TestCut(t *testing.T) {
	img := faceDecode(t, facetest.PNG(4000, 3000, image.Rect(500, 200, 3300, 3000)))
	box, err := face.One(img, nil)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := face.Cut(img, box)
	if err != nil || cut.Rect.Dx() != cut.Rect.Dy() || cut.Rect.Dx() > face.MaxSide {
		t.Fatalf("%v %v", cut.Rect, err)
	}
	if found := face.Find(cut, 0); len(found) != 1 {
		t.Errorf("the cut shows %d faces", len(found))
	}
	for _, b := range []face.Box{{X: 0.8, Width: 0.3, Height: 0.2}, {X: -0.1, Width: 0.3, Height: 0.2}, {Width: 0, Height: 1}} {
		if _, err := face.CutPart(img, b); err != face.ErrCrop {
			t.Errorf("%v: %v", b, err)
		}
	}
	if _, err := face.CutPart(img, face.Box{Width: 0.001, Height: 0.001}); err != face.ErrSmall {
		t.Errorf("a speck: %v", err)
	}
}

func TestMeasures(t *testing.T) {
	one, same := facetest.Draw(400, 500, image.Rect(50, 50, 350, 350)), facetest.Draw(800, 1000, image.Rect(100, 100, 700, 700))
	if d := face.Apart(face.Hash(one), face.Hash(same)); d > face.Alike {
		t.Errorf("the same picture twice as large is %d apart", d)
	}
	if d := face.Apart(face.Hash(one), face.Hash(faceDecode(t, facetest.Two()))); d <= face.Alike {
		t.Errorf("another picture is %d apart", d)
	}
	if face.Sharpness(one) < face.Blurred || face.Sharpness(faceDecode(t, facetest.PNG(300, 300))) != 0 {
		t.Error("sharpness")
	}
	box, err := face.One(one, nil)
	if err != nil {
		t.Fatal(err)
	}
	if look := face.Colors(one, box); look.Skin == "" || look.Hair == "" || look.Clothes == "" {
		t.Errorf("%+v", look)
	}
	if got := face.Middle("#102030", "", "#102030"); got != "#102030" {
		t.Errorf("the middle is %s", got)
	}
}
