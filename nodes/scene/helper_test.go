//go:build !race

package scene

import (
	"encoding/json"
	"testing"
)

// kitScenes are all shapes, molecules and whole scenes, by name.
func kitScenes(t *testing.T) map[string]*Scene {
	t.Helper()
	all := map[string]*Scene{}
	one := func(name string, o Object) {
		o.ID = name
		all[name] = &Scene{Version: 1, Units: "m", Ground: &Ground{Color: grassGreen}, Sky: Sky{skyBlue}, Objects: []Object{o}}
	}
	for _, shape := range Kit() {
		o := Object{Shape: shape}
		if shape == "text" {
			o.Text = "Äpfel & B8%"
		}
		one(shape, o)
		o.Size = &Vec{0.001, 7, 300}
		one(shape+" stretched", o)
	}
	for _, name := range Molecules() {
		one("molecule of "+name, Object{Shape: "molecule", Text: name})
	}
	for _, words := range WholeScenes() {
		u, ok := FromWords(words, 3)
		if !ok {
			t.Fatalf("%s: nothing", words)
		}
		all[words] = u.Scene
	}
	return all
}

func mustBuild(t *testing.T, s *Scene) *Model {
	t.Helper()
	m, err := Build(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func decoded(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
