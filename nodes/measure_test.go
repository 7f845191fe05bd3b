//go:build !race

package nodes

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/mediatype"
	"atelier/models"
	"atelier/nodes/kit"
)

// made runs ffmpeg and returns what it wrote to its standard output.
func made(t *testing.T, args ...string) []byte {
	t.Helper()
	var complaint bytes.Buffer
	cmd := exec.Command("ffmpeg", append([]string{"-nostdin", "-v", "error"}, args...)...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg %v: %v: %s", args, err, complaint.String())
	}
	return out
}

const (
	testPicture = "testsrc=s=64x48:d=1:r=10"
	testTone    = "sine=d=1"
)

// recording is a WebM as browsers record it: its head states no length.
func recording(t *testing.T) []byte {
	return made(t, "-f", "lavfi", "-i", testPicture, "-c:v", "libvpx", "-f", "webm", "-")
}

// onItsSide is a video taken with the camera on its side.
func onItsSide(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "flat.mp4")
	made(t, "-f", "lavfi", "-i", testPicture, "-c:v", "libx264", "-pix_fmt", "yuv420p", path)
	return made(t, "-i", path, "-c", "copy", "-metadata:s:v", "rotate=90", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov", "-")
}

func measured(t *testing.T, data []byte) (kit.MediaInfo, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return kit.Measure(context.Background(), path, kit.SniffType(data[:min(len(data), mediatype.SniffLength)]))
}

func TestMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		data                    []byte
		kind                    string
		width, height, duration float64
	}{
		"png":         {made(t, "-f", "lavfi", "-i", testPicture, "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "-"), "image/png", 64, 48, 0},
		"bmp":         {made(t, "-f", "lavfi", "-i", testPicture, "-frames:v", "1", "-c:v", "bmp", "-f", "image2pipe", "-"), "image/bmp", 64, 48, 0},
		"webp":        {made(t, "-f", "lavfi", "-i", testPicture, "-frames:v", "1", "-c:v", "libwebp", "-f", "image2pipe", "-"), "image/webp", 64, 48, 0},
		"gif":         {made(t, "-f", "lavfi", "-i", testPicture, "-f", "gif", "-"), "image/gif", 64, 48, 0},
		"mp3":         {made(t, "-f", "lavfi", "-i", testTone, "-f", "mp3", "-"), "audio/mpeg", 0, 0, 1},
		"wav":         {made(t, "-f", "lavfi", "-i", testTone, "-f", "wav", "-"), "audio/wav", 0, 0, 1},
		"ogg":         {made(t, "-f", "lavfi", "-i", testTone, "-f", "ogg", "-"), "audio/ogg", 0, 0, 1},
		"flac":        {made(t, "-f", "lavfi", "-i", testTone, "-f", "flac", "-"), "audio/flac", 0, 0, 1},
		"aac":         {made(t, "-f", "lavfi", "-i", testTone, "-f", "adts", "-"), "audio/aac", 0, 0, 1},
		"webm":        {recording(t), "video/webm", 64, 48, 1},
		"matroska":    {made(t, "-f", "lavfi", "-i", testPicture, "-f", "matroska", "-"), "video/x-matroska", 64, 48, 1},
		"on its side": {onItsSide(t), "video/mp4", 48, 64, 1},
		"cut":         {[]byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41"), "video/mp4", 0, 0, 0},
		"broken":      {append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 20)...), "image/png", 0, 0, 0},
		"text":        {[]byte("hello"), "text/plain", 0, 0, 0},
		"for ever":    {lasting(t, 1e300), "video/x-matroska", 64, 48, 1},
		"for a year":  {lasting(t, 365*24*3_600_000), "video/x-matroska", 64, 48, 0},
		"no number":   {lasting(t, math.NaN()), "video/x-matroska", 64, 48, 1},
	} {
		t.Run(name, func(t *testing.T) {
			info, err := measured(t, c.data)
			if err != nil || info.ContentType != c.kind || float64(info.Width) != c.width || float64(info.Height) != c.height || math.Abs(info.Duration-c.duration) > 0.2 {
				t.Errorf("measured %+v, %v; want %s of %v × %v, %v s", info, err, c.kind, c.width, c.height, c.duration)
			}
		})
	}
	_, err := measured(t, bombPNG(60_000, 60_000))
	var refusal *models.Error
	if !errors.As(err, &refusal) || refusal.Code != models.CodeValidation || !strings.Contains(refusal.Message, "64 megapixels") {
		t.Errorf("a giant picture: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if info, err := measured(t, recording0); err != nil || info.Duration != 0 {
		t.Errorf("without ffprobe: %+v, %v", info, err)
	}
}

// recording0 is sniffed as a video and has nothing in it.
var recording0 = []byte("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm")

// lasting is a Matroska file whose head claims a length in milliseconds.
func lasting(t *testing.T, length float64) []byte {
	path := filepath.Join(t.TempDir(), "film.mkv")
	made(t, "-f", "lavfi", "-i", testPicture, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte{0x44, 0x89, 0x88}) // Duration, eight bytes
	if at < 0 {
		t.Fatal("the file states no length")
	}
	binary.BigEndian.PutUint64(data[at+3:], math.Float64bits(length))
	return data
}

// bombs are files that are small and would like to become large, long, or
// another file.
func bombs(t *testing.T) map[string][]byte {
	wave := made(t, "-f", "lavfi", "-i", testTone, "-f", "wav", "-bitexact", "-")
	liar := bytes.Clone(wave)
	binary.LittleEndian.PutUint32(liar[40:], math.MaxUint32-8)
	return map[string][]byte{
		"a giant PNG":            bombPNG(60_000, 60_000),
		"a PNG without pixels":   bombPNG(8_000, 8_000),
		"a playlist":             []byte("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"),
		"a variant playlist":     []byte("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://169.254.169.254/\n"),
		"a concat list":          []byte("ffconcat version 1.0\nfile /etc/passwd\n"),
		"a DASH manifest":        []byte(`<?xml version="1.0"?><MPD><Period><BaseURL>file:///etc/</BaseURL></Period></MPD>`),
		"SVG entities":           []byte(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>`),
		"an SVG that reads":      []byte(`<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd"/></svg>`),
		"a zip":                  append([]byte("PK\x03\x04"), make([]byte, 60)...),
		"gzip":                   append([]byte("\x1f\x8b\x08"), make([]byte, 60)...),
		"a video of two hours":   lasting(t, 7_200_000),
		"a cut MP4":              []byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41"),
		"an MP4 of giant boxes":  []byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41\x7f\xff\xff\xffmoov\x7f\xff\xff\xf0trak"),
		"a WebM of nothing":      recording0,
		"an empty tag":           []byte("ID3\x03\x00\x00\x7f\x7f\x7f\x7f"),
		"a FLAC of nothing":      []byte("fLaC\x00\x00\x00\x22"),
		"an Ogg of nothing":      []byte("OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00"),
		"a WAV that lies, empty": liar[:44],
		"nested JSON":            bytes.Repeat([]byte("["), 1<<20),
		"nothing":                {},
	}
}

// TestBombs gives each bomb to every kind of media node: it ends soon, with a
// message, and leaves nothing behind.
func TestBombs(t *testing.T) {
	s := newShelf()
	for name, data := range bombs(t) {
		url := s.put(strings.ReplaceAll(name, " ", "-")+".mp4", data)
		for kind, input := range map[string]map[string]any{
			"convert-image": {"imageUrl": url}, "convert-audio": {"audioUrl": url}, "extract-frame": {"videoUrl": url},
			"download-video": {"url": url}, "freecut-export": {"clips": []any{url}, "width": 64.0, "height": 64.0}, "transcribe": {"url": url},
		} {
			if long := strings.Contains(name, "two hours"); long && kind == "download-video" {
				continue // which takes long videos
			}
			start := time.Now()
			_, err := try(t, s, kind, input)
			var failure *kit.Failure
			if !errors.As(err, &failure) || failure.Message == "" || strings.Contains(failure.Message+failure.Hint, os.TempDir()) {
				t.Errorf("%s, %s: %v", kind, name, err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s, %s: took %v", kind, name, took)
			}
		}
	}
}

// A WAV whose head claims more than the file holds is as long as its file.
func TestLyingWAV(t *testing.T) {
	data := made(t, "-f", "lavfi", "-i", testTone, "-f", "wav", "-bitexact", "-")
	for _, claimed := range []uint32{math.MaxUint32, math.MaxUint32 - 8, 600 * 88_200, 0} {
		binary.LittleEndian.PutUint32(data[40:], claimed)
		s := newShelf()
		out := must(t, s, "convert-audio", map[string]any{"audioUrl": s.put("a.wav", data), "format": "flac"})
		if length, _ := out["duration"].(float64); math.Abs(length-1) > 0.1 {
			t.Errorf("claiming %d bytes it is %v seconds long", claimed, out["duration"])
		}
	}
}

// A GIF of very many pictures costs one of them.
func TestManyFrames(t *testing.T) {
	frame := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
	animation := &gif.GIF{}
	for range 100_000 {
		animation.Image, animation.Delay = append(animation.Image, frame), append(animation.Delay, 0)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, animation); err != nil {
		t.Fatal(err)
	}
	s := newShelf()
	wantSize(t, seen(t, s, must(t, s, "convert-image", map[string]any{"imageUrl": s.put("many.gif", b.Bytes())})), 1, 1)
	if info, err := measured(t, b.Bytes()); err != nil || info.Width != 1 {
		t.Errorf("measured %+v, %v", info, err)
	}
}
