//go:build !race

package nodes

import (
	"errors"
	"strings"
	"testing"

	"atelier/nodes/kit"
)

// TestSettingsThatCannotWork are refused before anything is done or charged,
// with the name of the setting.
func TestSettingsThatCannotWork(t *testing.T) {
	const file = "https://files.example/a"
	for want, c := range map[string]struct {
		kind  string
		input map[string]any
	}{
		"end must be after start":                         {"video-overlay", map[string]any{"videoUrl": file, "overlayUrl": file, "start": 2.0, "end": 1.0}},
		"foreground must be much darker or lighter":       {"qr-code", map[string]any{"text": "a", "foreground": "#eee"}},
		"foreground must be a colour such as #3366ff":     {"qr-code", map[string]any{"text": "a", "foreground": "blue-ish"}},
		"textColor must be a colour such as #3366ff":      {"text-card", map[string]any{"text": "a", "textColor": ""}},
		"waveColor must be a colour such as #3366ff":      {"waveform-video", map[string]any{"audioUrl": file, "waveColor": "#12"}},
		"videoUrls must have at least 2 entries":          {"concat-video", map[string]any{"videoUrls": []any{file}}},
		"text has nothing to say":                         {"text-to-speech", map[string]any{"text": " \n"}},
		"caption must be at most 4000 characters long":    {"text-card", map[string]any{"text": "a", "caption": strings.Repeat("é", 4001)}},
		"pattern is no regular expression: missing":       {"regex-text", map[string]any{"text": "a", "pattern": "["}},
		"expression is no condition: there is no 'foo' (": {"condition", map[string]any{"expression": "foo == 1"}},
		"(line 2, character 3)":                           {"condition", map[string]any{"expression": "true &&\n  foo"}},
	} {
		n, _ := Find(c.kind)
		err := n.Validate("", c.input)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "container") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, c := range []map[string]any{{"text": "a", "background": "#000", "foreground": "#fff"}, {"text": "a", "foreground": "#b00"}} {
		n, _ := Find("qr-code")
		if err := n.Validate("", c); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	n, _ := Find("text-card")
	if err := n.Validate("", map[string]any{"text": "a", "caption": strings.Repeat("é", 4000)}); err != nil {
		t.Errorf("lengths do not count characters: %v", err)
	}
}

// TestFailuresHelp wants every failure of these to say what to do, in words
// that name no program and no library.
func TestFailuresHelp(t *testing.T) {
	s := newShelf()
	spoken := must(t, s, "text-to-speech", map[string]any{"text": "Hello there."})["audioUrl"]
	still := picture(t, s, 64, 64)
	moving := must(t, s, "animate-image", map[string]any{"imageUrl": still, "duration": 1.0, "resolution": "480p"})
	broken := s.put("broken.mp4", s.files[moving["videoUrl"].(string)][:400])
	for want, c := range map[string]struct {
		kind  string
		input map[string]any
	}{
		"goes wrong at character 2":              {"json-query", map[string]any{"data": "not json"}},
		"no such key: a":                         {"condition", map[string]any{"expression": "values.a == 1"}},
		"do not go with size":                    {"condition", map[string]any{"expression": "size(input) == 1", "input": 3.0}},
		"it takes too much work":                 {"condition", map[string]any{"expression": strings.Repeat("[1,2,3,4,5,6,7,8,9,10].all(x, ", 9) + "true" + strings.Repeat(")", 9)}},
		"a value of type":                        {"condition", map[string]any{"expression": "input", "input": 3.0}},
		"out of place in line 2":                 {"csv-parse", map[string]any{"text": "a,b\n\"x\" y,2"}},
		"begin after the end of the video":       {"video-overlay", map[string]any{"videoUrl": moving["videoUrl"], "overlayUrl": still, "start": 9.0}},
		"The sound is over after":                {"trim-audio", map[string]any{"audioUrl": spoken, "start": 30.0}},
		"could not be processed":                 {"extract-frame", map[string]any{"videoUrl": broken}},
		"Neither width nor height":               {"resize-image", map[string]any{"imageUrl": still}},
		"The file is empty":                      {"resize-image", map[string]any{"imageUrl": s.put("empty", nil), "width": 5.0}},
		"The file is not a video but an image":   {"extract-frame", map[string]any{"videoUrl": still}},
		"The file is not a sound but a web page": {"trim-audio", map[string]any{"audioUrl": s.put("page", []byte("<!DOCTYPE html><p>"))}},
		"a file of type application/zip":         {"upload-image", map[string]any{"imageUrl": s.put("zip", []byte("PK\x03\x04\x00\x00"))}},
		"The image was not found":                {"crop-image", map[string]any{"imageUrl": "https://files.example/gone"}},
		"The box lies outside":                   {"crop-image", map[string]any{"imageUrl": still, "x": 500.0}},
		"The code needs at least":                {"qr-code", map[string]any{"text": strings.Repeat("x", 500), "size": 64.0}},
		"The caption is too long for a line":     {"text-card", map[string]any{"text": "a", "caption": strings.Repeat("caption ", 60)}},
		"The text is too long for a card":        {"text-card", map[string]any{"text": strings.Repeat("W", 2000)}},
		"The file holds no sound":                {"convert-audio", map[string]any{"audioUrl": moving["videoUrl"]}},
	} {
		_, err := try(t, s, c.kind, c.input)
		wantFailure(t, err, want)
		var f *kit.Failure
		if errors.As(err, &f) && (f.Hint == "" || strings.Contains(f.Message+f.Hint, "ffprobe") || strings.Contains(f.Message+f.Hint, "overload")) {
			t.Errorf("%s: %q, %q", want, f.Message, f.Hint)
		}
	}
	must(t, s, "text-card", map[string]any{"text": strings.Repeat("W", 200), "caption": strings.Repeat("caption ", 15)})
}
