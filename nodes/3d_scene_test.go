//go:build !race

package nodes

import (
	"strings"
	"testing"

	"atelier/models"
)

func TestAScenesSettingsAreChecked(t *testing.T) {
	box := map[string]any{"objects": []any{map[string]any{"shape": "box"}}}
	small := map[string]any{"objects": []any{map[string]any{"shape": "box", "size": 0.0}}}
	for _, c := range []struct {
		nodeType string
		input    map[string]any
		field    string
	}{
		{"3d-scene", map[string]any{}, "prompt"},
		{"3d-scene", map[string]any{"prompt": " "}, "prompt"},
		{"3d-scene", map[string]any{"imageUrl": "https://example.org/a.png"}, "imageUrl"},
		{"3d-scene", map[string]any{"scene": small}, "scene.objects[0].size"},
		{"3d-scene", map[string]any{"scene": box}, ""},
		{"3d-scene", map[string]any{"prompt": "a tree"}, ""},
		{"pro-3d-render", map[string]any{}, "modelUrl"},
		{"pro-3d-render", map[string]any{"scene": box, "modelUrl": "https://example.org/a.glb"}, "scene"},
		{"pro-3d-render", map[string]any{"scene": box, "resolution": "4K"}, "resolution"},
		{"pro-3d-render", map[string]any{"scene": box, "resolution": "4K", "quality": "draft"}, ""},
		{"pro-3d-render", map[string]any{"scene": box, "output": "turntable", "frames": 60.0}, "frames"},
		{"pro-3d-render", map[string]any{"scene": box, "output": "turntable", "background": "transparent"}, "background"},
		{"pro-3d-render", map[string]any{"scene": box, "background": "sky"}, "background"},
		{"pro-3d-render", map[string]any{"scene": box, "camera": map[string]any{"fov": 500.0}}, "camera.fov"},
	} {
		n, _ := Find(c.nodeType)
		err := n.Validate("", c.input)
		refusal, _ := err.(*models.Error)
		if (err == nil) != (c.field == "") || c.field != "" && (refusal == nil || !strings.HasPrefix(refusal.Message, c.field+" ")) {
			t.Errorf("%s %v: %v, want %q", c.nodeType, c.input, err, c.field)
		}
	}
}

func TestARendersPriceIsThatOfItsQualityAndOutput(t *testing.T) {
	n, _ := Find("pro-3d-render")
	for _, c := range []struct {
		quality, output string
		price           models.Credits
	}{{"draft", "image", 1}, {"draft", "turntable", 4}, {"", "", 3}, {"pro", "turntable", 12}} {
		if got := n.Price(map[string]any{"quality": c.quality, "output": c.output}); got != c.price*models.Credit {
			t.Errorf("%+v costs %v", c, got)
		}
	}
}
