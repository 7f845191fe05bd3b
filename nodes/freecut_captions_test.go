//go:build !race

package nodes

import (
	"fmt"
	"testing"

	"atelier/nodes/kit"
)

// What is said in clips becomes the captions of the film, and those of parts the captions of the whole.
func TestFreecutCaptions(t *testing.T) {
	s := newShelf()
	still := picture(t, s, 64, 64)
	clip := func(seconds float64) map[string]any { return map[string]any{"url": still, "duration": seconds} }
	said := func(text string) map[string]any { return map[string]any{"text": text} }
	cut := func(clips, captions []any) kit.Output {
		t.Helper()
		return must(t, s, "freecut-export", map[string]any{"clips": clips, "captions": captions, "width": 64.0, "height": 64.0})
	}
	part := cut([]any{clip(1), clip(0.5), clip(1)}, []any{said("One & two."), said(""), said("Three.")})
	file, _ := part["captionsUrl"].(string)
	if got := string(s.files[file]); s.types[file] != "text/vtt" ||
		got != "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nOne &amp; two.\n\n00:00:01.500 --> 00:00:02.500\nThree.\n" {
		t.Errorf("%s %q", s.types[file], got)
	}
	silent := cut([]any{clip(1)}, []any{said(" ")})
	if silent["captionsUrl"] != nil || fmt.Sprint(silent["captions"]) != "map[cues:[]]" {
		t.Errorf("without a word: %v", silent)
	}
	whole := cut([]any{clip(3), silent["videoUrl"], clip(2.2)}, []any{part["captions"], silent["captions"], part["captions"]})
	file, _ = whole["captionsUrl"].(string)
	if got := string(s.files[file]); got != "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nOne &amp; two.\n\n00:00:01.500 --> 00:00:02.500\nThree.\n"+
		"\n00:00:04.000 --> 00:00:05.000\nOne &amp; two.\n\n00:00:05.500 --> 00:00:06.200\nThree.\n" {
		t.Errorf("of parts: %q", got)
	}
	if bare := must(t, s, "freecut-export", map[string]any{"clips": []any{clip(1)}, "width": 64.0, "height": 64.0}); bare["captions"] != nil {
		t.Errorf("nobody asked for captions: %v", bare)
	}

	kind, _ := Find("freecut-export")
	cue := func(start, end float64) []any {
		return []any{map[string]any{"cues": []any{map[string]any{"start": start, "end": end, "text": "x"}}}}
	}
	for want, captions := range map[string][]any{
		"captions must have at most 20 entries":           make([]any, 21),
		"captions[0].text must be a text":                 {map[string]any{"text": 1.0}},
		"captions[0].cues[0].text is required":            {map[string]any{"cues": []any{map[string]any{"start": 0.0, "end": 1.0}}}},
		"captions[0].cues[0].start must be from 0 to 600": cue(-1, 2),
		"captions[0].cues[0].end must be after start":     cue(2, 2),
		"captions[0].cues must have at most 1000 entries": {map[string]any{"cues": make([]any, 1001)}},
	} {
		if err := kind.Validate("", map[string]any{"clips": []any{clip(1)}, "captions": captions}); err == nil || err.Error() != "validation_error: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
