//go:build !race

package nodes

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/figure"
	"atelier/nodes/kit"
)

func TestGeneratedElement(t *testing.T) {
	for kind, description := range map[string]string{
		"character": "an old woman with glasses and a red coat", "creature": "a small blue dragon with spots", "object": "a green wooden chair", "location": "a forest in winter",
	} {
		s := newShelf()
		input := map[string]any{"description": description, "seed": 7.0, "name": "Kim"}
		out := must(t, s, "generate-"+kind, input)
		images := out["images"].([]any)
		if len(images) != usualViews {
			t.Fatalf("%s: %d pictures", kind, len(images))
		}
		for i, entry := range images {
			of := entry.(map[string]any)
			if of["role"] != figure.Views(kind)[i] || of["width"].(int) < 700 || of["height"].(int) < 700 || len(s.files[of["url"].(string)]) == 0 {
				t.Errorf("%s: picture %v", kind, of)
			}
		}
		if out["imageUrl"] != images[0].(map[string]any)["url"] || out["seed"] != int64(7) || out["provider"] != "local" || !strings.Contains(out["prompt"].(string), description) {
			t.Errorf("%s: %v", kind, out)
		}
		if palette := out["palette"].([]any); len(palette) == 0 || len(palette) > 6 {
			t.Errorf("%s: palette %v", kind, palette)
		}
		if strange := out["notUnderstood"].([]any); len(strange) > 0 {
			t.Errorf("%s: not understood %v", kind, strange)
		}
		again := must(t, newShelf(), "generate-"+kind, input)
		if fmt.Sprint(out["attributes"]) != fmt.Sprint(again["attributes"]) {
			t.Errorf("%s changes: %v, %v", kind, out["attributes"], again["attributes"])
		}
	}
}

func TestGeneratedElementUnderstands(t *testing.T) {
	s := newShelf()
	out := must(t, s, "generate-character", map[string]any{
		"description": "a girl with braids who xylophones", "attributes": map[string]any{"hairStyle": "bun", "outfitColor": "teal", "eyeColor": "smurf"}, "views": []any{"angry"}, "seed": 1.0,
	})
	said := out["attributes"].(map[string]any)
	if said["hairStyle"] != "bun" || said["outfitColor"] != "teal" || said["gender"] != "female" || said["eyeColor"] == "" {
		t.Errorf("attributes %v", said)
	}
	strange := out["notUnderstood"].([]any)
	if !slices.Contains(strange, any("xylophones")) || !slices.Contains(strange, any("smurf")) || slices.Contains(strange, any("braids")) {
		t.Errorf("not understood %v", strange)
	}
	thing := must(t, s, "generate-object", map[string]any{"description": "a purple gizmotron", "views": []any{"top"}, "seed": 1.0})
	if of := thing["attributes"].(map[string]any); of["shape"] != "still-life" || !slices.Contains(thing["notUnderstood"].([]any), any("gizmotron")) {
		t.Errorf("a thing without a shape: %v, %v", of, thing["notUnderstood"])
	}
	key := must(t, s, "generate-object", map[string]any{"description": "a golden key", "views": []any{"front"}, "seed": 1.0})
	if of := key["attributes"].(map[string]any); of["shape"] != "key" {
		t.Errorf("a key is %v", of)
	}
}

func TestGeneratedElementIsRefused(t *testing.T) {
	many := map[string]any{}
	for i := range maxAttributes + 1 {
		many[fmt.Sprint("trait", i)] = "x"
	}
	for field, input := range map[string]map[string]any{
		"views[0]":     {"description": "x", "views": []any{"dawn"}},
		"views":        {"description": "x", "views": []any{"front", "front"}},
		"attributes":   {"description": "x", "attributes": many},
		"attributes.a": {"description": "x", "attributes": map[string]any{"a": strings.Repeat("x", maxAttribute+1)}},
		"background":   {"description": "x", "background": "beach"},
		"description":  {"description": strings.Repeat("x", maxDescription+1)},
		"name":         {"description": "x", "name": strings.Repeat("x", maxElementName+1)},
	} {
		err := generateCharacterNode.Validate("", input)
		refusal, ok := models.AsError(err)
		if !ok || refusal.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	long := map[string]any{"description": "x", "attributes": map[string]any{strings.Repeat("x", maxAttributeName+1): "x"}}
	if err := generateObjectNode.Validate("", long); err == nil {
		t.Error("a long name of an attribute is taken")
	}
	if err := generateLocationNode.Validate("", map[string]any{"description": "x", "views": []any{"dawn", "day", "dusk", "night"}}); err != nil {
		t.Error(err)
	}
}

// cast are elements of every kind that can be drawn, and one that cannot.
func cast() *kit.Refs {
	return &kit.Refs{Elements: []kit.ElementRef{
		{ID: "1", Kind: "character", Name: "Mia", Handle: "mia", Words: "a girl with braids", Seed: 5, Attributes: map[string]string{"outfitColor": "yellow"}},
		{ID: "2", Kind: "creature", Name: "Fips", Handle: "fips", Words: "a dragon", NegativePrompt: "fire", Seed: 4, Attributes: map[string]string{"species": "dragon"}},
		{ID: "3", Kind: "object", Name: "Key", Handle: "key", Words: "a golden key", Seed: 4, Palette: []string{"#e3b341"}, Pictures: []kit.PictureRef{{Address: "kept:1"}}},
		{ID: "4", Kind: "location", Name: "Yard", Handle: "yard", Words: "a castle", Seed: 4, Attributes: map[string]string{"place": "castle"}},
		{ID: "5", Kind: "face", Name: "Face", Handle: "face", Words: "somebody"},
	}}
}

// withRefs runs generate-image on elements.
func withRefs(t *testing.T, s *shelf, input map[string]any, refs *kit.Refs) kit.Output {
	t.Helper()
	out, err := generateImageNode.Do(context.Background(), &kit.Call{Input: input, Media: s, Now: noon, Attempt: 1, Refs: refs})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPictureWithElements(t *testing.T) {
	s := newShelf()
	input := map[string]any{"prompt": "@mia meets @fips at night", "seed": 3.0, "aspectRatio": "16:9"}
	out := withRefs(t, s, input, cast())
	wantSize(t, seen(t, s, out), 1024, 576)
	var told []string
	for _, entry := range out["elements"].([]any) {
		of := entry.(map[string]any)
		told = append(told, fmt.Sprint(of["id"], " ", of["kind"], " ", of["how"]))
	}
	if got := strings.Join(told, ", "); got != "1 character drawn, 2 creature drawn, 3 object drawn, 4 location drawn, 5 face words" {
		t.Errorf("elements: %s", got)
	}
	prompt := out["prompt"].(string)
	for _, words := range []string{"a girl with braids", "a dragon", "a golden key", "a castle", "at night"} {
		if !strings.Contains(prompt, words) {
			t.Errorf("the prompt %q lacks %q", prompt, words)
		}
	}
	if strings.Contains(prompt, "@") || out["negativePrompt"] != "fire" || out["style"] != "place" || len(out["warnings"].([]any)) != 2 {
		t.Errorf("output %v", out)
	}
	again := withRefs(t, s, input, cast())
	if !bytes.Equal(s.files[out["imageUrl"].(string)], s.files[again["imageUrl"].(string)]) {
		t.Error("the same picture differs")
	}
	input["prompt"] = "@mia meets @fips at noon"
	other := withRefs(t, s, input, cast())
	if bytes.Equal(s.files[out["imageUrl"].(string)], s.files[other["imageUrl"].(string)]) {
		t.Error("noon looks like night")
	}
}

func TestPictureWithElementsInThePromptsScene(t *testing.T) {
	s := newShelf()
	few := &kit.Refs{Elements: cast().Elements[:2]}
	for prompt, place := range map[string]bool{"in a library": true, "waves of music": false} {
		out := withRefs(t, s, map[string]any{"prompt": prompt, "seed": 3.0}, few)
		if (out["style"] == "place") != place || len(out["warnings"].([]any)) != 0 {
			t.Errorf("%s: %v", prompt, out)
		}
	}
	plain := withRefs(t, s, map[string]any{"prompt": "in a library", "seed": 3.0}, &kit.Refs{})
	if _, told := plain["elements"]; told {
		t.Errorf("without elements: %v", plain)
	}
}
