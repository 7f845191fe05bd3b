//go:build !race

package nodes

import (
	"testing"

	"atelier/nodes/kit"
)

func TestFreecutExport(t *testing.T) {
	s := newShelf()
	spoken := must(t, s, "text-to-speech", map[string]any{"text": "One, two, three, four, five, six."})
	still := picture(t, s, 320, 200)
	moving := must(t, s, "animate-image", map[string]any{"imageUrl": still, "duration": 2.0, "resolution": "480p", "aspectRatio": "4:3"})
	loud := must(t, s, "add-audio", map[string]any{"videoUrl": moving["videoUrl"], "audioUrl": spoken["audioUrl"]})
	out := must(t, s, "freecut-export", map[string]any{
		"clips": []any{
			map[string]any{"url": loud["videoUrl"], "start": 0.5, "end": 1.5, "volume": 50.0},
			map[string]any{"url": moving["videoUrl"], "duration": 0.5, "fit": "cover"},
			map[string]any{"url": still, "duration": 1.0},
		},
		"audio": map[string]any{"url": spoken["audioUrl"], "volume": 30.0, "loop": true}, "width": 321.0, "height": 240.0, "fps": 25.0, "background": "#00ff00",
	})
	film(t, s, out, 320, 240, 2.5)
	bars := seen(t, s, must(t, s, "extract-frame", map[string]any{"videoUrl": out["videoUrl"], "time": 2.0}))
	wantColor(t, bars.At(160, 4), 0, 255, 0)
	wantColor(t, bars.At(40, 120), 254, 0, 0)
	wantColor(t, seen(t, s, must(t, s, "extract-frame", map[string]any{"videoUrl": out["videoUrl"], "time": 1.2})).At(40, 4), 254, 0, 0)
	bare := must(t, s, "freecut-export", map[string]any{"clips": []any{moving["videoUrl"]}, "width": 64.0, "height": 64.0})
	film(t, s, bare, 64, 64, 2)

	clip := func(fields ...any) map[string]any {
		c := map[string]any{"url": moving["videoUrl"]}
		for i := 0; i < len(fields); i += 2 {
			c[fields[i].(string)] = fields[i+1]
		}
		return c
	}
	kind, _ := Find("freecut-export")
	for want, input := range map[string]map[string]any{
		"clips is required":                          {},
		"clips must have at least one entry":         {"clips": []any{}},
		"clips[0].url is required":                   {"clips": []any{map[string]any{"start": 1.0}}},
		"clips[0].url must be a web address":         {"clips": []any{map[string]any{"url": "file:///etc/passwd"}}},
		"clips[1] must be an object":                 {"clips": []any{clip(), "x"}},
		"clips[0].end must be after start":           {"clips": []any{clip("start", 3.0, "end", 2.0)}},
		"clips[0].start must be from 0 to 600":       {"clips": []any{clip("start", -1.0)}},
		"clips[0].volume must be from 0 to 200":      {"clips": []any{clip("volume", 201.0)}},
		"clips[0].fit must be one of contain, cover": {"clips": []any{clip("fit", "stretch")}},
		"audio.url is required":                      {"clips": []any{clip()}, "audio": map[string]any{}},
		"audio.start must be from 0 to 600":          {"clips": []any{clip()}, "audio": map[string]any{"url": spoken["audioUrl"], "start": 601.0}},
		"fps must be a whole number":                 {"clips": []any{clip()}, "fps": 29.97},
		"clips must have at most 20 entries":         {"clips": make([]any, 21)},
	} {
		if err := kind.Validate("", input); err == nil || err.Error() != "validation_error: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, err := try(t, s, "freecut-export", map[string]any{"clips": []any{clip("start", 5.0)}})
	wantFailure(t, err, "Clip 1 begins after the end")
	_, err = try(t, s, "freecut-export", map[string]any{"clips": []any{clip()}, "audio": map[string]any{"url": spoken["audioUrl"], "start": 500.0}})
	wantFailure(t, err, "The audio begins after its end")
}

func TestDownloadVideo(t *testing.T) {
	s := newShelf()
	moving := must(t, s, "animate-image", map[string]any{"imageUrl": picture(t, s, 64, 64), "duration": 1.0, "resolution": "480p"})
	out := must(t, s, "download-video", map[string]any{"url": s.put("film.bin", s.files[moving["videoUrl"].(string)])})
	film(t, s, out, 852, 480, 1)
	for name, data := range map[string]string{
		"page":     "<!DOCTYPE html><html><video src=x.mp4></video></html>",
		"playlist": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile:///etc/passwd\n",
		"concat":   "ffconcat version 1.0\nfile /etc/passwd\n",
		"sound":    "ID3\x03\x00\x00\x00\x00\x00\x00",
		"manifest": "<?xml version=\"1.0\"?><MPD></MPD>",
	} {
		_, err := try(t, s, "download-video", map[string]any{"url": s.put(name, []byte(data))})
		wantFailure(t, err, "does not lead to a video")
	}
	_, err := try(t, s, "download-video", map[string]any{"url": "https://files.example/gone"})
	wantFailure(t, err, "was not found")
}

func TestTranscribe(t *testing.T) {
	s := newShelf()
	spoken := must(t, s, "text-to-speech", map[string]any{"text": "go forward ten meters", "speed": 130.0})
	out := must(t, s, "transcribe", map[string]any{"url": spoken["audioUrl"]})
	if text, _ := out["text"].(string); text == "" {
		t.Errorf("heard nothing: %v", out)
	} else {
		t.Logf("heard %q", text)
	}
	_, err := try(t, s, "transcribe", map[string]any{"url": spoken["audioUrl"], "language": "de"})
	wantFailure(t, err, "English alone")
	t.Setenv("PATH", t.TempDir())
	_, err = try(t, s, "transcribe", map[string]any{"url": spoken["audioUrl"]})
	wantFailure(t, err, "is not installed on this server")
}

func TestInPlaceOf(t *testing.T) {
	settings := map[string]any{"url": "https://files.example/a.mp3", "language": "de"}
	if kind, same := install.InPlaceOf("transcribe", settings); kind != "transcribe" || same["url"] != settings["url"] {
		t.Errorf("without a provider: %s %v", kind, same)
	}
	before := transcribeAudioNode.Providers
	t.Cleanup(func() { transcribeAudioNode.Providers = before })
	transcribeAudioNode.Providers = []string{kit.OpenAIName}
	kind, moved := install.InPlaceOf("transcribe", settings)
	if kind != "transcribe-audio" || moved["audioUrl"] != settings["url"] || moved["language"] != "de" || moved["url"] != nil || settings["url"] == nil {
		t.Errorf("with a provider: %s %v", kind, moved)
	}
	if kind, _ := install.InPlaceOf("transcribe", map[string]any{"url": "x", "provider": "local"}); kind != "transcribe" {
		t.Errorf("with the local one named: %s", kind)
	}
}
