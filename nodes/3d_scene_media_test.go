//go:build !race

package nodes

import (
	"os/exec"
	"testing"
)

func TestAModelIsBuiltAndRendered(t *testing.T) {
	s := newShelf()
	out := must(t, s, "3d-scene", map[string]any{"prompt": "a red house next to a tree and a zeppelin", "stl": true, "seed": 4.0})
	model, _ := out["modelUrl"].(string)
	if s.types[model] != GLBType || out["stlUrl"] == nil || out["triangles"].(int) < 100 || len(out["notUnderstood"].([]any)) != 1 {
		t.Fatalf("%v", out)
	}
	wantSize(t, seen(t, s, out), 1280, 720)
	render := map[string]any{"modelUrl": model, "quality": "draft", "background": "transparent", "aspectRatio": "1:1"}
	img := seen(t, s, must(t, s, "pro-3d-render", render))
	wantSize(t, img, 1024, 1024)
	if _, _, _, a := img.At(2, 2).RGBA(); a != 0 {
		t.Error("the background is not transparent")
	}
	if _, _, _, a := img.At(512, 512).RGBA(); a == 0 {
		t.Error("the middle is empty")
	}
	_, err := try(t, s, "3d-scene", map[string]any{"prompt": "a zeppelin"})
	wantFailure(t, err, "No thing of the prompt is known")
	_, err = try(t, s, "pro-3d-render", map[string]any{"modelUrl": s.put("x.glb", []byte("glTF\x02\x00\x00\x00\xff\x00\x00\x00aaaaaaaaaaaaaa"))})
	wantFailure(t, err, "cut off")
	if _, err := exec.LookPath("povray"); err != nil {
		_, err = try(t, s, "pro-3d-render", map[string]any{"modelUrl": model})
		wantFailure(t, err, "povray is not installed")
		return
	}
	out = must(t, s, "pro-3d-render", map[string]any{"modelUrl": model})
	if out["renderer"] != "povray" {
		t.Errorf("%v", out)
	}
	wantSize(t, seen(t, s, out), 1024, 576)
}
