//go:build !race

package nodes

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
	"atelier/nodes/kit"
)

// shelf is a media store in memory.
type shelf struct {
	files map[string][]byte
	types map[string]string
}

func newShelf() *shelf { return &shelf{map[string][]byte{}, map[string]string{}} }

func (s *shelf) put(name string, data []byte) string {
	url := "https://files.example/" + name
	s.files[url] = data
	return url
}

func (s *shelf) Open(_ context.Context, url string) (io.ReadCloser, kit.MediaInfo, error) {
	data, ok := s.files[url]
	if !ok {
		return nil, kit.MediaInfo{}, models.NotFound("File")
	}
	return io.NopCloser(bytes.NewReader(data)), kit.MediaInfo{URL: url, Size: int64(len(data))}, nil
}

func (s *shelf) Save(_ context.Context, name, contentType string, r io.Reader) (kit.MediaInfo, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return kit.MediaInfo{}, err
	}
	url := s.put(fmt.Sprintf("%d-%s", len(s.files), name), data)
	s.types[url] = contentType
	return kit.MediaInfo{URL: url, ContentType: contentType, Size: int64(len(data))}, nil
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// try runs a node of the catalogue on a shelf.
func try(t *testing.T, s *shelf, kind string, input map[string]any) (kit.Output, error) {
	t.Helper()
	n, ok := install.Find(kind)
	if !ok {
		t.Fatalf("no node type %s", kind)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return n.Do(ctx, &kit.Call{Input: input, Media: s, Now: noon, Attempt: 1})
}

func must(t *testing.T, s *shelf, kind string, input map[string]any) kit.Output {
	t.Helper()
	out, err := try(t, s, kind, input)
	if err != nil {
		var f *kit.Failure
		if errors.As(err, &f) {
			t.Fatalf("%s: %s (%s)", kind, f.Message, f.Hint)
		}
		t.Fatalf("%s: %v", kind, err)
	}
	return out
}

// wantFailure expects a *Failure whose message contains part.
func wantFailure(t *testing.T, err error, part string) {
	t.Helper()
	var f *kit.Failure
	if !errors.As(err, &f) || !bytes.Contains([]byte(f.Message), []byte(part)) {
		t.Fatalf("want a failure with %q, got %v", part, err)
	}
}

// picture is a PNG of two colors, left red and right blue.
func picture(t *testing.T, s *shelf, width, height int) string {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{R: 255, A: 255}
			if x >= width/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return s.put(fmt.Sprintf("picture-%dx%d.png", width, height), b.Bytes())
}

// seen decodes the image that an output names.
func seen(t *testing.T, s *shelf, out kit.Output) image.Image {
	t.Helper()
	url, _ := out["imageUrl"].(string)
	img, _, err := image.Decode(bytes.NewReader(s.files[url]))
	if err != nil {
		t.Fatalf("output %v: %v", out, err)
	}
	return img
}

func wantSize(t *testing.T, img image.Image, width, height int) {
	t.Helper()
	if got := img.Bounds().Size(); got != image.Pt(width, height) {
		t.Fatalf("size %v, want %d × %d", got, width, height)
	}
}
