//go:build !race

package nodes

import (
	"bytes"
	"encoding/json"
	"image/gif"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"atelier/nodes/lottie"
)

// moving is a plan of a second: a square of 40 whose color and place are slots, half
// of a canvas of 100 × 80 transparent, and a title.
func moving(t *testing.T) map[string]any {
	t.Helper()
	var plan map[string]any
	err := json.Unmarshal([]byte(`{"animation":{"v":"5.7.0","w":100,"h":80,"fr":20,"ip":0,"op":20,
		"fonts":{"list":[{"fName":"Title","fFamily":"Go","fStyle":"Bold"}]},"layers":[
		{"ty":4,"ind":1,"ip":0,"op":20,"st":0,"ks":{"o":{"a":0,"k":100},"p":{"s":true,"x":{"a":0,"sid":"left","k":0},"y":{"a":0,"k":10}}},"shapes":[{"ty":"gr","it":[
			{"ty":"rc","p":{"a":0,"k":[20,20]},"s":{"a":0,"k":[40,40]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[0,0,0],"sid":"tint"},"o":{"a":0,"k":100}},
			{"ty":"tr","p":{"a":0,"k":[0,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"o":{"a":0,"k":100}}]}]},
		{"ty":5,"ind":2,"ip":0,"op":20,"st":0,"ks":{"o":{"a":0,"k":100},"p":{"a":0,"k":[0,75]}},"t":{"d":{"sid":"title","k":[{"t":0,"s":{"t":"","s":24,"f":"Title","fc":[0,0,1]}}]}}}]},
		"slots":{"tint":{"type":"color","value":"#ff0000"},"left":{"type":"number","value":0},"title":{"type":"text","value":""}}}`), &plan)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// still is a frame of a film as ffmpeg reads it, with alpha.
func still(t *testing.T, s *shelf, url string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film")
	if err := os.WriteFile(path, s.files[url], 0o600); err != nil {
		t.Fatal(err)
	}
	decoder := []string{}
	if strings.HasSuffix(url, ".webm") {
		decoder = []string{"-c:v", "libvpx-vp9"} // ffmpeg's own leaves alpha out
	}
	out, err := exec.Command("ffmpeg", append(append([]string{"-v", "error"}, decoder...), "-i", path, "-frames:v", "1", "-pix_fmt", "rgba", "-f", "rawvideo", "-")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// near tells whether two colors are alike, as far as encoders keep them.
func near(got []byte, want ...int) bool {
	for i, v := range want {
		if d := int(got[i]) - v; d < -14 || d > 14 {
			return false
		}
	}
	return true
}

func TestMotionOnFilm(t *testing.T) {
	for format, c := range map[string]struct {
		key, contentType string
		behind           []int
	}{
		"mp4":  {"videoUrl", "video/mp4", []int{255, 255, 255, 255}},
		"webm": {"videoUrl", "video/webm", nil},
		"gif":  {"imageUrl", "image/gif", nil},
	} {
		t.Run(format, func(t *testing.T) {
			s := newShelf()
			plan := moving(t)
			plan["slotValues"] = map[string]any{"tint": "#00ff00", "left": 60.0, "title": "II"}
			out := must(t, s, "motion", map[string]any{"motionPlan": plan, "format": format})
			film := out[c.key].(string)
			if out["url"] != film || out["resultUrl"] != film || out["contentType"] != c.contentType || s.types[film] != c.contentType ||
				out["width"] != 100 || out["height"] != 80 || out["frameRate"] != 20.0 || len(out["warnings"].([]any)) != 0 {
				t.Fatalf("%v", out)
			}
			if d := out["duration"].(float64); d < 0.95 || d > 1.05 {
				t.Errorf("lasts %v", d)
			}
			if document := out["motionUrl"].(string); s.types[document] != "application/json" || !bytes.Contains(s.files[document], []byte(`"II"`)) {
				t.Errorf("%s is no document", document)
			}
			frame := still(t, s, film)
			at := func(x, y int) []byte { return frame[4*(100*y+x):][:4] }
			if !near(at(80, 30), 0, 255, 0, 255) {
				t.Errorf("the square is %v", at(80, 30))
			}
			if c.behind == nil && at(30, 30)[3] != 0 || c.behind != nil && !near(at(30, 30), c.behind...) {
				t.Errorf("behind it is %v", at(30, 30))
			}
			blue := 0
			for x := range 20 {
				if near(at(x, 66), 0, 0, 255, 255) {
					blue++
				}
			}
			if blue < 4 {
				t.Errorf("%d blue points of the title", blue)
			}
		})
	}
}

// TestMotionFilmSettings asks for another size, rate and ground.
func TestMotionFilmSettings(t *testing.T) {
	s := newShelf()
	out := must(t, s, "motion", map[string]any{"motionPlan": moving(t), "format": "gif", "background": "#0000ff", "width": 50, "frameRate": 10})
	if out["width"] != 50 || out["height"] != 40 || out["frameRate"] != 10.0 {
		t.Fatalf("%v", out)
	}
	film, err := gif.DecodeAll(bytes.NewReader(s.files[out["imageUrl"].(string)]))
	if err != nil || film.LoopCount != 0 {
		t.Fatal(err, film.LoopCount)
	}
	if lasts := film.Delay[0] * len(film.Delay); lasts < 95 || lasts > 105 {
		t.Errorf("%d frames of %d", len(film.Delay), film.Delay[0])
	}
	if got := still(t, s, out["imageUrl"].(string))[4*(50*2+40):]; !near(got, 0, 0, 255, 255) {
		t.Errorf("the ground is %v", got[:4])
	}
}

// TestMotionWithoutFormat is what it was before there were films.
func TestMotionWithoutFormat(t *testing.T) {
	s := newShelf()
	out := must(t, s, "motion", map[string]any{"motionPlan": moving(t)})
	keys := slices.Sorted(maps.Keys(out))
	want := []string{"contentType", "duration", "height", "resultUrl", "slotValues", "url", "width"}
	if !slices.Equal(keys, want) || len(s.files) != 1 || out["contentType"] != "application/json" || out["resultUrl"] != out["url"] {
		t.Errorf("%v", out)
	}
}

func TestMotionFilmRefusals(t *testing.T) {
	s := newShelf()
	for name, c := range map[string]struct {
		set   func(input, animation map[string]any)
		field string
	}{
		"a format":        {func(in, _ map[string]any) { in["format"] = "avi" }, "format"},
		"a background":    {func(in, _ map[string]any) { in["background"] = "blueish" }, "background"},
		"too long":        {func(_, a map[string]any) { a["op"] = 20.0*60 + 1 }, "motionPlan.animation.op"},
		"endless":         {func(_, a map[string]any) { a["ip"], a["op"] = -1e308, 1e308 }, "motionPlan.animation.op"},
		"too many pixels": {func(in, a map[string]any) { in["width"], in["frameRate"], a["op"] = 1920.0, 60.0, 400.0 }, "width"},
		"too large a GIF": {func(in, a map[string]any) { in["format"], in["width"], a["op"] = "gif", 1280.0, 500.0 }, "width"},
	} {
		plan := moving(t)
		input := map[string]any{"motionPlan": plan, "format": "mp4"}
		c.set(input, plan["animation"].(map[string]any))
		wantField(t, motionNode.Validate("", input), c.field)
		if _, err := try(t, s, "motion", input); err == nil || len(s.files) > 0 {
			t.Errorf("%s ran: %v", name, err)
		}
		input["format"] = "json"
		if c.field != "background" {
			if err := motionNode.Validate("", input); err != nil {
				t.Errorf("%s is refused where nothing is filmed: %v", name, err)
			}
		}
	}
}

// TestMotionIsNotDrawn lets the library die.
func TestMotionIsNotDrawn(t *testing.T) {
	s := newShelf()
	plan := moving(t)
	layers := plan["animation"].(map[string]any)["layers"].([]any)
	group := layers[0].(map[string]any)["shapes"].([]any)[0].(map[string]any)
	var copies any
	err := json.Unmarshal([]byte(`{"ty":"rp","c":{"a":0,"k":1e9},"o":{"a":0,"k":0},"m":1,"tr":{"p":{"a":0,"k":[1,0]},"a":{"a":0,"k":[0,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"so":{"a":0,"k":100},"eo":{"a":0,"k":100}}}`), &copies)
	if err != nil {
		t.Fatal(err)
	}
	group["it"] = append(group["it"].([]any), copies)
	for _, format := range []string{"mp4", "gif"} {
		_, err = try(t, s, "motion", map[string]any{"motionPlan": plan, "format": format})
		wantFailure(t, err, "cannot be drawn")
		if len(s.files) > 0 {
			t.Fatal("something was kept")
		}
	}
}

// TestMotionWithoutPrograms yields the document, and says what to install.
func TestMotionWithoutPrograms(t *testing.T) {
	films := func(want string) {
		t.Helper()
		s := newShelf()
		out := must(t, s, "motion", map[string]any{"motionPlan": moving(t), "format": "webm"})
		warnings := out["warnings"].([]any)
		if len(warnings) != 1 || !strings.Contains(warnings[0].(string), "apt-get install "+want) {
			t.Errorf("%v", warnings)
		}
		if out["url"] != out["motionUrl"] || out["contentType"] != "application/json" || out["videoUrl"] != nil || len(s.files) != 1 {
			t.Errorf("%v", out)
		}
	}
	t.Run("library", func(t *testing.T) {
		names := lottie.Library
		defer func() { lottie.Library = names }()
		lottie.Library = []string{"librlottie-that-is-not-there.so"}
		films(lottie.Package)
	})
	t.Run("ffmpeg", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		films("ffmpeg")
	})
}

// TestMotionFillsWithinBounds shows a long text in very many places.
func TestMotionFillsWithinBounds(t *testing.T) {
	plan := moving(t)
	animation := plan["animation"].(map[string]any)
	layers := animation["layers"].([]any)
	for range 2_000 {
		layers = append(layers, map[string]any{"ty": 5, "t": map[string]any{"d": map[string]any{"sid": "title"}}})
	}
	animation["layers"] = layers
	plan["slotValues"] = map[string]any{"title": strings.Repeat("o", 9_000)}
	_, err := try(t, newShelf(), "motion", map[string]any{"motionPlan": plan})
	wantFailure(t, err, "too large")
}
