//go:build !race

package scene

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"
)

// What is refused when a scene is sent is just what could not be built.
func TestWeighingTellsWhatBuildingWould(t *testing.T) {
	for name, s := range kitScenes(t) {
		for i := range 2 {
			s.Objects[0].ID = fmt.Sprint(name, i)
			m := mustBuild(t, s)
			w := &scales{texts: map[string]int{}}
			s.Each(w.put)
			own := &Model{Nodes: m.Nodes[:len(s.Objects)]}
			if w.err != nil || w.triangles != own.Triangles() {
				t.Errorf("%s: weighed %d triangles, built %d: %v", name, w.triangles, own.Triangles(), w.err)
			}
		}
	}
	crowd := func(shape string, n int) *Scene {
		s := &Scene{Sky: Sky{skyBlue}, Ground: &Ground{Color: grassGreen}}
		for i := range n {
			s.Objects = append(s.Objects, Object{ID: fmt.Sprint(i), Shape: shape, Text: "B8 " + fmt.Sprint(i)})
		}
		return s
	}
	for _, shape := range []string{"castle", "text", "bookshelf", "blackboard", "car"} {
		s := crowd(shape, MaxObjects)
		before := time.Now()
		weighed := Weigh(s)
		took := time.Since(before)
		_, built := Build(s, nil)
		if fmt.Sprint(weighed) != fmt.Sprint(built) || took > 30*time.Second {
			t.Errorf("%s: weighed %v in %v, built %v", shape, weighed, took, built)
		}
		var bad *Error
		if shape == "castle" && (!errors.As(weighed, &bad) || !strings.HasPrefix(bad.Field, "objects[")) {
			t.Error(weighed)
		}
	}
	if err := Weigh(crowd("box", MaxObjects)); err != nil {
		t.Error(err)
	}
	s := crowd("text", 1)
	s.Objects[0].Text = "😀"
	if err := Weigh(s); err == nil || err.(*Error).Field != "objects[0].text" {
		t.Error(err)
	}
}

// What comes out can be sent, and gives the same model.
func TestASceneThatWasMadeCanBeSentAgain(t *testing.T) {
	for name, s := range kitScenes(t) {
		first, err := mustBuild(t, s).GLB()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(decoded(t, string(text)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again.Camera == nil || len(again.Lights) == 0 || again.Ground != nil && again.Ground.Size == 0 {
			t.Errorf("%s: something was left open", name)
		}
		second, err := mustBuild(t, again).GLB()
		if err != nil || string(first) != string(second) {
			t.Errorf("%s: another model, %v", name, err)
		}
	}
}

func TestWordsAskForNoMoreThanAScene(t *testing.T) {
	for words, asked := range map[string]int{strings.Repeat("box ", 1_000): 1_000, strings.Repeat("farm ", 800): 0} {
		before := time.Now()
		u, ok := FromWords(words, 1)
		if !ok || u.Asked <= MaxObjects || asked > 0 && u.Asked != asked || u.Scene.Count() > 0 || time.Since(before) > 30*time.Second {
			t.Errorf("%d objects of %d that were asked for, in %v", u.Scene.Count(), u.Asked, time.Since(before))
		}
	}
	before := time.Now()
	u, _ := FromWords(strings.Repeat("box left of ", 330), 1)
	if took := time.Since(before); u.Scene.Count() == 0 || took > 30*time.Second {
		t.Errorf("%d objects in %v", u.Scene.Count(), took)
	}
}

// soup is so many triangles that fill a picture one upon another, farthest first, with points that none of them has.
func soup(triangles, spare int) *Model {
	mesh := &Mesh{Material: Material{Color: Vec{1, 1, 1}, Rough: 0.5, Opacity: 1}}
	mesh.Points = append(make([]Vec, spare), Vec{-50, -50, 0}, Vec{50, -50, 0}, Vec{0, 50, 0})
	mesh.Normals = make([]Vec, len(mesh.Points))
	for range triangles {
		at := uint32(spare)
		mesh.Indices = append(mesh.Indices, at, at+1, at+2)
	}
	return &Model{Nodes: []*Node{{Scale: Vec{1, 1, 1}, Rotation: [4]float64{0, 0, 0, 1}, Meshes: []*Mesh{mesh}}}}
}

// All of it would take hours; a busy machine needs a while to look at so many triangles before it draws the first.
func TestDrawingEndsWhenItIsTold(t *testing.T) {
	m := soup(MaxTriangles, 0)
	for _, opacity := range []float64{1, 0.5} {
		m.Nodes[0].Meshes[0].Material.Opacity = opacity
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		before := time.Now()
		_, err := m.Raster(ctx, Picture{Width: 1024, Height: 1024, Camera: &Camera{Position: Vec{0, 0, 10}, Fov: 40}})
		cancel()
		if took := time.Since(before); !errors.Is(err, context.DeadlineExceeded) || took > time.Minute {
			t.Errorf("%v after %v", err, took)
		}
	}
}

func TestPointsOfNoTriangleGo(t *testing.T) {
	mesh := soup(2, 1_000).Nodes[0].Meshes[0].compact()
	if len(mesh.Points) != 3 || len(mesh.Normals) != 3 || mesh.Points[mesh.Indices[4]] != (Vec{50, -50, 0}) {
		t.Errorf("%d points, %v", len(mesh.Points), mesh.Indices)
	}
}

// A camera of another person's stands somewhere, or there is none.
func TestCamerasOfOthers(t *testing.T) {
	with := func(node string) []byte {
		text := string(document(`"nodes":[{"mesh":0}]`, `"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],"nodes":[{"mesh":0},`+node+`]`))
		return []byte(strings.Replace(text, `"scenes":[{"nodes":[0]}]`, `"scenes":[{"nodes":[0,1]}]`, 1))
	}
	m, err := Read(with(`{"camera":0,"translation":[0,0,500]}`))
	if err != nil || m.Camera == nil || math.Abs(m.Camera.Target[2]) > 1 {
		t.Fatal(err, m)
	}
	for _, node := range []string{`{"scale":[1e9,1e9,1e9],"children":[2]},{"scale":[1e9,1e9,1e9],"translation":[1e9,1,1],"camera":0}`} {
		m, err := Read(with(node))
		if err != nil {
			t.Error(err)
		} else if m.Camera != nil {
			t.Errorf("%+v", m.Camera)
		}
	}
}

func TestAViewIsThatOfItsCamera(t *testing.T) {
	m := mustBuild(t, &Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: "a", Shape: "house"}}})
	want := View{Azimuth: 40, Elevation: 15, Distance: 1.5, Fov: 50}
	got := m.ViewOf(m.Look(want, 1.5), 1.5)
	for _, d := range []float64{got.Azimuth - want.Azimuth, got.Elevation - want.Elevation, got.Distance - want.Distance, got.Fov - want.Fov} {
		if math.Abs(d) > 1e-6 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	turned := m.ViewOf(m.Look(want, 1.5).Turned(90), 1.5)
	if math.Abs(turned.Azimuth-130) > 1e-6 || math.Abs(turned.Elevation-15) > 1e-6 {
		t.Errorf("%+v", turned)
	}
	if img, err := m.Raster(t.Context(), Picture{Width: 64, Height: 64, Camera: m.Look(want, 1)}); err != nil || img.Bounds() != image.Rect(0, 0, 64, 64) {
		t.Error(err)
	}
}
