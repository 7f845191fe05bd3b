//go:build !race

package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"
	"time"

	"atelier/models"
	"atelier/nodes"
	"atelier/nodes/kit"
)

// factoryShelf is a media store in memory.
type factoryShelf map[string][]byte

func (s factoryShelf) Open(_ context.Context, url string) (io.ReadCloser, kit.MediaInfo, error) {
	data, ok := s[url]
	if !ok {
		return nil, kit.MediaInfo{}, models.NotFound("File")
	}
	return io.NopCloser(bytes.NewReader(data)), kit.MediaInfo{URL: url, Size: int64(len(data))}, nil
}

func (s factoryShelf) Save(_ context.Context, name, contentType string, r io.Reader) (kit.MediaInfo, error) {
	data, err := io.ReadAll(r)
	url := fmt.Sprintf("https://files.example/%d-%s", len(s), name)
	s[url] = data
	return kit.MediaInfo{URL: url, ContentType: contentType, Size: int64(len(data))}, err
}

// TestFactoryPresetsRun runs every preset of the program through its node, which
// says itself only what a run needs, and what keeps the test short.
func TestFactoryPresetsRun(t *testing.T) {
	catalogue, shelf := nodes.NewCatalogue(kit.Providers{}), factoryShelf{}
	run := func(nodeType string, input map[string]any) kit.Output {
		t.Helper()
		kind, ok := catalogue.Find(nodeType)
		if !ok {
			t.Fatalf("no node type %s", nodeType)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		out, err := kind.Do(ctx, &kit.Call{Input: input, Media: shelf, Now: FactoryTime, Attempt: 1})
		if failure := (*kit.Failure)(nil); errors.As(err, &failure) {
			t.Fatalf("%s: %s (%s)", nodeType, failure.Message, failure.Hint)
		}
		if err != nil {
			t.Fatalf("%s: %v", nodeType, err)
		}
		return out
	}
	shelf["https://files.example/picture.png"] = factoryPicture(t)
	sound := run("text-to-speech", map[string]any{"text": "A fox."})["audioUrl"]
	own := map[string]map[string]any{
		"generate-image": {"prompt": "A fox in the mountains", "seed": 7.0, "resolution": "1K"},
		"text-card":      {"text": "A fox", "caption": "in the snow"},
		"text-to-speech": {"text": "A fox in the snow."},
		"animate-image":  {"imageUrl": "https://files.example/picture.png", "duration": 1.0, "resolution": "480p"},
		"shot-clip":      {"imageUrl": "https://files.example/picture.png", "duration": 1.0, "resolution": "480p"},
		"pro-3d-render": {
			"scene": map[string]any{"objects": []any{map[string]any{"shape": "house"}}}, "frames": 12.0, "seconds": 1.0,
			"camera": map[string]any{"distance": 8.0}, // few pixels of it
		},
		"waveform-video": {"audioUrl": sound, "resolution": "480p"},
		"filter-image":   {"imageUrl": "https://files.example/picture.png"},
		"qr-code":        {"text": "https://atelier.example"},
		"summarize-text": {"text": "A fox runs. The fox is red. Snow falls on the red fox. It is cold. The fox sleeps. The end."},
	}
	results := map[string]string{}
	for _, p := range factoryPresets {
		kind, _ := catalogue.Find(p.NodeType)
		if own[p.NodeType] == nil {
			t.Fatalf("nothing to run %s with", p.NodeType)
		}
		out := run(p.NodeType, kind.LayPreset(own[p.NodeType], p.Settings))
		result := ""
		for _, name := range []string{"imageUrl", "videoUrl", "audioUrl", "text"} {
			if value, _ := out[name].(string); value != "" {
				result = value
			}
		}
		if data, isFile := shelf[result]; isFile {
			result = string(data)
		}
		if result == "" {
			t.Errorf("%s %s yields nothing: %v", p.NodeType, p.Name, out)
		}
		if other := results[result]; other != "" {
			t.Errorf("%s %s yields the same as %s", p.NodeType, p.Name, other)
		}
		results[result] = p.Name
		if p.NodeType == "generate-image" && p.Tags[0] == "style" && out["look"] == nil {
			t.Errorf("the painter does not know the style %s", p.Name)
		}
	}
}

func factoryPicture(t *testing.T) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			img.SetNRGBA(x, y, color.NRGBA{R: uint8(x * 255 / 320), G: uint8(y), B: uint8((x + y) % 255), A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
