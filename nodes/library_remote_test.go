//go:build !race

package nodes

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// libraryOffer is an install whose providers do what the library needs.
func libraryOffer(t *testing.T) (*providertest.Server, *Catalogue) {
	t.Helper()
	s := providertest.New(t)
	return s, NewCatalogue(kit.Providers{OpenAI: s.OpenAI(), Replicate: s.Replicate(), Models: []kit.Model{
		{Provider: "openai", NodeType: "generate-image", ID: "gpt-image-2", Cost: 4000},
		{Provider: "openai", NodeType: "generate-image", ID: "dall-e-3", Cost: 4000},
		{Provider: "replicate", NodeType: "generate-image", ID: "a/flux", Cost: 2500, Fields: map[string]string{"referenceImages": "image_input", "seed": ""}},
		{Provider: "replicate", NodeType: "generate-image", ID: "a/one", Cost: 2500, Fields: map[string]string{"imageUrl": "image"}},
		{Provider: "replicate", NodeType: "train-character", ID: "a/trainer", Cost: 9000},
	}})
}

// doUntilDone calls a node again as long as it pauses.
func doUntilDone(t *testing.T, c *Catalogue, nodeType string, input map[string]any, refs *kit.Refs) (kit.Output, error) {
	t.Helper()
	media := newShelf()
	for _, name := range []string{"kept:a", "kept:b"} {
		media.files[name] = providertest.Picture()
	}
	call := &kit.Call{Input: input, Media: media, Refs: refs, Now: noon}
	n, _ := c.Find(nodeType)
	for range 40 {
		out, err := n.Do(t.Context(), call)
		var pause *kit.Pause
		if !errors.As(err, &pause) {
			return out, err
		}
		call.State, call.Now = pause.State, pause.Until
	}
	t.Fatal("it does not end")
	return nil, nil
}

func twoPictures() *kit.Refs {
	return &kit.Refs{Elements: []kit.ElementRef{
		{ID: "e1", Kind: "character", Name: "Mia", Handle: "mia", Words: "a girl with braids", Pictures: []kit.PictureRef{{Address: "kept:a"}}},
		{ID: "e2", Kind: "object", Name: "Lamp", Handle: "lamp", Words: "an old lamp", Pictures: []kit.PictureRef{{Address: "kept:b"}}},
	}}
}

func TestPicturesOfElementsGoAlong(t *testing.T) {
	s, c := libraryOffer(t)
	out, err := doUntilDone(t, c, "generate-image", map[string]any{"prompt": "@mia reads", "provider": "openai"}, twoPictures())
	if err != nil {
		t.Fatal(err)
	}
	call := s.Calls("POST", "/images/edits")[0]
	if !strings.Contains(call.Form["image[]"], "and 1 more") || !strings.Contains(call.Form["prompt"], "a girl with braids reads") {
		t.Errorf("sent %+v", call)
	}
	told, _ := out["elements"].([]any)
	if len(told) != 2 || told[0].(map[string]any)["how"] != "pictures" || out["warnings"] != nil {
		t.Errorf("out %+v", out)
	}
	out, err = doUntilDone(t, c, "generate-image", map[string]any{"prompt": "x", "provider": "openai", "model": "dall-e-3"}, twoPictures())
	if err != nil || out["warnings"] == nil || len(s.Calls("POST", "/images/generations")) != 1 {
		t.Errorf("without references: %+v, %v", out, err)
	}
	if _, err = doUntilDone(t, c, "generate-image", map[string]any{"prompt": "x", "provider": "replicate", "seed": 4}, twoPictures()); err != nil {
		t.Fatal(err)
	}
	sent := s.Calls("POST", "/models/a/flux/predictions")[0].Body["input"].(map[string]any)
	if lent, _ := sent["image_input"].([]any); len(lent) != 2 || sent["seed"] != nil || !strings.HasPrefix(lent[0].(string), s.URL) {
		t.Errorf("sent %+v", sent)
	}
	if _, err = doUntilDone(t, c, "generate-image", map[string]any{"prompt": "x", "provider": "replicate", "model": "a/one"}, twoPictures()); err != nil {
		t.Fatal(err)
	}
	if sent := s.Calls("POST", "/models/a/one/predictions")[0].Body["input"].(map[string]any); !strings.HasPrefix(sent["image"].(string), s.URL) {
		t.Errorf("sent %+v", sent)
	}
	if n := s.KeptAll("file_"); n != 0 {
		t.Errorf("%d files are left there", n)
	}
}

func TestPicturesOfPeopleStay(t *testing.T) {
	s, c := libraryOffer(t)
	refs := twoPictures()
	refs.Elements[0].DepictsPerson = true
	var failure *kit.Failure
	for _, name := range []string{"openai", "replicate"} {
		_, err := doUntilDone(t, c, "generate-image", map[string]any{"prompt": "x", "provider": name}, refs)
		if !errors.As(err, &failure) || !strings.Contains(failure.Message, "consent") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := doUntilDone(t, c, "generate-character", map[string]any{"description": "a girl", "provider": "openai"}, &kit.Refs{Face: &refs.Elements[0]})
	if !errors.As(err, &failure) || len(s.Calls("POST", "")) != 0 {
		t.Errorf("a face: %v, %d requests", err, len(s.Calls("POST", "")))
	}
}

func TestViewsFollowTheFirst(t *testing.T) {
	s, c := libraryOffer(t)
	n, _ := c.Find("generate-character")
	three := map[string]any{"description": "a girl with braids", "provider": "openai"}
	if price := n.Price(three); price != 12*models.Credit {
		t.Errorf("three views cost %v", price)
	}
	face := twoPictures().Elements[0]
	out, err := doUntilDone(t, c, "generate-character", three, &kit.Refs{Face: &face})
	if err != nil {
		t.Fatal(err)
	}
	if images, _ := out["images"].([]any); len(images) != 3 || len(s.Calls("POST", "/images/edits")) != 3 || out["model"] != "gpt-image-2" {
		t.Errorf("out %+v", out)
	}
	out, err = doUntilDone(t, c, "generate-object", map[string]any{"description": "a lamp", "provider": "replicate", "views": []any{"front", "top"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	made := s.Calls("POST", "/models/a/flux/predictions")
	if len(made) != 2 || made[0].Body["input"].(map[string]any)["image_input"] != nil || made[1].Body["input"].(map[string]any)["image_input"] == nil {
		t.Errorf("sent %+v", made)
	}
	if images, _ := out["images"].([]any); len(images) != 2 || s.KeptAll("file_") != 0 {
		t.Errorf("out %+v", out)
	}
}

func TestTrainingAtAProvider(t *testing.T) {
	s, c := libraryOffer(t)
	out, err := doUntilDone(t, c, "train-character", map[string]any{"provider": "replicate", "triggerWord": "MIA", "steps": 900}, twoPictures())
	if err != nil {
		t.Fatal(err)
	}
	version, _ := out["version"].(string)
	if !strings.HasPrefix(version, "school/atelier-e1:") || out["triggerWord"] != "MIA" || !s.Kept(version) {
		t.Errorf("out %+v", out)
	}
	call := s.Calls("POST", "/trainings")[0]
	input := call.Body["input"].(map[string]any)
	if call.Path != "/v1/models/a/trainer/versions/v0/trainings" || call.Body["destination"] != "school/atelier-e1" || input["steps"] != 900.0 || input["trigger_word"] != "MIA" {
		t.Errorf("sent %+v", call)
	}
	if n := s.KeptAll("file_"); n != 0 {
		t.Errorf("%d files are left there", n)
	}
	refs := twoPictures()
	refs.Elements[0].Trained = &kit.TrainedRef{Provider: "replicate", Version: version, TriggerWord: "MIA"}
	out, err = doUntilDone(t, c, "generate-image", map[string]any{"prompt": "@mia reads", "provider": "replicate"}, refs)
	if err != nil || out["elements"].([]any)[0].(map[string]any)["how"] != "trained" {
		t.Errorf("out %+v, %v", out, err)
	}
	if used := s.Calls("POST", "/v1/predictions")[0]; used.Body["version"] != strings.TrimPrefix(version, "school/atelier-e1:") {
		t.Errorf("sent %+v", used)
	}
	for range 2 { // the second finds nothing
		if err := c.RemoveAtProvider(t.Context(), "replicate", "version", version); err != nil {
			t.Fatal(err)
		}
	}
	if s.Kept(version) || s.Kept("school/atelier-e1") {
		t.Error("the version is there")
	}
}

// TestTrainingIsNotBegunTwice cuts a training off in the moment in which it begins.
func TestTrainingIsNotBegunTwice(t *testing.T) {
	s, c := libraryOffer(t)
	s.Answer(func(_ http.ResponseWriter, call providertest.Call) bool {
		if strings.HasSuffix(call.Path, "/trainings") {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	_, err := doUntilDone(t, c, "train-character", map[string]any{"provider": "replicate"}, twoPictures())
	var failure *kit.Failure
	if !errors.As(err, &failure) || !strings.Contains(failure.Message, "uncertain") || len(s.Calls("POST", "/trainings")) != 1 {
		t.Errorf("%v, begun %d times", err, len(s.Calls("POST", "/trainings")))
	}
}
