//go:build !race

package nodes

import (
	"image"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/face"
	"atelier/nodes/face/facetest"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

func recastBy(t *testing.T, c *Catalogue, s *shelf, refs *kit.Refs, input map[string]any) (kit.Output, error) {
	t.Helper()
	n, _ := c.Find("recast")
	full := map[string]any{"characterId": "01900000-0000-7000-8000-000000000001"}
	for name, value := range input {
		full[name] = value
	}
	return n.Do(t.Context(), &kit.Call{Input: full, Media: s, Refs: refs, Now: noon})
}

func drawnCharacter() *kit.Refs {
	return &kit.Refs{Elements: []kit.ElementRef{{ID: "e1", Kind: "character", Name: "Mia", Seed: 4}}}
}

func TestRecastCovers(t *testing.T) {
	s := newShelf()
	two := s.put("two.png", facetest.Two())
	for _, c := range []struct {
		target  any
		covered int
	}{{nil, 2}, {"all", 2}, {"largest", 1}} {
		out, err := recastBy(t, install, s, drawnCharacter(), map[string]any{"imageUrl": two, "target": c.target})
		if err != nil {
			t.Fatal(err)
		}
		if out["faces"] != 2 || out["covered"] != c.covered || out["mode"] != "cover" || len(out["warnings"].([]any)) != 1 {
			t.Errorf("%v: %v", c.target, out)
		}
		if left := face.Find(seen(t, s, out), 0); c.covered == 1 && len(left) == 0 {
			t.Error("the other face is gone too")
		}
	}
	img := facetest.Draw(800, 400)
	if face.Find(img, 0) != nil {
		t.Fatal("no face is drawn there")
	}
	_, err := recastBy(t, install, s, drawnCharacter(), map[string]any{"imageUrl": s.put("none.png", facetest.PNG(300, 300))})
	wantFailure(t, err, "No face was found")
	_, err = recastBy(t, install, s, drawnCharacter(), map[string]any{"imageUrl": two, "target": map[string]any{"x": 0.5, "y": 0.01}})
	wantFailure(t, err, "No face was found at this point")
}

// What lies below the head is gone, whatever the head's picture.
func TestRecastLeavesNothingBelow(t *testing.T) {
	c := &cover{head: image.NewNRGBA(image.Rect(0, 0, 8, 8)), scale: 1} // all clear
	dst := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	face.Cover(dst, face.Box{X: 0.3, Y: 0.3, Width: 0.4, Height: 0.4}, c.head, c.scale)
	if dst.NRGBAAt(50, 50).A != 255 || dst.NRGBAAt(50, 35).A != 255 || dst.NRGBAAt(5, 5).A != 0 {
		t.Error(dst.NRGBAAt(50, 50), dst.NRGBAAt(50, 35), dst.NRGBAAt(5, 5))
	}
}

func TestRecastVideo(t *testing.T) {
	s := newShelf()
	still := s.put("one.png", facetest.PNG(640, 480, image.Rect(200, 60, 480, 340)))
	moving := must(t, s, "shot-clip", map[string]any{"imageUrl": still, "duration": 1.0, "resolution": "480p", "aspectRatio": "4:3"})
	out, err := recastBy(t, install, s, drawnCharacter(), map[string]any{"videoUrl": moving["videoUrl"]})
	if err != nil {
		t.Fatal(err)
	}
	film(t, s, out, 640, 480, 1)
	if out["covered"] != out["faces"] || out["frames"].(int) < 20 {
		t.Error(out)
	}
	out, err = recastBy(t, install, s, drawnCharacter(), map[string]any{"videoUrl": moving["videoUrl"], "keepAudio": false})
	if err != nil || out["videoUrl"] == nil {
		t.Error(out, err)
	}
}

func TestRecastRefuses(t *testing.T) {
	n, _ := install.Find("recast")
	id := "01900000-0000-7000-8000-000000000001"
	for want, input := range map[string]map[string]any{
		"characterId is required":                  {"imageUrl": "https://a.example/a.png"},
		"imageUrl or videoUrl must be given":       {"characterId": id},
		"imageUrl or videoUrl must be given, and ": {"characterId": id, "imageUrl": "https://a.example/a.png", "videoUrl": "https://a.example/a.mp4"},
		"target must be all":                       {"characterId": id, "imageUrl": "https://a.example/a.png", "target": "some"},
		"replace needs a provider; its operator must set REPLICATE_API_TOKEN and name a model of type recast in PROVIDER_MODELS": {
			"characterId": id, "imageUrl": "https://a.example/a.png", "mode": "replace"},
	} {
		err := n.Validate("", input)
		if !models.HasCode(err, models.CodeValidation) || !strings.Contains(err.Error(), ": "+want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if refusal, ok := err.(*models.Error); strings.HasPrefix(want, "replace") && (!ok || refusal.Field != "mode") {
			t.Error(err)
		}
	}
}

func TestRecastReplaces(t *testing.T) {
	server := providertest.New(t)
	c := NewCatalogue(kit.Providers{Replicate: server.Replicate(), Models: []kit.Model{{Provider: "replicate", NodeType: "recast", ID: "a/animate", Cost: 9000}}})
	n, _ := c.Find("recast")
	if n.Price(map[string]any{}) != 9000 || n.Price(map[string]any{"mode": "cover"}) != 3*models.Credit || n.ProviderOf(map[string]any{"mode": "cover"}) != "local" {
		t.Error("the mode decides who does it, and the price")
	}
	input := map[string]any{"characterId": "01900000-0000-7000-8000-000000000001", "imageUrl": "kept:b"}
	refs := &kit.Refs{Elements: []kit.ElementRef{{ID: "e1", Kind: "character", Name: "Mia", Pictures: []kit.PictureRef{{Address: "kept:a"}}, DepictsPerson: true}}}
	media := newShelf()
	media.files["kept:a"], media.files["https://files.example/b"] = providertest.Picture(), providertest.Picture()
	input["imageUrl"] = "https://files.example/b"
	_, err := n.Do(t.Context(), &kit.Call{Input: input, Media: media, Refs: refs, Now: noon})
	wantFailure(t, err, "consent keeps the pictures on this install")
	refs.Elements[0].MayLeave = true
	_, err = n.Do(t.Context(), &kit.Call{Input: input, Media: media, Refs: refs, Now: noon})
	if _, paused := err.(*kit.Pause); !paused {
		t.Fatal(err)
	}
	if files := server.Calls("POST", "/files"); len(files) != 2 {
		t.Errorf("lent %d files", len(files))
	}
	made := server.Calls("POST", "/predictions")
	if len(made) != 1 {
		t.Fatal(made)
	}
	sent, _ := made[0].Body["input"].(map[string]any)
	for _, name := range []string{"image", "character_image"} {
		if address, _ := sent[name].(string); !strings.HasPrefix(address, server.URL) {
			t.Errorf("%s: %v", name, sent)
		}
	}
}
