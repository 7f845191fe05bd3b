//go:build !race

package nodes

import (
	"image"
	"image/color"
	"math"
	"os"
	"testing"

	"atelier/nodes/kit"
)

// TestMediaPrograms makes a small film with the real programs: speech and
// pictures in, one video out, and back to a picture.
func TestMediaPrograms(t *testing.T) {
	s := newShelf()
	speech := must(t, s, "text-to-speech", map[string]any{"text": "One. Two. Three.", "voice": "en-gb", "speed": 200.0})
	sound(t, s, speech, "audio/wav", 0.6, 6)
	mp3 := must(t, s, "convert-audio", map[string]any{"audioUrl": speech["audioUrl"], "format": "mp3", "normalize": true})
	sound(t, s, mp3, "audio/mpeg", 0.6, 6)
	short := must(t, s, "trim-audio", map[string]any{"audioUrl": mp3["audioUrl"], "start": 0.2, "duration": 0.5, "fadeOut": 0.2, "format": "flac"})
	sound(t, s, short, "audio/flac", 0.45, 0.6)
	both := must(t, s, "mix-audio", map[string]any{"audioUrl": short["audioUrl"], "secondUrl": short["audioUrl"], "mode": "in-turn", "format": "wav"})
	sound(t, s, both, "audio/wav", 0.9, 1.1)
	mixed := must(t, s, "mix-audio", map[string]any{"audioUrl": short["audioUrl"], "secondUrl": both["audioUrl"], "format": "ogg"})
	sound(t, s, mixed, "audio/ogg", 0.9, 1.2)

	still := picture(t, s, 320, 200)
	moving := must(t, s, "animate-image", map[string]any{"imageUrl": still, "duration": 1.0, "resolution": "480p", "aspectRatio": "4:3"})
	film(t, s, moving, 640, 480, 1)
	wave := must(t, s, "waveform-video", map[string]any{"audioUrl": both["audioUrl"], "resolution": "480p", "aspectRatio": "1:1"})
	film(t, s, wave, 480, 480, 1)
	middle := seen(t, s, must(t, s, "extract-frame", map[string]any{"videoUrl": wave["videoUrl"], "time": 0.5}))
	if n := countColor(middle, 0xff, 0xd1, 0x66); n < 100 {
		t.Fatalf("the wave has %d pixels", n)
	}
	wantColor(t, middle.At(240, 20), 0x14, 0x21, 0x3d)
	joined := must(t, s, "concat-video", map[string]any{"videoUrls": []any{moving["videoUrl"], wave["videoUrl"]}, "resolution": "480p", "aspectRatio": "1:1"})
	film(t, s, joined, 480, 480, 2)
	scored := must(t, s, "add-audio", map[string]any{"videoUrl": moving["videoUrl"], "audioUrl": short["audioUrl"], "loop": true})
	film(t, s, scored, 640, 480, 1)
	film(t, s, must(t, s, "add-audio", map[string]any{"videoUrl": joined["videoUrl"], "audioUrl": short["audioUrl"], "mode": "mix"}), 480, 480, 2)
	marked := must(t, s, "video-overlay", map[string]any{"videoUrl": moving["videoUrl"], "overlayUrl": picture(t, s, 40, 40), "position": "top-right", "margin": 0.0, "scale": 20.0})
	film(t, s, marked, 640, 480, 1)
	frame := seen(t, s, must(t, s, "extract-frame", map[string]any{"videoUrl": marked["videoUrl"], "time": 99.0}))
	wantSize(t, frame, 640, 480)
	wantColor(t, frame.At(530, 60), 254, 0, 0)
	wantColor(t, frame.At(530, 300), 0, 0, 254)
}

// countColor is how many pixels nearly have a color.
func countColor(img image.Image, r, g, b int) (n int) {
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			if max(abs(int(c.R)-r), abs(int(c.G)-g), abs(int(c.B)-b)) < 40 {
				n++
			}
		}
	}
	return n
}

func abs(v int) int { return max(v, -v) }

func sound(t *testing.T, s *shelf, out kit.Output, kind string, least, most float64) {
	t.Helper()
	url, _ := out["audioUrl"].(string)
	length, _ := out["duration"].(float64)
	if got := kit.SniffType(s.files[url]); (got != kind && got != "application/ogg") || out["url"] != url || length < least || length > most {
		t.Fatalf("got %v of type %s, want %s of %.1f to %.1f s", out, got, kind, least, most)
	}
}

func film(t *testing.T, s *shelf, out kit.Output, width, height int, seconds float64) {
	t.Helper()
	url, _ := out["videoUrl"].(string)
	length, _ := out["duration"].(float64)
	if kit.SniffType(s.files[url]) != "video/mp4" || out["width"] != width || out["height"] != height || math.Abs(length-seconds) > 0.15 {
		t.Fatalf("got %v, want %d × %d of %.1f s", out, width, height, seconds)
	}
}

func TestHostileMedia(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // that of other tests is not empty
	s := newShelf()
	for name, data := range map[string]string{
		"playlist.mp4": "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n",
		"concat.mp3":   "ffconcat version 1.0\nfile /etc/passwd\n",
		"cut.mp4":      "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41",
		"tag.mp3":      "ID3\x03\x00\x00\x00\x00\x00\x00",
	} {
		_, err := try(t, s, "convert-audio", map[string]any{"audioUrl": s.put(name, []byte(data))})
		wantFailure(t, err, "")
	}
	_, err := try(t, s, "upload-video", map[string]any{"videoUrl": picture(t, s, 4, 4)})
	wantFailure(t, err, "not a video but an image")
	left, err := os.ReadDir(os.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		t.Errorf("%s was left behind", entry.Name())
	}
}

func TestMissingProgramNamesItsPackage(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := try(t, newShelf(), "text-to-speech", map[string]any{"text": "Hello"})
	wantFailure(t, err, "espeak-ng is not installed")
	if f := err.(*kit.Failure); f.Hint != "Install the Debian package espeak-ng: apt-get install espeak-ng" {
		t.Fatal(f.Hint)
	}
}
