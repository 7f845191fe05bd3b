//go:build !race

package scene

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestAWrongFieldIsNamed(t *testing.T) {
	deep := `{"shape":"box"}`
	for range MaxLevels {
		deep = `{"shape":"group","children":[` + deep + `]}`
	}
	many := strings.TrimSuffix(strings.Repeat(`{"shape":"box"},`, MaxObjects+1), ",")
	for text, field := range map[string]string{
		`[]`: "scene", `{}`: "objects", `{"objects":[]}`: "objects", `{"version":2,"objects":[{"shape":"box"}]}`: "version",
		`{"objects":[{"shape":"dragon"}]}`:                                    "objects[0].shape",
		`{"objects":[{"shape":"box"},{"shape":"box","size":[1,0,1]}]}`:        "objects[1].size",
		`{"objects":[{"shape":"box","size":10001}]}`:                          "objects[0].size",
		`{"objects":[{"shape":"box","size":1,"scale":2}]}`:                    "objects[0].scale",
		`{"objects":[{"shape":"box","position":[0,1]}]}`:                      "objects[0].position",
		`{"objects":[{"shape":"box","position":[0,1,"x"]}]}`:                  "objects[0].position[2]",
		`{"objects":[{"shape":"box","color":"red"}]}`:                         "objects[0].color",
		`{"objects":[{"shape":"box","color":"#+12345"}]}`:                     "objects[0].color",
		`{"objects":[{"shape":"box","opacity":1.5}]}`:                         "objects[0].opacity",
		`{"objects":[{"shape":"text"}]}`:                                      "objects[0].text",
		`{"objects":[{"shape":"mesh"}]}`:                                      "objects[0].modelUrl",
		`{"objects":[{"shape":"box","modelUrl":"https://x.example/a.glb"}]}`:  "objects[0].modelUrl",
		`{"objects":[{"shape":"molecule","text":"kryptonite"}]}`:              "objects[0].text",
		`{"objects":[{"shape":"box","id":"a"},{"shape":"box","id":"a"}]}`:     "objects[1].id",
		`{"objects":[{"shape":"box","colour":"#ffffff"}]}`:                    "objects[0]",
		`{"objects":[{"shape":"box"}],"camera":{"position":[0,0,0]}}`:         "camera.target",
		`{"objects":[{"shape":"box"}],"lights":[{"kind":"spot"}]}`:            "lights[0].kind",
		`{"objects":[{"shape":"box"}],"ground":{"color":"#ffffff","size":0}}`: "ground.size",
		`{"objects":[` + deep + `]}`:                                          "objects[0].children[0].children[0].children[0].children[0].children",
		`{"objects":[` + many + `]}`:                                          "objects",
	} {
		_, err := Parse(decoded(t, text))
		var bad *Error
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%.80s: %v, want the field %s", text, err, field)
		}
	}
	if _, err := Parse(map[string]any{"objects": []any{map[string]any{"shape": "box", "position": []any{math.NaN(), 0.0, 0.0}}}}); err == nil {
		t.Error("a place that is no number was taken")
	}
}

func TestAShapeHasTheSizeThatIsSaid(t *testing.T) {
	for _, shape := range Kit() {
		s := &Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: "x", Shape: shape, Text: map[string]string{"text": "Hi"}[shape], Position: Vec{5, 2, -3}, Size: &Vec{2, 3, 4}}}}
		box := mustBuild(t, s).Bounds()
		for i, want := range []float64{2, 3, 4} {
			if math.Abs(box.Size()[i]-want) > 1e-6 {
				t.Errorf("%s: %v, want 2 3 4", shape, box.Size())
				break
			}
		}
		own := mustBuild(t, &Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: "x", Shape: shape, Text: map[string]string{"text": "Hi"}[shape]}}}).Bounds()
		if math.Abs(own.Min[1]) > 0.06 {
			t.Errorf("%s stands at height %g", shape, own.Min[1])
		}
	}
}

func TestSurfacesLookOutwards(t *testing.T) { // the volume of what is closed is positive
	for _, shape := range []string{"box", "sphere", "cylinder", "cone", "torus", "wedge", "text", "rock", "star", "ring", "planet", "ball"} {
		m := mustBuild(t, &Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: "x", Shape: shape, Text: map[string]string{"text": "B8"}[shape]}}})
		volume, against := 0.0, 0
		m.flat(func(mesh *Mesh, to matrix) {
			for i := 0; i+2 < len(mesh.Indices); i += 3 {
				a, b, c := mesh.Points[mesh.Indices[i]], mesh.Points[mesh.Indices[i+1]], mesh.Points[mesh.Indices[i+2]]
				volume += a.dot(b.cross(c)) / 6
				if b.sub(a).cross(c.sub(a)).dot(mesh.Normals[mesh.Indices[i]]) < 0 {
					against++
				}
			}
		})
		if !(volume > 0) || against > 0 {
			t.Errorf("%s: volume %g, %d triangles against their normals", shape, volume, against)
		}
	}
}

func TestMoleculesHaveTheirAtoms(t *testing.T) {
	want := map[string]string{"glucose": "C6H12O6", "ethanol": "C2H6O", "acetic acid": "C2H4O2", "urea": "CH4N2O", "benzene": "C6H6", "propane": "C3H8", "acetone": "C3H6O", "methanol": "CH4O"}
	if len(molecules) < 21 {
		t.Errorf("%d molecules", len(molecules))
	}
	for _, known := range molecules {
		m := &atoms{}
		known.make(m)
		count := map[string]int{}
		for i, a := range m.all {
			count[a.element]++
			for _, b := range m.all[:i] {
				if d := a.at.sub(b.at).length(); d < 0.7 {
					t.Errorf("%s: %s and %s are %.2f Å apart", known.name, a.element, b.element, d)
				}
			}
		}
		for _, b := range m.bonds {
			if d := m.all[b.a].at.sub(m.all[b.b].at).length(); d < 0.7 || d > 2.9 {
				t.Errorf("%s: a bond of %.2f Å", known.name, d)
			}
		}
		formula := want[known.name]
		if formula == "" {
			continue
		}
		got := ""
		for _, e := range []string{"C", "H", "N", "O"} {
			if n := count[e]; n > 1 {
				got += e + short(float64(n))
			} else if n == 1 {
				got += e
			}
		}
		if got != formula {
			t.Errorf("%s is %s, want %s", known.name, got, formula)
		}
	}
}

func TestTheSameWordsAndSeedGiveTheSameBytes(t *testing.T) {
	build := func(seed int64) []byte {
		u, ok := FromWords("five trees and a red house", seed)
		if !ok {
			t.Fatal("nothing was understood")
		}
		glb, err := mustBuild(t, u.Scene).GLB()
		if err != nil {
			t.Fatal(err)
		}
		return glb
	}
	if !bytes.Equal(build(1), build(1)) || bytes.Equal(build(1), build(2)) {
		t.Error("the seed does not decide the bytes")
	}
}

func TestReadingWhatWasWritten(t *testing.T) {
	u, _ := FromWords("a cat on a table next to a bookshelf", 1)
	m := mustBuild(t, u.Scene)
	glb, err := m.GLB()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(glb)
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.Bounds().Size(), back.Bounds().Size()
	if back.Triangles() != m.Triangles() || a[1]-b[1] > 0.05 || back.Camera == nil {
		t.Errorf("%d triangles of size %v, want %d of %v", back.Triangles(), b, m.Triangles(), a)
	}
	stl := m.STL()
	if n := binary.LittleEndian.Uint32(stl[80:]); len(stl) != 84+50*int(n) || n == 0 {
		t.Errorf("an STL of %d bytes says that it has %d triangles", len(stl), n)
	}
	var pov bytes.Buffer
	if err := m.POV(&pov, Picture{Width: 100, Height: 100, Camera: m.Camera}); err != nil || pov.Len() == 0 || bytes.Contains(pov.Bytes(), []byte("bookshelf")) {
		t.Error("a name reached POV-Ray")
	}
}

// document is a small glTF as JSON, changed by a replacement.
func document(from, to string) []byte {
	text := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],` +
		`"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}`
	return []byte(strings.Replace(text, from, to, 1))
}

func TestModelsOfOthersStayWithinBounds(t *testing.T) {
	if m, err := Read(document("", "")); err != nil || m.Triangles() != 1 {
		t.Fatal(m, err)
	}
	for name, c := range map[string][3]string{
		"outside buffer":     {`"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"`, `"https://x.example/a.bin"`, "points at other files"},
		"outside picture":    {`"buffers"`, `"images":[{"uri":"file:///etc/passwd"}],"buffers"`, "points at other files"},
		"required extension": {`"scene":0`, `"extensionsRequired":["KHR_draco_mesh_compression"],"scene":0`, "KHR_draco_mesh_compression"},
		"too many points":    {`"count":3`, `"count":4000000000`, "beyond the end"},
		"long view":          {`"byteLength":36}],"buffers"`, `"byteLength":3600000}],"buffers"`, "beyond the end"},
		"long buffer":        {`"buffers":[{"byteLength":36`, `"buffers":[{"byteLength":37`, "shorter than it says"},
		"negative offset":    {`"bufferView":0`, `"bufferView":0,"byteOffset":-12`, "beyond the end"},
		"overflowing offset": {`"buffer":0`, `"buffer":0,"byteOffset":9223372036854775807`, "beyond the end"},
		"a circle":           {`"nodes":[{"mesh":0}]`, `"nodes":[{"mesh":0,"children":[0]}]`, "within itself"},
		"no such mesh":       {`{"mesh":0}`, `{"mesh":7}`, "not there"},
		"null":               {`[{"mesh":0}]`, `[null]`, "not there"},
		"old version":        {`"2.0"`, `"1.0"`, "version 2"},
		"infinite":           {`{"mesh":0}`, `{"mesh":0,"translation":[1e300,0,0]}`, "no place"},
	} {
		_, err := Read(document(c[0], c[1]))
		var bad *Unreadable
		if !errors.As(err, &bad) || !strings.Contains(bad.Why, c[2]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read([]byte(strings.Repeat("[", 1_000_000))); err == nil {
		t.Error("a tower of brackets was read")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"objects":[{"shape":"box"}]}`)
	f.Add(`{"objects":[{"shape":"group","scale":2,"children":[{"shape":"text","text":"é","size":[1,2,3]}]}],"ground":{"color":"#00ff00"},"lights":[{"kind":"point","position":[1,2,3]}]}`)
	f.Add(`{"objects":[{"shape":"bar-chart","values":[-1,0,1e9]},{"shape":"molecule","text":"H2O","opacity":0}],"camera":{"position":[1,1,1],"fov":5}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		s, err := Parse(v)
		if err != nil || s.Count() > 5 || len(s.Meshes()) > 0 {
			return
		}
		weighed := Weigh(s)
		m, err := Build(s, nil)
		if err == nil {
			_, err = m.GLB()
		}
		if err != nil && s.Objects[0].Shape != "group" || fmt.Sprint(weighed) != fmt.Sprint(err) && weighed != nil {
			t.Errorf("weighed %v, built %v", weighed, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(document("", ""))
	f.Add(document(`"count":3`, `"count":9`))
	m, err := Build(&Scene{Sky: Sky{skyBlue}, Objects: []Object{{ID: "a", Shape: "box"}}}, nil)
	if err != nil {
		f.Fatal(err)
	}
	glb, err := m.GLB()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(glb)
	f.Add(glb[:100])
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data)
		if err == nil && (m.Triangles() > MaxTriangles || m.Bounds().empty()) {
			t.Error("a model beyond its bounds")
		}
	})
}

func FuzzFromWords(f *testing.F) {
	f.Add("three tall pines next to a red house, behind it a lake at sunset", int64(1))
	f.Add(`a cat between two trees on a table under a "SIGN" around 99 chairs`, int64(2))
	f.Add("bar chart of 3 5 8 between between on under of", int64(3))
	f.Fuzz(func(t *testing.T, words string, seed int64) {
		u, ok := FromWords(words, seed)
		if ok && u.Scene.Count() > MaxObjects {
			t.Errorf("%d objects", u.Scene.Count())
		}
		if !ok || u.Asked > 20 {
			return
		}
		if _, err := Build(u.Scene, nil); err != nil {
			return
		}
		text, err := json.Marshal(u.Scene)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(decoded(t, string(text))); err != nil {
			t.Errorf("%q: %v", words, err)
		}
	})
}
