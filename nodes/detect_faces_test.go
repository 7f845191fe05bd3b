//go:build !race

package nodes

import (
	"testing"

	"atelier/nodes/face/facetest"
)

func TestDetectFaces(t *testing.T) {
	s := newShelf()
	out, err := try(t, s, "detect-faces", map[string]any{"imageUrl": s.put("two.png", facetest.Two())})
	if err != nil || out["count"] != 2 || out["width"] != 800 || out["height"] != 400 {
		t.Fatal(out, err)
	}
	faces, _ := out["faces"].([]any)
	first, _ := faces[0].(map[string]any)
	if len(faces) != 2 || first["width"] == 0.0 || first["score"] == 0.0 {
		t.Error(faces)
	}
	out, err = try(t, s, "detect-faces", map[string]any{"imageUrl": s.put("none.png", facetest.PNG(200, 200))})
	if err != nil || out["count"] != 0 {
		t.Error(out, err)
	}
	if _, err := try(t, s, "detect-faces", map[string]any{"imageUrl": s.put("text.png", []byte("no picture"))}); err == nil {
		t.Error("a text has faces")
	}
}
