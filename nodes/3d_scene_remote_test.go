//go:build !race

package nodes

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/models"
	"atelier/nodes/kit"
	"atelier/nodes/provider/providertest"
)

// sceneOffer is an install whose providers make scenes and put characters into pictures.
func sceneOffer(t *testing.T) (*providertest.Server, *Catalogue) {
	t.Helper()
	s := providertest.New(t)
	return s, NewCatalogue(kit.Providers{OpenAI: s.OpenAI(), Replicate: s.Replicate(), Models: []kit.Model{
		{Provider: "openai", NodeType: "3d-scene", ID: "writer", Cost: 500, PerThousandTokens: 2000},
		{Provider: "replicate", NodeType: "3d-scene", ID: "a/3d-sculptor", Cost: 7000, Fields: map[string]string{"prompt": "caption"}},
		{Provider: "replicate", NodeType: "recast", ID: "a/video-animate", Cost: 9000, Fields: map[string]string{"videoUrl": "driving", "characterImage": "who", "seed": ""}},
	}})
}

// writes has the text model answer so.
func writes(s *providertest.Server, text string) {
	content, _ := json.Marshal(text)
	s.Answer(func(w http.ResponseWriter, c providertest.Call) bool {
		if !strings.HasSuffix(c.Path, "/chat/completions") {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id":"c","object":"chat.completion","created":1,"model":"writer","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` +
			string(content) + `}}],"usage":{"prompt_tokens":900,"completion_tokens":1500,"total_tokens":2400}}`))
		return true
	})
}

// lastly runs a node as the engine does, and says what it spent: -1 for nothing told.
func lastly(t *testing.T, c *Catalogue, media *shelf, kind string, refs *kit.Refs, input map[string]any) (out kit.Output, spent models.Credits, err error) {
	t.Helper()
	spent = -1
	n, _ := c.Find(kind)
	call := &kit.Call{Input: input, Media: media, Refs: refs, Now: noon, Keep: func(context.Context, json.RawMessage) error { return nil }, Spent: func(c models.Credits) { spent = c }}
	for range 40 {
		out, err = n.Do(t.Context(), call)
		pause, paused := err.(*kit.Pause)
		if !paused {
			return out, spent, err
		}
		call.State, call.Now = pause.State, pause.Until
	}
	t.Fatal("it does not end")
	return nil, 0, nil
}

func TestATextModelWritesAScene(t *testing.T) {
	s, c := sceneOffer(t)
	writes(s, `{"ground":{"color":"#00ff00"},"sky":{"color":"#ffffff"},"objects":[{"shape":"house","position":[0,0,0],"rotation":null,"size":null,"scale":[1,1,1],"color":null,`+
		`"metalness":null,"roughness":null,"opacity":null,"text":null,"values":null}]}`)
	input := map[string]any{"prompt": "my house", "provider": "openai", "maxTokens": 3000.0}
	n, _ := c.Find("3d-scene")
	if price := n.Price(input); price != 500+3*2000 {
		t.Errorf("the price is %v", price)
	}
	if price := n.Price(map[string]any{"prompt": "my house", "provider": "openai"}); price != 500+4*2000 {
		t.Errorf("the price without maxTokens is %v", price)
	}
	media := newShelf()
	out, spent, err := lastly(t, c, media, "3d-scene", nil, input)
	if err != nil {
		t.Fatal(err)
	}
	written, _ := out["scene"].(map[string]any)
	if out["provider"] != "openai" || out["model"] != "writer" || out["objects"] != 1 || written["objects"] == nil || spent != 500+3000 || media.types[out["modelUrl"].(string)] != GLBType {
		t.Errorf("%v for %v", out, spent)
	}
	asked := s.Calls("POST", "/chat/completions")
	format, _ := asked[0].Body["response_format"].(map[string]any)
	if len(asked) != 1 || format["type"] != "json_schema" || asked[0].Body["max_completion_tokens"] != 3000.0 && asked[0].Body["max_tokens"] != 3000.0 {
		t.Errorf("asked for %v", asked)
	}
}

func TestWhatATextModelWritesIsCheckedAsIfSent(t *testing.T) {
	s, c := sceneOffer(t)
	for text, want := range map[string]string{
		"Here is your scene!":                    "no scene",
		`{"objects":[`:                           "no scene",
		`{"objects":[]}`:                         "scene.objects must have at least one entry",
		`[]`:                                     "scene must be an object",
		`{"objects":[{"shape":"box","size":0}]}`: "scene.objects[0].size must be from 0.001",
		`{"objects":[{"shape":"dragon"}]}`:       "scene.objects[0].shape must be one of",
		`{"objects":[{"shape":"mesh","modelUrl":"http://169.254.169.254/"}]}`:             "must not bring in models",
		`{"objects":[` + strings.Repeat(`{"shape":"castle"},`, 300) + `{"shape":"box"}]}`: "over 500000 triangles",
		`{"objects":[{"shape":"box","id":"` + strings.Repeat("x", 100) + `"}]}`:           "scene.objects[0].id",
	} {
		writes(s, text)
		_, spent, err := lastly(t, c, newShelf(), "3d-scene", nil, map[string]any{"prompt": "x", "provider": "openai"})
		wantFailure(t, err, want)
		if spent != -1 {
			t.Errorf("%s: spent %v", text, spent)
		}
	}
}

// A scene that is sent needs no one to write it, the one who is named.
func TestASentSceneCostsWhatItCostsHere(t *testing.T) {
	s, c := sceneOffer(t)
	n, _ := c.Find("3d-scene")
	for _, who := range []string{"openai", "replicate", "local", ""} {
		input := map[string]any{"scene": map[string]any{"objects": []any{map[string]any{"shape": "box"}}}}
		if who != "" {
			input["provider"] = who
		}
		out, spent, err := lastly(t, c, newShelf(), "3d-scene", nil, input)
		if err != nil || out["provider"] != "local" || n.Price(input) != 2*models.Credit || spent != -1 && spent != 2*models.Credit {
			t.Errorf("%s: %v costs %v, spent %v, %v", who, out["provider"], n.Price(input), spent, err)
		}
	}
	if n := len(s.Calls("POST", "")); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestAModelOfAProvider(t *testing.T) {
	s, c := sceneOffer(t)
	media := newShelf()
	picture := media.put("a.png", providertest.Picture())
	out, spent, err := lastly(t, c, media, "3d-scene", nil, map[string]any{"prompt": "a chair", "imageUrl": picture, "provider": "replicate", "stl": true, "seed": 5.0})
	if err != nil {
		t.Fatal(err)
	}
	if out["provider"] != "replicate" || out["model"] != "a/3d-sculptor" || out["triangles"] != 1 || out["stlUrl"] == nil || out["imageUrl"] == nil || spent != -1 {
		t.Errorf("%v for %v", out, spent)
	}
	sent, _ := s.Calls("POST", "/predictions")[0].Body["input"].(map[string]any)
	address, _ := sent["image"].(string)
	if sent["caption"] != "a chair" || sent["prompt"] != nil || sent["seed"] != 5.0 || !strings.HasPrefix(address, s.URL+"/v1/files/") {
		t.Errorf("sent %v", sent)
	}
	if n := s.KeptAll("file_"); n != 0 {
		t.Errorf("%d files are left", n)
	}
	if price := mustFind(c, "3d-scene").Price(map[string]any{"prompt": "x", "provider": "replicate"}); price != 7000 {
		t.Errorf("it costs %v", price)
	}
}

func mustFind(c *Catalogue, kind string) *kit.Node { n, _ := c.Find(kind); return n }

func TestModelsOfProvidersAreChecked(t *testing.T) {
	s, c := sceneOffer(t)
	good := providertest.Model()
	for name, m := range map[string]struct {
		result []byte
		want   string
	}{
		"no model":   {providertest.Picture(), "no GLB"},
		"cut off":    {good[:len(good)-4], "cut off"},
		"version":    {append([]byte("glTF\x01"), good[5:]...), "version 1"},
		"compressed": {[]byte(strings.Replace(string(good), `"asset"`, `"zsset"`, 1)), "version 2"},
	} {
		s.Result(m.result)
		_, _, err := lastly(t, c, newShelf(), "3d-scene", nil, map[string]any{"prompt": "x", "provider": "replicate"})
		wantFailure(t, err, m.want)
		if n := s.KeptAll("file_"); n != 0 {
			t.Errorf("%s: %d files are left", name, n)
		}
	}
}

// A result that cannot be fetched yet is fetched again: it was paid for.
func TestAModelIsFetchedAgain(t *testing.T) {
	s, c := sceneOffer(t)
	s.Refuse(2)
	out, _, err := lastly(t, c, newShelf(), "3d-scene", nil, map[string]any{"prompt": "x", "provider": "replicate"})
	if err != nil || out["triangles"] != 1 || len(s.Calls("POST", "/predictions")) != 1 {
		t.Error(out, err)
	}
}

func TestRecastByAProvider(t *testing.T) {
	s, c := sceneOffer(t)
	media := newShelf()
	video := media.put("a.mp4", providertest.Film())
	media.files["kept:a"] = providertest.Picture()
	refs := &kit.Refs{Elements: []kit.ElementRef{{ID: "e1", Kind: "character", Name: "Mia", Pictures: []kit.PictureRef{{Address: "kept:a"}}}}}
	input := map[string]any{"characterId": "01900000-0000-7000-8000-000000000001", "videoUrl": video, "prompt": "keep the hat", "seed": 4.0}
	out, _, err := lastly(t, c, media, "recast", refs, input)
	if err != nil {
		t.Fatal(err)
	}
	told, _ := out["elements"].([]any)
	if out["mode"] != "replace" || out["videoUrl"] == nil || out["provider"] != "replicate" || len(told) != 1 || out["warnings"] == nil {
		t.Errorf("%v", out)
	}
	sent, _ := s.Calls("POST", "/predictions")[0].Body["input"].(map[string]any)
	for _, name := range []string{"driving", "who"} {
		if address, _ := sent[name].(string); !strings.HasPrefix(address, s.URL+"/v1/files/") {
			t.Errorf("%s is %v", name, sent[name])
		}
	}
	if len(sent) != 3 || sent["prompt"] != "keep the hat" || s.KeptAll("file_") != 0 {
		t.Errorf("sent %v, %d files are left", sent, s.KeptAll("file_"))
	}
}

// What was asked for once is never asked for again, and a late answer still counts.
func TestRecastIsAskedForOnce(t *testing.T) {
	s, c := sceneOffer(t)
	s.Polls = -1
	media := newShelf()
	media.files["kept:a"] = providertest.Picture()
	refs := &kit.Refs{Elements: []kit.ElementRef{{ID: "e1", Kind: "character", Name: "Mia", Pictures: []kit.PictureRef{{Address: "kept:a"}}}}}
	input := map[string]any{"characterId": "01900000-0000-7000-8000-000000000001", "videoUrl": media.put("a.mp4", providertest.Film())}
	n := mustFind(c, "recast")
	var kept json.RawMessage
	call := &kit.Call{Input: input, Media: media, Refs: refs, Now: noon, Keep: func(_ context.Context, state json.RawMessage) error { kept = state; return nil }}
	_, err := n.Do(t.Context(), call)
	pause, paused := err.(*kit.Pause)
	if !paused || len(kept) == 0 {
		t.Fatal(err)
	}
	// cut off between the intent and the answer
	call.State = kept
	_, err = n.Do(t.Context(), call)
	wantFailure(t, err, "uncertain")
	// past the deadline, and then it comes
	call.State, call.Now = pause.State, noon.Add(kit.ProviderTaskDeadline+time.Minute)
	_, err = n.Do(t.Context(), call)
	wantFailure(t, err, "did not finish")
	late := err.(*kit.Failure).Late
	s.End("succeeded")
	call.State, call.Late = late, true
	out, err := n.Do(t.Context(), call)
	if err != nil || out["videoUrl"] == nil || s.KeptAll("file_") != 0 || len(s.Calls("POST", "/predictions")) != 1 {
		t.Error(out, err, s.KeptAll("file_"))
	}
}
