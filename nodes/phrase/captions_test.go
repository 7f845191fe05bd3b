//go:build !race

package phrase_test

import (
	"strings"
	"testing"

	"atelier/nodes/phrase"
)

// Captions part a text between words, give each part its share of the time, and lose nothing.
func TestCaptions(t *testing.T) {
	if got := phrase.Captions(" \n ", 0, 4); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	short := phrase.Captions("Nobody came today.", 1.5, 4)
	if len(short) != 1 || short[0] != (phrase.Caption{Start: 1.5, End: 4, Text: "Nobody came today."}) {
		t.Errorf("a short text: %v", short)
	}
	long := strings.TrimSpace(strings.Repeat("word after word and ", 12))
	parts := phrase.Captions(long, 10, 20)
	if len(parts) < 3 || parts[0].Start != 10 || parts[len(parts)-1].End != 20 {
		t.Fatalf("a long text: %v", parts)
	}
	var said []string
	for i, p := range parts {
		if i > 0 && p.Start != parts[i-1].End || p.End <= p.Start {
			t.Errorf("part %d is shown from %v to %v", i, p.Start, p.End)
		}
		lines := strings.Split(p.Text, "\n")
		if len(lines) > 2 || len(lines[0]) > 42 {
			t.Errorf("part %d is too large to be read: %q", i, p.Text)
		}
		said = append(said, strings.Fields(p.Text)...)
	}
	if strings.Join(said, " ") != long {
		t.Errorf("said %q", said)
	}
}

// Nothing in a text breaks out of its caption.
func TestCaptionFiles(t *testing.T) {
	captions := []phrase.Caption{
		{Start: 0, End: 1.2345, Text: "Tom & <b>Ann</b>"},
		{Start: 3599.9996, End: 3661.5, Text: "one\n\n00:00 --> 00:01\r\n two"},
	}
	if got, want := phrase.VTT(captions), "WEBVTT\n\n00:00:00.000 --> 00:00:01.235\nTom &amp; &lt;b&gt;Ann&lt;/b&gt;\n"+
		"\n01:00:00.000 --> 01:01:01.500\none\n00:00 --&gt; 00:01\ntwo\n"; got != want {
		t.Errorf("WebVTT\n%s", got)
	}
	if got, want := phrase.SRT(captions), "1\n00:00:00,000 --> 00:00:01,235\nTom & <b>Ann</b>\n"+
		"\n2\n01:00:00,000 --> 01:01:01,500\none\n00:00 -> 00:01\ntwo\n"; got != want {
		t.Errorf("SubRip\n%s", got)
	}
	if got := phrase.VTT(nil); got != "WEBVTT\n" {
		t.Errorf("without captions: %q", got)
	}
}

// The prompt of a shot begins with what is seen, and says how the camera looks.
func TestShotPrompt(t *testing.T) {
	for want, got := range map[string]string{
		"Mia opens the door. She waits, close up, seen from below": phrase.ShotPrompt(" Mia opens the door. She waits. ", "close", "low"),
		"@mia, medium shot": phrase.ShotPrompt("@mia", "medium", "eye"),
		"medium shot":       phrase.ShotPrompt("", "medium", "eye"),
		"@mia, medium shot, the camera pans to the left": phrase.Moving("@mia, medium shot", "pan-left"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
