package scene

import (
	"context"
	"image"
	"image/draw"
	"image/png"
	"os"
	"testing"
)

func sheet(t *testing.T, file string, az float64, scenes []*Scene) {
	const s, cols = 260, 8
	rows := (len(scenes) + cols - 1) / cols
	out := image.NewNRGBA(image.Rect(0, 0, s*cols, s*rows))
	for i, sc := range scenes {
		m, err := Build(sc, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		l, a := Lighting("studio", m)
		bg := hex("#dfe7ee")
		img, _ := m.Raster(context.Background(), Picture{Width: s, Height: s, Camera: m.Look(View{Azimuth: az, Elevation: 20}, 1), Background: &bg, Studio: true, Lights: l, Ambient: a})
		draw.Draw(out, image.Rect(i%cols*s, i/cols*s, i%cols*s+s, i/cols*s+s), img, image.Point{}, draw.Src)
	}
	f, _ := os.Create(file)
	png.Encode(f, out)
	f.Close()
}

func TestSheet(t *testing.T) {
	var all, mols []*Scene
	for _, k := range Kit() {
		o := Object{ID: k, Shape: k}
		if k == "text" {
			o.Text = "AgB8&"
		}
		all = append(all, &Scene{Sky: Sky{skyBlue}, Objects: []Object{o}})
	}
	for _, k := range Molecules() {
		mols = append(mols, &Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: k, Shape: "molecule", Text: k}}})
	}
	sheet(t, "/tmp/kit.png", 35, all)
	sheet(t, "/tmp/kit2.png", 215, all)
	sheet(t, "/tmp/mol.png", 20, mols)
}

func TestSheetWords(t *testing.T) {
	var all []*Scene
	for _, w := range append(WholeScenes(), "three tall pines and a red house with a bicycle", "a cat on a table", "a ball between two houses", "five chairs around a table", "a golden apple under a chair", `a person next to a blackboard "HELLO"`, "bar chart of 3, 5, 8 and 2", "a tree to the left of a blue car on snow at night", "a molecule of water", "two water molecules and caffeine") {
		u, ok := FromWords(w, 7)
		t.Log(w, ok, u.Understood, u.NotUnderstood)
		all = append(all, u.Scene)
	}
	sheet(t, "/tmp/words.png", 25, all)
}
