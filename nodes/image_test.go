//go:build !race

package nodes

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
	"time"

	"atelier/nodes/kit"
)

func TestGenerateImage(t *testing.T) {
	s := newShelf()
	make := func(prompt string, seed any, ratio string) kit.Output {
		in := map[string]any{"prompt": prompt, "aspectRatio": ratio}
		if seed != nil {
			in["seed"] = seed
		}
		return must(t, s, "generate-image", in)
	}
	bytesOf := func(out kit.Output) []byte { return s.files[out["imageUrl"].(string)] }
	first := make("a quiet lake", 7.0, "16:9")
	wantSize(t, seen(t, s, first), 1024, 576)
	if first["url"] != first["imageUrl"] || first["seed"] != int64(7) || s.types[first["url"].(string)] != "image/png" {
		t.Fatalf("got %v", first)
	}
	if !bytes.Equal(bytesOf(first), bytesOf(make("a quiet lake", 7.0, "16:9"))) {
		t.Fatal("the same prompt and seed gave another picture")
	}
	if bytes.Equal(bytesOf(first), bytesOf(make("a quiet lake", 8.0, "16:9"))) {
		t.Fatal("another seed gave the same picture")
	}
	if bytes.Equal(bytesOf(first), bytesOf(make("a loud lake", 7.0, "16:9"))) {
		t.Fatal("another prompt gave the same picture")
	}
	wantSize(t, seen(t, s, make("x", nil, "3:4")), 768, 1024)
	wantSize(t, seen(t, s, make("x", 0.0, "9:16")), 576, 1024)
	wantSize(t, seen(t, s, must(t, s, "generate-image", map[string]any{"prompt": "x", "seed": 1.0, "resolution": "2K"})), 2048, 2048)
}

func TestResizeImage(t *testing.T) {
	s := newShelf()
	url := picture(t, s, 200, 100)
	for _, c := range []struct {
		fit           string
		width, height any
		w, h          int
	}{
		{"cover", 50.0, 50.0, 50, 50}, {"contain", 50.0, 50.0, 50, 50}, {"fill", 30.0, 90.0, 30, 90}, {"inside", 50.0, 50.0, 50, 25},
		{"cover", 1.0, 1.0, 1, 1}, {"cover", 300.0, nil, 300, 150}, {"contain", nil, 10.0, 20, 10}, {"fill", 9000.0, 2.0, 8192, 2},
	} {
		in := map[string]any{"imageUrl": url, "fit": c.fit}
		if c.width != nil {
			in["width"] = c.width
		}
		if c.height != nil {
			in["height"] = c.height
		}
		wantSize(t, seen(t, s, must(t, s, "resize-image", in)), c.w, c.h)
	}
	contained := seen(t, s, must(t, s, "resize-image", map[string]any{"imageUrl": url, "width": 50.0, "height": 50.0, "fit": "contain"}))
	if _, _, _, a := contained.At(25, 2).RGBA(); a != 0 {
		t.Fatal("the bars of contain are not transparent")
	}
	wantColor(t, contained.At(10, 25), 255, 0, 0)
	wantColor(t, contained.At(40, 25), 0, 0, 255)
	_, err := try(t, s, "resize-image", map[string]any{"imageUrl": url})
	wantFailure(t, err, "width")
}

func wantColor(t *testing.T, c color.Color, r, g, b uint8) {
	t.Helper()
	got := color.NRGBAModel.Convert(c).(color.NRGBA)
	near := func(x, y uint8) bool { return max(x, y)-min(x, y) < 12 }
	if !near(got.R, r) || !near(got.G, g) || !near(got.B, b) {
		t.Fatalf("colour %v, want %d %d %d", got, r, g, b)
	}
}

func TestImageNodes(t *testing.T) {
	s := newShelf()
	url := picture(t, s, 200, 100)
	logo := picture(t, s, 20, 20)
	run := func(kind string, in map[string]any) image.Image { return seen(t, s, must(t, s, kind, in)) }

	cropped := run("crop-image", map[string]any{"imageUrl": url, "x": 150.0, "y": 10.0, "width": 500.0, "height": 20.0})
	wantSize(t, cropped, 50, 20)
	wantColor(t, cropped.At(0, 0), 0, 0, 255)
	wantSize(t, run("crop-image", map[string]any{"imageUrl": url, "aspectRatio": "1:1"}), 100, 100)
	wantSize(t, run("crop-image", map[string]any{"imageUrl": url, "aspectRatio": "9:16"}), 56, 100)

	composed := run("compose-image", map[string]any{"imageUrl": url, "overlayUrl": logo, "position": "top-right", "scale": 10.0, "margin": 0.0})
	wantColor(t, composed.At(182, 2), 255, 0, 0)
	wantColor(t, composed.At(182, 40), 0, 0, 255)

	wantColor(t, run("filter-image", map[string]any{"imageUrl": url, "filter": "invert"}).At(10, 10), 0, 255, 255)
	wantColor(t, run("filter-image", map[string]any{"imageUrl": url, "filter": "mirror"}).At(10, 10), 0, 0, 255)
	wantColor(t, run("filter-image", map[string]any{"imageUrl": url, "filter": "grayscale"}).At(10, 10), 54, 54, 54)
	wantColor(t, run("filter-image", map[string]any{"imageUrl": url, "filter": "blur", "intensity": 100.0}).At(100, 50), 128, 0, 128)
	for _, f := range []string{"sepia", "brightness", "contrast", "saturation", "sharpen", "flip"} {
		wantSize(t, run("filter-image", map[string]any{"imageUrl": url, "filter": f, "intensity": -40.0}), 200, 100)
	}
	wantSize(t, run("text-card", map[string]any{"text": "Well begun is half done", "caption": "Aristotle", "aspectRatio": "9:16"}), 607, 1080)
	wantSize(t, run("text-card", map[string]any{"text": "On an image", "imageUrl": url, "align": "left"}), 1080, 1080)

	jpg := must(t, s, "convert-image", map[string]any{"imageUrl": url, "format": "jpeg"})
	if jpg["contentType"] != "image/jpeg" || kit.SniffType(s.files[jpg["url"].(string)]) != "image/jpeg" {
		t.Fatalf("got %v", jpg)
	}
	wantSize(t, run("convert-image", map[string]any{"imageUrl": jpg["imageUrl"], "format": "gif"}), 200, 100)
	up := must(t, s, "upload-image", map[string]any{"imageUrl": url})
	if up["imageUrl"] != url || up["url"] != url {
		t.Fatalf("got %v", up)
	}
}

func TestQRCode(t *testing.T) {
	s := newShelf()
	img := seen(t, s, must(t, s, "qr-code", map[string]any{"text": "https://example.org/", "size": 300.0, "foreground": "#000080"}))
	wantSize(t, img, 300, 300)
	module := 300 / (25 + 2*quiet)
	start := (300 - 25*module) / 2
	wantColor(t, img.At(start+1, start+1), 0, 0, 128)                   // the finder's ring
	wantColor(t, img.At(start+module+1, start+module+1), 255, 255, 255) // its gap
	wantColor(t, img.At(start-1, start-1), 255, 255, 255)
}

// bombPNG is a PNG of a few bytes that claims a huge picture.
func bombPNG(width, height uint32) []byte {
	header := make([]byte, 17)
	copy(header, "IHDR")
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	header[12], header[13] = 8, 6
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	b = append(b, header...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(header))
}

func TestHostileImages(t *testing.T) {
	s := newShelf()
	for name, data := range map[string][]byte{
		"bomb":   bombPNG(60_000, 60_000),
		"broken": bombPNG(10, 10),
		"svg":    []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
		"html":   []byte("<html></html>"),
		"empty":  {},
	} {
		start := time.Now()
		_, err := try(t, s, "resize-image", map[string]any{"imageUrl": s.put(name+".png", data), "width": 10.0})
		wantFailure(t, err, "")
		if time.Since(start) > 20*time.Second {
			t.Errorf("%s took %v", name, time.Since(start))
		}
	}
	_, err := try(t, s, "resize-image", map[string]any{"imageUrl": s.put("bomb2.png", bombPNG(60_000, 60_000)), "width": 10.0})
	wantFailure(t, err, "64 megapixels")
	_, err = try(t, s, "upload-image", map[string]any{"imageUrl": s.put("page.png", []byte("<html></html>"))})
	wantFailure(t, err, "not an image but a web page")
	_, err = try(t, s, "upload-image", map[string]any{"imageUrl": "https://files.example/gone"})
	wantFailure(t, err, "was not found")
}

// TestExifOrientation reads a photo that was taken with the camera on its side.
func TestExifOrientation(t *testing.T) {
	s := newShelf()
	img := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := range 32 {
		for x := range 16 {
			img.Set(x, y, color.RGBA{R: 255, A: 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	exif := []byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	photo := append(append([]byte("\xff\xd8"), exif...), b.Bytes()[2:]...)
	got := seen(t, s, must(t, s, "convert-image", map[string]any{"imageUrl": s.put("photo.jpg", photo)}))
	wantSize(t, got, 32, 64)
	wantColor(t, got.At(16, 4), 255, 0, 0)
	wantColor(t, got.At(16, 60), 255, 255, 255)
}
