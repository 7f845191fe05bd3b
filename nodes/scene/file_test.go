//go:build !race

package scene

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// everything is a scene with both kinds of lights, a camera, groups that turn and grow, glass, metal, and a model of others.
func everything(t *testing.T) *Model {
	t.Helper()
	text := `{"version":1,"units":"m","ground":{"color":"#336633","size":30},"sky":{"color":"#ddeeff"},
		"lights":[{"kind":"sun","color":"#ffffff","intensity":3,"direction":[0,-1,0]},{"kind":"point","color":"#ff8800","intensity":40,"position":[1,4,2]}],
		"camera":{"position":[0,3,12],"target":[0,1,0],"fov":45},
		"objects":[{"id":"glass","shape":"box","position":[2,0,0],"size":[1,2,3],"opacity":0.4,"roughness":0.1},
			{"id":"gold","shape":"sphere","metalness":1,"roughness":0.2,"color":"#ffd700"},
			{"id":"group","shape":"group","position":[-3,0,1],"rotation":[0,90,0],"scale":[2,1,2],"children":[
				{"id":"sign","shape":"text","text":"Ωmega & Ko.","position":[0,1,0]},{"id":"land","shape":"terrain","scale":0.2},
				{"id":"brought","shape":"mesh","modelUrl":"https://files.example/a.glb","position":[1,0,0],"rotation":[10,20,30]}]}]}`
	s, err := Parse(decoded(t, text))
	if err != nil {
		t.Fatal(err)
	}
	other, err := Read(document("", ""))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Build(s, map[string]*Model{"https://files.example/a.glb": other})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the file says is what the scene says: metres, y up, right-handed, places, names, lights and the camera.
func TestTheFileSaysWhatTheSceneSays(t *testing.T) {
	m := everything(t)
	glb, err := m.GLB()
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := chunks(glb[12:])
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Asset          struct{ Version string }
		ExtensionsUsed []string
		Cameras        []struct{ Perspective struct{ Yfov float64 } }
		Materials      []struct {
			AlphaMode            string
			PbrMetallicRoughness struct{ MetallicFactor, RoughnessFactor *float64 }
		}
		Nodes []struct {
			Name                  string
			Translation, Rotation []float64
			Scale                 []float64
			Camera                *int
			Children              []int
			Extras                struct{ ID string }
			Extensions            map[string]struct{ Light *int }
		}
		Scenes     []struct{ Nodes []int }
		Extensions map[string]struct {
			Lights []struct {
				Type      string
				Intensity float64
				Color     []float64
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	lights := doc.Extensions["KHR_lights_punctual"].Lights
	if doc.Asset.Version != "2.0" || !slices.Contains(doc.ExtensionsUsed, "KHR_lights_punctual") || len(lights) != 2 || len(doc.Cameras) != 1 {
		t.Fatalf("%+v", doc)
	}
	if lights[0].Type != "directional" || lights[0].Intensity != 3 || lights[1].Type != "point" || lights[1].Intensity != 40 {
		t.Errorf("%+v", lights)
	}
	if math.Abs(doc.Cameras[0].Perspective.Yfov-math.Pi/4) > 1e-9 {
		t.Errorf("%+v", doc.Cameras)
	}
	ids := map[string]int{}
	for i, n := range doc.Nodes {
		if n.Extras.ID != "" {
			if ids[n.Extras.ID]++; n.Name != n.Extras.ID {
				t.Errorf("%s is called %s", n.Extras.ID, n.Name)
			}
		}
		switch {
		case n.Camera != nil && !slices.Equal(n.Translation, []float64{0, 3, 12}):
			t.Errorf("the camera is at %v", n.Translation)
		case n.Extensions["KHR_lights_punctual"].Light != nil && *n.Extensions["KHR_lights_punctual"].Light == 1 && !slices.Equal(n.Translation, []float64{1, 4, 2}):
			t.Errorf("the lamp is at %v", n.Translation)
		case n.Name == "glass" && !slices.Equal(n.Translation, []float64{2, 0, 0}):
			t.Errorf("the glass is at %v", n.Translation)
		case n.Name == "group" && (len(n.Children) != 3 || !slices.Equal(n.Scale, []float64{2, 1, 2}) || math.Abs(n.Rotation[1]-math.Sqrt2/2) > 1e-9):
			t.Errorf("node %d: %+v", i, n)
		}
	}
	for _, id := range []string{"glass", "gold", "group", "sign", "land", "brought", "ground"} {
		if ids[id] != 1 {
			t.Errorf("%s is there %d times", id, ids[id])
		}
	}
	clear, metal := false, false
	for _, m := range doc.Materials {
		clear = clear || m.AlphaMode == "BLEND"
		metal = metal || m.PbrMetallicRoughness.RoughnessFactor != nil && *m.PbrMetallicRoughness.RoughnessFactor == 0.2
	}
	back, err := Read(glb)
	if !clear || !metal || err != nil {
		t.Error(clear, metal, err)
	}
	// an object of two metres is two units high, and stands at its position
	for _, n := range back.Nodes {
		if box := boundsOf(n.Meshes); len(n.Meshes) == 1 && n.Meshes[0].Material.Opacity == 0.4 {
			if size := box.Size(); math.Abs(size[0]-1) > 1e-5 || math.Abs(size[1]-2) > 1e-5 || math.Abs(size[2]-3) > 1e-5 || math.Abs(box.Min[1]) > 1e-5 || math.Abs(box.middle()[0]-2) > 1e-5 {
				t.Errorf("the glass fills %v", box)
			}
		}
	}
}
